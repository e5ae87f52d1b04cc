import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import { licenseBulk } from '../licenses/license-bulk.ts';

/** One action on many records, by ids or by filters of their list. */

const NOW = '2026-11-21T18:00:00.000Z';

type List = 'licenses' | 'clients' | 'software';

const act = (
  t: TestApp,
  list: List,
  body: unknown,
  headers: Record<string, string> = {},
  path = 'bulk_action/',
) => t.call('POST', `/licenses/api/${list}/${path}`, { body, headers });

/** The events that a call wrote, as type and subject, ordered by subject. */
const eventsOf = (t: TestApp, answer: { headers: Record<string, unknown> }) =>
  t.db
    .selectFrom('events')
    .select(['type', 'subject_id', 'actor_name', 'license_id'])
    .where('request_id', '=', String(answer.headers['x-request-id']))
    .orderBy('id')
    .execute();

const statusOf = async (t: TestApp, list: List, id: number) =>
  (await t.call('GET', `/licenses/api/${list}/${id}/`)).body.status;

async function threeLicenses(t: TestApp) {
  const software = (await createSoftware(t)).id;
  const client = (await createClient(t)).id;
  const licenses = [];
  for (let n = 0; n < 3; n += 1) licenses.push(await createLicense(t, { client, software }));
  return { software, client, licenses, ids: licenses.map(({ id }) => id) };
}

/** Shared by the calls that are refused and so change nothing. */
let shared: TestApp;
beforeAll(async () => {
  shared = await createTestApp({ now: NOW, closeAfterTest: false });
  await threeLicenses(shared);
  return shared.close;
});

describe('by ids', () => {
  test('a status is set on licences with one event each, and only an unknown id fails (LIST-01, EVENT-01)', async () => {
    const t = await createTestApp({ now: NOW });
    const { ids } = await threeLicenses(t);
    const answer = await act(t, 'licenses', {
      ids: [ids[0], 999, ids[2], ids[0]],
      action: 'set_status',
      status: 'suspended',
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        done: [ids[0], ids[2]],
        failed: [{ id: 999, code: 'not_found', message: 'Licencia no encontrada' }],
      },
    ]);
    expect((await eventsOf(t, answer)).map(({ type, subject_id }) => [type, subject_id])).toEqual([
      ['license.updated', ids[0]],
      ['license.updated', ids[2]],
    ]);
    expect(await statusOf(t, 'licenses', ids[0]!)).toBe('suspended');
    expect(await statusOf(t, 'licenses', ids[1]!)).toBe('active');

    const again = await act(t, 'licenses', { ids, action: 'set_status', status: 'suspended' });
    expect((await eventsOf(t, again)).map(({ subject_id }) => subject_id)).toEqual([ids[1]]);
  });

  test('clients and software without licences are deleted, and those with licences are refused with a reason (LIST-01)', async () => {
    const t = await createTestApp({ now: NOW });
    const { client, software } = await threeLicenses(t);
    const idle = (await createClient(t)).id;
    const clients = await act(t, 'clients', { ids: [client, idle], action: 'delete' });
    expect(clients.body).toEqual({
      success: true,
      done: [idle],
      failed: [
        {
          id: client,
          code: 'in_use',
          message: 'No se puede eliminar el cliente porque tiene 3 licencias asociadas.',
        },
      ],
    });
    expect(await eventsOf(t, clients)).toMatchObject([{ type: 'client.deleted', subject_id: idle }]);
    const unused = (await createSoftware(t)).id;
    const programs = await act(t, 'software', { ids: [unused, software], action: 'delete' });
    expect(programs.body).toMatchObject({ done: [unused], failed: [{ id: software, code: 'in_use' }] });
    expect((await t.call('GET', '/licenses/api/software/')).body.count).toBe(1);
  });

  test('a record that fails for an unknown reason does not stop the others (LIST-01)', async () => {
    const t = await createTestApp({ now: NOW });
    const { ids } = await threeLicenses(t);
    // From now on the database accepts only one cancelled licence.
    await sql`create unique index one_cancelled on licenses (status) where status = 'cancelled'`.execute(
      t.db,
    );
    const answer = await act(t, 'licenses', { ids, action: 'set_status', status: 'cancelled' });
    const failure = { code: 'server_error', message: 'Error en el servidor' };
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, done: [ids[0]], failed: [ids[1], ids[2]].map((id) => ({ id, ...failure })) },
    ]);
    expect(await eventsOf(t, answer)).toMatchObject([{ type: 'license.updated', subject_id: ids[0] }]);
    expect(await statusOf(t, 'licenses', ids[1]!)).toBe('active');
  });

  test('concurrent calls with the same ids in opposite order all succeed (LIST-01)', async () => {
    const t = await createTestApp({ now: NOW });
    await insertManyLicenses(t.db, 60);
    const rows = await t.db.selectFrom('licenses').select('id').orderBy('id').execute();
    const ids = rows.map(({ id }) => id);
    const answers = await Promise.all(
      [ids, [...ids].reverse(), ids, [...ids].reverse()].map((some, n) =>
        act(t, 'licenses', {
          ids: some,
          action: 'set_status',
          status: n % 2 === 0 ? 'suspended' : 'inactive',
        }),
      ),
    );
    for (const { status, body } of answers) expect([status, body.done]).toEqual([200, ids]);
  });

  test('the status of clients is set, and software is deactivated (LIST-01)', async () => {
    const t = await createTestApp({ now: NOW });
    const client = (await createClient(t)).id;
    const software = (await createSoftware(t)).id;
    const changed = await act(t, 'clients', { ids: [client, 77], action: 'set_status', status: 'pending' });
    expect(changed.body).toMatchObject({ done: [client], failed: [{ id: 77, code: 'not_found' }] });
    expect(await statusOf(t, 'clients', client)).toBe('pending');
    const stopped = await act(t, 'software', {
      ids: [software, 77],
      action: 'set_status',
      is_active: false,
    });
    expect(stopped.body).toMatchObject({ done: [software], failed: [{ id: 77, code: 'not_found' }] });
    expect((await t.call('GET', `/licenses/api/software/${software}/`)).body.is_active).toBe(false);
  });

  test('licences are deleted, and their mails are queued again (LIST-01)', async () => {
    const t = await createTestApp({ now: NOW });
    const { ids } = await threeLicenses(t);
    await t.db.updateTable('outbox').set({ status: 'failed' }).execute();
    const resent = await act(t, 'licenses', { ids: [ids[0], 999], action: 'resend_email' });
    expect(resent.body).toMatchObject({ done: [ids[0]], failed: [{ id: 999, code: 'not_found' }] });
    const { body } = await t.call('GET', '/licenses/api/licenses/?email_status=queued');
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([ids[0]]);
    const deleted = await act(t, 'licenses', { ids, action: 'delete' });
    expect(deleted.body).toEqual({ success: true, done: ids, failed: [] });
    expect((await eventsOf(t, deleted)).map(({ type }) => type)).toEqual(Array(3).fill('license.deleted'));
    expect((await t.call('GET', '/licenses/api/licenses/')).body.count).toBe(0);
  });

  test('all seats of licences and of clients are released, with one event for each seat (LIST-01, EVENT-01)', async () => {
    const t = await createTestApp({ now: NOW });
    const { client, licenses, ids } = await threeLicenses(t);
    const takeSeats = async () => {
      for (const { license_key } of licenses) {
        for (const machine of ['una', 'dos'])
          expect((await activate(t, license_key, machine)).status).toBe(201);
      }
    };
    await takeSeats();
    const released = await act(t, 'licenses', { ids: [ids[0], 999], action: 'release_seats' });
    expect(released.body).toMatchObject({ done: [ids[0]], failed: [{ id: 999, code: 'not_found' }] });
    expect((await eventsOf(t, released)).map(({ type, license_id }) => [type, license_id])).toEqual([
      ['installation.released', ids[0]],
      ['installation.released', ids[0]],
    ]);
    const { body } = await t.call('GET', `/licenses/api/licenses/${ids[0]}/`);
    expect(body).toMatchObject({ current_installations: 0, remaining_installations: 5, installations: [] });
    // A licence without machines stays unchanged.
    const again = await act(t, 'licenses', { ids: [ids[0]], action: 'release_seats' });
    expect([again.body.done, await eventsOf(t, again)]).toEqual([[ids[0]], []]);
    const ofClient = await act(t, 'clients', { ids: [client, 999], action: 'release_seats' });
    expect(ofClient.body).toMatchObject({ done: [client], failed: [{ id: 999, code: 'not_found' }] });
    expect(await eventsOf(t, ofClient)).toHaveLength(4);
    expect((await t.call('GET', '/licenses/api/installations/')).body.count).toBe(0);
    await takeSeats();
  });

  test.each([
    ['no action', { ids: [1] }, ['action']],
    ['an unknown action', { ids: [1], action: 'clone' }, ['action']],
    ['an action of another list', { ids: [1], action: 'resend_email' }, ['action']],
    ['a missing field', { ids: [1], action: 'set_status' }, ['status']],
    ['a wrong field', { ids: [1], action: 'set_status', status: 'expired' }, ['status']],
    ['neither ids nor filters', { action: 'delete' }, ['ids']],
    ['ids and filters', { ids: [1], filters: {}, action: 'delete' }, ['ids']],
    ['no id', { ids: [], action: 'delete' }, ['ids']],
    ['more than 100 ids', { ids: Array.from({ length: 101 }, (_, n) => n + 1), action: 'delete' }, ['ids']],
  ])('%s gets 400 with an error at its field (LIST-01)', async (_what, body, fields) => {
    const answer = await act(shared, 'clients', body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, fields]);
    expect(JSON.stringify(answer.body.errors)).not.toMatch(/Invalid|expected/);
  });
});

describe('by filters', () => {
  test('the action changes exactly the records that the list finds (LIST-01, LIST-02)', async () => {
    const t = await createTestApp({ now: NOW });
    const { ids, licenses } = await threeLicenses(t);
    await activate(t, licenses[1]!.license_key, 'una');
    const filters = { unused: true, search: 'cliente', status: 'active' };
    const answer = await act(t, 'licenses', {
      filters,
      expected_count: 2,
      action: 'set_status',
      status: 'inactive',
    });
    expect(answer.body).toEqual({ success: true, done: [ids[0], ids[2]], failed: [] });
    const none = await act(t, 'licenses', { filters, expected_count: 0, action: 'delete' });
    expect(none.body).toEqual({ success: true, done: [], failed: [] });
  });

  test('a number of records that differs from the expected count is 409 count_changed, and nothing is changed (LIST-01)', async () => {
    const t = await createTestApp({ now: NOW });
    await threeLicenses(t);
    const answer = await act(t, 'licenses', { filters: {}, expected_count: 2, action: 'delete' });
    expect([answer.status, answer.body.code]).toEqual([409, 'count_changed']);
    expect((await t.call('GET', '/licenses/api/licenses/')).body.count).toBe(3);
  });

  test.each([
    [{ estado: 'active' }, 'estado'],
    [{ page: '1' }, 'page'],
    [{ ordering: 'price' }, 'ordering'],
    [{ toString: 'x' }, 'toString'],
    [{ expiry_from: 'ayer' }, 'expiry_from'],
    [{ silent_for: 0 }, 'silent_for'],
    [{ status: '' }, 'status'],
    [{ search: '  ' }, 'search'],
  ])('the filters %j get 400 with an error at filters (LIST-01)', async (filters, name) => {
    const answer = await act(shared, 'licenses', { filters, action: 'delete' });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['filters']]);
    expect(answer.body.errors.filters).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
    expect((await shared.call('GET', '/licenses/api/licenses/')).body.count).toBe(3);
  });
});

test('a repeated call with the same Idempotency-Key gets the same answer and changes nothing again (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const { ids } = await threeLicenses(t);
  const body = { filters: { status: 'active' }, expected_count: 3, action: 'delete' };
  const key = { 'idempotency-key': 'borrar-1' };
  const first = await act(t, 'licenses', body, key);
  expect(first.body).toEqual({ success: true, done: ids, failed: [] });
  const repeated = await act(t, 'licenses', body, key);
  expect([repeated.status, repeated.body]).toEqual([200, first.body]);
  expect(repeated.headers['idempotency-replayed']).toBe('true');
  const other = await act(t, 'licenses', { ...body, expected_count: 1 }, key);
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
});

test('an action needs the permission of its single call, and an action by filters also that of the list (LIST-01, PEOPLE-01)', () => {
  expect(licenseBulk.needs('delete', false)).toEqual(['licenses:delete']);
  expect(licenseBulk.needs('set_status', false)).toEqual(['licenses:write']);
  expect(licenseBulk.needs('resend_email', false)).toEqual(['mails:send']);
  expect(licenseBulk.needs('release_seats', true)).toEqual(['installations:release', 'licenses:read']);
});

test('without a session a bulk call is 401 (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const answer = await t.call('POST', '/licenses/api/licenses/bulk_action/', {
    token: null,
    body: { ids: [1], action: 'delete' },
  });
  expect(answer.status).toBe(401);
});

test('an export of ids contains exactly those records, whatever the filters are (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const { ids, software, client } = await threeLicenses(t);
  const rowsOf = async (path: string) => {
    const { status, text } = await t.call('GET', `/licenses/api/${path}`);
    expect(status).toBe(200);
    return text.trim().split('\r\n').length - 1;
  };
  expect(await rowsOf(`licenses/export/?ids=${ids[0]},${ids[2]},999&status=suspended`)).toBe(2);
  await createClient(t);
  expect(await rowsOf(`clients/export/?ids=${client}`)).toBe(1);
  await createSoftware(t);
  expect(await rowsOf(`software/export/?ids=${software}`)).toBe(1);
  for (const bad of ['1,x', '1,,2', '0', Array.from({ length: 101 }, (_, n) => n + 1).join(',')]) {
    const answer = await t.call('GET', `/licenses/api/clients/export/?ids=${bad}`);
    expect([bad, answer.status, Object.keys(answer.body.errors)]).toEqual([bad, 400, ['ids']]);
  }
});

describe('POST licenses/bulk_action/preview/ (LIFE-06)', () => {
  const preview = (t: TestApp, body: unknown) => act(t, 'licenses', body, {}, 'bulk_action/preview/');

  test('returns how many records the action will change and why not the others, and the action does the same', async () => {
    const t = await createTestApp({ now: NOW });
    const { ids, client, software, licenses } = await threeLicenses(t);
    const trial = await createLicense(t, { client, software, license_type: 'trial', status: 'trial' });
    const endless = await createLicense(t, { client, software, expiry_days: null, expiry_date: null });
    await t.call('POST', `/licenses/api/licenses/${ids[1]}/suspend/`, { body: {} });
    const all = [...ids, trial.id, endless.id, 999_999, ids[0]];
    const events = (await t.db.selectFrom('events').select('id').execute()).length;

    const { status, body } = await preview(t, { ids: all, action: 'renew' });
    expect([status, { ...body, refused: undefined }]).toEqual([200, { total: 6, possible: 2, machines: 0 }]);
    expect(body.refused.map(({ code, count }: { code: string; count: number }) => [code, count])).toEqual(
      expect.arrayContaining([
        ['invalid_transition', 1],
        ['invalid', 1],
        ['not_renewable', 1],
        ['not_found', 1],
      ]),
    );
    expect((await t.db.selectFrom('events').select('id').execute()).length).toBe(events);
    const done = await act(t, 'licenses', { ids: all, action: 'renew', notify: false });
    expect(done.body.done).toHaveLength(2);
    expect(done.body.failed.map(({ message }: { message: string }) => message).sort()).toEqual(
      body.refused.map(({ message }: { message: string }) => message).sort(),
    );

    const { id: type } = (
      await t.call('POST', '/licenses/api/license-types/', {
        body: { name: 'Anual', base_price: 10, max_installations: 1, validity_days: 30 },
      })
    ).body;
    expect((await preview(t, { ids: [trial.id], action: 'renew', license_type_config: type })).body).toEqual({
      total: 1,
      possible: 1,
      machines: 0,
      refused: [],
    });
    const byFilters = await preview(t, { filters: { search: licenses[0]!.license_key }, action: 'cancel' });
    expect(byFilters.body).toEqual({ total: 1, possible: 1, machines: 0, refused: [] });
  });

  test('counts only the machines of the licences that will be changed', async () => {
    const t = await createTestApp({ now: NOW });
    const { ids, licenses } = await threeLicenses(t);
    await activate(t, licenses[0]!.license_key, 'caja-1');
    await activate(t, licenses[0]!.license_key, 'caja-2');
    await activate(t, licenses[1]!.license_key, 'caja-1');
    await activate(t, licenses[2]!.license_key, 'caja-1');
    await t.call('POST', `/licenses/api/licenses/${ids[2]}/suspend/`, { body: {} });
    expect((await preview(t, { ids, action: 'suspend' })).body).toMatchObject({ possible: 2, machines: 3 });
    expect((await preview(t, { ids, action: 'cancel' })).body).toMatchObject({ possible: 3, machines: 4 });
  });

  test('refuses a call without a selection, with an unknown filter, or without a session', async () => {
    expect((await preview(shared, { action: 'renew' })).body.errors).toHaveProperty('ids');
    expect((await preview(shared, { action: 'delete', ids: [1] })).body.errors).toHaveProperty('action');
    expect((await preview(shared, { action: 'renew', filters: { nada: 1 } })).body.errors).toHaveProperty(
      'filters',
    );
    const anonymous = await shared.call('POST', '/licenses/api/licenses/bulk_action/preview/', {
      token: null,
      body: { action: 'renew', ids: [1] },
    });
    expect(anonymous.status).toBe(401);
  });
});
