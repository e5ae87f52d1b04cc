import { beforeEach, describe, expect, test } from 'vitest';
import { MERGE_MESSAGES } from '../../../contract/clients/merge.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';
import { Browser, mailedTo, setSettings } from '../../../test/portal.ts';
import { asSystem } from '../../../test/scope.ts';
import { apiDocument } from '../../http/openapi.ts';
import { claimDay } from '../reminders/reminders.queries.ts';

/** One client from two (MERGE-01). */

const NOW = '2026-11-29T18:00:00.000Z';
const API = '/licenses/api';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

type Options = Parameters<TestApp['call']>[2];
const merge = (id: number, body: unknown, options: Options = {}) =>
  t.call('POST', `${API}/clients/${id}/merge/`, { body, ...options });
const preview = (id: number, from: number) =>
  t.call('POST', `${API}/clients/${id}/merge/preview/`, { body: { from } });
const read = async (path: string) => (await t.call('GET', `${API}/${path}`)).body;
const ids = async (path: string): Promise<number[]> =>
  (await read(path)).results.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
const eventsOf = async (client: number): Promise<Event[]> =>
  (await read(`events/?client=${client}&limit=100`)).results;
async function keyWith(...permissions: Permission[]): Promise<string> {
  const { body } = await t.call('POST', `${API}/api-keys/`, { body: { name: 'Tienda', permissions } });
  return body.key;
}
const mailsGone = () => t.deliveredMail();

/** A client with one of everything. */
async function full(values: Parameters<typeof createClient>[1] = {}) {
  const client = await createClient(t, values);
  const license = await createLicense(t, { client: client.id, price: 100, expiry_days: 365 });
  await activate(t, license.license_key, `maquina-${license.id}`);
  for (const on of [{ client: client.id }, { license: license.id }]) {
    expect((await t.call('POST', `${API}/notes/`, { body: { text: 'Llamar', ...on } })).status).toBe(201);
  }
  const ask = async () =>
    (
      await t.call('POST', `${API}/payment-requests/`, {
        body: { lines: [{ license: license.id, kind: 'renewal' }] },
      })
    ).body;
  const paid = await ask();
  const marked = await t.call('POST', `${API}/payment-requests/${paid.id}/mark_paid/`, {
    body: { method: 'transfer', reference: 'SPEI 1' },
  });
  expect(marked.status).toBe(200);
  const open = await ask();
  expect(open.state).toBe('open');
  await mailsGone();
  return { client: await read(`clients/${client.id}/`), license, paid, open };
}

const LISTS = ['licenses', 'installations', 'payment-requests', 'payments', 'notes', 'mails'] as const;
const rowsOf = async (client: number) =>
  Object.fromEntries(
    await Promise.all(
      LISTS.map(async (list) => [list, await ids(`${list}/?client=${client}&page_size=100`)] as const),
    ),
  );

describe('what moves', { tags: ['MERGE-01'] }, () => {
  test('licences, requests, payments, mails and notes of both are of the client that stays', async () => {
    const [one, other] = [await full({ name: 'Ana' }), await full({ name: 'Ana López' })];
    const [before, moved] = [await rowsOf(one.client.id), await rowsOf(other.client.id)];
    for (const list of LISTS) expect(moved[list]!.length, list).toBeGreaterThan(0);
    t.clock.advance(60_000);
    const { status, body, headers } = await merge(one.client.id, { from: other.client.id });

    expect([status, body.id, body.name, body.left]).toEqual([
      200,
      one.client.id,
      'Ana',
      { tags: 0, contacts: 0 },
    ]);
    expect([body.license_count, body.installation_count]).toEqual([2, 2]);
    expect(headers.etag).toBe(`"${body.updated_at}"`);
    const after = await rowsOf(one.client.id);
    for (const list of LISTS) {
      expect(after[list], list).toEqual([...before[list]!, ...moved[list]!].sort((a, b) => a - b));
    }
    expect(await rowsOf(other.client.id)).toEqual(after);
  });

  test('what moved has a new version', async () => {
    const [one, other] = [await full(), await full()];
    t.clock.advance(60_000);
    await merge(one.client.id, { from: other.client.id });
    const stamp = t.context.now().toISOString();
    const license = await read(`licenses/${other.license.id}/`);
    const request = await read(`payment-requests/${other.open.id}/`);
    const payments = await t.db.selectFrom('payments').select(['client_id', 'updated_at']).execute();
    expect(payments.filter(({ updated_at }) => updated_at === stamp)).toEqual([
      { client_id: one.client.id, updated_at: stamp },
    ]);
    const { results: notes } = await read(`notes/?client=${one.client.id}`);
    expect([license.updated_at, request.updated_at]).toEqual([stamp, stamp]);
    expect(license.client).toMatchObject({ id: one.client.id });
    expect(notes.filter((row: { updated_at: string }) => row.updated_at === stamp)).toHaveLength(2);
    expect((await read(`licenses/${one.license.id}/`)).updated_at).not.toBe(stamp);
  });

  test('an open request of the other client is paid for the client that stays', async () => {
    const [one, other] = [await full(), await full()];
    await merge(one.client.id, { from: other.client.id });
    const paid = await t.call('POST', `${API}/payment-requests/${other.open.id}/mark_paid/`, {
      body: { method: 'cash' },
    });
    expect([paid.status, paid.body.state]).toEqual([200, 'paid']);
    expect(paid.body.client.id).toBe(one.client.id);
    const { results } = await read(`licenses/${other.license.id}/terms/`);
    expect(results.map(({ kind }: { kind: string }) => kind)).toEqual(['renewal', 'renewal', 'issue']);
  });

  test('certificates stay genuine', async () => {
    const [one, other] = [await full(), await full()];
    const { body } = await t.call('POST', `${API}/licenses/${other.license.id}/certificate/`);
    await merge(one.client.id, { from: other.client.id });
    const after = await t.call('POST', `${API}/licenses/${other.license.id}/certificate/`);
    expect(after.body.code).toBe(body.code);
    expect((await t.call('GET', `${API}/verify/${body.code}/`, { token: null })).status).toBe(200);
  });
});

describe('the client that stays', { tags: ['MERGE-01'] }, () => {
  test('its fields stay, and blank ones are taken', async () => {
    const one = await createClient(t, {
      name: 'Ana',
      phone: '+525511111111',
      city: 'Puebla',
      tax_id: '',
      last_contact: '2026-01-05',
    });
    const other = await createClient(t, {
      name: 'Ana López',
      company: 'Papelería',
      phone: '+525522222222',
      city: 'Toluca',
      postal_code: '06700',
      state: 'México',
      tax_id: 'LOAA800101AB1',
      website: 'https://ana.example',
      notes: 'Llamar por la tarde',
      external_id: 'crm-7',
      last_contact: '2026-02-05',
      client_type: 'enterprise',
      tax_regime: '601',
    });
    const { body } = await merge(one.id, { from: other.id });
    expect(body).toMatchObject({
      name: 'Ana',
      email: one.email,
      phone: '+525511111111',
      city: 'Puebla',
      client_type: 'individual',
      last_contact: '2026-01-05',
      company: 'Papelería',
      postal_code: '06700',
      state: 'México',
      tax_id: 'LOAA800101AB1',
      website: 'https://ana.example',
      notes: 'Llamar por la tarde',
      external_id: 'crm-7',
      tax_regime: '601',
    });
    expect(await ids('clients/?external_id=crm-7')).toEqual([one.id]);
    expect(await ids('clients/?search=papeleria')).toEqual([one.id]);
  });

  test('the stricter status and reminders hold', async () => {
    for (const [own, others, result] of [
      ['active', 'suspended', 'suspended'],
      ['suspended', 'active', 'suspended'],
      ['inactive', 'pending', 'inactive'],
      ['active', 'pending', 'pending'],
    ] as const) {
      const one = await createClient(t, { status: own, reminders: true });
      const other = await createClient(t, { status: others, reminders: false });
      const { body } = await merge(one.id, { from: other.id });
      expect([body.status, body.reminders]).toEqual([result, false]);
    }
  });

  test('tags and contacts are added up to their limits, and what does not fit is counted', async () => {
    const contact = (name: string) => ({
      name,
      email: `${name}@example.com`,
      phone: '',
      receives: ['keys' as const],
    });
    const tags = (from: number, count: number) => Array.from({ length: count }, (_, at) => `t${from + at}`);
    const one = await createClient(t, {
      email: 'jefa@example.com',
      tags: tags(1, 15),
      contacts: [contact('a'), { ...contact('b'), receives: [] }, contact('c')],
    });
    const other = await createClient(t, {
      tags: [...tags(10, 8), 'T3'],
      contacts: [contact('b'), contact('jefa'), contact('d'), contact('e'), contact('f')],
    });
    const looked = (await preview(one.id, other.id)).body;
    const { body } = await merge(one.id, { from: other.id });
    expect(body.tags).toEqual(tags(1, 17));
    expect(body.contacts.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    // An address keeps what it gets.
    expect(body.contacts[1].receives).toEqual([]);
    expect(body.left).toEqual({ tags: 0, contacts: 1 });
    expect(looked.left).toEqual(body.left);
    expect(await ids('clients/?tag=t17')).toEqual([one.id]);
    expect(await ids('clients/?search=e@example.com')).toContain(one.id);

    const many = await createClient(t, { tags: tags(100, 6) });
    const again = await merge(one.id, { from: many.id });
    expect(again.body.left).toEqual({ tags: 3, contacts: 0 });
    expect(again.body.tags).toHaveLength(20);
  });

  test('a merge with little in it says beforehand what it does', async () => {
    const [one, other] = [await createClient(t, { tax_id: '' }), await full({ tax_id: 'LOAA800101AB1' })];
    const { status, body } = await preview(one.id, other.client.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      taken: ['tax_id'],
      moves: {
        licenses: 1,
        installations: 1,
        payment_requests: 2,
        payments: 1,
        mails: (await ids(`mails/?client=${other.client.id}&page_size=100`)).length,
        notes: 2,
        tags: 0,
        contacts: 0,
      },
      left: { tags: 0, contacts: 0 },
      refusal: null,
    });
    expect((await read(`clients/${one.id}/`)).tax_id).toBe('');
  });
});

describe('the client that ends', { tags: ['MERGE-01'] }, () => {
  test('its address is 404 and names the client that has its records, also after another merge', async () => {
    const [a, b, c] = [await createClient(t), await createClient(t), await createClient(t)];
    await merge(b.id, { from: a.id });
    const gone = await t.call('GET', `${API}/clients/${a.id}/`);
    expect([gone.status, gone.body.code, gone.body.merged_into]).toEqual([404, 'not_found', b.id]);
    await merge(c.id, { from: b.id });
    for (const { id } of [a, b])
      expect((await t.call('GET', `${API}/clients/${id}/`)).body.merged_into).toBe(c.id);
    expect((await t.call('GET', `${API}/clients/${c.id}/`)).status).toBe(200);
    const unknown = await t.call('GET', `${API}/clients/999999/`);
    expect(unknown.body).not.toHaveProperty('merged_into');
    await t.call('DELETE', `${API}/clients/${c.id}/`);
    expect((await t.call('GET', `${API}/clients/${a.id}/`)).body).not.toHaveProperty('merged_into');
  });

  test('each call about it is 404 and names the client that has its records', async () => {
    await setSettings(t, { portal_enabled: true });
    const [from, into] = [await createClient(t), await createClient(t)];
    await merge(into.id, { from: from.id });
    const calls = Object.entries(apiDocument(t.app).paths).flatMap(([path, operations]) =>
      path.startsWith(`${API}/clients/{id}/`)
        ? Object.entries(operations).map(([method, operation]) => ({ path, method, operation }))
        : [],
    );
    for (const { path, method, operation } of calls) {
      const { status, body } = await t.call(method.toUpperCase(), path.replace('{id}', String(from.id)), {
        ...(operation.requestBody && { body: { reason: 'Lo pidió', from: into.id } }),
      });
      expect([method, path, status, body.code, body.merged_into]).toEqual([
        method,
        path,
        404,
        'not_found',
        into.id,
      ]);
    }
    expect(calls.length).toBeGreaterThan(8);
  });

  test('its events stay as they were and are in the history of the client that stays, under its name', async () => {
    const [one, other] = [await full({ name: 'Ana' }), await full({ name: 'Ana López' })];
    const [own, others] = [await eventsOf(one.client.id), await eventsOf(other.client.id)];
    await merge(one.client.id, { from: other.client.id });
    const [newest, ...rest] = await eventsOf(one.client.id);
    expect(newest).toMatchObject({
      type: 'client.merged',
      subject: { kind: 'client', id: one.client.id, name: 'Ana' },
      client: { id: one.client.id, name: 'Ana' },
      changes: {
        from: {
          before: { id: other.client.id, name: 'Ana López', email: other.client.email },
          after: null,
        },
      },
      actor: { kind: 'user' },
    });
    expect(rest).toEqual([...own, ...others].sort((a, b) => b.id - a.id));
    expect(await eventsOf(other.client.id)).toEqual([newest, ...rest]);
    expect(rest.filter(({ client }) => client?.name === 'Ana López')).toHaveLength(others.length);
    const file = await t.call('GET', `${API}/events/export/?client=${one.client.id}`);
    expect(file.text).toContain('Ana López');
    const after = await read(`events/?client=${one.client.id}&after=0&limit=100`);
    expect(after.results).toHaveLength(rest.length + 1);
  });

  test('its sessions in the portal end, and a pending link of a program leads to the client that stays', async () => {
    await setSettings(t, { portal_enabled: true });
    const [one, other] = [await full(), await full()];
    const browser = await new Browser(t).signIn(other.client.email);
    expect((await browser.call('GET', 'me/')).status).toBe(200);
    const own = await new Browser(t).signIn(one.client.email);
    const view = await t.call('POST', `${API}/clients/${other.client.id}/portal_view/`);
    await merge(one.client.id, { from: other.client.id });
    expect((await browser.call('GET', 'me/')).status).toBe(401);
    expect((await own.call('GET', 'me/')).status).toBe(200);
    expect((await own.call('GET', 'licenses/')).body.results).toHaveLength(2);
    if (view.status === 200) {
      const token = new URL(view.body.url).hash.replace('#t=', '');
      const opened = await new Browser(t).verify({ token });
      expect([opened.status, opened.body.client?.id]).toEqual([200, one.client.id]);
    }
    expect((await new Browser(t).ask(other.client.email)).status).toBe(202);
  });

  test('a code that its address got opens nothing any more', async () => {
    await setSettings(t, { portal_enabled: true });
    const [one, other] = [await full(), await full()];
    const browser = new Browser(t);
    await browser.ask(other.client.email);
    const { code } = await mailedTo(t, other.client.email);
    await mailsGone();
    expect((await merge(one.client.id, { from: other.client.id })).status).toBe(200);
    const opened = await browser.verify({ code });
    expect([opened.status, opened.body.code]).toEqual([400, 'invalid_token']);
    expect((await browser.call('GET', 'me/')).status).toBe(401);
  });

  test('a link in one of its mails stops the reminders of the client that stays', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    const token = await asSystem(t, ({ tx }) => claimDay(tx, other.id, '2026-11-29'));
    await asSystem(t, ({ tx }) => claimDay(tx, one.id, '2026-11-20'));
    await merge(one.id, { from: other.id });
    const third = await createClient(t);
    await merge(third.id, { from: one.id });
    const link = `${API}/unsubscribe/${token}/`;
    expect((await t.call('GET', link, { token: null })).status).toBe(200);
    const form = { token: null, payload: 'x=1', headers: { 'content-type': 'text/plain' } };
    expect((await t.call('POST', link, form)).status).toBe(200);
    expect((await read(`clients/${third.id}/`)).reminders).toBe(false);
    // On the day of a reminder that the other one got, the client gets no second one.
    const again = await asSystem(t, ({ tx }) => claimDay(tx, third.id, '2026-11-29'));
    expect(again).toBeUndefined();
  });

  test('a link of its contact stops the mails of that address', async () => {
    const contact = { name: 'Luz', email: 'luz@example.com', phone: '', receives: ['reminders' as const] };
    const [one, other] = [
      await createClient(t, { contacts: [contact] }),
      await createClient(t, { contacts: [contact, { ...contact, name: 'Eva', email: 'eva@example.com' }] }),
    ];
    const rows = await t.db
      .selectFrom('contact_addresses')
      .select(['token', 'email_key'])
      .where('client_id', '=', other.id)
      .execute();
    await merge(one.id, { from: other.id });
    for (const { token } of rows) {
      const form = { token: null, payload: 'x=1', headers: { 'content-type': 'text/plain' } };
      expect((await t.call('POST', `${API}/unsubscribe/${token}/`, form)).status).toBe(200);
    }
    const { contacts } = await read(`clients/${one.id}/`);
    expect(contacts.map(({ receives }: { receives: string[] }) => receives)).toEqual([[], []]);
  });

  test('a link of a contact that is the client itself after another merge stops its reminders', async () => {
    const luz = { name: 'Luz', email: 'luz@example.com', phone: '', receives: ['reminders' as const] };
    const [first, second] = [
      await createClient(t, { contacts: [luz] }),
      await createClient(t, { contacts: [luz] }),
    ];
    const { token } = await t.db
      .selectFrom('contact_addresses')
      .select('token')
      .where('client_id', '=', first.id)
      .executeTakeFirstOrThrow();
    await merge(second.id, { from: first.id });
    const last = await createClient(t, { email: luz.email });
    await merge(last.id, { from: second.id });
    const form = { token: null, payload: 'x=1', headers: { 'content-type': 'text/plain' } };
    expect((await t.call('POST', `${API}/unsubscribe/${token}/`, form)).status).toBe(200);
    expect((await read(`clients/${last.id}/`)).reminders).toBe(false);
  });

  test('what it asked for in the portal stays in Para hoy, for the client that stays', async () => {
    await setSettings(t, { portal_enabled: true });
    const [one, other] = [await full({ name: 'Ana' }), await full({ name: 'Ana López' })];
    const browser = await new Browser(t).signIn(other.client.email);
    const asked = await browser.call('POST', `licenses/${other.license.id}/request/`, {
      body: { kind: 'other', message: 'Necesito ayuda' },
    });
    expect(asked.status).toBeLessThan(300);
    await merge(one.client.id, { from: other.client.id });
    const { results } = await read('today/');
    const row = results.find(({ kind }: { kind: string }) => kind === 'client_request');
    expect(row.client).toEqual({ id: one.client.id, name: 'Ana' });
    expect((await t.call('POST', `${API}/today/${row.id}/done/`)).status).toBe(200);
    const bell = (await read('notifications/')).results.find(
      ({ kind }: { kind: string }) => kind === 'client_requested',
    );
    expect(bell.client.id).toBe(one.client.id);
  });
});

describe('what is refused', { tags: ['MERGE-01'] }, () => {
  test('the same client, an unknown one, and none', async () => {
    const { id } = await createClient(t);
    const faults = async (body: unknown) => {
      const answer = await merge(id, body);
      return [answer.status, answer.body.errors?.from, answer.body.error_codes?.from];
    };
    expect(await faults({ from: id })).toEqual([400, [MERGE_MESSAGES.sameClient], ['not_allowed']]);
    expect(await faults({ from: 999_999 })).toEqual([
      400,
      [MERGE_MESSAGES.unknownClient],
      ['unknown_reference'],
    ]);
    expect((await faults({}))[0]).toBe(400);
    expect((await faults({ from: 'x' }))[0]).toBe(400);
    expect((await faults({ from: null }))[0]).toBe(400);
    expect((await merge(999_999, { from: id })).status).toBe(404);
  });

  test('a stale version, with the client as it is', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    const headers = { 'if-match': '"2020-01-01T00:00:00.000Z"' };
    const { status, body } = await merge(one.id, { from: other.id }, { headers });
    expect([status, body.code, body.current.id]).toEqual([412, 'stale', one.id]);
    const fresh = { 'if-match': `"${one.updated_at}"` };
    expect((await merge(one.id, { from: other.id }, { headers: fresh })).status).toBe(200);
  });

  test('the client of the trials', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    await t.db.updateTable('clients').set({ is_system: true }).where('id', '=', other.id).execute();
    for (const [id, from] of [
      [one.id, other.id],
      [other.id, one.id],
    ] as const) {
      const { status, body } = await merge(id, { from });
      expect([status, body.code, body.message]).toEqual([409, 'conflict', MERGE_MESSAGES.system]);
    }
  });

  test('an erased client', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    await t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });
    const erased = await t.call('POST', `${API}/clients/${other.id}/erase/`, { body: { reason: 'Pidió' } });
    expect(erased.status).toBe(200);
    for (const [id, from] of [
      [one.id, other.id],
      [other.id, one.id],
    ] as const) {
      const { status, body } = await merge(id, { from });
      expect([status, body.message]).toEqual([409, MERGE_MESSAGES.erased]);
    }
    expect((await preview(one.id, other.id)).body.refusal).toBe(MERGE_MESSAGES.erased);
  });

  test('a client with a mail under way', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    await createLicense(t, { client: other.id });
    const until = new Date(t.context.now().getTime() + 60_000).toISOString();
    await t.db.updateTable('outbox').set({ sending_until: until, status: 'queued' }).execute();
    const { status, body } = await merge(one.id, { from: other.id });
    expect([status, body.code, body.message]).toEqual([409, 'conflict', MERGE_MESSAGES.mailUnderWay]);
    t.clock.advance(61_000);
    expect((await merge(one.id, { from: other.id })).status).toBe(200);
  });

  test('a client whose records are moving is neither deleted, erased nor merged', async () => {
    const [one, other, third] = [await createClient(t), await createClient(t), await createClient(t)];
    await t.db
      .insertInto('client_merges')
      .values({ from_id: other.id, into_id: one.id, started_at: NOW, merged_at: null })
      .execute();
    await t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });
    for (const { id } of [one, other]) {
      const answers = [
        await t.call('DELETE', `${API}/clients/${id}/`),
        await t.call('POST', `${API}/clients/${id}/erase/`, { body: { reason: 'Pidió' } }),
        await merge(third.id, { from: id }),
        await merge(id, { from: third.id }),
      ];
      for (const { status, body } of answers)
        expect([status, body.message]).toEqual([409, MERGE_MESSAGES.underWay]);
    }
    expect((await merge(one.id, { from: other.id })).status).toBe(200);
  });

  test('who may not both write and delete clients', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    for (const permissions of [['clients:write'], ['clients:delete'], ['clients:read']] as const) {
      const token = await keyWith(...permissions);
      expect((await merge(one.id, { from: other.id }, { token })).status).toBe(403);
      const path = `${API}/clients/${one.id}/merge/preview/`;
      expect((await t.call('POST', path, { body: { from: other.id }, token })).status).toBe(403);
    }
    expect((await merge(one.id, { from: other.id }, { token: null })).status).toBe(401);
    const token = await keyWith('clients:write', 'clients:delete');
    const merged = await merge(one.id, { from: other.id }, { token });
    expect(merged.status).toBe(200);
    expect((await eventsOf(one.id))[0]).toMatchObject({
      type: 'client.merged',
      actor: { kind: 'api_key', name: 'Tienda' },
    });
  });
});

describe('more than once', { tags: ['MERGE-01'] }, () => {
  test('a repeated call gets the same answer, and 20 at once merge once', async () => {
    const [one, other] = [await full(), await full()];
    const headers = { 'idempotency-key': 'fusion-1' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => merge(one.client.id, { from: other.client.id }, { headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    const events = await eventsOf(one.client.id);
    expect(events.filter(({ type }) => type === 'client.merged')).toHaveLength(1);
    const changed = await merge(one.client.id, { from: 999 }, { headers });
    expect([changed.status, changed.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  test('of both ways at once one succeeds, and nothing is lost', async () => {
    const [one, other] = [await full(), await full()];
    const answers = await Promise.all([
      merge(one.client.id, { from: other.client.id }),
      merge(other.client.id, { from: one.client.id }),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect([
      [200, 404],
      [200, 400],
    ]).toContainEqual(statuses);
    const stays = answers[0]!.status === 200 ? one.client.id : other.client.id;
    expect(await ids(`licenses/?client=${stays}`)).toEqual([one.license.id, other.license.id]);
  });

  test('two clients that take the same one at once: one gets all of it', async () => {
    const [a, b, c] = [await full(), await full(), await full()];
    const answers = await Promise.all([
      merge(a.client.id, { from: c.client.id }),
      merge(b.client.id, { from: c.client.id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const stays = answers[0]!.status === 200 ? a : b;
    expect(await ids(`licenses/?client=${stays.client.id}`)).toEqual([stays.license.id, c.license.id]);
  });

  test('a chain of merges at once loses nothing', async () => {
    const [a, b, c] = [await full(), await full(), await full()];
    await Promise.all([merge(b.client.id, { from: a.client.id }), merge(c.client.id, { from: b.client.id })]);
    const { results } = await read('clients/?page_size=100');
    const kept = results.filter(({ license_count }: { license_count: number }) => license_count > 0);
    expect(
      kept.reduce((sum: number, { license_count }: { license_count: number }) => sum + license_count, 0),
    ).toBe(3);
  });
});

describe('afterwards', { tags: ['MERGE-01'] }, () => {
  test('an erasure takes what events say of both, and the copy of its data has both', async () => {
    const [one, other] = [
      await full({ name: 'Zenaida', email: 'zenaida@persona.example' }),
      await full({ name: 'Quetzalli', email: 'quetzal@persona.example' }),
    ];
    await t.call('PATCH', `${API}/clients/${other.client.id}/`, {
      body: { address: 'Callejón del Sapo 17' },
    });
    // As where it began as a trial for an address.
    await t.db
      .updateTable('licenses')
      .set({ trial_email: 'Quetzal@persona.example' })
      .where('id', '=', other.license.id)
      .execute();
    await merge(one.client.id, { from: other.client.id });
    await mailsGone();
    const { body: data } = await t.call('GET', `${API}/clients/${one.client.id}/data/`);
    expect(data.merged_clients).toEqual([{ id: other.client.id, merged_at: NOW }]);
    expect(JSON.stringify(data.events)).toContain('Callejón del Sapo');
    for (const { license } of [one, other]) {
      await t.call('POST', `${API}/licenses/${license.id}/cancel/`, { body: {} });
    }
    await mailsGone();
    await t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });
    const erased = await t.call('POST', `${API}/clients/${one.client.id}/erase/`, {
      body: { reason: 'Pidió' },
    });
    expect(erased.status, erased.text).toBe(200);
    const traces = /quetzal|zenaida|Sapo 17/i;
    for (const { name } of await t.db.introspection.getTables()) {
      const rows = await t.db
        .selectFrom(name as 'clients')
        .selectAll()
        .execute();
      for (const row of rows) expect(JSON.stringify(row), name).not.toMatch(traces);
    }
    const events = await eventsOf(one.client.id);
    expect(events.length).toBeGreaterThan(10);
    expect(new Set(events.map(({ client }) => client?.name))).toEqual(
      new Set([`Cliente borrado ${one.client.id}`, `Cliente borrado ${other.client.id}`]),
    );
  });

  test('bulk calls by the filter of a merged client find the records of the one that stays', async () => {
    const [one, other] = [await createClient(t), await createClient(t)];
    const license = await createLicense(t, {
      client: other.id,
      software: (await createSoftware(t)).id,
    });
    await merge(one.id, { from: other.id });
    await mailsGone();
    const { body } = await t.call('POST', `${API}/licenses/bulk_action/`, {
      body: { filters: { client: other.id }, action: 'suspend' },
    });
    expect(body.done).toEqual([license.id]);
  });
});

describe('after an import', { tags: ['MERGE-01'] }, () => {
  test('its clients are named that may be the same as others, each pair once', async () => {
    await createClient(t, { name: 'Núñez, S.A. de C.V.', email: 'rosa+ventas@nunez.example' });
    const { progress } = await importFile(
      t,
      'clients',
      [
        'Nombre,Email,Teléfono',
        'Rosa,rosa@nunez.example,5587654321',
        'Eva Sol,a1@x.mx,5511112222',
        'EVA SOL,a2@x.mx,5511113333',
        'Sola,a3@x.mx,5587654321',
      ].join('\n'),
    );
    const { results } = await read(`clients/merge_candidates/?import=${progress.id}`);
    const pairs = results.map(
      ({ client, other, why }: Record<'client' | 'other', { name: string }> & { why: string }) => [
        client.name,
        other.name,
        why,
      ],
    );
    expect(pairs).toEqual([
      ['Rosa', 'Núñez, S.A. de C.V.', 'email'],
      ['Eva Sol', 'EVA SOL', 'name'],
    ]);
    expect((await read('clients/merge_candidates/?import=999')).results).toEqual([]);
    const url = `${API}/clients/merge_candidates/?import=${progress.id}`;
    expect((await t.call('GET', url, { token: null })).status).toBe(401);
    expect((await t.call('GET', url, { token: await keyWith('licenses:read') })).status).toBe(403);
    expect((await t.call('GET', `${API}/clients/merge_candidates/`)).status).toBe(400);
  });
});
