import { describe, expect, test } from 'vitest';
import type { License, LicenseInput } from '../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType } from '../../../test/factories.ts';
import { readToken } from '../../../test/license-token.ts';

/** Updates until a day, and sales that extend them (SELL-02). The vendor's time zone is that of Mexico City. */

const NOW = '2026-11-21T18:00:00.000Z';
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';

const url = (id: number, action = '') => `/licenses/api/licenses/${id}/${action}`;
const act = (t: TestApp, id: number, action: string, body: object = {}) =>
  t.call('POST', url(id, `${action}/`), { body });
const maintain = (t: TestApp, id: number, body: object = {}) =>
  act(t, id, 'renew', { kind: 'maintenance', price: 300, ...body });
const untilOf = async (t: TestApp, id: number) => (await t.call('GET', url(id))).body.updates_until;
const termsOf = async (t: TestApp, id: number) => (await t.call('GET', url(id, 'terms/'))).body.results;

const perpetual = (t: TestApp, values: Partial<LicenseInput> = {}) =>
  createLicense(t, { expiry_days: null, expiry_date: null, updates_until: '2027-01-31', ...values });

describe('the last day of updates (SELL-02)', () => {
  test('a licence computes it from the days of its type, unless it is sent', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, { updates_days: 90 });
    expect(type.updates_days).toBe(90);
    const of = { license_type_config: type.id };
    expect((await createLicense(t, of)).updates_until).toBe('2027-02-19');
    expect((await createLicense(t, { ...of, updates_until: '2027-05-01' })).updates_until).toBe('2027-05-01');
    expect((await createLicense(t, { ...of, updates_until: null })).updates_until).toBeNull();
    expect((await createLicense(t)).updates_until).toBeNull();
    // A change of the type does not change licences that were already sold.
    const { id } = await createLicense(t, of);
    await t.call('PUT', `/licenses/api/license-types/${type.id}/`, { body: { updates_days: 5 } });
    expect(await untilOf(t, id)).toBe('2027-02-19');
  });

  test('an invalid day, and days out of range, are refused at their field', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t);
    const refusals = await Promise.all([
      t.call('PUT', url(id), { body: { updates_until: '2027-02-30' } }),
      t.call('POST', '/licenses/api/license-types/', {
        body: { name: 'X', base_price: 1, max_installations: 1, validity_days: 1, updates_days: 0 },
      }),
      t.call('POST', '/licenses/api/license/validate/', {
        token: null,
        body: { license_key: 'x', machine_id: 'y', released_on: '21/11/2026' },
      }),
    ]);
    expect(refusals.map(({ status, body }) => [status, Object.keys(body.errors ?? {})])).toEqual([
      [400, ['updates_until']],
      [400, ['updates_days']],
      [400, ['released_on']],
    ]);
  });

  test('a PUT sets and removes it', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t);
    const set = await t.call('PUT', url(id), { body: { updates_until: '2026-12-31' } });
    expect([set.status, set.body.updates_until]).toEqual([200, '2026-12-31']);
    await t.call('PUT', url(id), { body: { updates_until: null } });
    expect(await untilOf(t, id)).toBeNull();
  });

  test('a renewal moves it to the later of its old value and the start of the term plus the days of the type', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, { validity_days: 365, updates_days: 365 });
    const of = { license_type_config: type.id };
    const { id } = await createLicense(t, of);
    await act(t, id, 'renew');
    // The term begins on 2027-11-21.
    expect(await untilOf(t, id)).toBe('2028-11-20');
    const late = await createLicense(t, { ...of, updates_until: '2030-01-01' });
    await act(t, late.id, 'renew');
    expect(await untilOf(t, late.id)).toBe('2030-01-01');
    const bare = await createLicense(t, { updates_until: '2027-01-01' });
    await act(t, bare.id, 'renew');
    expect(await untilOf(t, bare.id)).toBe('2027-01-01');
  });

  test('an upgrade to a type with updates forever removes it, and undoing restores it', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t);
    const { id } = await createLicense(t, { updates_until: '2027-01-01' });
    await act(t, id, 'renew', { license_type_config: type.id });
    expect(await untilOf(t, id)).toBeNull();
    await act(t, id, 'undo_renewal');
    expect(await untilOf(t, id)).toBe('2027-01-01');
  });
});

describe('a maintenance renewal (SELL-02)', () => {
  test('moves the last day of updates of a perpetual licence, and does not change its price and end', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await perpetual(t, { price: 9000 });
    const { status, body } = await maintain(t, license.id, { updates_days: 100 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      updates_until: '2027-05-11',
      price: 9000,
      expiry_date: null,
      expiry_days: null,
    });
    expect(await termsOf(t, license.id)).toMatchObject([
      {
        kind: 'maintenance',
        // The days after those that were already paid.
        starts: '2027-02-01T05:59:59.000Z',
        ends: '2027-05-12T05:59:59.000Z',
        price: 300,
        currency: 'MXN',
        actor: { kind: 'user' },
      },
      { kind: 'issue', price: 9000, ends: null },
    ]);
  });

  test('counts from today once the day has passed, with the days of the type, otherwise a year', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, { updates_days: 30 });
    const over = { updates_until: '2026-06-30' };
    const typed = await createLicense(t, { ...over, license_type_config: type.id });
    const bare = await perpetual(t, over);
    expect((await maintain(t, typed.id)).body.updates_until).toBe('2026-12-21');
    expect((await maintain(t, bare.id)).body.updates_until).toBe('2027-11-21');
    expect((await termsOf(t, bare.id))[0].starts).toBe(NOW);
  });

  test('its preview stores nothing and returns the same values', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await perpetual(t);
    const preview = await act(t, id, 'renew/preview', { kind: 'maintenance', price: 300, currency: 'USD' });
    expect([preview.status, preview.body]).toEqual([
      200,
      { starts: '2027-02-01T05:59:59.000Z', ends: '2028-02-01T05:59:59.000Z', price: 300, currency: 'USD' },
    ]);
    expect(await untilOf(t, id)).toBe('2027-01-31');
  });

  test('is refused without a last day of updates, without a valid price, and past the last possible date', async () => {
    const t = await createTestApp({ now: NOW });
    const forEver = await createLicense(t);
    expect((await maintain(t, forEver.id)).body.code).toBe('not_renewable');
    const { id } = await perpetual(t);
    const free = await act(t, id, 'renew', { kind: 'maintenance' });
    expect([free.status, free.body.errors]).toEqual([400, { price: expect.any(Array) }]);
    const clp = await maintain(t, id, { price: 10.5, currency: 'CLP' });
    expect([clp.status, Object.keys(clp.body.errors)]).toEqual([400, ['price']]);
    await t.call('PUT', url(id), { body: { updates_until: '9999-12-01' } });
    const late = await maintain(t, id);
    expect([late.status, Object.keys(late.body.errors)]).toEqual([400, ['updates_days']]);
    await act(t, id, 'suspend');
    expect((await maintain(t, id)).body.code).toBe('invalid_transition');
  });

  test('is the only renewal that is possible for a perpetual licence', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await perpetual(t);
    expect((await t.call('GET', url(id))).body.can).toContain('renew');
    expect((await act(t, id, 'renew')).body.code).toBe('not_renewable');
    const ids = [id];
    const counted = (kind?: string) =>
      t.call('POST', '/licenses/api/licenses/bulk_action/preview/', { body: { ids, action: 'renew', kind } });
    expect((await counted()).body.possible).toBe(0);
    expect((await counted('maintenance')).body.possible).toBe(1);
  });

  test('PUT, extension and the length of a renewal are the same with and without a maintenance renewal', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t, { expiry_days: 30, price: 100, updates_until: '2026-12-01' });
    await maintain(t, id, { updates_days: 200 });
    await t.call('PUT', url(id), { body: { price: 120 } });
    await act(t, id, 'extend', { days: 5, reason: 'Pago en camino' });
    expect((await act(t, id, 'extend', { days: 5, reason: 'Otra' })).body.code).toBe('already_extended');
    const { body } = await act(t, id, 'renew');
    expect(body).toMatchObject({ expiry_days: 65, price: 120 });
    expect(
      (await termsOf(t, id)).map(({ kind, price }: { kind: string; price: number }) => [kind, price]),
    ).toEqual([
      ['renewal', 120],
      ['maintenance', 300],
      ['issue', 120],
    ]);
  });

  test('undo takes back renewals and maintenances one after another, newest first', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, expiry_date } = await createLicense(t, { expiry_days: 30, updates_until: '2026-12-01' });
    await act(t, id, 'renew');
    await maintain(t, id, { updates_days: 10 });
    expect((await act(t, id, 'undo_renewal')).body).toMatchObject({ updates_until: '2026-12-01' });
    expect((await t.call('GET', url(id))).body.expiry_date).not.toBe(expiry_date);
    expect((await act(t, id, 'undo_renewal')).body.expiry_date).toBe(expiry_date);
    expect((await act(t, id, 'undo_renewal')).body.code).toBe('not_undoable');
    expect(await termsOf(t, id)).toHaveLength(1);
  });

  test('the mail contains the new day, and the history the change', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await perpetual(t);
    await t.deliveredMail();
    await maintain(t, id, { updates_days: 28, reason: 'Factura 12' });
    // Both mails have the same time, so their order is not fixed.
    const texts = (await t.deliveredMail()).map(({ text }) => text ?? '');
    expect(texts.filter((text) => text.includes('Actualizaciones hasta: 28/02/2027'))).toHaveLength(1);
    const { results } = (await t.call('GET', `/licenses/api/events/?license=${id}`)).body;
    const sold = results.find(({ type }: { type: string }) => type === 'license.renewed');
    expect(sold).toMatchObject({
      subject: { name: license_key },
      reason: 'Factura 12',
      changes: { updates_until: { before: '2027-01-31', after: '2027-02-28' } },
    });
  });
});

describe('the answers to a program (SELL-02)', () => {
  const program = (t: TestApp, { license_key }: License, released_on?: string, machine_id = 'caja-1') => ({
    call: (path: string, body: object = {}) =>
      t.call('POST', `/licenses/api/${path}/`, {
        token: null,
        body: { license_key, machine_id, nonce: NONCE, released_on, ...body },
      }),
  });
  const claimsOf = async (t: TestApp, token: string) =>
    readToken(token, (await t.call('GET', '/.well-known/jwks.json', { token: null })).body.keys).claims;

  test('a build released after the last day is refused with updates_ended, an older one and one without a date are not', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await perpetual(t, { updates_until: '2026-11-20' });
    for (const [released, reason] of [
      ['2026-11-21', 'updates_ended'],
      ['2026-11-20', null],
      [undefined, null],
      ['', null],
    ] as const) {
      const { body } = await program(t, license, released).call('license/validate');
      expect([released, body.valid, body.reason]).toEqual([released, reason === null, reason]);
      const claims = await claimsOf(t, body.token);
      expect(claims).toMatchObject({ valid: reason === null, reason, updates_until: '2026-11-20' });
    }
    const refused = await program(t, license, '2026-11-21').call('installations');
    expect([refused.status, refused.body.code]).toEqual([403, 'updates_ended']);
    expect(await claimsOf(t, refused.body.token)).toMatchObject({ valid: false, reason: 'updates_ended' });
    expect((await program(t, license, '2026-11-20').call('installations')).status).toBe(201);
  });

  test('a heartbeat of a newer build answers 200 with updates_ended, and its token is not valid', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await perpetual(t, { updates_until: '2026-11-20' });
    await program(t, license).call('installations');
    const newer = await program(t, license, '2026-11-21').call('installation/heartbeat');
    expect([newer.status, newer.body.license.updates_ended]).toEqual([200, true]);
    expect(await claimsOf(t, newer.body.token)).toMatchObject({
      valid: false,
      reason: 'updates_ended',
      seat: true,
    });
    const quiet = await program(t, license, '2026-11-21').call('installation/heartbeat', {
      nonce: undefined,
    });
    expect(quiet.body.license.updates_ended).toBe(true);
    const older = await program(t, license, '2026-11-19').call('installation/heartbeat');
    expect(older.body.license).not.toHaveProperty('updates_ended');
    expect(await claimsOf(t, older.body.token)).toMatchObject({ valid: true, reason: null });
  });

  test('the reason updates_ended comes after expired and before installation_limit', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, {
      expiry_date: '2026-11-30',
      updates_until: '2026-11-20',
      max_installations: 1,
    });
    await program(t, license).call('installations');
    const other = (released: string) => program(t, license, released, 'caja-2').call('license/validate');
    expect((await other('2026-11-21')).body.reason).toBe('updates_ended');
    expect((await other('2026-11-20')).body.reason).toBe('installation_limit');
    t.clock.set(new Date('2026-12-02T18:00:00.000Z'));
    expect((await other('2026-11-21')).body.reason).toBe('expired');
  });
});

describe('maintenance in the reports (SELL-02)', () => {
  test('is a separate kind of revenue, and due maintenance is counted separately from due renewals', async () => {
    const t = await createTestApp({ now: NOW });
    const sold = await perpetual(t, { price: 9000, updates_until: '2026-12-15' });
    await maintain(t, sold.id, { price: 300, updates_days: 30 });
    await perpetual(t, { price: 100, updates_until: '2027-01-02' });
    await createLicense(t, { price: 50, expiry_date: '2027-01-10' });
    const revenue = (await t.call('GET', '/licenses/api/reports/revenue/')).body;
    expect(revenue.totals).toMatchObject([
      { new: 9150, renewal: 0, maintenance: 300, total: 9450, count: 4 },
    ]);
    const renewals = (await t.call('GET', '/licenses/api/reports/renewals/')).body;
    const january = renewals.months.find(({ month }: { month: string }) => month === '2027-01');
    expect(january).toMatchObject({ due: 1, amount: 50, maintenance_due: 2, maintenance_amount: 300 });
    expect(renewals.totals[0]).toMatchObject({ due: 1, maintenance_due: 2, maintenance_amount: 300 });
    const csv = (await t.call('GET', '/licenses/api/reports/renewals/export/')).text;
    expect(csv).toContain('Actualizaciones por renovar,Importe de actualizaciones');
  });

  test('does not change the rate of renewal', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t, { expiry_days: 10, updates_until: '2026-11-25' });
    await maintain(t, id);
    t.clock.set(new Date('2026-12-20T18:00:00.000Z'));
    t.token = await signInAs(t, 'admin', 'admin123');
    const rate = async () => {
      const { ended, renewed } = (await t.call('GET', '/licenses/api/reports/renewals/')).body;
      return [ended, renewed];
    };
    expect(await rate()).toEqual([1, 0]);
    await act(t, id, 'renew');
    await maintain(t, id);
    expect(await rate()).toEqual([1, 1]);
    await act(t, id, 'undo_renewal');
    expect(await rate()).toEqual([1, 1]);
    await act(t, id, 'undo_renewal');
    expect(await rate()).toEqual([1, 0]);
  });
});
