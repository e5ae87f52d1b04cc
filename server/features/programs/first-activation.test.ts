import { describe, expect, test } from 'vitest';
import type { License, LicenseInput } from '../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';
import { readToken } from '../../../test/license-token.ts';
import { runJob } from '../../../test/run-job.ts';
import { startOverdueJob } from './start-overdue-job.ts';

/** Licences that start with their first activation (SELL-01). The vendor's time zone is that of Mexico City. */

const NOW = '2026-11-21T18:00:00.000Z';
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';
const DAY_MS = 86_400_000;

const url = (id: number, action = '') => `/licenses/api/licenses/${id}/${action}`;
const act = (t: TestApp, id: number, action: string, body: object = {}) =>
  t.call('POST', url(id, `${action}/`), { body });
const read = async (t: TestApp, id: number): Promise<License> => (await t.call('GET', url(id))).body;
const termsOf = async (t: TestApp, id: number) => (await t.call('GET', url(id, 'terms/'))).body.results;
const eventsOf = async (t: TestApp, id: number) =>
  (await t.call('GET', `/licenses/api/events/?license=${id}`)).body.results.filter(
    ({ type }: { type: string }) => !type.startsWith('mail.'),
  );
const validate = (t: TestApp, license_key: string, body: object = {}) =>
  t.call('POST', '/licenses/api/license/validate/', {
    token: null,
    body: { license_key, machine_id: 'caja-1', ...body },
  });

const waiting = (t: TestApp, values: Partial<LicenseInput> = {}) =>
  createLicense(t, { start_mode: 'first_activation', expiry_days: 30, activate_by_days: 10, ...values });

/** Moves the clock and signs in again, because the session has ended. */
async function pass(t: TestApp, days: number): Promise<void> {
  t.clock.advance(days * DAY_MS);
  t.token = await signInAs(t, 'admin', 'admin123');
}

/** The same, and then runs the job that starts waiting licences. */
async function later(t: TestApp, days: number): Promise<void> {
  await pass(t, days);
  await runJob(t.context, startOverdueJob);
}

describe('a licence that starts with its first activation (SELL-01)', () => {
  test('has a length and no end, and returns until when it can be activated', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await waiting(t);
    expect(license).toMatchObject({
      status: 'active',
      start_mode: 'first_activation',
      activate_by_days: 10,
      pending_start: true,
      // The end of the tenth day after the issue.
      activate_by: '2026-12-02T05:59:59.000Z',
      expiry_date: null,
      expiry_days: 30,
      days_remaining: null,
    });
    expect(await termsOf(t, license.id)).toMatchObject([
      { kind: 'issue', starts: null, ends: null, created_at: NOW },
    ]);
    expect(await createLicense(t)).toMatchObject({
      start_mode: 'issue',
      activate_by_days: 365,
      pending_start: false,
      activate_by: null,
    });
  });

  test('gets its start mode and its days of updates from its type', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, {
      start_mode: 'first_activation',
      activate_by_days: 20,
      validity_days: 90,
      updates_days: 60,
    });
    expect(type).toMatchObject({ start_mode: 'first_activation', activate_by_days: 20 });
    const of = { license_type_config: type.id };
    const license = await createLicense(t, of);
    expect(license).toMatchObject({
      pending_start: true,
      activate_by_days: 20,
      expiry_days: 90,
      updates_until: null,
    });
    // The days of updates begin with the licence's start, in the number that the type had at its issue.
    await t.call('PUT', `/licenses/api/license-types/${type.id}/`, { body: { updates_days: 5 } });
    await pass(t, 3);
    await activate(t, license.license_key, 'caja-1');
    expect(await read(t, license.id)).toMatchObject({ updates_until: '2027-01-23' });
    const own = await createLicense(t, { ...of, start_mode: 'issue' });
    expect(own).toMatchObject({ pending_start: false, updates_until: '2026-11-29' });
  });

  test('the answers to programs say that it has not started', async () => {
    const t = await createTestApp({ now: NOW });
    const { license_key } = await waiting(t);
    const { body } = await validate(t, license_key);
    expect(body).toMatchObject({ valid: true, pending_start: true, license: { expiry_date: null } });
    await activate(t, license_key, 'caja-1');
    expect((await validate(t, license_key)).body).not.toHaveProperty('pending_start');
  });

  test('a date, no end, and days out of range are refused at their field', async () => {
    const t = await createTestApp({ now: NOW });
    const client = (await createClient(t)).id;
    const software = (await createSoftware(t)).id;
    const issue = (body: object) =>
      t.call('POST', '/licenses/api/licenses/', {
        body: { client, software, license_type: 'premium', price: 10, ...body },
      });
    const mode = { start_mode: 'first_activation' };
    const { id } = await waiting(t);
    for (const [answer, field] of [
      [await issue({ ...mode, expiry_date: '2027-01-01' }), 'start_mode'],
      [await issue({ ...mode, expiry_days: null, expiry_date: null }), 'start_mode'],
      [await issue({ ...mode, expiry_days: null }), 'start_mode'],
      [await issue({ start_mode: 'later' }), 'start_mode'],
      [await issue({ ...mode, activate_by_days: 3651 }), 'activate_by_days'],
      [await issue({ ...mode, activate_by_days: 0 }), 'activate_by_days'],
      [await t.call('PUT', url(id), { body: { expiry_days: null } }), 'start_mode'],
    ] as const) {
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, [field]]);
    }
  });

  test('cannot be renewed, extended or maintained, and after a cancellation the error is that of a cancelled licence', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await waiting(t, { updates_until: '2027-01-01' });
    for (const [action, body] of [
      ['renew', {}],
      ['renew', { kind: 'maintenance', price: 5 }],
      ['renew/preview', {}],
      ['extend', { days: 3, reason: 'Viaje' }],
    ] as const) {
      const answer = await act(t, id, action, body);
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        409,
        'not_renewable',
        expect.stringMatching(/^Aún no empieza/),
      ]);
    }
    expect((await t.call('GET', url(id))).body.can).not.toEqual(expect.arrayContaining(['renew']));
    const counted = await t.call('POST', '/licenses/api/licenses/bulk_action/preview/', {
      body: { ids: [id], action: 'renew' },
    });
    expect(counted.body).toMatchObject({ possible: 0, refused: [{ code: 'not_renewable' }] });
    await act(t, id, 'cancel');
    expect((await act(t, id, 'renew')).body.code).toBe('invalid_transition');
  });

  test('suspending and reinstating it do not change its length', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await waiting(t);
    await act(t, id, 'suspend');
    await pass(t, 2);
    expect((await act(t, id, 'reinstate', { extend: true })).body).toMatchObject({
      pending_start: true,
      expiry_days: 30,
      expiry_date: null,
    });
  });
});

describe('the start of a licence (SELL-01)', () => {
  test('is the first activation, in one transaction with its event, and later seats start nothing', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await waiting(t);
    await pass(t, 5);
    expect((await activate(t, license_key, 'caja-1')).status).toBe(201);
    const started = await read(t, id);
    expect(started).toMatchObject({
      pending_start: false,
      activate_by: null,
      // Thirty days after the 26th, at the end of that local day.
      expiry_date: '2026-12-27T05:59:59.000Z',
      // From now on the days are counted from the issue.
      expiry_days: 35,
      days_remaining: 30,
    });
    expect(await termsOf(t, id)).toMatchObject([
      { starts: '2026-11-26T18:00:00.000Z', ends: '2026-12-27T05:59:59.000Z', created_at: NOW },
    ]);
    const [second, first] = await eventsOf(t, id);
    expect(second).toMatchObject({
      type: 'license.started',
      actor: { kind: 'machine', name: 'caja-1' },
      changes: {
        expiry_date: { before: null, after: '2026-12-27T05:59:59.000Z' },
        expiry_days: { before: 30, after: 35 },
      },
    });
    expect(first).toMatchObject({
      type: 'installation.activated',
      actor: { kind: 'machine', name: 'caja-1' },
    });
    await pass(t, 1);
    await activate(t, license_key, 'caja-2');
    await activate(t, license_key, 'caja-1');
    const {
      current_installations: _n,
      remaining_installations: _r,
      installations: _i,
      days_remaining: _d,
      ...same
    } = await read(t, id);
    expect(started).toMatchObject(same);
    expect(
      (await eventsOf(t, id)).filter(({ type }: { type: string }) => type === 'license.started'),
    ).toHaveLength(1);
  });

  test('the token of the first activation contains the new end', async () => {
    const t = await createTestApp({ now: NOW });
    const { license_key } = await waiting(t, { expiry_days: 2, offline_days: 30 });
    const { body } = await t.call('POST', '/licenses/api/installations/', {
      token: null,
      body: { license_key, machine_id: 'caja-1', nonce: NONCE },
    });
    const keys = (await t.call('GET', '/.well-known/jwks.json', { token: null })).body.keys;
    const end = '2026-11-24T05:59:59.000Z';
    expect(readToken(body.token, keys).claims).toMatchObject({
      license_expires: end,
      usable_until: end,
      exp: Date.parse(end) / 1000,
    });
    expect(body).not.toHaveProperty('pending_start');
  });

  test('a refused activation does not start the licence', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await waiting(t, { updates_until: '2026-11-20' });
    const refused = await t.call('POST', '/licenses/api/installations/', {
      token: null,
      body: { license_key, machine_id: 'caja-1', released_on: '2026-11-21' },
    });
    expect(refused.status).toBe(403);
    expect(await read(t, id)).toMatchObject({ pending_start: true, expiry_date: null });
  });

  test('is also an offline file, whoever issues it', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await waiting(t);
    expect((await act(t, id, 'file', { machine_id: 'caja-1', machine_name: 'Caja' })).status).toBe(200);
    expect(await read(t, id)).toMatchObject({
      pending_start: false,
      expiry_date: '2026-12-22T05:59:59.000Z',
    });
    const started = (await eventsOf(t, id)).find(({ type }: { type: string }) => type === 'license.started');
    expect(started.actor.kind).toBe('user');
  });

  test('two concurrent machines start it once', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await waiting(t);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((machine) => activate(t, license_key, machine)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(
      (await eventsOf(t, id)).filter(({ type }: { type: string }) => type === 'license.started'),
    ).toHaveLength(1);
  });

  test('comes by itself at the end of the last day, also when suspended, never for a cancelled licence', async () => {
    const t = await createTestApp({ now: NOW });
    const plain = await waiting(t);
    const suspended = await waiting(t);
    await act(t, suspended.id, 'suspend');
    const cancelled = await waiting(t);
    await act(t, cancelled.id, 'cancel');
    await later(t, 9);
    expect(await read(t, plain.id)).toMatchObject({ pending_start: true });
    await later(t, 3);
    for (const { id } of [plain, suspended]) {
      expect(await read(t, id)).toMatchObject({
        pending_start: false,
        // Thirty days after December 1.
        expiry_date: '2027-01-01T05:59:59.000Z',
        expiry_days: 40,
      });
      const [event] = await eventsOf(t, id);
      expect(event).toMatchObject({ type: 'license.started', actor: { kind: 'system' } });
      expect(await termsOf(t, id)).toMatchObject([{ starts: '2026-12-02T05:59:59.000Z' }]);
    }
    expect(await read(t, cancelled.id)).toMatchObject({ pending_start: true, expiry_date: null });
  });

  test('an activation after the last day counts from that day, and is refused if the licence has ended by then', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await waiting(t);
    const short = await waiting(t, { expiry_days: 1 });
    await pass(t, 15);
    expect((await activate(t, license_key, 'caja-1')).status).toBe(201);
    expect(await read(t, id)).toMatchObject({ expiry_date: '2027-01-01T05:59:59.000Z' });
    const refused = await activate(t, short.license_key, 'caja-1');
    expect([refused.status, refused.body.code]).toEqual([403, 'expired']);
  });
});

describe('a PUT on a licence that has not started (SELL-01)', () => {
  test('changes the length and the last day before the start', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await waiting(t);
    const { body } = await t.call('PUT', url(id), { body: { expiry_days: 90, activate_by_days: 3 } });
    expect(body).toMatchObject({
      pending_start: true,
      expiry_days: 90,
      expiry_date: null,
      activate_by: '2026-11-25T05:59:59.000Z',
    });
    expect(await termsOf(t, id)).toMatchObject([{ starts: null, ends: null }]);
    await t.call('PATCH', '/licenses/api/licenses/bulk_update/', {
      body: { ids: [id], updates: { expiry_days: 7 } },
    });
    expect(await read(t, id)).toMatchObject({ pending_start: true, expiry_days: 7 });
    // Sending the whole record back changes nothing.
    const same = await read(t, id);
    expect((await t.call('PUT', url(id), { body: same })).body).toMatchObject({
      updated_at: same.updated_at,
    });
  });

  test.each([
    ['a date', { expiry_date: '2027-03-01' }, '2027-03-02T05:59:59.000Z', 100],
    ['a start with the issue', { start_mode: 'issue' }, '2026-12-22T05:59:59.000Z', 30],
  ])('%s starts it at its day of issue', async (_name, body, expiry_date, expiry_days) => {
    const t = await createTestApp({ now: NOW });
    const { id } = await waiting(t);
    await pass(t, 1);
    const answer = await t.call('PUT', url(id), { body });
    expect(answer.body).toMatchObject({ pending_start: false, activate_by: null, expiry_date, expiry_days });
    expect(await termsOf(t, id)).toMatchObject([{ starts: NOW, ends: expiry_date }]);
    const types = (await eventsOf(t, id)).map(({ type }: { type: string }) => type);
    expect(types.slice(0, 2).sort()).toEqual(['license.started', 'license.updated']);
  });

  test('the start mode cannot be changed after the start', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await waiting(t);
    await activate(t, license_key, 'caja-1');
    const other = await createLicense(t);
    for (const [one, start_mode] of [
      [id, 'issue'],
      [other.id, 'first_activation'],
    ] as const) {
      const answer = await t.call('PUT', url(one), { body: { start_mode } });
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['start_mode']]);
    }
    const whole = await read(t, id);
    expect((await t.call('PUT', url(id), { body: { ...whole, notes: 'x' } })).status).toBe(200);
    // After the start, days are counted from the issue.
    expect((await t.call('PUT', url(id), { body: { expiry_days: 60 } })).body.expiry_date).toBe(
      '2027-01-21T05:59:59.000Z',
    );
  });
});

describe('a licence that has started (SELL-01)', () => {
  test('its revenue counts on the day of the sale, and its due date is computed from the start', async () => {
    const t = await createTestApp({ now: NOW });
    const { license_key } = await waiting(t, { price: 500, expiry_days: 40 });
    const renewals = async () => (await t.call('GET', '/licenses/api/reports/renewals/')).body.totals[0].due;
    expect(await renewals()).toBe(0);
    await pass(t, 10);
    await activate(t, license_key, 'caja-1');
    const { months } = (await t.call('GET', '/licenses/api/reports/revenue/')).body;
    expect(months.filter(({ total }: { total: number }) => total > 0)).toMatchObject([
      { month: '2026-11', new: 500 },
    ]);
    expect(await renewals()).toBe(1);
  });

  test('a renewal sells the length of the term', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await waiting(t);
    await pass(t, 4);
    await activate(t, license_key, 'caja-1');
    // 30 days after the first 30 days, which end on 2026-12-25.
    expect((await act(t, id, 'renew')).body.expiry_date).toBe('2027-01-25T05:59:59.000Z');
  });

  test('its mail says when it starts', async () => {
    const t = await createTestApp({ now: NOW });
    await waiting(t);
    const [mail] = await t.deliveredMail();
    expect(mail?.text).toContain('Vencimiento: Empieza al activarse');
  });

  test('an import accepts exported licences that have started and that have not', async () => {
    const from = await createTestApp({ now: NOW });
    const of = { client: (await createClient(from)).id, software: (await createSoftware(from)).id };
    await waiting(from, of);
    const { license_key } = await waiting(from, of);
    await pass(from, 2);
    await activate(from, license_key, 'caja-1');
    const file = async (list: string) => (await from.call('GET', `/licenses/api/${list}/export/`)).text;
    const to = await createTestApp({ now: '2026-11-28T10:00:00.000Z' });
    for (const list of ['clients', 'software', 'licenses'] as const)
      await importFile(to, list, await file(list));
    const { results } = (await to.call('GET', '/licenses/api/licenses/')).body;
    expect(
      results
        .map((license: License) => [license.pending_start, license.activate_by, license.expiry_date])
        .sort(),
    ).toEqual([
      [false, null, '2026-12-24T05:59:59.000Z'],
      [true, '2026-12-02T05:59:59.000Z', null],
    ]);
  });
});
