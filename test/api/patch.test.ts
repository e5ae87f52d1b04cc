import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';

/** PATCH of a record does the same as its PUT (API-06). */

const RECORDS = {
  clients: { make: (t: TestApp) => createClient(t), change: { city: 'Lima' }, wrong: { email: 'x' } },
  software: { make: (t: TestApp) => createSoftware(t), change: { description: 'x' }, wrong: { name: '' } },
  'license-types': {
    make: (t: TestApp) => createLicenseType(t),
    change: { description: 'x' },
    wrong: { base_price: 0 },
  },
  licenses: { make: (t: TestApp) => createLicense(t), change: { notes: 'x' }, wrong: { price: -1 } },
  users: {
    make: async (t: TestApp) =>
      (
        await t.call('POST', '/licenses/api/users/', {
          body: { username: 'eva', names: 'Eva', email: 'eva@example.com', role: 'viewer' },
        })
      ).body as { id: number; updated_at: string },
    change: { names: 'Evita' },
    wrong: { email: 'x' },
  },
};

const eventsOf = async (t: TestApp): Promise<{ id: number; changes: object }[]> =>
  (await t.call('GET', '/licenses/api/events/?limit=100')).body.results;

describe.each(Object.entries(RECORDS))('PATCH of %s (API-06)', (list, { make, change, wrong }) => {
  const setUp = async () => {
    const t = await createTestApp();
    const record = await make(t);
    const path = `/licenses/api/${list}/${record.id}/`;
    const patch = (body: object, headers: Record<string, string> = {}) =>
      t.call('PATCH', path, { body, headers });
    return { t, record, path, patch };
  };

  test('changes the fields that are sent, with one event that has only them', async () => {
    const { t, path, patch } = await setUp();
    const before = (await t.call('GET', path)).body;
    const count = (await eventsOf(t)).length;
    const { status, body, headers } = await patch(change);
    expect([status, body]).toEqual([200, { ...before, ...change, updated_at: body.updated_at }]);
    expect(headers.etag).toBe((await t.call('GET', path)).headers.etag);
    const events = await eventsOf(t);
    expect([events.length, Object.keys(events[0]!.changes)]).toEqual([count + 1, Object.keys(change)]);
    expect((await patch({})).status).toBe(200);
    expect((await patch(change)).status).toBe(200);
    expect((await eventsOf(t)).length).toBe(count + 1);
  });

  test('follows the rules of a PUT: 400 at the field, 412 for a stale version, 404, 401', async () => {
    const { t, record, path, patch } = await setUp();
    const put = await t.call('PUT', path, { body: wrong });
    const refused = await patch(wrong);
    expect([refused.status, refused.body]).toEqual([400, put.body]);
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' };
    const late = await patch(change, stale);
    expect([late.status, late.body.current.id]).toEqual([412, record.id]);
    expect((await patch({ ...change, updated_at: '2020-01-01T00:00:00.000Z' })).status).toBe(412);
    expect((await t.call('PATCH', `/licenses/api/${list}/999999/`, { body: change })).status).toBe(404);
    expect((await t.call('PATCH', path, { body: change, token: null })).status).toBe(401);
  });
});

test('a repeated PATCH with its Idempotency-Key and If-Match gets the first answer, not 412 (API-06)', async () => {
  const t = await createTestApp();
  const { id, updated_at } = await createLicense(t);
  const before = (await eventsOf(t)).length;
  const send = (method: string, notes: string) =>
    t.call(method, `/licenses/api/licenses/${id}/`, {
      body: { notes },
      headers: { 'idempotency-key': 'cambio-1', 'if-match': `"${updated_at}"` },
    });
  const first = await send('PATCH', 'una vez');
  const second = await send('PATCH', 'una vez');
  expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  expect([second.headers.etag, second.headers['idempotency-replayed']]).toEqual([first.headers.etag, 'true']);
  expect((await send('PATCH', 'otra')).body.code).toBe('idempotency_conflict');
  expect((await eventsOf(t)).length).toBe(before + 1);
});

test.each(['PUT', 'PATCH'])(
  'a %s of a mail template does not change the text that is not sent (API-06, MAIL-02)',
  async (method) => {
    const t = await createTestApp();
    const path = '/licenses/api/mail-templates/license_issued/';
    const before = (await t.call('GET', path)).body;
    const save = (body: object) => t.call(method, path, { body });
    expect((await save({ subject: 'Tu licencia' })).body).toMatchObject({
      subject: 'Tu licencia',
      body: before.body,
      is_default: false,
    });
    expect((await save({ body: 'Hola' })).body).toMatchObject({ subject: 'Tu licencia', body: 'Hola' });
    const count = (await eventsOf(t)).length;
    expect((await save({})).status).toBe(200);
    expect([(await eventsOf(t)).length, (await save({ subject: '{{ x' })).status]).toEqual([count, 400]);
    for (const subject of [null, ' ', 1]) expect((await save({ subject })).status).toBe(400);
  },
);

test("settings and one's own account accept PATCH as they accept PUT (API-06)", async () => {
  const t = await createTestApp();
  const settings = await t.call('PATCH', '/licenses/api/settings/', { body: { vendor_name: 'Casa' } });
  expect([settings.status, settings.body.vendor_name]).toEqual([200, 'Casa']);
  const account = await t.call('PATCH', '/api/auth/user/', { body: { names: 'Ana' } });
  expect([account.status, account.body.user.names]).toEqual([200, 'Ana']);
});
