import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { Browser, PORTAL, setSettings } from '../../../test/portal.ts';

/** The portal entered from a program, after an invitation, and by staff (PORTAL-06, PORTAL-08). */

const NOW = '2026-11-10T18:00:00.000Z';
const MINUTE = 60_000;

let t: TestApp;
let client: ClientDetails;
let license: License;
beforeAll(async () => {
  t = await createTestApp({
    now: NOW,
    env: { PUBLIC_URL: 'http://licencias.example.com' },
    closeAfterTest: false,
  });
  return t.close;
});
beforeEach(async () => {
  t.clock.set(NOW);
  t.token = await signInAs(t, 'admin', 'admin123');
  await setSettings(t, { portal_enabled: true });
  client = await createClient(t);
  license = await createLicense(t, { client: client.id });
  await activate(t, license.license_key, 'caja-000001');
});

const result = ({ status, body }: { status: number; body?: { code?: string } }) => [status, body?.code];
const ticket = (body: object = {}, headers: Record<string, string> = {}) =>
  t.call('POST', `${PORTAL}ticket/`, {
    token: null,
    headers,
    body: { license_key: license.license_key, machine_id: 'caja-000001', ...body },
  });
const tokenIn = (url: string) => url.split('#k=')[1]!;
async function openWith(url: string): Promise<Browser> {
  const browser = new Browser(t);
  const { status } = await browser.verify({ token: tokenIn(url) });
  expect(status).toBe(200);
  return browser;
}
const byTicket = async () => openWith((await ticket()).body.url);

describe('a portal ticket of a program (PORTAL-06)', () => {
  test('is an address without a key, can be opened once, within five minutes', async () => {
    const { status, body } = await ticket();
    expect([status, Object.keys(body)]).toEqual([200, ['url']]);
    expect(body.url).toMatch(/^http:\/\/licencias\.example\.com\/portal#k=[\w-]{43}$/);
    const opened = await new Browser(t).verify({ token: tokenIn(body.url) });
    expect([opened.status, opened.body]).toEqual([200, { success: true, client: null }]);
    expect(String(opened.headers['set-cookie'])).toContain('Max-Age=3600');
    expect(result(await new Browser(t).verify({ token: tokenIn(body.url) }))).toEqual([400, 'invalid_token']);
    const late = (await ticket()).body.url;
    t.clock.advance(5 * MINUTE);
    expect(result(await new Browser(t).verify({ token: tokenIn(late) }))).toEqual([400, 'invalid_token']);
  });

  test('is checked like a heartbeat', async () => {
    const other = await createSoftware(t, { name: 'Otro' });
    expect(result(await ticket({ license_key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE' }))).toEqual([
      404,
      'license_not_found',
    ]);
    expect(result(await ticket({ software: other.id }))).toEqual([403, 'wrong_software']);
    expect(result(await ticket({ machine_id: 'otra' }))).toEqual([404, 'not_found']);
    expect(result(await ticket({ machine_id: '' }))).toEqual([400, 'invalid']);
    expect((await ticket({ software: license.software.id })).status).toBe(200);
    await setSettings(t, { portal_enabled: false });
    expect(result(await ticket())).toEqual([404, 'not_found']);
  });

  test('warns of an id that names no machine (INPUT-09)', async () => {
    await activate(t, license.license_key, 'null');
    const { status, body } = await ticket({ machine_id: 'NULL' });
    expect([status, body.warnings?.machine_id]).toEqual([200, [expect.any(String)]]);
    expect((await ticket()).body).not.toHaveProperty('warnings');
  });

  test('can be requested by a page of any origin, without the portal’s header', async () => {
    const { status, headers } = await ticket({}, { origin: 'https://programa.example.com' });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
  });

  test('shows that licence and that machine, and no client data', async () => {
    await activate(t, license.license_key, 'caja-000002');
    await createLicense(t, { client: client.id });
    const browser = await byTicket();
    expect((await browser.call('GET', 'me/')).body).toMatchObject({ client: null, read_only: false });
    const { body } = await browser.call('GET', 'licenses/');
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([license.id]);
    const one = (await browser.call('GET', `licenses/${license.id}/`)).body;
    expect(one.installations.map((machine: { machine_id: string }) => machine.machine_id)).toEqual([
      'caja-000…',
    ]);
    expect(one).not.toHaveProperty('history');
    expect(one.can).toEqual(['release', 'file', 'request', 'resend', 'pay']);
  });

  test('other licences are 404, and calls about the client are 403', async () => {
    const second = await createLicense(t, { client: client.id });
    const { body: other } = await activate(t, license.license_key, 'caja-000002');
    const browser = await byTicket();
    for (const [method, path, body] of [
      ['GET', `licenses/${second.id}/`, undefined],
      ['POST', `licenses/${second.id}/request/`, { kind: 'other' }],
      ['POST', `licenses/${license.id}/certificate/`, {}],
      ['POST', `licenses/${license.id}/file/`, { machine_id: 'caja-000002' }],
      ['POST', `installations/${other.id}/release/`, { why: 'new' }],
    ] as const) {
      expect([path, ...result(await browser.call(method, path, { body }))]).toEqual([path, 404, 'not_found']);
    }
    expect(result(await browser.call('PATCH', 'me/', { body: { phone: '+525500000000' } }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(result(await browser.call('POST', 'sign-out/', { body: { all: true } }))).toEqual([
      403,
      'forbidden',
    ]);
    expect((await browser.call('POST', 'sign-out/')).status).toBe(200);
  });

  test('allows the actions for its machine, and ends when the seat is released', async () => {
    const browser = await byTicket();
    expect(
      (await browser.call('POST', `licenses/${license.id}/request/`, { body: { kind: 'seats' } })).status,
    ).toBe(202);
    const file = await browser.call('POST', `licenses/${license.id}/file/`, { body: {} });
    expect(file.status).toBe(200);
    await t.db
      .updateTable('installations')
      .set({ file_until: null })
      .where('license_id', '=', license.id)
      .execute();
    const { installations } = (await browser.call('GET', `licenses/${license.id}/`)).body;
    const path = `installations/${installations[0].id}/release/`;
    expect((await browser.call('POST', path, { body: { why: 'new' } })).status).toBe(200);
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
    const { body } = await t.call<{ results: Event[] }>('GET', `/licenses/api/events/?license=${license.id}`);
    expect(body.results[0]).toMatchObject({
      type: 'installation.released',
      actor: { kind: 'client', id: client.id, name: `${client.name} (caja-000001)` },
    });
  });

  test.each([
    [
      'a release by staff',
      async () => {
        const { body } = await t.call('GET', `/licenses/api/installations/?license=${license.id}`);
        await t.call('DELETE', `/licenses/api/installations/${body.results[0].id}/`);
      },
    ],
    [
      'a transfer',
      async () => {
        const { id } = await createClient(t);
        await t.call('POST', `/licenses/api/licenses/${license.id}/transfer/`, {
          body: { client: id, release_seats: false },
        });
      },
    ],
    [
      'the deactivation of the client',
      () => t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { status: 'inactive' } }),
    ],
    ['its hour', async () => t.clock.advance(60 * MINUTE)],
  ])('its session ends with %s', async (_what, end) => {
    const browser = await byTicket();
    const waiting = (await ticket()).body.url;
    await end();
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
    const late = await new Browser(t).verify({ token: tokenIn(waiting) });
    expect(result(late)).toEqual([400, 'invalid_token']);
  });

  test('is 404 for an inactive client', async () => {
    await t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { status: 'suspended' } });
    expect(result(await ticket())).toEqual([404, 'not_found']);
  });
});

const staff = (verb: string, options: Parameters<TestApp['call']>[2] = {}, id = client.id) =>
  t.call('POST', `/licenses/api/clients/${id}/portal/${verb}/`, options);

describe('an invitation to the portal (PORTAL-08)', () => {
  test('is a mail with the plain address of the portal, without a token', async () => {
    const { status, body } = await staff('invite');
    expect([status, body.success]).toEqual([200, true]);
    const { results } = (
      await t.call('GET', `/licenses/api/mails/?client=${client.id}&kind=portal_invitation`)
    ).body;
    expect(results).toHaveLength(1);
    const mail = (await t.call('GET', `/licenses/api/mails/${results[0].id}/`)).body;
    expect(mail.to).toBe(client.email);
    expect(mail.text).toContain('http://licencias.example.com/portal');
    expect(mail.text).not.toMatch(/portal[#?]/);
  });

  test.each(['invite', 'view'])(
    '%s gets 409 while the client is inactive or the portal is off',
    async (verb) => {
      await t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { status: 'pending' } });
      expect(result(await staff(verb))).toEqual([409, 'conflict']);
      await t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { status: 'active' } });
      await setSettings(t, { portal_enabled: false });
      expect(result(await staff(verb))).toEqual([409, 'conflict']);
      expect(result(await staff(verb, {}, 999_999))).toEqual([404, 'not_found']);
      expect(result(await staff(verb, { token: null }))).toEqual([401, 'unauthorized']);
    },
  );
});

/** A new operator. */
type Person = { id: number; username: string };
const PASSWORD = 'una clave larga 7';

async function invited(): Promise<Person> {
  const username = `operador-${randomUUID().slice(0, 8)}`;
  const values = { username, names: 'O', last_name: 'P', email: `${username}@example.com`, role: 'operator' };
  const { body } = await t.call('POST', '/licenses/api/users/', { body: values });
  const accepted = await t.call('POST', '/api/auth/invitation/accept/', {
    token: null,
    body: { token: String(body.link).split('#')[1], password: PASSWORD },
  });
  expect(accepted.status).toBe(200);
  return { id: body.id, username };
}

const changePassword = (token: string) =>
  good('POST', '/api/auth/password/change/', token, {
    current_password: PASSWORD,
    password: 'otra clave larga 7',
  });

async function good(method: string, url: string, token: string | null, body?: object) {
  const answer = await t.call(method, url, { token, ...(body && { body }) });
  expect([url, answer.status]).toEqual([url, 200]);
  return answer.body;
}

/** All that ends the session `token` of a person. */
const ENDS: Record<string, (of: { person: Person; token: string }) => Promise<unknown>> = {
  'sign-out': ({ token }) => good('POST', '/api/auth/logout/', token),
  'revoked from another session': async ({ person, token }) => {
    const { results } = await good('GET', '/api/auth/sessions/', token);
    const { id } = results.find(({ current }: { current: boolean }) => current);
    await good('DELETE', `/api/auth/sessions/${id}/`, await signInAs(t, person.username, PASSWORD));
  },
  'revoked with all others': async ({ person }) =>
    good('POST', '/api/auth/sessions/revoke_others/', await signInAs(t, person.username, PASSWORD)),
  'another session changes the password': async ({ person }) =>
    changePassword(await signInAs(t, person.username, PASSWORD)),
  'the password is reset by mail': async ({ person }) => {
    const { link } = await good('POST', `/licenses/api/users/${person.id}/reset_link/`, t.token);
    const token = String(link).split('#')[1];
    await good('POST', '/api/auth/password/reset/', null, { token, password: 'otra clave larga 7' });
  },
  deactivation: ({ person }) => good('POST', `/licenses/api/users/${person.id}/deactivate/`, t.token),
  'its end by time': ({ person }) =>
    t.db
      .updateTable('sessions')
      .set({ expires_at: t.context.now().toISOString() })
      .where('user_id', '=', person.id)
      .execute(),
};

describe("'Ver como cliente' (PORTAL-08)", () => {
  test('opens a session of thirty minutes once, within five minutes', async () => {
    const { status, body } = await staff('view');
    expect([status, Object.keys(body)]).toEqual([200, ['url']]);
    const browser = await openWith(body.url);
    expect(result(await new Browser(t).verify({ token: tokenIn(body.url) }))).toEqual([400, 'invalid_token']);
    const me = (await browser.call('GET', 'me/')).body;
    expect(me).toMatchObject({ read_only: true, client: { email: client.email } });
    t.clock.advance(30 * MINUTE);
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
    const late = (await staff('view', { token: await signInAs(t, 'admin', 'admin123') })).body.url;
    t.clock.advance(5 * MINUTE);
    expect(result(await new Browser(t).verify({ token: tokenIn(late) }))).toEqual([400, 'invalid_token']);
  });

  test('every call but GET is 403', async () => {
    const browser = await openWith((await staff('view')).body.url);
    const { installations } = (await browser.call('GET', `licenses/${license.id}/`)).body;
    for (const [method, path, body] of [
      ['PATCH', 'me/', { phone: '+525500000000' }],
      ['POST', `licenses/${license.id}/request/`, { kind: 'other' }],
      ['POST', `licenses/${license.id}/certificate/`, {}],
      ['POST', `installations/${installations[0].id}/release/`, { why: 'new' }],
      ['POST', 'sign-out/', {}],
    ] as const) {
      expect([path, ...result(await browser.call(method, path, { body }))]).toEqual([path, 403, 'forbidden']);
    }
    expect((await browser.call('GET', 'me/')).status).toBe(200);
  });

  test('is an event with the user, and not a sign-in of the client', async () => {
    await openWith((await staff('view')).body.url);
    const { body } = await t.call<{ results: Event[] }>('GET', `/licenses/api/events/?client=${client.id}`);
    expect(body.results[0]).toMatchObject({
      type: 'client.portal_viewed',
      actor: { kind: 'user' },
      subject: { kind: 'client', id: client.id, name: client.name },
    });
    const details = (await t.call('GET', `/licenses/api/clients/${client.id}/`)).body;
    expect(details.portal_last_sign_in).toBeNull();
  });

  describe.each(Object.entries(ENDS))('ends with the session of its person: %s', (_how, end) => {
    test('an open view, and an address that was not opened yet', async () => {
      const person = await invited();
      const token = await signInAs(t, person.username, PASSWORD);
      const [other, view, waiting] = [
        await openWith((await staff('view', { token: t.token })).body.url),
        await openWith((await staff('view', { token })).body.url),
        (await staff('view', { token })).body.url,
      ];
      expect((await view.call('GET', 'me/')).status).toBe(200);
      await end({ person, token });
      expect(result(await view.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
      expect(result(await view.call('GET', `licenses/${license.id}/`))).toEqual([401, 'unauthorized']);
      expect(result(await new Browser(t).verify({ token: tokenIn(waiting) }))).toEqual([
        400,
        'invalid_token',
      ]);
      // That of another session goes on.
      expect((await other.call('GET', 'me/')).status).toBe(200);
    });
  });

  test('goes on in the session in which the person changes the password', async () => {
    const person = await invited();
    const token = await signInAs(t, person.username, PASSWORD);
    const view = await openWith((await staff('view', { token })).body.url);
    await changePassword(token);
    expect((await view.call('GET', 'me/')).status).toBe(200);
  });

  test('is not possible with an API key, and ends when the user is deactivated', async () => {
    const made = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Clave', permissions: ['clients:read', 'licenses:read'] },
    });
    expect(result(await staff('view', { token: made.body.key }))).toEqual([403, 'forbidden']);
    const browser = await openWith((await staff('view')).body.url);
    await t.db.updateTable('users').set({ is_active: false }).execute();
    expect((await browser.call('GET', 'me/')).status).toBe(401);
    await t.db.updateTable('users').set({ is_active: true }).execute();
  });
});
