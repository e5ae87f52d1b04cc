import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Event, EventType } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { openEvent } from '../../../test/open-event.ts';
import { asSystem } from '../../../test/scope.ts';
import { openSession } from '../people/sign-in/auth.queries.ts';

/** Events through the API: which events are written, by whom, and how they are read (EVENT-01 to EVENT-07). */

const NOW = '2026-11-21T18:00:00.000Z';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const eventsOf = async (query = ''): Promise<Event[]> =>
  (await t.call('GET', `/licenses/api/events/?limit=100${query}`)).body.results;

const typesOf = async (query = ''): Promise<EventType[]> => (await eventsOf(query)).map(({ type }) => type);

/** The events that `work` writes, oldest first. */
async function writtenBy(work: () => Promise<unknown>): Promise<Event[]> {
  const before = (await eventsOf()).length;
  await work();
  const after = await eventsOf();
  return after.slice(0, after.length - before).reverse();
}

describe('one event for each record that a call changes (EVENT-01)', () => {
  test('creating, changing and deleting a client writes one event each', async () => {
    const client = await createClient(t, { name: 'Ana Ríos' });
    const url = `/licenses/api/clients/${client.id}/`;
    const events = await writtenBy(async () => {
      await t.call('PUT', url, { body: { city: 'Puebla', notes: 'Llamar' } });
      await t.call('PUT', url, { body: { city: 'Puebla' } });
      await t.call('DELETE', url);
    });
    expect(events.map(({ type }) => type)).toEqual(['client.updated', 'client.deleted']);
    expect(events[0]).toMatchObject({
      at: NOW,
      actor: { kind: 'user', name: 'Administrador Demo' },
      subject: { kind: 'client', id: client.id, name: 'Ana Ríos' },
      client: { id: client.id, name: 'Ana Ríos' },
      license: null,
      changes: {
        city: { before: 'Sin especificar', after: 'Puebla' },
        notes: { before: '', after: 'Llamar' },
      },
      ip: '127.0.0.1',
    });
    expect(await typesOf(`&client=${client.id}`)).toEqual([
      'client.deleted',
      'client.updated',
      'client.created',
    ]);
  });

  test('changing software or a licence type, or switching one off, writes one event (EVENT-01)', async () => {
    const events = await writtenBy(async () => {
      const software = await createSoftware(t, { name: 'Nómina', version: '2.0' });
      await t.call('PUT', `/licenses/api/software/${software.id}/`, { body: { version: '2.1' } });
      await t.call('POST', '/licenses/api/software/register/', { body: { name: 'Nómina', version: '2.1' } });
      await t.call('DELETE', `/licenses/api/software/${software.id}/`);
      const type = await createLicenseType(t, { name: 'Anual' });
      await t.call('PATCH', `/licenses/api/license-types/${type.id}/toggle-status/`);
      await t.call('DELETE', `/licenses/api/license-types/${type.id}/`);
    });
    expect(events.map(({ type, subject, changes }) => [type, subject.name, changes])).toEqual([
      ['software.created', 'Nómina 2.0', {}],
      ['software.updated', 'Nómina 2.1', { version: { before: '2.0', after: '2.1' } }],
      ['software.deleted', 'Nómina 2.1', {}],
      ['license_type.created', 'Anual', {}],
      ['license_type.updated', 'Anual', { is_active: { before: true, after: false } }],
      ['license_type.deleted', 'Anual', {}],
    ]);
  });

  test('issuing, changing and deleting a licence, its seats and its mail write one event each', async () => {
    const license = await createLicense(t, { price: 100 });
    const url = `/licenses/api/licenses/${license.id}/`;
    const installation = (await activate(t, license.license_key, 'caja-01')).body;
    await activate(t, license.license_key, 'caja-01');
    await activate(t, license.license_key, 'caja-02');
    await t.call('DELETE', `/licenses/api/installations/${installation.id}/`);
    await t.call('PUT', url, { body: { price: 120, status: 'suspended' } });
    await t.deliveredMail();
    await t.call('DELETE', url);

    const history = await eventsOf(`&license=${license.id}`);
    expect(history.map(({ type, actor, subject }) => [type, actor.kind, subject.kind])).toEqual([
      ['license.deleted', 'user', 'license'],
      ['mail.sent', 'system', 'mail'],
      ['license.updated', 'user', 'license'],
      ['installation.released', 'user', 'installation'],
      ['installation.activated', 'machine', 'installation'],
      ['installation.activated', 'machine', 'installation'],
      ['license.issued', 'user', 'license'],
    ]);
    for (const { license: named, client } of history) {
      expect([named, client]).toEqual([
        { id: license.id, license_key: license.license_key },
        { id: license.client.id, name: license.client_name },
      ]);
    }
    expect(history[2]?.changes).toEqual({
      price: { before: 100, after: 120 },
      status: { before: 'active', after: 'suspended' },
    });
    expect(history.at(-2)?.actor).toEqual({ kind: 'machine', id: null, name: 'caja-01' });
  });

  test('a bulk call writes one event per changed record', async () => {
    const [first, second] = [await createClient(t), await createClient(t, { status: 'suspended' })];
    const events = await writtenBy(() =>
      t.call('PATCH', '/licenses/api/clients/bulk_update/', {
        body: { ids: [first.id, second.id, 999_999], updates: { status: 'suspended' } },
      }),
    );
    expect(events.map(({ type, subject }) => [type, subject.id])).toEqual([['client.updated', first.id]]);
  });

  test('a refused, repeated or rolled-back call writes no event', async () => {
    const { id: client } = await createClient(t);
    const { id: software } = await createSoftware(t);
    const body = { client, software, license_type: 'premium', price: 5 };
    const headers = { 'idempotency-key': 'una' };
    const events = await writtenBy(async () => {
      await t.call('POST', '/licenses/api/licenses/', { body, headers });
      await t.call('POST', '/licenses/api/licenses/', { body, headers });
      await t.call('POST', '/licenses/api/licenses/', { body: { ...body, client: 999_999 } });
      await t.call('DELETE', `/licenses/api/clients/${client}/`);
      await t.call('PUT', `/licenses/api/clients/${client}/`, {
        body: { city: 'X' },
        headers: { 'if-match': '"no"' },
      });
    });
    expect(events.map(({ type }) => type)).toEqual(['license.issued']);
  });

  test('sign-in, failed sign-in, registration and the end of a session write events', async () => {
    const events = await writtenBy(async () => {
      await t.call('POST', '/api/auth/login/', {
        token: null,
        body: { username: 'admin', password: 'equivocada' },
      });
      await t.call('POST', '/api/auth/login/', {
        token: null,
        body: { username: 'nadie', password: 'equivocada' },
      });
      await expect.poll(() => typesOf('&type=user.sign_in_failed')).toHaveLength(1);
      const { body } = await t.call('POST', '/api/auth/login/', {
        token: null,
        body: { username: 'admin', password: 'admin123' },
      });
      await t.call('POST', '/api/auth/register/', {
        body: {
          username: 'segunda',
          password: 'secreta1',
          names: 'Eva',
          last_name: 'Luna',
          email: 'e@example.com',
        },
      });
      await t.call('POST', '/api/auth/logout/', { token: body.token });
    });
    expect(events.map(({ type, subject }) => [type, subject.name])).toEqual([
      ['user.sign_in_failed', 'Administrador Demo'],
      ['user.signed_in', 'Administrador Demo'],
      ['user.registered', 'Eva Luna'],
      ['session.revoked', 'Administrador Demo'],
    ]);
    const text = JSON.stringify(await t.db.selectFrom('events').selectAll().execute());
    for (const secret of ['equivocada', 'admin123', 'secreta1', t.token]) expect(text).not.toContain(secret);
  });
});

describe('events in the database (EVENT-06)', () => {
  test('an event cannot be changed, and can be deleted only after a retention date is set', async () => {
    await createClient(t);
    await expect(t.db.updateTable('events').set({ reason: 'otra' }).execute()).rejects.toThrow(
      /never changed/,
    );
    await expect(t.db.deleteFrom('events').execute()).rejects.toThrow(/never deleted/);
    if (process.env.TEST_ENGINE === 'postgres') {
      await expect(sql`truncate events`.execute(t.db)).rejects.toThrow(/never deleted/);
    }
    const before = (await eventsOf()).length;
    const deleteBefore = (moment: string) =>
      t.db.transaction().execute(async (tx) => {
        await tx.insertInto('event_retention').values({ before: moment }).execute();
        await tx.deleteFrom('events').where('at', '<', moment).execute();
        await tx.deleteFrom('event_retention').execute();
      });
    await deleteBefore(NOW);
    expect(await eventsOf()).toHaveLength(before);
    await deleteBefore('2026-11-21T18:00:00.001Z');
    expect(await eventsOf()).toEqual([]);
    await expect(t.db.deleteFrom('events').execute()).resolves.toBeDefined();
  });
});

describe('GET events/ (EVENT-05)', () => {
  test('returns events newest first, in pages by id', async () => {
    for (let count = 0; count < 5; count += 1) await createClient(t);
    const { body: first } = await t.call('GET', '/licenses/api/events/?limit=4');
    expect(first.results).toHaveLength(4);
    const { body: second } = await t.call(
      'GET',
      `/licenses/api/events/?limit=100&before=${first.next_before}`,
    );
    const ids = [...first.results, ...second.results].map(({ id }: Event) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
    expect(second.next_before).toBeNull();
  });

  test('filters by several types, kind of actor, user, licence, software and local days', async () => {
    const license = await createLicense(t);
    await createLicense(t);
    await activate(t, license.license_key, 'caja-01');
    const { id: user } = (await t.call('GET', '/api/auth/user/')).body.user;
    expect(await typesOf('&type=license.issued&type=software.created')).toHaveLength(4);
    expect(await typesOf('&actor_kind=machine')).toEqual(['installation.activated']);
    expect((await typesOf(`&user=${user}`)).length).toBe((await typesOf('&actor_kind=user')).length);
    expect(await typesOf(`&software=${license.software.id}`)).toEqual([
      'installation.activated',
      'license.issued',
      'software.created',
    ]);
    expect(await typesOf('&from=2026-11-21&to=2026-11-21&type=license.issued')).toHaveLength(2);
    expect(await typesOf('&from=2026-11-22')).toEqual([]);
    expect(await typesOf('&to=2026-11-20')).toEqual([]);
  });

  test('the events of a client include those of its machines, also after the licence is deleted', async () => {
    const license = await createLicense(t);
    const other = await createLicense(t);
    await activate(t, license.license_key, 'caja-01');
    await activate(t, other.license_key, 'caja-02');
    const ofClient = `&client=${license.client.id}&type=installation.activated`;
    expect((await eventsOf(ofClient)).map(({ subject }) => subject.name)).toEqual(['caja-01']);
    await t.call('DELETE', `/licenses/api/licenses/${license.id}/`);
    expect((await eventsOf(ofClient)).map(({ subject }) => subject.name)).toEqual(['caja-01']);
  });

  test('the answer lists the records that were deleted since, so that the console shows no link to them (EVENT-08)', async () => {
    const license = await createLicense(t);
    const { id: type } = await createLicenseType(t, { name: 'Anual' });
    const gone = async () => (await t.call('GET', '/licenses/api/events/?limit=100')).body.gone;
    expect(await gone()).toEqual([]);
    await t.call('DELETE', `/licenses/api/licenses/${license.id}/`);
    await t.call('DELETE', `/licenses/api/license-types/${type}/`);
    expect(await gone()).toEqual([
      { kind: 'license', id: license.id },
      { kind: 'license_type', id: type },
    ]);
  });

  test('an invalid filter is an error at its name, and a limit out of range is clamped', async () => {
    for (const [query, field] of [
      ['type=license.nada', 'type'],
      ['actor_kind=nadie', 'actor_kind'],
      ['client=x', 'client'],
      ['from=21/11/2026', 'from'],
      ['before=-1', 'before'],
    ]) {
      const { status, body } = await t.call('GET', `/licenses/api/events/?${query}`);
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 400, [field]]);
    }
    await createClient(t);
    expect((await t.call('GET', '/licenses/api/events/?limit=0')).body.results).toHaveLength(1);
    expect((await t.call('GET', '/licenses/api/events/?limit=100000')).status).toBe(200);
    expect((await t.call('GET', '/licenses/api/events/', { token: null })).status).toBe(401);
  });

  test('events of a client or licence need the permission to read these, and all events need audit:read', async () => {
    const license = await createLicense(t);
    const keyWith = async (...permissions: string[]) => {
      const body = { name: 'Tienda', permissions };
      return (await t.call('POST', '/licenses/api/api-keys/', { body })).body.key as string;
    };
    const statuses = async (token: string) =>
      Promise.all(
        [`?license=${license.id}`, `?client=${license.client.id}`, ''].map(
          async (query) => (await t.call('GET', `/licenses/api/events/${query}`, { token })).status,
        ),
      );
    expect(await statuses(await keyWith('licenses:read'))).toEqual([200, 403, 403]);
    expect(await statuses(await keyWith('clients:read'))).toEqual([403, 200, 403]);
    expect(await statuses(await keyWith('audit:read'))).toEqual([200, 200, 200]);
    expect(await statuses(await keyWith('software:read'))).toEqual([403, 403, 403]);
  });

  test('without audit:read an API key reads only events of the record types that it may read', async () => {
    const license = await createLicense(t);
    const keyWith = async (...permissions: string[]) => {
      const body = { name: 'Tienda', permissions };
      return (await t.call('POST', '/licenses/api/api-keys/', { body })).body.key as string;
    };
    const token = await keyWith('licenses:read', 'clients:read');
    const read = (query: string, as = token) =>
      t.call('GET', `/licenses/api/events/?${query}`, { token: as });
    const { body: own } = await read('type=license.issued&type=client.created&after=0');
    expect(own.results.map(({ type }: Event) => type)).toEqual(['client.created', 'license.issued']);
    expect(own.results[1]).toMatchObject({
      subject: { name: license.license_key },
      ip: null,
      request_id: null,
    });
    for (const [query, message] of [
      ['', 'Sin el permiso audit:read nombra en type los eventos que quieres leer'],
      ['after=0', 'Sin el permiso audit:read nombra en type los eventos que quieres leer'],
      ['type=license.issued&type=user.signed_in', 'Falta el permiso para leer estos eventos: user.signed_in'],
      ['type=api_key.created', 'Falta el permiso para leer estos eventos: api_key.created'],
      [
        'type=software.created&type=mail.sent',
        'Falta el permiso para leer estos eventos: software.created, mail.sent',
      ],
    ]) {
      const { status, body } = await read(query!);
      expect([query, status, body.code, body.message]).toEqual([query, 403, 'forbidden', message]);
    }
    expect((await read('type=license.issued', await keyWith('clients:read'))).status).toBe(403);
    const file = await t.call('GET', '/licenses/api/events/export/?type=client.created', { token });
    expect([file.status, file.text]).toEqual([200, expect.stringContaining('client.created')]);
    expect((await t.call('GET', '/licenses/api/events/export/', { token })).status).toBe(403);
    // A person can read the histories of records.
    const { body: user } = await t.call('POST', '/licenses/api/users/', {
      body: { username: 'operador', names: 'Olga', email: 'olga@example.com', role: 'operator' },
    });
    await t.db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', user.id).execute();
    const session = await asSystem(t, ({ tx, now }) =>
      openSession(tx, user.id, now, { ip: null, userAgent: null }),
    );
    expect((await read('type=license.issued', session.token)).status).toBe(403);
  });

  test('reads events forward from an id, the oldest first', async () => {
    for (let count = 0; count < 5; count += 1) await createClient(t);
    const all = (await eventsOf()).map(({ id }) => id).reverse();
    const read = async (query: string) => (await t.call('GET', `/licenses/api/events/?${query}`)).body;
    const found: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: { results: Event[]; next_after: number | null; next_before: null } = await read(
        `after=${after}&limit=2`,
      );
      expect([page.results.length <= 2, page.next_before]).toEqual([true, null]);
      found.push(...page.results.map(({ id }) => id));
      after = page.next_after;
    }
    expect(found).toEqual(all);
    expect(await read(`after=${all.at(-1)}`)).toEqual({
      results: [],
      next_before: null,
      next_after: null,
      gone: [],
    });
    const { id } = await createClient(t);
    const later = await read(`after=${all.at(-1)}`);
    expect(later.results).toMatchObject([{ type: 'client.created', subject: { id } }]);
    expect((await read(`after=0&client=${id}&type=client.created`)).results).toHaveLength(1);
    expect(await read('limit=1')).not.toHaveProperty('next_after');
  });

  test('refuses after together with before, and an invalid after', async () => {
    for (const [query, error] of [
      ['after=1&before=9', 'Indica after o before, no los dos'],
      ['after=-1', 'Indica en after el id de un evento, o 0'],
      ['after=x', 'Indica en after el id de un evento, o 0'],
      ['after=1.5', 'Indica en after el id de un evento, o 0'],
    ]) {
      const { status, body } = await t.call('GET', `/licenses/api/events/?${query}`);
      expect([query, status, body.errors]).toEqual([query, 400, { after: [error] }]);
    }
  });

  test('reading forward never misses an event that is committed late', async () => {
    const last = (await eventsOf())[0]?.id ?? 0;
    const earlier = await openEvent(t);
    // On SQLite this waits for the transaction that is still open.
    const later = createClient(t);
    await Promise.race([later, setTimeout(300)]);
    const reading = t.call('GET', `/licenses/api/events/?after=${last}`);
    await Promise.race([reading, setTimeout(300)]);
    earlier.end();
    await Promise.all([earlier.ended, later]);
    const { body: first } = await reading;
    const { body: second } = await t.call(
      'GET',
      `/licenses/api/events/?after=${first.results.at(-1)?.id ?? last}`,
    );
    const types = [...first.results, ...second.results].map(({ type }: Event) => type);
    expect(types).toEqual(['client.updated', 'client.created']);
  });

  test('exports a file, oldest first, with the same filters', async () => {
    const client = await createClient(t, { name: 'Óscar Núñez' });
    const file = await t.call('GET', `/licenses/api/events/export/?client=${client.id}`);
    expect(file.headers['content-disposition']).toBe('attachment; filename="eventos_2026-11-21.csv"');
    const [head, row, ...others] = file.text.trim().split(/\r?\n/);
    expect(head).toContain('Fecha,Tipo,Autor');
    expect(row).toContain('client.created,Administrador Demo');
    expect(others).toEqual([]);
    expect((await t.call('GET', '/licenses/api/events/export/', { token: null })).status).toBe(401);
  });
});

describe('the id of a request (EVENT-07)', () => {
  test('is the one that the caller sent, if valid, and is in the answer and the event', async () => {
    const body = { name: 'Ana', email: 'ana@example.com', phone: '+525512345678' };
    const answer = await t.call('POST', '/licenses/api/clients/', {
      body,
      headers: { 'x-request-id': 'pedido-0042' },
    });
    expect(answer.headers['x-request-id']).toBe('pedido-0042');
    expect((await eventsOf('&type=client.created'))[0]?.request_id).toBe('pedido-0042');
  });

  test('is a new one when the caller sends none or an invalid one', async () => {
    const given = ['', 'corto', 'con espacios dentro', 'x'.repeat(129), 'ñandú-ñandú'];
    const ids = await Promise.all(
      given.map(
        async (id) =>
          (await t.call('GET', '/api/health/', { headers: { 'x-request-id': id } })).headers['x-request-id'],
      ),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(given.length);
  });
});

test.each(['viewer', 'support', 'operator'] as const)(
  'a %s sees in the history which colleague acted, without network addresses (EVENT-05)',
  async (role) => {
    const username = 'ana.rios@vendedor.example';
    const { body } = await t.call('POST', '/licenses/api/users/', {
      body: { username, names: username, email: username, role: 'operator' },
    });
    const tokenOf = (id: number) =>
      asSystem(
        t,
        async ({ tx, now }) => (await openSession(tx, id, now, { ip: null, userAgent: null })).token,
      );
    await t.db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', body.id).execute();
    const client = await t.call('POST', '/licenses/api/clients/', {
      body: { name: 'Luis', email: `${role}@cliente.example`, phone: '+525512345678' },
      token: await tokenOf(body.id),
    });
    await t.db.updateTable('users').set({ role }).where('id', '=', body.id).execute();
    const token = await tokenOf(body.id);
    for (const path of ['events/', 'events/export/']) {
      const { text } = await t.call('GET', `/licenses/api/${path}?client=${client.body.id}`, { token });
      expect(text).toContain('ana.rios');
      expect(text).not.toMatch(/vendedor\.example|127\.0\.0\.1/);
    }
    const { body: all } = await t.call('GET', `/licenses/api/events/?client=${client.body.id}`);
    expect(all.results).toMatchObject([{ actor: { name: username }, ip: '127.0.0.1' }]);
  },
);
