import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';

/** The actions on a licence after its issue, through HTTP (LIFE-01 to LIFE-05). */

const NOW = '2026-11-21T18:00:00.000Z';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const url = (id: number, action = '') => `/licenses/api/licenses/${id}/${action}`;
const act = (id: number, action: string, body: object = {}, headers: Record<string, string> = {}) =>
  t.call('POST', url(id, `${action}/`), { body, headers });
const termsOf = async (id: number) => (await t.call('GET', url(id, 'terms/'))).body.results;
const eventsOf = async (id: number) =>
  (await t.call('GET', `/licenses/api/events/?license=${id}`)).body.results;
const revenue = async () => (await t.call('GET', '/licenses/api/statistics/revenue/')).body.statistics.total;

/** Moves the clock and signs in again, because the session has ended. */
async function moveTo(moment: string): Promise<void> {
  t.clock.set(moment);
  t.token = await signInAs(t, 'admin', 'admin123');
}

/** A licence with a type that sells a year for 1,200. */
async function yearly(values: object = {}) {
  const type = await createLicenseType(t, { base_price: 1200, validity_days: 365, max_installations: 5 });
  return createLicense(t, { license_type_config: type.id, price: 1000, expiry_days: 365, ...values });
}

describe('terms (LIFE-01)', () => {
  test('a new licence has one term, and a PUT of price or date corrects it', async () => {
    const license = await yearly();
    const [first, ...others] = await termsOf(license.id);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      kind: 'issue',
      starts: license.issued_date,
      ends: license.expiry_date,
      price: 1000,
      currency: 'MXN',
      actor: { kind: 'user', name: 'Administrador Demo' },
    });
    await t.call('PUT', url(license.id), { body: { price: 900, expiry_date: '2027-12-31', notes: 'x' } });
    expect(await termsOf(license.id)).toEqual([{ ...first, price: 900, ends: '2028-01-01T05:59:59.000Z' }]);
    expect((await t.call('GET', url(999_999, 'terms/'))).status).toBe(404);
  });

  test('revenue adds the terms by the current software of their licence, without cancelled licences', async () => {
    const license = await yearly();
    const other = await createSoftware(t, { name: 'Almacén' });
    await t.call('PUT', url(license.id), { body: { software: other.id } });
    const { body } = await t.call('GET', '/licenses/api/statistics/revenue/');
    expect(body.statistics.by_software).toEqual([{ id: other.id, name: 'Almacén', total: 1000 }]);
    expect(await revenue()).toBe(1000);
    await act(license.id, 'renew');
    expect(await revenue()).toBe(2200);
    await act(license.id, 'cancel');
    expect(await revenue()).toBe(0);
  });
});

describe('renewal (LIFE-02)', () => {
  test('an early renewal begins at the end of the current term', async () => {
    const license = await yearly();
    const preview = await act(license.id, 'renew/preview');
    expect(preview.body).toEqual({
      starts: license.expiry_date,
      ends: '2028-11-21T05:59:59.000Z',
      price: 1200,
      currency: 'MXN',
    });
    const { status, body, headers } = await act(license.id, 'renew', { reason: 'Pagó por transferencia' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      price: 1200,
      status: 'active',
      expiry_date: preview.body.ends,
      expiry_days: 730,
    });
    expect(headers.etag).toBe(`"${body.updated_at}"`);
    expect((await termsOf(license.id)).map(({ kind }: { kind: string }) => kind)).toEqual([
      'renewal',
      'issue',
    ]);
    expect((await eventsOf(license.id))[0]).toMatchObject({
      type: 'license.renewed',
      reason: 'Pagó por transferencia',
      changes: { expiry_date: { before: license.expiry_date, after: preview.body.ends } },
    });
  });

  test('a late renewal begins today and ends at the end of its last day', async () => {
    const license = await yearly({ expiry_date: '2026-11-21' });
    expect((await act(license.id, 'renew/preview')).body.ends).toBe('2027-11-22T05:59:59.000Z');
    await moveTo('2026-12-10T18:00:00.000Z');
    const late = await act(license.id, 'renew/preview');
    expect(late.body).toMatchObject({ starts: '2026-12-10T18:00:00.000Z', ends: '2027-12-11T05:59:59.000Z' });
    const fromEnd = await act(license.id, 'renew/preview', { from: 'expiry' });
    expect(fromEnd.body.starts).toBe(license.expiry_date);
    expect((await act(license.id, 'renew')).body).toMatchObject({ is_active: true, is_expired: false });
  });

  test('a term from a leap day, and one with sent days, end on the right day', async () => {
    const license = await yearly({ expiry_date: '2028-02-29' });
    expect((await act(license.id, 'renew/preview')).body.ends).toBe('2029-03-01T05:59:59.000Z');
    expect((await act(license.id, 'renew/preview', { expiry_days: 1 })).body.ends).toBe(
      '2028-03-02T05:59:59.000Z',
    );
    const given = { expiry_date: '2028-12-31', expiry_days: 5, price: 7.5 };
    expect((await act(license.id, 'renew/preview', given)).body).toMatchObject({
      ends: '2029-01-01T05:59:59.000Z',
      price: 7.5,
    });
  });

  test('the promotion of the type applies while it runs', async () => {
    const type = await createLicenseType(t, {
      base_price: 1000,
      is_promotion: true,
      promotion_name: 'Buen Fin',
      discount_percentage: 20,
      promotion_start_date: '2026-11-15',
      promotion_end_date: '2026-11-21',
    });
    const license = await createLicense(t, { license_type_config: type.id, price: 1000 });
    expect((await act(license.id, 'renew/preview')).body.price).toBe(800);
    await moveTo('2026-11-22T06:00:00.000Z');
    expect((await act(license.id, 'renew/preview')).body.price).toBe(1000);
  });

  test('without a licence type the last term is repeated, without its extension', async () => {
    const license = await createLicense(t, { license_type_config: undefined, price: 50, expiry_days: 30 });
    await act(license.id, 'extend', { days: 10, reason: 'Pago en camino' });
    const { body } = await act(license.id, 'renew');
    expect(body).toMatchObject({ price: 50, expiry_days: 70 });
  });

  test('a trial needs a type and becomes premium, and renewing with another type is an upgrade with its seats', async () => {
    const license = await yearly({ status: 'trial', license_type: 'trial', expiry_days: 15 });
    const refused = await act(license.id, 'renew');
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['license_type_config']]);
    const type = await createLicenseType(t, { base_price: 5000, max_installations: 20, validity_days: 365 });
    const { body } = await act(license.id, 'renew', { license_type_config: type.id });
    expect(body).toMatchObject({
      status: 'active',
      license_type: 'premium',
      license_type_config: type.id,
      max_installations: 20,
      price: 5000,
    });
    expect((await termsOf(license.id))[0].kind).toBe('upgrade');
  });

  test('refuses a licence without an end, a suspended and a cancelled one, and invalid fields', async () => {
    const endless = await createLicense(t, { expiry_days: null, expiry_date: null });
    expect((await act(endless.id, 'renew')).body.code).toBe('not_renewable');
    const license = await yearly();
    await act(license.id, 'suspend');
    const suspended = await act(license.id, 'renew');
    expect([suspended.status, suspended.body.code]).toEqual([409, 'invalid_transition']);
    expect(suspended.body.message).toMatch(/Reactívala/);
    await act(license.id, 'cancel');
    expect((await act(license.id, 'renew')).body.code).toBe('invalid_transition');
    for (const [body, field] of [
      [{ expiry_days: 0 }, 'expiry_days'],
      [{ expiry_date: '2020-01-01' }, 'expiry_date'],
      [{ price: -1 }, 'price'],
      [{ license_type_config: 999_999 }, 'license_type_config'],
      [{ from: 'mañana' }, 'from'],
    ] as const) {
      const other = await yearly();
      const answer = await act(other.id, 'renew', body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    }
  });

  test('the same Idempotency-Key renews once, and a stale version is refused', async () => {
    const license = await yearly();
    const other = await yearly();
    const headers = { 'idempotency-key': 'una' };
    const answers = await Promise.all([1, 2, 3].map(() => act(license.id, 'renew', {}, headers)));
    expect(new Set(answers.map(({ body }) => body.expiry_date)).size).toBe(1);
    expect(await termsOf(license.id)).toHaveLength(2);
    expect((await act(other.id, 'renew', {}, headers)).body.id).toBe(other.id);
    const stale = await act(license.id, 'renew', {}, { 'if-match': `"${license.updated_at}"` });
    expect(stale.status).toBe(412);
    expect(await termsOf(license.id)).toHaveLength(2);
  });

  test('undoing a renewal restores the licence, and is refused after a later change', async () => {
    const license = await yearly({ expiry_date: '2026-11-01', status: 'expired' });
    const before = (await t.call('GET', url(license.id))).body;
    await act(license.id, 'renew');
    const { body } = await act(license.id, 'undo_renewal');
    expect(body).toEqual({ ...before, updated_at: body.updated_at, email_status: body.email_status });
    expect(await termsOf(license.id)).toHaveLength(1);
    expect((await eventsOf(license.id))[0].type).toBe('license.renewal_undone');
    expect((await act(license.id, 'undo_renewal')).body.code).toBe('not_undoable');
    await act(license.id, 'renew');
    await t.call('PUT', url(license.id), { body: { price: 5 } });
    expect((await act(license.id, 'undo_renewal')).body.code).toBe('not_undoable');
  });

  test('the client gets a mail, unless the call turns it off', async () => {
    const license = await yearly();
    await act(license.id, 'renew', { notify: false });
    await act(license.id, 'renew');
    const subjects = (await t.deliveredMail()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /^Renovamos su licencia/.test(String(subject)))).toHaveLength(1);
  });
});

describe('suspension, reinstatement, cancellation (LIFE-03)', () => {
  test('a suspension makes validation fail and does not move the end', async () => {
    const license = await yearly({ status: 'trial' });
    const suspended = await act(license.id, 'suspend', { reason: 'Falta de pago' });
    expect(suspended.body).toMatchObject({ status: 'suspended', expiry_date: license.expiry_date });
    const check = { license_key: license.license_key, machine_id: 'caja-01' };
    const verdict = await t.call('POST', '/licenses/api/license/validate/', { body: check, token: null });
    expect(verdict.body.reason).toBe('suspended');
    expect((await act(license.id, 'suspend')).body.code).toBe('invalid_transition');
    const reinstated = await act(license.id, 'reinstate');
    expect(reinstated.body).toMatchObject({ status: 'trial', expiry_date: license.expiry_date });
    expect((await act(license.id, 'reinstate')).body.code).toBe('invalid_transition');
  });

  test('reinstating can add the days of the suspension to the end', async () => {
    const license = await yearly({ expiry_date: '2026-12-31' });
    await act(license.id, 'suspend');
    await moveTo('2026-11-28T18:00:00.000Z');
    const { body } = await act(license.id, 'reinstate', { extend: true });
    expect(body).toMatchObject({ status: 'active', expiry_date: '2027-01-08T05:59:59.000Z' });
    expect((await termsOf(license.id))[0].ends).toBe(body.expiry_date);
    const endless = await createLicense(t, { expiry_days: null, expiry_date: null });
    await act(endless.id, 'suspend');
    expect((await act(endless.id, 'reinstate', { extend: true })).body.expiry_date).toBeNull();
  });

  test('a licence suspended by PUT is reinstated to its earlier status', async () => {
    const license = await yearly({ status: 'trial' });
    await t.call('PUT', url(license.id), { body: { status: 'suspended' } });
    expect((await act(license.id, 'reinstate')).body.status).toBe('trial');
  });

  test('a licence suspended by an earlier version can be reinstated, and its first term has no author', async () => {
    const license = await yearly();
    await act(license.id, 'suspend');
    await t.db.updateTable('licenses').set({ suspended_from: null }).execute();
    const nobody = { actor_kind: null, actor_id: null, actor_name: null };
    await t.db.updateTable('license_terms').set(nobody).execute();
    expect((await act(license.id, 'reinstate')).body.status).toBe('active');
    expect((await termsOf(license.id))[0].actor).toBeNull();
  });

  test('a cancelled licence refuses every further action', async () => {
    const license = await yearly();
    expect((await act(license.id, 'cancel', { reason: 'Cerró' })).body.status).toBe('cancelled');
    for (const action of ['renew', 'suspend', 'reinstate', 'cancel', 'replace_key']) {
      expect((await act(license.id, action)).body.code).toBe('invalid_transition');
    }
  });
});

describe('extension (LIFE-03)', () => {
  test('counts from the end while the licence is valid, otherwise from today, and is possible once per term', async () => {
    const license = await yearly({ expiry_date: '2026-12-01' });
    const extended = await act(license.id, 'extend', { days: 5, reason: 'Pago en camino' });
    expect(extended.body.expiry_date).toBe('2026-12-07T05:59:59.000Z');
    expect(await revenue()).toBe(1000);
    const again = await act(license.id, 'extend', { days: 5, reason: 'Otra vez' });
    expect([again.status, again.body.code]).toEqual([409, 'already_extended']);
    await act(license.id, 'renew');
    expect((await act(license.id, 'extend', { days: 1, reason: 'Nuevo periodo' })).status).toBe(200);

    const over = await yearly({ expiry_date: '2026-11-01', status: 'expired' });
    expect((await act(over.id, 'extend', { days: 3, reason: 'Cortesía' })).body).toMatchObject({
      status: 'active',
      expiry_date: '2026-11-25T05:59:59.000Z',
    });
  });

  test('returns errors for invalid days and reason', async () => {
    const license = await yearly();
    for (const [body, field] of [
      [{ days: 0, reason: 'x' }, 'days'],
      [{ days: 61, reason: 'x' }, 'days'],
      [{ reason: 'x' }, 'days'],
      [{ days: 1 }, 'reason'],
      [{ days: 1, reason: '  ' }, 'reason'],
    ] as const) {
      const answer = await act(license.id, 'extend', body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    }
    const endless = await createLicense(t, { expiry_days: null, expiry_date: null });
    expect((await act(endless.id, 'extend', { days: 1, reason: 'x' })).body.code).toBe('not_renewable');
  });
});

describe('transfer and new key (LIFE-04)', () => {
  test('a transfer moves the licence to an active client and frees its seats', async () => {
    const license = await yearly();
    await activate(t, license.license_key, 'caja-01');
    const other = await createClient(t, { name: 'Nueva Dueña' });
    const { body } = await act(license.id, 'transfer', { client: other.id, reason: 'Venta del negocio' });
    expect(body).toMatchObject({
      license_key: license.license_key,
      client_name: 'Nueva Dueña',
      current_installations: 0,
      installations: [],
    });
    expect((await eventsOf(license.id))[0]).toMatchObject({
      type: 'license.transferred',
      client: { id: other.id },
      changes: { client: { before: license.client_name, after: 'Nueva Dueña' } },
    });
    await activate(t, license.license_key, 'caja-02');
    const back = { client: license.client.id, release_seats: false };
    expect((await act(license.id, 'transfer', back)).body.current_installations).toBe(1);
  });

  test('a transfer to the same, an inactive or an unknown client is refused at client', async () => {
    const license = await yearly();
    const inactive = await createClient(t, { status: 'inactive' });
    for (const client of [license.client.id, inactive.id, 999_999, undefined]) {
      const answer = await act(license.id, 'transfer', { client });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['client']]);
    }
  });

  test('after a new key the old one is unknown at once, and the seats stay', async () => {
    const license = await yearly();
    await activate(t, license.license_key, 'caja-01');
    const { body } = await act(license.id, 'replace_key', { reason: 'Se publicó' });
    expect(body.license_key).not.toBe(license.license_key);
    const check = (license_key: string) =>
      t.call('POST', '/licenses/api/license/validate/', {
        body: { license_key, machine_id: 'caja-01' },
        token: null,
      });
    expect((await check(license.license_key)).body.reason).toBe('not_found');
    expect((await check(body.license_key)).body).toMatchObject({ valid: true, machine_registered: true });
    expect((await eventsOf(license.id))[0].type).toBe('license.key_replaced');
    const found = await t.call('GET', `/licenses/api/licenses/?search=${body.license_key}`);
    expect(found.body.count).toBe(1);
  });
});

test('an action needs a session and a licence that exists (LIFE-05)', async () => {
  const { id } = await createSoftware(t);
  const actions = {
    renew: {},
    undo_renewal: {},
    extend: { days: 1, reason: 'x' },
    suspend: {},
    reinstate: {},
    cancel: {},
    transfer: { client: id },
    replace_key: {},
  };
  for (const [action, body] of Object.entries(actions)) {
    expect((await act(999_999, action, body)).status).toBe(404);
    expect((await t.call('POST', url(1, `${action}/`), { body, token: null })).status).toBe(401);
  }
});

test('a bulk action renews the licences that it can and lists the others with the reason (LIFE-06)', async () => {
  const [first, suspended] = [await yearly(), await yearly()];
  const endless = await createLicense(t, { expiry_days: null, expiry_date: null });
  await act(suspended.id, 'suspend');
  const ids = [first.id, suspended.id, endless.id];
  const renewed = await t.call('POST', '/licenses/api/licenses/bulk_action/', {
    body: { ids, action: 'renew', reason: 'Campaña de fin de año' },
  });
  expect(renewed.body).toMatchObject({ success: true, done: [first.id] });
  expect(renewed.body.failed.map(({ id, code }: { id: number; code: string }) => [id, code])).toEqual([
    [suspended.id, 'invalid_transition'],
    [endless.id, 'not_renewable'],
  ]);
  expect((await eventsOf(first.id))[0]).toMatchObject({
    type: 'license.renewed',
    reason: 'Campaña de fin de año',
  });
  const cancelled = await t.call('POST', '/licenses/api/licenses/bulk_action/', {
    body: { ids, action: 'cancel' },
  });
  expect(cancelled.body.done).toEqual(ids);
});
