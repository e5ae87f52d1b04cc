import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { usageOf } from '../../rules/license-meters.ts';
import { getLicenseRow } from '../licenses/licenses.queries.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';

const LICENSES = '/licenses/api/licenses/';
const METERS = {
  facturas: { limit: 10, period: 'month', overage: 'refuse' },
  timbres: { limit: 5, period: 'never', overage: 'allow' },
  correos: { limit: null, period: 'day', overage: 'refuse' },
  envios: { limit: 3, period: 'term', overage: 'refuse' },
} as const;
/** Noon in Mexico City. */
const NOON = '2026-11-26T18:00:00.000Z';

let ids = 0;
function nextId(): string {
  ids += 1;
  return `request-${ids}`;
}

type Sent = { code?: string; amount?: number; request_id?: string; at?: string };

async function metered(t: TestApp, overrides: Record<string, unknown> = {}) {
  const license = await createLicense(t, { meters: METERS, expiry_days: 365, ...overrides });
  await activate(t, license.license_key, 'caja-1');
  const send = (records: Sent[], more: Record<string, unknown> = {}) =>
    t.call('POST', '/licenses/api/usage/', {
      token: null,
      body: {
        license_key: license.license_key,
        machine_id: 'caja-1',
        records: records.map((sent) => ({ code: 'facturas', amount: 1, request_id: nextId(), ...sent })),
        ...more,
      },
    });
  // Read directly and not through HTTP, because the administrator's session ends while the test's clock moves.
  const rows = async () => {
    const moment = { now: t.context.now(), timeZone: t.context.config.timeZone };
    const found = await getLicenseRow(t.db, license.id, moment.now, moment.timeZone);
    return usageOf(t.db, found, moment);
  };
  const used = async (code: string) => (await rows()).find((row) => row.code === code)!.used;
  return { license, send, rows, used };
}

const eventsOf = async (t: TestApp, license: number, type: string) =>
  (await t.call('GET', `/licenses/api/events/?license=${license}&type=${type}`)).body.results;

describe('meters of types and licences', { tags: ['SELL-03'] }, () => {
  test('a type and a licence have none by default', async () => {
    const t = await createTestApp();
    expect(await createLicenseType(t)).toMatchObject({ meters: {} });
    const license = await createLicense(t);
    expect(license).toMatchObject({ meters: {} });
    const { body } = await t.call('GET', `${LICENSES}${license.id}/usage/`);
    expect(body).toEqual({ results: [] });
  });

  test('a licence copies them from its type at issue, and a PUT replaces all', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t, { meters: METERS });
    const license = await createLicense(t, { license_type_config: type.id });
    expect(license).toMatchObject({ meters: METERS });
    await t.call('PUT', `/licenses/api/license-types/${type.id}/`, { body: { meters: {} } });
    const meters = { facturas: { limit: 20, period: 'month', overage: 'refuse' } };
    const put = await t.call('PUT', `${LICENSES}${license.id}/`, { body: { meters } });
    expect(put.body.meters).toEqual(meters);
  });

  test.each([
    ['a code', { Á: METERS.facturas }, /Á: El código/],
    ['a limit', { a: { ...METERS.facturas, limit: -1 } }, /a: El límite/],
    ['a fraction', { a: { ...METERS.facturas, limit: 1.5 } }, /a: El límite/],
    ['a period', { a: { ...METERS.facturas, period: 'week' } }, /a: El periodo/],
    ['an overage', { a: { limit: 1, period: 'day' } }, /a: Indica en overage/],
    ['no meter', { a: 5 }, /a: Indica limit/],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, METERS.facturas])),
      /como máximo 20/,
    ],
  ])('a save with an invalid %s gets an error with the code of the meter', async (_what, meters, message) => {
    const t = await createTestApp();
    const license = await createLicense(t);
    const { status, body } = await t.call('PUT', `${LICENSES}${license.id}/`, { body: { meters } });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 400, fields: ['meters'] });
    expect(body.errors.meters[0]).toMatch(message);
  });
});

describe('usage reported by programs', { tags: ['SELL-03'] }, () => {
  test('each record gets an answer in its place and is counted fully or not at all, independently of the others', async () => {
    const t = await createTestApp({ now: NOON });
    const { send } = await metered(t);
    const { status, body } = await send([
      { amount: 8 },
      { amount: 3 },
      { code: 'nada' },
      { amount: 2 },
      { code: 'timbres', amount: 7 },
      { code: 'correos', amount: 1_000_000_000 },
      { at: '2026-10-01T00:00:00Z' },
      { at: '2026-11-26T18:06:00Z' },
    ]);
    expect(status).toBe(200);
    expect(body.success).toBe(true);
    const monthEnd = '2026-12-01T06:00:00.000Z';
    expect(body.results.map(({ request_id: _id, ...rest }: Record<string, unknown>) => rest)).toEqual([
      {
        ...{ code: 'facturas', accepted: true, duplicate: false, reason: null, used: 8 },
        ...{ limit: 10, remaining: 2, resets_at: monthEnd },
      },
      {
        ...{ code: 'facturas', accepted: false, duplicate: false, reason: 'limit_reached', used: 8 },
        ...{ limit: 10, remaining: 2, resets_at: monthEnd },
      },
      {
        ...{ code: 'nada', accepted: false, duplicate: false, reason: 'unknown_meter', used: 0 },
        ...{ limit: null, remaining: null, resets_at: null },
      },
      {
        ...{ code: 'facturas', accepted: true, duplicate: false, reason: null, used: 10 },
        ...{ limit: 10, remaining: 0, resets_at: monthEnd },
      },
      {
        ...{ code: 'timbres', accepted: true, duplicate: false, reason: null, used: 7 },
        ...{ limit: 5, remaining: 0, resets_at: null },
      },
      {
        ...{ code: 'correos', accepted: true, duplicate: false, reason: null, used: 1_000_000_000 },
        ...{ limit: null, remaining: null, resets_at: '2026-11-27T06:00:00.000Z' },
      },
      ...[0, 1].map(() => ({
        ...{ code: 'facturas', accepted: false, duplicate: false, reason: 'out_of_time', used: 10 },
        ...{ limit: 10, remaining: 0, resets_at: monthEnd },
      })),
    ]);
  });

  test('a request_id counts once per licence within 40 days, also when repeated with other values or in one call', async () => {
    const t = await createTestApp({ now: NOON });
    const { send, used } = await metered(t);
    const same = nextId();
    const first = await send([
      { request_id: same, amount: 2 },
      { request_id: same, amount: 3 },
    ]);
    expect(first.body.results.map(({ duplicate }: { duplicate: boolean }) => duplicate)).toEqual([
      false,
      true,
    ]);
    const again = await send([
      { request_id: same, code: 'correos', amount: 9 },
      { request_id: same, at: '2020-01-01T00:00:00Z' },
      { request_id: same, code: 'nada' },
    ]);
    for (const result of again.body.results) {
      expect(result).toMatchObject({ accepted: true, duplicate: true, reason: null });
    }
    expect([await used('facturas'), await used('correos')]).toEqual([2, 0]);
    const other = await metered(t);
    expect((await other.send([{ request_id: same }])).body.results[0].duplicate).toBe(false);

    t.clock.set('2027-01-05T17:59:00.000Z');
    expect((await send([{ request_id: same }])).body.results[0].duplicate).toBe(true);
    t.clock.set('2027-01-05T18:00:01.000Z');
    expect((await send([{ request_id: same }])).body.results[0]).toMatchObject({ duplicate: false, used: 1 });
  });

  test('a refused record can be sent again with its request_id', async () => {
    const t = await createTestApp({ now: NOON });
    const { license, send, used } = await metered(t);
    const id = nextId();
    expect((await send([{ request_id: id, amount: 11 }])).body.results[0].accepted).toBe(false);
    const meters = { ...METERS, facturas: { ...METERS.facturas, limit: 11 } };
    await t.call('PUT', `${LICENSES}${license.id}/`, { body: { meters } });
    expect((await send([{ request_id: id, amount: 11 }])).body.results[0]).toMatchObject({
      ...{ accepted: true, duplicate: false, limit: 11, remaining: 0 },
    });
    expect(await used('facturas')).toBe(11);
  });

  test('a record counts in the local period of its own date', async () => {
    const t = await createTestApp({ now: '2026-11-10T18:00:00.000Z' });
    const { license, send, rows } = await metered(t);
    // The last second of October in Mexico City, and the first second of November.
    const { body } = await send([
      { amount: 4, at: '2026-11-01T05:59:59Z' },
      { amount: 5, at: '2026-11-01T00:00:00-06:00' },
      { code: 'correos', amount: 6, at: '2026-11-10T05:59:59Z' },
      { code: 'correos', amount: 7 },
    ]);
    expect(body.results.map(({ used }: { used: number }) => used)).toEqual([4, 5, 6, 7]);
    expect(body.results[0].resets_at).toBe('2026-11-01T06:00:00.000Z');
    const { body: answered } = await t.call('GET', `${LICENSES}${license.id}/usage/`);
    expect(answered.results).toEqual(await rows());
    expect(await rows()).toMatchObject([
      { code: 'facturas', used: 5, remaining: 5, starts: '2026-11-01T06:00:00.000Z' },
      { code: 'timbres', used: 0, resets_at: null },
      { code: 'correos', used: 7, limit: null, remaining: null, starts: '2026-11-10T06:00:00.000Z' },
      { code: 'envios', used: 0 },
    ]);
  });

  test('a meter per term starts again with a renewal, and still counts during grace', async () => {
    const t = await createTestApp({ now: NOON });
    const { license, send, rows } = await metered(t, { expiry_days: 30, grace_days: 10 });
    await send([{ code: 'envios', amount: 2 }]);
    await t.call('POST', `${LICENSES}${license.id}/renew/`, { body: { expiry_days: 30, notify: false } });
    expect((await rows())[3]).toMatchObject({ used: 2, remaining: 1 });
    t.clock.set('2026-12-28T18:00:00.000Z');
    expect((await rows())[3]).toMatchObject({ used: 0, starts: '2026-12-27T05:59:59.000Z' });
    const { body } = await send([
      { code: 'envios', amount: 3 },
      { code: 'envios', amount: 1, at: '2026-12-20T18:00:00Z' },
    ]);
    expect(body.results.map(({ used }: { used: number }) => used)).toEqual([3, 3]);
    t.clock.set('2027-01-30T18:00:00.000Z');
    expect((await send([{ code: 'envios' }])).body.results[0]).toMatchObject({
      ...{ accepted: false, reason: 'limit_reached', used: 3 },
    });
  });

  test('unknown keys, other software, an unusable licence and a machine without a seat are refused in this order', async () => {
    const t = await createTestApp({ now: NOON });
    const software = await createSoftware(t, { name: 'Otro programa' });
    const { license, send } = await metered(t);
    const codeOf = async (more: Record<string, unknown>) => {
      const { status, body } = await send([{}], more);
      return [status, body.code];
    };
    expect(await codeOf({ license_key: 'NOPE2-NOPE2-NOPE2-NOPE2-NOPE2' })).toEqual([
      404,
      'license_not_found',
    ]);
    expect(await codeOf({ software: software.code, machine_id: 'otra' })).toEqual([403, 'wrong_software']);
    expect(await codeOf({ software: license.software_name })).toEqual([200, undefined]);
    expect(await codeOf({ machine_id: 'otra' })).toEqual([404, 'not_found']);
    await t.call('POST', `${LICENSES}${license.id}/suspend/`, { body: {} });
    expect(await codeOf({ machine_id: 'otra' })).toEqual([403, 'suspended']);
  });

  test('a floating seat whose lease has ended is no seat', async () => {
    const t = await createTestApp({ now: NOON });
    const { send } = await metered(t, { seat_mode: 'floating', lease_minutes: 5 });
    expect((await send([{}])).status).toBe(200);
    t.clock.advance(6 * 60_000);
    expect((await send([{}])).status).toBe(404);
  });

  test.each([
    ['no records', []],
    ['101 records', Array.from({ length: 101 }, () => ({}))],
    ['an amount of 0', [{ amount: 0 }]],
    ['a fraction', [{ amount: 0.5 }]],
    ['too large an amount', [{ amount: 1_000_000_001 }]],
    ['a short request_id', [{ request_id: 'abc' }]],
    ['a request_id with a blank', [{ request_id: 'abcdefgh i' }]],
    ['a moment without a zone', [{ at: '2026-11-26T18:00:00' }]],
  ])('%s is 400, and nothing is counted', async (_what, records) => {
    const t = await createTestApp({ now: NOON });
    const { send, used } = await metered(t);
    const { status, body } = await send(records as Sent[]);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid');
    expect(await used('facturas')).toBe(0);
  });

  test('reaching or exceeding a limit writes one event per code and period, by the machine', async () => {
    const t = await createTestApp({ now: NOON });
    const { license, send } = await metered(t);
    await send([{ amount: 9 }]);
    expect(await eventsOf(t, license.id, 'license.usage_limit_reached')).toEqual([]);
    await send([{ amount: 5 }, { amount: 1 }, { amount: 1 }]);
    await send([{ code: 'timbres', amount: 5 }]);
    await send([{ code: 'timbres', amount: 5 }]);
    const events = await eventsOf(t, license.id, 'license.usage_limit_reached');
    expect(events.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      {
        code: { before: null, after: 'timbres' },
        used: { before: null, after: 5 },
        limit: { before: null, after: 5 },
      },
      {
        code: { before: null, after: 'facturas' },
        used: { before: null, after: 9 },
        limit: { before: null, after: 10 },
      },
    ]);
    expect(events[0].actor).toMatchObject({ kind: 'machine' });
    t.clock.set('2026-12-05T18:00:00.000Z');
    await send([{ amount: 10 }]);
    const all = t.db.selectFrom('events').select('id').where('type', '=', 'license.usage_limit_reached');
    expect(await all.execute()).toHaveLength(3);
  });

  test('200 concurrent reports never count beyond a limit, and each answer has the usage after it', async () => {
    const t = await createTestApp();
    const { send, used } = await metered(t, {
      max_installations: 300,
      meters: { facturas: { limit: 50, period: 'never', overage: 'refuse' } },
    });
    // Each machine may send 60 calls a minute.
    const answers = await Promise.all(Array.from({ length: 50 }, () => send([{}, {}, {}, {}])));
    const results = answers.flatMap(({ body }) => body.results);
    const accepted = results.filter((result) => result.accepted);
    expect(accepted.map((result) => result.used).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect(await used('facturas')).toBe(50);
  });

  test('a machine that reports more than 60 times a minute gets 429', async () => {
    const t = await createTestApp({ now: NOON });
    const { send } = await metered(t);
    const statuses: number[] = [];
    for (let index = 0; index < 61; index += 1) statuses.push((await send([{ code: 'correos' }])).status);
    expect(statuses.at(-1)).toBe(429);
  });

  test('housekeeping deletes ids after 40 days and counts of long past periods, and nothing newer', async () => {
    const t = await createTestApp({ now: NOON });
    const { send, used } = await metered(t, { expiry_days: 3000 });
    await send([{ code: 'correos' }, { code: 'timbres' }]);
    const rows = async () => ({
      records: (await t.db.selectFrom('usage_records').select('id').execute()).length,
      counts: (await t.db.selectFrom('usage_counts').select('code').execute()).length,
    });
    t.clock.set('2027-01-05T17:00:00.000Z');
    await runJob(t.context, housekeepingJob);
    expect(await rows()).toEqual({ records: 2, counts: 2 });
    t.clock.set('2027-01-06T18:00:00.000Z');
    await runJob(t.context, housekeepingJob);
    expect(await rows()).toEqual({ records: 0, counts: 2 });
    t.clock.set('2028-02-01T18:00:00.000Z');
    await runJob(t.context, housekeepingJob);
    expect(await rows()).toEqual({ records: 0, counts: 1 });
    expect(await used('timbres')).toBe(1);
  });
});

describe('usage shown to and corrected by staff', { tags: ['SELL-03'] }, () => {
  test('a correction sets the current usage, is one event with its reason, and takes effect at once', async () => {
    const t = await createTestApp({ now: NOON });
    const { license, send } = await metered(t);
    await send([{ amount: 10 }]);
    const url = `${LICENSES}${license.id}/usage/facturas/adjust/`;
    const { status, body } = await t.call('POST', url, { body: { used: 4, reason: 'De prueba' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ code: 'facturas', limit: 10, period: 'month', overage: 'refuse', used: 4, remaining: 6 },
      ...{ starts: '2026-11-01T06:00:00.000Z', resets_at: '2026-12-01T06:00:00.000Z' },
    });
    const [event] = await eventsOf(t, license.id, 'license.usage_adjusted');
    expect(event).toMatchObject({
      reason: 'De prueba',
      changes: { code: { before: null, after: 'facturas' }, used: { before: 10, after: 4 } },
    });
    expect((await send([{ amount: 7 }, { amount: 6 }])).body.results).toMatchObject([
      { accepted: false, used: 4 },
      { accepted: true, used: 10 },
    ]);
  });

  test('an unknown code and an unknown licence are 404, an invalid body is 400 at its fields', async () => {
    const t = await createTestApp();
    const { license } = await metered(t);
    const adjust = (id: number, code: string, body: object) =>
      t.call('POST', `${LICENSES}${id}/usage/${code}/adjust/`, { body });
    const good = { used: 1, reason: 'x' };
    expect((await adjust(license.id, 'nada', good)).status).toBe(404);
    expect((await adjust(license.id, 'constructor', good)).status).toBe(404);
    expect((await adjust(999_999, 'facturas', good)).status).toBe(404);
    const wrong = await adjust(license.id, 'facturas', { used: -1, reason: ' ' });
    expect({ status: wrong.status, fields: Object.keys(wrong.body.errors) }).toEqual({
      status: 400,
      fields: ['used', 'reason'],
    });
    expect((await t.call('GET', `${LICENSES}999999/usage/`)).status).toBe(404);
  });

  test('deleting a licence deletes its counts', async () => {
    const t = await createTestApp();
    const { license, send } = await metered(t);
    await send([{}]);
    await t.call('DELETE', `${LICENSES}${license.id}/`);
    expect(await t.db.selectFrom('usage_counts').select('code').execute()).toEqual([]);
    expect((await send([{}])).status).toBe(404);
  });
});
