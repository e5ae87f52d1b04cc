import { beforeEach, describe, expect, test } from 'vitest';
import type { Permission, Role } from '../../../contract/people/permissions.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import { startReceiver } from '../../../test/webhook-receiver.ts';
import { insertUser, openSession } from '../people/sign-in/auth.queries.ts';
import { webhookJob } from '../webhooks/webhook-job.ts';

/** Notes of staff about clients and licences (DESK-02). */

const NOW = '2026-11-29T18:00:00.000Z';
const TODAY = '2026-11-29';
const NOTES = '/licenses/api/notes/';
const SECRET = 'Dice que su primo le presta la clave';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const write = (body: object, token?: string | null) =>
  t.call('POST', NOTES, { body, ...(token !== undefined && { token }) });
const listed = async (query: string, token?: string) =>
  t.call('GET', `${NOTES}?${query}`, token === undefined ? {} : { token });
const textsOf = async (query: string) =>
  (await listed(query)).body.results.map(({ text }: { text: string }) => text);
const eventsOf = async (client: number): Promise<Event[]> =>
  (await t.call('GET', `/licenses/api/events/?client=${client}`)).body.results;

async function keyWith(...permissions: Permission[]): Promise<string> {
  const { body } = await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Tienda', permissions } });
  return body.key;
}

/** A new user with an open session. */
async function signedIn(role: Role): Promise<{ id: number; token: string }> {
  const username = `${role}-${crypto.randomUUID()}`;
  return asSystem(t, async ({ tx, now }) => {
    const user = await insertUser(
      tx,
      { username, names: role, last_name: '', email: `${username}@example.com`, role, password_hash: 'x' },
      now,
    );
    const { token } = await openSession(tx, user.id, now, { ip: null, userAgent: null });
    return { id: user.id, token };
  });
}

describe('writing', { tags: ['DESK-02'] }, () => {
  test('a note of a client has its author, and is shown, changed and deleted', async () => {
    const client = await createClient(t, { name: 'Ana' });
    const made = await write({
      text: '  Llamar\r\nel lunes ',
      client: client.id,
      remind_on: TODAY,
      pinned: true,
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: made.body.id,
      text: '  Llamar\nel lunes',
      pinned: true,
      remind_on: TODAY,
      client: { id: client.id, name: 'Ana' },
      license: null,
      actor: { kind: 'user', id: 1, name: 'Administrador Demo' },
      created_at: NOW,
      updated_at: NOW,
      can_change: true,
    });
    const one = await t.call('GET', `${NOTES}${made.body.id}/`);
    expect([one.body, one.headers.etag]).toEqual([made.body, `"${NOW}"`]);

    t.clock.advance(1000);
    const changed = await t.call('PATCH', `${NOTES}${made.body.id}/`, {
      body: { text: 'Ya llamé', remind_on: null },
    });
    expect(changed.body).toMatchObject({ text: 'Ya llamé', remind_on: null, pinned: true });
    expect(await textsOf(`client=${client.id}`)).toEqual(['Ya llamé']);
    const gone = await t.call('DELETE', `${NOTES}${made.body.id}/`);
    expect(gone.body).toEqual({ success: true, message: 'Nota eliminada exitosamente' });
    expect((await t.call('GET', `${NOTES}${made.body.id}/`)).status).toBe(404);
    expect(await textsOf(`client=${client.id}`)).toEqual([]);
  });

  test.each([
    [{}, { text: ['Escribe la nota'], client: ['Indica client o license: uno de los dos'] }],
    [{ text: ' \n ', client: 1 }, { text: ['Escribe la nota'] }],
    [{ text: 'a', client: 1, license: 1 }, { client: ['Indica client o license: uno de los dos'] }],
    [{ text: 'a'.repeat(2001), client: 1 }, { text: ['No puede exceder 2000 caracteres'] }],
    [{ text: 'a\u0000b', client: 1 }, { text: ['Contiene caracteres no permitidos'] }],
    [{ text: 'a', client: 999_999 }, { client: ['El cliente no existe'] }],
    [{ text: 'a', license: 999_999 }, { license: ['La licencia no existe'] }],
    [{ text: 'a', client: 1, pinned: 'sí' }, { pinned: ['Indica true o false en pinned'] }],
    [
      { text: 'a', client: 1, remind_on: '2026-11-28' },
      { remind_on: ['El día ya pasó: elige hoy o un día que viene'] },
    ],
    [
      { text: 'a', client: 1, remind_on: '2026-02-30' },
      { remind_on: ['Fecha inválida. Usa el formato AAAA-MM-DD.'] },
    ],
  ])('%j is refused by the names of its fields', async (body, errors) => {
    const answer = await write(body);
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
  });

  test('takes 2,000 characters, without marks of direction, and today by the local calendar', async () => {
    const { id } = await createClient(t);
    // In Mexico it is still the 28th.
    t.clock.set('2026-11-29T05:50:00.000Z');
    const { token } = await signedIn('operator');
    const made = await write(
      { text: `\u202e${'ñ'.repeat(2000)}`, client: id, remind_on: '2026-11-28' },
      token,
    );
    expect([made.status, made.body.text]).toEqual([201, 'ñ'.repeat(2000)]);
    t.clock.set('2026-11-29T06:00:00.000Z');
    const late = await write({ text: 'a', client: id, remind_on: '2026-11-28' }, token);
    expect(late.status).toBe(400);
    // A day that has passed may stay.
    const { status } = await t.call('PATCH', `${NOTES}${made.body.id}/`, {
      body: { text: 'b', remind_on: '2026-11-28' },
      token,
    });
    expect(status).toBe(200);
  });

  test('a repeated call writes one note, and a stale change is refused with the current one', async () => {
    const { id } = await createClient(t);
    const once = { body: { text: 'Una vez', client: id }, headers: { 'idempotency-key': 'uno' } };
    const [first, second] = [await t.call('POST', NOTES, once), await t.call('POST', NOTES, once)];
    expect([second.body, second.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    expect(await textsOf(`client=${id}`)).toEqual(['Una vez']);
    const url = `${NOTES}${first.body.id}/`;
    t.clock.advance(1000);
    await t.call('PATCH', url, { body: { text: 'Otra' } });
    const stale = await t.call('PATCH', url, {
      body: { text: 'Mía' },
      headers: { 'if-match': `"${NOW}"` },
    });
    expect([stale.status, stale.body.current.text]).toEqual([412, 'Otra']);
    expect((await t.call('DELETE', url, { headers: { 'if-match': `"${NOW}"` } })).status).toBe(412);
  });
});

describe('listing', { tags: ['DESK-02'] }, () => {
  test('has pinned ones first, then the newest; those of a licence also at its client', async () => {
    const license = await createLicense(t);
    const client = license.client.id;
    await write({ text: 'fijada', client, pinned: true });
    await write({ text: 'vieja', client });
    await write({ text: 'de la licencia', license: license.id });
    await write({ text: 'nueva', client });
    expect(await textsOf(`client=${client}`)).toEqual(['fijada', 'nueva', 'de la licencia', 'vieja']);
    expect(await textsOf(`license=${license.id}`)).toEqual(['de la licencia']);
    const { results } = (await listed(`license=${license.id}`)).body;
    expect(results[0]).toMatchObject({
      client: { id: client },
      license: { id: license.id, license_key: license.license_key },
    });
    const page = await listed(`client=${client}&page_size=2`);
    expect([page.body.count, page.body.results.length]).toEqual([4, 2]);
    const next = await t.call('GET', page.body.next);
    expect(next.body.results.map(({ text }: { text: string }) => text)).toEqual(['de la licencia', 'vieja']);
  });

  test('needs a client or a licence', async () => {
    const { status, body } = await listed('');
    expect([status, body.errors]).toEqual([400, { client: ['Indica de qué client o license'] }]);
  });

  test('the notes of a licence go with it to another client', async () => {
    const license = await createLicense(t);
    const other = await createClient(t);
    await write({ text: 'de la licencia', license: license.id });
    await t.call('POST', `/licenses/api/licenses/${license.id}/transfer/`, { body: { client: other.id } });
    expect(await textsOf(`client=${license.client.id}`)).toEqual([]);
    expect(await textsOf(`client=${other.id}`)).toEqual(['de la licencia']);
    // Also by a PUT.
    await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, { body: { client: license.client.id } });
    expect(await textsOf(`client=${license.client.id}`)).toEqual(['de la licencia']);
  });
});

describe('who may', { tags: ['DESK-02'] }, () => {
  test('people but viewers write, and change their own; others’ with users:manage', async () => {
    const { id: client } = await createClient(t);
    const support = await signedIn('support');
    const operator = await signedIn('operator');
    const viewer = await signedIn('viewer');
    const { body: note } = await write({ text: 'De soporte', client }, support.token);
    expect(note).toMatchObject({ can_change: true, actor: { kind: 'user', id: support.id } });
    expect((await write({ text: 'x', client }, viewer.token)).status).toBe(403);
    const url = `${NOTES}${note.id}/`;
    for (const { token } of [operator, viewer]) {
      expect((await listed(`client=${client}`, token)).body.results).toMatchObject([{ can_change: false }]);
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        const answer = await t.call(method, url, {
          token,
          ...(method !== 'DELETE' && { body: { text: 'x' } }),
        });
        expect([method, answer.status]).toEqual([method, 403]);
      }
    }
    expect((await t.call('PATCH', url, { body: { text: 'Del jefe' } })).status).toBe(200);
    expect((await t.call('DELETE', url, { token: support.token })).status).toBe(200);
  });

  test('nobody without a session', async () => {
    for (const [method, url] of [
      ['GET', `${NOTES}?client=1`],
      ['POST', NOTES],
      ['GET', `${NOTES}1/`],
      ['PATCH', `${NOTES}1/`],
      ['DELETE', `${NOTES}1/`],
    ] as const) {
      const body = method === 'POST' || method === 'PATCH' ? { body: { text: 'a', client: 1 } } : {};
      expect((await t.call(method, url, { token: null, ...body })).status).toBe(401);
    }
  });

  test('a key reads by its :read permissions, and writes with clients:write its own', async () => {
    const license = await createLicense(t);
    const client = license.client.id;
    const { body: ofLicense } = await write({ text: 'de la licencia', license: license.id });
    const { body: ofClient } = await write({ text: 'del cliente', client });

    const reader = await keyWith('clients:read');
    const found = (await listed(`client=${client}`, reader)).body;
    expect([found.count, found.results[0].text]).toEqual([1, 'del cliente']);
    expect((await listed(`license=${license.id}`, reader)).status).toBe(403);
    expect((await t.call('GET', `${NOTES}${ofLicense.id}/`, { token: reader })).status).toBe(403);
    expect((await write({ text: 'x', client }, reader)).status).toBe(403);

    const ofLicenses = await keyWith('licenses:read');
    expect((await listed(`client=${client}`, ofLicenses)).status).toBe(403);
    expect((await listed(`license=${license.id}`, ofLicenses)).body.count).toBe(1);

    const writer = await keyWith('clients:read', 'clients:write');
    const made = await write({ text: 'de la tienda', client }, writer);
    expect(made.body).toMatchObject({ actor: { kind: 'api_key', name: 'Tienda' }, can_change: true });
    expect((await write({ text: 'x', license: license.id }, writer)).status).toBe(403);
    const own = { token: writer, body: { text: 'corregida' } };
    expect((await t.call('PATCH', `${NOTES}${made.body.id}/`, own)).status).toBe(200);
    // A refusal tells nothing of the note, also with an old version.
    const others = await t.call('PATCH', `${NOTES}${ofLicense.id}/`, {
      ...own,
      headers: { 'if-match': '"x"' },
    });
    expect([others.status, others.text.includes('de la licencia')]).toEqual([403, false]);
    expect((await t.call('DELETE', `${NOTES}${ofClient.id}/`, { token: writer })).status).toBe(403);
    expect((await keyWith('clients:write').then((key) => write({ text: 'x', client }, key))).status).toBe(
      403,
    );
  });
});

describe('events', { tags: ['DESK-02'] }, () => {
  test('say that there is a note, never its text, and webhooks carry none', async () => {
    const receiver = await startReceiver();
    await t.call('POST', '/licenses/api/webhooks/', { body: { url: receiver.url, types: ['note.*'] } });
    const license = await createLicense(t);
    const { body: note } = await write({ text: SECRET, license: license.id });
    const url = `${NOTES}${note.id}/`;
    t.clock.advance(1000);
    await t.call('PATCH', url, { body: { text: `${SECRET}.` } });
    await t.call('PATCH', url, { body: { pinned: true } });
    await t.call('PATCH', url, { body: { pinned: true, text: `${SECRET}.` } });
    await t.call('DELETE', url);
    const events = (await eventsOf(license.client.id)).filter(({ type }) => type.startsWith('note.'));
    expect(events.map(({ type, changes }) => [type, changes])).toEqual([
      ['note.deleted', {}],
      ['note.updated', { pinned: { before: false, after: true } }],
      ['note.updated', {}],
      ['note.created', {}],
    ]);
    expect(events[0]).toMatchObject({
      subject: { kind: 'note', id: note.id, name: 'Nota' },
      client: { id: license.client.id },
      license: { id: license.id },
    });
    await runJob(t.context, webhookJob);
    expect(receiver.received.map(({ body }) => [body.type, body.data.record])).toEqual([
      ['note.created', null],
      ['note.updated', null],
      ['note.updated', null],
      ['note.deleted', null],
    ]);
    const rows = [
      await t.db.selectFrom('events').selectAll().execute(),
      await t.db.selectFrom('webhook_deliveries').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  test('a note goes with its licence and its client, without an event of its own', async () => {
    const license = await createLicense(t);
    const client = license.client.id;
    await write({ text: 'a', license: license.id });
    await write({ text: 'b', client });
    await t.call('DELETE', `/licenses/api/licenses/${license.id}/`);
    expect(await textsOf(`client=${client}`)).toEqual(['b']);
    await t.call('DELETE', `/licenses/api/clients/${client}/`);
    expect(await t.db.selectFrom('notes').selectAll().execute()).toEqual([]);
    const types = await t.db.selectFrom('events').select('type').where('type', '=', 'note.deleted').execute();
    expect(types).toEqual([]);
  });
});

describe('due notes', { tags: ['DESK-02'] }, () => {
  const bell = async (token?: string) => {
    const { body } = await t.call(
      'GET',
      '/licenses/api/notifications/',
      token === undefined ? {} : { token },
    );
    return body.results.filter(({ kind }: { kind: string }) => kind === 'note_due');
  };

  test('are in the bell of those who write notes, from their local day on', async () => {
    const license = await createLicense(t, { expiry_days: 365 });
    const { name } = license.client;
    await write({ text: 'Pedir la\nconstancia fiscal', license: license.id, remind_on: TODAY });
    const { body: later } = await write({
      text: 'Mañana',
      client: license.client.id,
      remind_on: '2026-11-30',
    });
    await write({ text: 'Sin día', client: license.client.id });
    expect(await bell()).toMatchObject([
      {
        at: '2026-11-29T06:00:00.000Z',
        message: `${name}: Pedir la constancia fiscal`,
        license: { id: license.id },
        client: { id: license.client.id },
        read: false,
      },
    ]);
    const { token: viewer } = await signedIn('viewer');
    expect(await bell(viewer)).toEqual([]);
    expect(await bell((await signedIn('support')).token)).toHaveLength(1);

    t.clock.set('2026-11-30T06:00:01.000Z');
    const { token } = await signedIn('operator');
    expect((await bell(token)).map(({ message }: { message: string }) => message)).toEqual([
      `${name}: Mañana`,
      `${name}: Pedir la constancia fiscal`,
    ]);
    await t.call('PATCH', `${NOTES}${later.id}/`, {
      body: { remind_on: null },
      token: (await signedIn('admin')).token,
    });
    expect(await bell(token)).toHaveLength(1);
    t.clock.set('2027-02-27T07:00:00.000Z');
    expect(await bell((await signedIn('operator')).token)).toEqual([]);
  });
});
