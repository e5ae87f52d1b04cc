import iconv from 'iconv-lite';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { REASON_REQUIRED } from '../../../contract/base/required.ts';
import { PRIVACY_MESSAGES } from '../../../contract/clients/privacy.ts';
import type { Role } from '../../../contract/people/permissions.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { asSystem } from '../../../test/scope.ts';
import type { Tables } from '../../db/tables.ts';
import { insertUser, openSession } from '../people/sign-in/auth.queries.ts';
import { storeCollectedChecks } from '../programs/checks/collect-checks.ts';
import { storeMachineNames } from '../programs/machine-names.ts';
import { eraseClient } from './erase-client.ts';

/** The copy of all stored data about a client, and the erasure (docs/privacy.md). */

const START = '2026-03-02T12:00:00.000Z';
const REASON = 'Solicitud del titular';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: START });
});

const dataOf = (id: number, token?: string) =>
  t.call('GET', `/licenses/api/clients/${id}/data/`, token === undefined ? {} : { token });
const erase = (id: number, body: object = { reason: REASON }, token?: string) =>
  t.call('POST', `/licenses/api/clients/${id}/erase/`, { body, ...(token !== undefined && { token }) });

async function tokenOf(role: Role): Promise<string> {
  const username = `${role}-${crypto.randomUUID()}`;
  return asSystem(t, async ({ tx, now }) => {
    const user = await insertUser(
      tx,
      { username, names: role, last_name: '', email: `${username}@example.com`, role, password_hash: 'x' },
      now,
    );
    return (await openSession(tx, user.id, now, { ip: null, userAgent: null })).token;
  });
}

/** Words about the client that occur nowhere else in the test's database. */
const PERSON = {
  name: 'Zenaida Quetzalli',
  email: 'zenaida.q@persona.example',
  company: 'Papelería Quetzalli',
  phone: '+525598765432',
  phone_secondary: '+525598765433',
  address: 'Callejón del Sapo 17',
  city: 'Tlalquetzal',
  state: 'Quetzalapan',
  postal_code: 'Zac 98765',
  contact_person: 'Xóchitl Quetzalli',
  tax_id: 'QEZE800101AB1',
  website: 'https://quetzalli.example',
  notes: 'Prefiere que le llamen en quetzal',
  external_id: 'crm-quetzal-9',
  country: 'México',
};
/** None is so short and plain that a random id or hash could contain it. */
const TRACES =
  /quetzal|zenaida|persona\.example|Zac 98765|9876543[23]|Sapo 17|QEZE800101|Caja-Xoch|203\.0\.113\.77|0A:1B/i;

/** All values in the database, table by table. */
async function tracesIn(traces = TRACES): Promise<string[]> {
  const tables = t.db.introspection.getTables();
  const found: string[] = [];
  for (const { name } of await tables) {
    // The search index stores words in another form; its results are tested through the API.
    if (/_search(?:_|$)/.test(name)) continue;
    const rows = await t.db
      .selectFrom(name as keyof Tables)
      .selectAll()
      .execute();
    for (const row of rows)
      if (traces.test(JSON.stringify(row))) found.push(`${name}: ${JSON.stringify(row)}`);
  }
  return found;
}

const FIGURES = [
  '/licenses/api/statistics/',
  '/licenses/api/reports/revenue/?from=2026-01-01&to=2026-12-31',
  '/licenses/api/clients/?page_size=100&status=active',
];

/** A client with all kinds of related data, whose only licence has ended. */
async function fullClient() {
  await t.call('POST', '/licenses/api/webhooks/', { body: { url: 'https://93.184.216.34/x', types: ['*'] } });
  const { body: client } = await t.call('POST', '/licenses/api/clients/', {
    body: { ...PERSON, name: 'Zenaida Vieja Quetzalli' },
    headers: { 'idempotency-key': 'uno' },
  });
  await t.call('PATCH', `/licenses/api/clients/${client.id}/`, { body: { name: PERSON.name } });
  const license = await createLicense(t, {
    client: client.id,
    software: (await createSoftware(t)).id,
    price: 777,
    expiry_days: 30,
    notes: 'Para la tienda de Quetzalli',
  });
  for (const on of [{ client: client.id }, { license: license.id }]) {
    const { body: note } = await t.call('POST', '/licenses/api/notes/', {
      body: { text: 'Llamar al Callejón del Sapo 17', ...on },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    await t.call('PATCH', `/licenses/api/notes/${note.id}/`, {
      body: { text: 'Ya contestó en quetzal', pinned: true },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
  }
  await t.deliveredMail();
  await t.call('POST', '/licenses/api/installations/', {
    token: null,
    body: {
      license_key: license.license_key,
      machine_id: 'quetzal-pc-1',
      machine_name: 'Caja-Xoch',
      mac_address: '0A:1B:2C:3D:4E:5F',
      ip_address: '203.0.113.77',
    },
  });
  await storeCollectedChecks(t.context);
  await storeMachineNames(t.context);
  await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, {
    body: { notes: 'De Zenaida', price: 700 },
  });
  await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {
    body: { reason: 'Zenaida no pagó' },
  });
  await t.call('POST', '/licenses/api/views/', {
    body: {
      screen: 'clients',
      name: 'Una',
      query: `status=active&search=${encodeURIComponent(PERSON.email)}`,
    },
  });
  await t.call('POST', `/licenses/api/licenses/${license.id}/certificate/`);
  await t.call('POST', '/licenses/api/imports/?kind=clients', {
    payload: `Nombre,Email,Teléfono\nZenaida Quetzalli,${PERSON.email},1\nAna López,ana@otra.example,5512345678\n`,
    headers: { 'content-type': 'text/csv' },
  });
  return { client, license };
}

const cancel = (id: number) =>
  t.call('POST', `/licenses/api/licenses/${id}/cancel/`, { body: { reason: 'Zenaida se fue' } });

describe('GET clients/{id}/data/', () => {
  test('returns all stored data of a client as a file', async () => {
    const { client, license } = await fullClient();
    const { status, body, headers } = await dataOf(client.id);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="cliente_${client.id}.json"`);
    expect(body).toMatchObject({
      exported_at: START,
      client: { ...PERSON, licenses: [{ id: license.id, installations: [{ machine_name: 'Caja-Xoch' }] }] },
      terms: [{ license: license.id, kind: 'issue', price: 700 }],
      certificates: [{ license: license.id }],
      notes: [
        { text: 'Ya contestó en quetzal', client: { id: client.id }, license: null },
        { text: 'Ya contestó en quetzal', license: { id: license.id } },
      ],
    });
    expect(body.mails).toMatchObject([
      { kind: 'license_issued', to: PERSON.email, text: expect.any(String) },
    ]);
    expect(body.events.map(({ type }: Event) => type)).toEqual([
      'client.created',
      'client.updated',
      'license.issued',
      ...['note.created', 'note.updated', 'note.created', 'note.updated'],
      'mail.sent',
      'installation.activated',
      'license.updated',
      'license.suspended',
    ]);
    expect(body.checks).toMatchObject([{ call: 'activate', machine_id: 'quetzal-pc-1' }]);
    expect(body.machine_names).toMatchObject([{ license: license.id, name: 'Caja-Xoch' }]);
    expect(body.webhook_messages.length).toBeGreaterThan(4);
    expect((await dataOf(999_999)).status).toBe(404);
  });

  test('is allowed to administrators only, and to no API key', async () => {
    const { id } = await createClient(t);
    for (const role of ['operator', 'support', 'viewer'] as const)
      expect((await dataOf(id, await tokenOf(role))).status).toBe(403);
    expect((await t.call('GET', `/licenses/api/clients/${id}/data/`, { token: null })).status).toBe(401);
    const { status } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['clients:erase'] },
    });
    expect(status).toBe(400);
  });
});

describe('POST clients/{id}/erase/', () => {
  test('no table contains anything that identifies the client, and the figures do not change', async () => {
    const { client, license } = await fullClient();
    await cancel(license.id);
    await t.deliveredMail();
    expect((await tracesIn()).length).toBeGreaterThan(10);
    const figures = () => Promise.all(FIGURES.map(async (url) => (await t.call('GET', url)).body));
    const countsOf = (page: { count: number }) => page.count;
    const [statistics, revenue, list] = await figures();

    expect(await erase(client.id)).toMatchObject({ status: 200 });

    expect(await tracesIn()).toEqual([]);
    const after = await figures();
    expect([after[0], after[1], countsOf(after[2])]).toEqual([statistics, revenue, countsOf(list)]);
    const name = `Cliente borrado ${client.id}`;
    const { body } = await t.call('GET', `/licenses/api/clients/${client.id}/`);
    expect(body).toMatchObject({
      name,
      email: `cliente-${client.id}@borrado.invalid`,
      phone: '',
      country: 'México',
    });
    expect(body.licenses).toMatchObject([
      { id: license.id, price: 700, current_installations: 1, notes: '' },
    ]);
    for (const search of ['Zenaida', PERSON.email, 'quetzal-pc-1'])
      expect((await t.call('GET', `/licenses/api/search/?q=${encodeURIComponent(search)}`)).text).not.toMatch(
        /"results":\[\{/,
      );
  });

  test('payments stay as figures without the payer, and open requests are cancelled (PAY-07)', async () => {
    const { client, license } = await fullClient();
    await t.call('POST', `/licenses/api/licenses/${license.id}/reinstate/`, { body: {} });
    const ask = () =>
      t.call('POST', '/licenses/api/payment-requests/', {
        body: { lines: [{ license: license.id, kind: 'renewal' }], note: 'Para Zenaida' },
        headers: { 'idempotency-key': crypto.randomUUID() },
      });
    const { body: paid } = await ask();
    const { status } = await t.call('POST', `/licenses/api/payment-requests/${paid.id}/mark_paid/`, {
      body: { method: 'transfer', reference: 'SPEI de Zenaida Quetzalli' },
    });
    expect(status).toBe(200);
    const { body: open } = await ask();
    await cancel(license.id);
    await t.deliveredMail();
    expect((await dataOf(client.id)).body.payments).toMatchObject([{ amount: paid.amount }]);
    const revenue = async () => (await t.call('GET', FIGURES[1]!)).body;
    const before = await revenue();

    expect(await erase(client.id)).toMatchObject({ status: 200 });

    expect(await tracesIn()).toEqual([]);
    expect(await revenue()).toEqual(before);
    const stateOf = async ({ id }: { id: number }) =>
      (await t.call('GET', `/licenses/api/payment-requests/${id}/`)).body.state;
    expect([await stateOf(paid), await stateOf(open)]).toEqual(['paid', 'cancelled']);
  });

  test("stored answers lose former names, addresses in capitals, and the texts of the client's licences and machines", async () => {
    const keyed = (name: string) => ({ headers: { 'idempotency-key': name } });
    const { body: client } = await t.call('POST', '/licenses/api/clients/', {
      body: { ...PERSON, name: 'Zenaida Primera', email: 'ZENAIDA.VIEJA@Persona.example' },
      ...keyed('a'),
    });
    const rename = (body: object, key: string) =>
      t.call('PATCH', `/licenses/api/clients/${client.id}/`, { body, ...keyed(key) });
    await rename({ name: 'Zenaida Segunda', email: 'otra@persona.example' }, 'b');
    await rename({ name: 'Zenaida Tercera', email: 'ultima@persona.example' }, 'c');
    const software = (await createSoftware(t)).id;
    const { body: license } = await t.call('POST', '/licenses/api/licenses/', {
      body: {
        client: client.id,
        software,
        price: 5,
        license_type: 'basic',
        notes: 'Para la tienda de Quetzalli',
        external_id: 'pedido-quetzal-1',
      },
      ...keyed('d'),
    });
    await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, {
      body: { notes: 'Zenaida pagó' },
      ...keyed('e'),
    });
    await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {
      body: { reason: 'Zenaida debe' },
      ...keyed('f'),
    });
    await t.call('POST', `/licenses/api/licenses/${license.id}/cancel/`, { body: {}, ...keyed('g') });
    await t.deliveredMail();
    expect((await tracesIn()).filter((row) => row.startsWith('idempotency_keys'))).toHaveLength(7);

    expect((await erase(client.id)).status).toBe(200);

    expect(await tracesIn()).toEqual([]);
  });

  test('its events still show what happened, when and by whom, without names and texts', async () => {
    const { client, license } = await fullClient();
    await cancel(license.id);
    const eventsOf = async (): Promise<Event[]> =>
      (await t.call('GET', `/licenses/api/events/?client=${client.id}`)).body.results;
    const before = await eventsOf();
    await erase(client.id);
    const [erased, ...after] = await eventsOf();
    expect(erased).toMatchObject({ type: 'client.erased', reason: REASON, actor: { kind: 'user' } });
    const facts = ({ id, at, type, license: about }: Event) => ({ id, at, type, key: about?.license_key });
    expect(after.map(facts)).toEqual(before.map(facts));
    const changed = after.find(({ type }) => type === 'license.updated');
    expect(changed?.changes).toEqual({ price: { before: 777, after: 700 } });
  });

  test('an import row of another person in the same file stays and can be imported', async () => {
    const { client, license } = await fullClient();
    await cancel(license.id);
    await erase(client.id);
    const chunk = await t.db.selectFrom('import_chunks').select('rows').executeTakeFirstOrThrow();
    expect(JSON.parse(chunk.rows)).toEqual([
      [2, '', '', ''],
      [3, 'Ana López', 'ana@otra.example', '5512345678'],
    ]);
  });

  test('an import row in another encoding than its file was kept in is erased, and the words that showed it (INPUT-04)', async () => {
    const person = { ...PERSON, name: 'Zenón Ñáñez', email: 'zn@otra.example' };
    const { body: client } = await t.call('POST', '/licenses/api/clients/', { body: person });
    const { body: uploaded } = await t.call('POST', '/licenses/api/imports/?kind=software', {
      payload: iconv.encode('Nombre;Versión\r\nZenón Ñáñez;1\r\nNómina;1\r\n', 'cp850'),
      headers: { 'content-type': 'text/csv' },
    });
    expect(uploaded.encodings[0].sample).toContain('Zenón');
    const path = `/licenses/api/imports/${uploaded.id}/`;
    for (const encoding of ['Mac Roman', 'CP850']) {
      await t.call('POST', `${path}check/`, { body: { mode: 'create', encoding } });
    }
    await t.db.updateTable('imports').set({ sample: '[]' }).where('id', '=', uploaded.id).execute();
    expect((await erase(client.id)).status).toBe(200);
    const { encodings } = (await t.call('GET', path)).body;
    expect(encodings[0]).toMatchObject({
      encoding: 'CP850',
      sample: '',
      rows: [
        ['', ''],
        ['Nómina', '1'],
      ],
    });
  });

  test("a row or a view that contains only the client's city stays", async () => {
    const person = { ...PERSON, city: 'Guadalajara', state: 'Jalisco', postal_code: '44100', notes: 'VIP' };
    const { body: client } = await t.call('POST', '/licenses/api/clients/', { body: person });
    await t.call('POST', '/licenses/api/imports/?kind=clients', {
      payload: 'Nombre,Email,Ciudad,Estado,CP\nAna López,ana@otra.example,Guadalajara,Jalisco,44100\n',
      headers: { 'content-type': 'text/csv' },
    });
    await t.call('POST', '/licenses/api/views/', {
      body: { screen: 'clients', name: 'Aquí', query: 'search=Guadalajara' },
    });
    expect((await erase(client.id)).status).toBe(200);
    const { rows } = await t.db.selectFrom('import_chunks').select('rows').executeTakeFirstOrThrow();
    expect(JSON.parse(rows)).toEqual([
      [2, 'Ana López', 'ana@otra.example', 'Guadalajara', 'Jalisco', '44100'],
    ]);
    const view = await t.db.selectFrom('saved_views').select('query').executeTakeFirstOrThrow();
    expect(view.query).toBe('search=Guadalajara');
  });

  test('a repeated create call gets its stored answer without personal data', async () => {
    const { client, license } = await fullClient();
    await cancel(license.id);
    await erase(client.id);
    const { status, body, headers } = await t.call('POST', '/licenses/api/clients/', {
      body: { ...PERSON, name: 'Zenaida Vieja Quetzalli' },
      headers: { 'idempotency-key': 'uno' },
    });
    expect([status, headers['idempotency-replayed'], body.id, body.name]).toEqual([
      201,
      'true',
      client.id,
      '',
    ]);
  });

  test('an address with ñ leaves in both of its forms, and with it what was suggested (INPUT-02, INPUT-14)', async () => {
    const traces = /ñandú|xn--and-|and%C3%BA|555000111/i;
    const email = 'eva@ñandú.mx';
    const headers = { 'idempotency-key': 'eva' };
    const body = { name: 'Eva', email, phone: '5550001112' };
    const { body: client } = await t.call('POST', '/licenses/api/clients/', { body, headers });
    expect(client).toMatchObject({ email_shown: email, suggestions: { phone: '+525550001112' } });
    await t.call('POST', '/licenses/api/views/', {
      body: { screen: 'clients', name: 'Eva', query: `search=${encodeURIComponent(email)}` },
    });
    await t.call('POST', '/licenses/api/imports/?kind=clients', {
      payload: `Nombre,Email,Teléfono\nEva,${email},1\nAna López,ana@otra.example,5512345678\n`,
      headers: { 'content-type': 'text/csv' },
    });
    expect((await tracesIn(traces)).length).toBeGreaterThan(3);
    expect(await erase(client.id)).toMatchObject({ status: 200 });
    expect(await tracesIn(traces)).toEqual([]);
  });

  test('a transfer shows the erased client in neither history', async () => {
    const { client, license } = await fullClient();
    await t.call('POST', `/licenses/api/licenses/${license.id}/reinstate/`, { body: {} });
    const other = await createClient(t, { name: 'Luis Pérez' });
    const moved = await t.call('POST', `/licenses/api/licenses/${license.id}/transfer/`, {
      body: { client: other.id, notify: false },
    });
    expect(moved.status).toBe(200);
    await erase(client.id);
    const { body } = await t.call('GET', `/licenses/api/events/?client=${other.id}&type=license.transferred`);
    expect(body.results).toMatchObject([{ changes: { client: { before: '', after: 'Luis Pérez' } } }]);
    expect((await tracesIn()).filter((row) => /^(?:events|clients)/.test(row))).toEqual([]);
  });

  test('is refused while a licence has not ended', async () => {
    const { id } = await createClient(t);
    const license = await createLicense(t, { client: id, expiry_days: 30 });
    await t.deliveredMail();
    const { status, body } = await erase(id);
    expect([status, body.code, body.message]).toEqual([409, 'in_use', PRIVACY_MESSAGES.holding(1)]);
    await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
    expect((await erase(id)).status).toBe(409);
    t.clock.advance(40 * 24 * 3_600_000);
    await asSystem(t, (scope) => eraseClient(scope, id, REASON));
    expect(await t.db.selectFrom('clients').select('phone').where('id', '=', id).execute()).toEqual([
      { phone: '' },
    ]);
  });

  test('is refused while a mail is being sent', async () => {
    const { id } = await createClient(t);
    const license = await createLicense(t, { client: id });
    await cancel(license.id);
    const until = new Date(t.context.now().getTime() + 60_000).toISOString();
    await t.db.updateTable('outbox').set({ sending_until: until, status: 'queued' }).execute();
    const { status, body } = await erase(id);
    expect([status, body.code, body.message]).toEqual([409, 'conflict', PRIVACY_MESSAGES.mailUnderWay]);
  });

  test('needs a reason, an administrator, and a password entered in the last ten minutes', async () => {
    const { id } = await createClient(t);
    for (const body of [{}, { reason: ' ' }])
      expect((await erase(id, body)).body.errors).toEqual({ reason: [REASON_REQUIRED] });
    for (const role of ['operator', 'support', 'viewer'] as const)
      expect((await erase(id, undefined, await tokenOf(role))).status).toBe(403);
    expect((await erase(999_999)).status).toBe(404);
    t.clock.advance(10 * 60_000 + 1);
    const { status, body } = await erase(id);
    expect([status, body.code]).toEqual([403, 'step_up_required']);
    await t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });
    expect((await erase(id)).status).toBe(200);
    // A second erasure changes nothing more.
    expect((await erase(id)).status).toBe(200);
  });
});

describe('the database allows no other change of events (EVENT-06)', () => {
  const inErasure = (client: number, change: Partial<Tables['events']>, id: number) =>
    t.db.transaction().execute(async (tx) => {
      await tx.insertInto('event_erasure').values({ client_id: client }).execute();
      await tx
        .updateTable('events')
        .set(change as never)
        .where('id', '=', id)
        .execute();
    });
  const eventOf = (client: number) =>
    t.db
      .selectFrom('events')
      .select('id')
      .where('client_id', '=', client)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();

  test('the erasure flag alone is not enough without a later event of an erasure', async () => {
    const { id } = await createClient(t);
    const { id: event } = await eventOf(id);
    await expect(inErasure(id, { client_name: `Cliente borrado ${id}` }, event)).rejects.toThrow(
      /never changed/,
    );
  });

  test('an erasure removes personal texts from events and changes nothing else', async () => {
    const { id } = await createClient(t);
    const other = await createClient(t);
    const { id: event } = await eventOf(id);
    const { id: othersEvent } = await eventOf(other.id);
    await erase(id);
    const refused: [Partial<Tables['events']>, number?][] = [
      [{ at: '2020-01-01T00:00:00.000Z' as never }],
      [{ type: 'client.deleted' }],
      [{ actor_name: 'Otro' }],
      [{ actor_name: '' }],
      [{ actor_id: null }],
      [{ client_name: 'Otra' }],
      [{ subject_name: 'Otra' }],
      [{ reason: 'Otro motivo' }],
      [{ ip: '203.0.113.1' }],
      [{ changes: '{"price":{"before":1,"after":2}}' }],
      [{ request_id: null }],
      [{ client_name: `Cliente borrado ${other.id}` }, othersEvent],
    ];
    for (const [change, at = event] of refused)
      await expect(inErasure(id, change, at), JSON.stringify(change)).rejects.toThrow(/never changed/);
    await expect(inErasure(id, { subject_name: '' }, event)).resolves.toBeUndefined();
    await t.db.deleteFrom('event_erasure').execute();
    await expect(sql`update events set subject_name = '' where id = ${event}`.execute(t.db)).rejects.toThrow(
      /never changed/,
    );
  });

  test('the erasure flag is removed after the call', async () => {
    const { id } = await createClient(t);
    await erase(id);
    expect(await t.db.selectFrom('event_erasure').selectAll().execute()).toEqual([]);
  });
});
