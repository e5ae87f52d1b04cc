import { describe, expect, test } from 'vitest';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import {
  Browser,
  mailedTo,
  makeCodes,
  otherThan,
  PORTAL,
  setSettings,
  wasMailed,
} from '../../../test/portal.ts';
import { hashToken } from '../../lib/secret.ts';

/** How a client signs in to the portal, and that nobody else can (PORTAL-01, PORTAL-03). */

const NOW = '2026-11-21T18:00:00.000Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  const t = await createTestApp({ now: NOW, env: { TRUST_PROXY: '1', ...env } });
  await setSettings(t, { portal_enabled: true, vendor_name: 'Sistemas del Centro' });
  return t;
}

/** A browser with another IP address. */
const browserOf = (t: TestApp, ip = somewhere()) => new Browser(t, { 'x-forwarded-for': ip });

let places = 0;
function somewhere(): string {
  places += 1;
  return `198.51.100.${places % 250}`;
}

const result = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const INVALID = [400, 'invalid_token'];

describe('while the portal is off (PORTAL-01)', () => {
  test('its calls get 404, in demo mode too', async () => {
    const t = await createTestApp();
    const browser = new Browser(t);
    for (const [method, path] of [
      ['GET', 'vendor/'],
      ['POST', 'sign-in/'],
      ['POST', 'sign-in/verify/'],
      ['POST', 'sign-out/'],
      ['GET', 'me/'],
      ['PATCH', 'me/'],
    ] as const) {
      expect(result(await browser.call(method, path))).toEqual([404, 'not_found']);
    }
  });

  test('switching it off ends every session, and switching it on again restores none', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = await browserOf(t).signIn(email);
    await setSettings(t, { portal_enabled: false });
    expect(result(await browser.call('GET', 'me/'))).toEqual([404, 'not_found']);
    await setSettings(t, { portal_enabled: true });
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
  });
});

test("the vendor's name is shown without a session", async () => {
  const t = await open();
  const { status, body } = await new Browser(t).call('GET', 'vendor/');
  expect(status).toBe(200);
  expect(body).toEqual({
    vendor: { name: 'Sistemas del Centro', support_email: '', accent_color: '#0f766e', logo: null },
  });
});

describe('requesting a code (PORTAL-01)', () => {
  test('the answer is the same for an active client, an inactive one and an unknown address', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const inactive = await createClient(t, { status: 'inactive' });
    const answers = [];
    for (const one of [email, inactive.email, 'nadie@example.com']) {
      const { status, body, headers } = await browserOf(t).ask(one);
      const cookie = String(headers['set-cookie']);
      expect(cookie).toMatch(/^lm_ask=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
      answers.push([status, body]);
    }
    expect(answers[0]).toEqual([202, { success: true, message: expect.any(String) }]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await wasMailed(t, email)).toBe(true);
    expect(await wasMailed(t, inactive.email)).toBe(false);
    expect(await wasMailed(t, 'nadie@example.com')).toBe(false);
  });

  test('the call does the same work for every address, without a query for a client', async () => {
    const t = await open();
    const { email } = await createClient(t);
    for (const one of [email, 'nadie@example.com']) {
      await browserOf(t).ask(one);
      const { client_id, code_hash, token_hash } = await t.db
        .selectFrom('portal_asks')
        .selectAll()
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      expect({ client_id, code_hash, token_hash }).toEqual({
        client_id: null,
        code_hash: null,
        token_hash: null,
      });
    }
    // Tries are counted also for an address to which no code was mailed.
    await makeCodes(t);
    const codes = await t.db.selectFrom('portal_asks').select('code_hash').execute();
    expect(codes.every(({ code_hash }) => code_hash !== null)).toBe(true);
  });

  test.each(['', 'nadie', 'a b@example.com', 7, null, undefined])(
    '%j is refused as an email address',
    async (email) => {
      const t = await open();
      const { status, body, headers } = await browserOf(t).call('POST', 'sign-in/', { body: { email } });
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid', ['email']]);
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  test('the subject of the mail begins with the code, and the token of its link is after the hash', async () => {
    const t = await open({ PUBLIC_URL: 'https://licencias.example.com' });
    const { email } = await createClient(t, { name: 'Ana Ríos' });
    await browserOf(t).ask(email);
    const mail = await mailedTo(t, email);
    expect(mail.subject).toMatch(/^\d{6} /);
    expect(mail.text).toContain(`https://licencias.example.com/portal#t=${mail.token}`);
    expect(mail.token).toMatch(/^[\w-]{43}$/);
    expect(mail.text).toContain('Ana Ríos');
    // The mail is sent with them, but staff cannot see them.
    await t.deliveredMail();
    const { body } = await t.call('GET', '/licenses/api/mails/?kind=portal_link');
    const one = await t.call('GET', `/licenses/api/mails/${body.results[0].id}/`);
    expect(JSON.stringify([body, one.body])).not.toMatch(new RegExp(`${mail.code}|${mail.token}`));
    expect(one.body.subject).toContain('•••');
  });

  test('upper and lower case of an address are the same', async () => {
    const t = await open();
    await createClient(t, { email: 'Ana@Example.com' });
    await browserOf(t).ask('aNA@example.COM');
    expect(await wasMailed(t, 'Ana@Example.com')).toBe(true);
  });
});

describe('opening a session (PORTAL-01)', () => {
  test('works with the code, also with spaces', async () => {
    const t = await open();
    const { id, email, name } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { code } = await mailedTo(t, email);
    const { status, body, headers } = await browser.verify({ code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect([status, body]).toEqual([200, { success: true, client: { id, name } }]);
    const cookies = [headers['set-cookie'] ?? []].flat();
    expect(cookies).toEqual([
      'lm_ask=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^lm_portal=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await browser.call('GET', 'me/')).body.client.email).toBe(email);
    // The database contains only a hash of the cookie.
    const rows = await t.db.selectFrom('portal_sessions').select('hash').execute();
    expect(rows).toEqual([{ hash: hashToken(browser.cookies.get('lm_portal')!) }]);
  });

  test('works with the link, only in the browser that requested it', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { token, code } = await mailedTo(t, email);
    expect(result(await browserOf(t).verify({ token }))).toEqual(INVALID);
    const other = browserOf(t);
    await other.ask('otra@example.com');
    expect(result(await other.verify({ token }))).toEqual(INVALID);
    expect(result(await other.verify({ code }))).toEqual(INVALID);
    // These failed tries did not use it up.
    expect((await browser.verify({ token })).status).toBe(200);
  });

  test('after code or link was used once, neither works again', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    const ask = async () => {
      await browser.ask(email);
      return { ...(await mailedTo(t, email)), cookie: browser.cookies.get('lm_ask')! };
    };
    const first = await ask();
    expect((await browser.verify({ code: first.code })).status).toBe(200);
    for (const again of [{ code: first.code }, { token: first.token }]) {
      browser.cookies.set('lm_ask', first.cookie);
      expect(result(await browser.verify(again))).toEqual(INVALID);
    }
    const second = await ask();
    expect((await browser.verify({ token: second.token })).status).toBe(200);
    browser.cookies.set('lm_ask', second.cookie);
    expect(result(await browser.verify({ code: second.code }))).toEqual(INVALID);
  });

  test('200 concurrent uses of a link open one session', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { token } = await mailedTo(t, email);
    const answers = await Promise.all(Array.from({ length: 200 }, () => browser.verify({ token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await t.db.selectFrom('portal_sessions').select('hash').execute()).toHaveLength(1);
  });

  test('works for ten minutes', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { code, token } = await mailedTo(t, email);
    t.clock.advance(10 * MINUTE);
    expect(result(await browser.verify({ code }))).toEqual(INVALID);
    expect(result(await browser.verify({ token }))).toEqual(INVALID);
  });

  test('a newer request voids the older ones of the same browser, and none of another', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const client = browserOf(t);
    await client.ask(email);
    const old = await mailedTo(t, email);
    const oldCookie = client.cookies.get('lm_ask')!;
    await client.ask(email);
    const mail = await mailedTo(t, email);
    const stranger = browserOf(t);
    await stranger.ask(email);
    await stranger.ask(email);
    await makeCodes(t);

    expect(result(await client.verify({ token: old.token }))).toEqual(INVALID);
    const before = new Browser(t);
    before.cookies.set('lm_ask', oldCookie);
    expect(result(await before.verify({ code: old.code }))).toEqual(INVALID);
    expect((await client.verify({ code: mail.code })).status).toBe(200);
  });

  test.each([
    ['another code', (code: string) => ({ code: otherThan(code) })],
    ['no code', () => ({ code: 'abc' })],
    ['an empty one', () => ({ code: '' })],
    ['a token that nobody was given', () => ({ token: 'x'.repeat(43) })],
    ['an odd token', () => ({ token: "' or 1=1 --" })],
  ])('%s gets the same answer as every other wrong sign-in', async (_what, wrong) => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { code } = await mailedTo(t, email);
    const nobody = await new Browser(t).verify({ code });
    const { status, body } = await browser.verify(wrong(code));
    expect([status, body]).toEqual([400, nobody.body]);
    expect(body.code).toBe('invalid_token');
  });

  test('a body without code and token is refused', async () => {
    const t = await open();
    const { status, body } = await browserOf(t).verify({});
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid', ['code']]);
  });

  test('is an event of the client, and is shown in its details (PORTAL-08)', async () => {
    const t = await open();
    const { id, email, name, updated_at, portal_last_sign_in } = await createClient(t);
    expect(portal_last_sign_in).toBeNull();
    await browserOf(t).signIn(email);
    const { body } = await t.call<{ results: Event[] }>('GET', `/licenses/api/events/?client=${id}`);
    expect(body.results[0]).toMatchObject({
      type: 'client.signed_in',
      actor: { kind: 'client', id, name },
      subject: { kind: 'client', id, name },
      changes: {},
    });
    const details = await t.call('GET', `/licenses/api/clients/${id}/`);
    expect(details.body).toMatchObject({ portal_last_sign_in: NOW, updated_at });
  });
});

describe('guessing a code (PORTAL-01)', () => {
  test('a request allows five tries, also concurrent ones, and its link still works', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { code, token } = await mailedTo(t, email);
    const guesses = Array.from({ length: 40 }, (_, index) => String(index).padStart(6, '0')).filter(
      (guess) => guess !== code,
    );
    const answers = await Promise.all(guesses.map((guess) => browser.verify({ code: guess })));
    expect(new Set(answers.map((answer) => result(answer).join()))).toEqual(new Set([INVALID.join()]));
    const ask = await t.db.selectFrom('portal_asks').select('tries').executeTakeFirstOrThrow();
    expect(ask.tries).toBe(5);
    expect(result(await browser.verify({ code }))).toEqual(INVALID);
    expect((await browser.verify({ token })).status).toBe(200);
  });

  test('the fifth try succeeds with the right code', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    const { code } = await mailedTo(t, email);
    for (let index = 0; index < 4; index += 1) await browser.verify({ code: otherThan(code) });
    expect((await browser.verify({ code })).status).toBe(200);
  });

  test('after twenty wrong codes in a day the codes of the address are refused, and its links work', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const other = await createClient(t);
    // Strangers, each with another IP address.
    for (let stranger = 0; stranger < 4; stranger += 1) {
      const browser = browserOf(t);
      await browser.ask(email);
      const { code } = await mailedTo(t, email);
      for (let index = 0; index < 5; index += 1) await browser.verify({ code: otherThan(code) });
    }
    const client = browserOf(t);
    await client.ask(email);
    const { code, token } = await mailedTo(t, email);
    expect(result(await client.verify({ code }))).toEqual(INVALID);
    expect((await client.verify({ token })).status).toBe(200);
    // Other clients are not locked out.
    await browserOf(t).signIn(other.email);

    t.clock.advance(24 * HOUR);
    await browserOf(t).signIn(email);
  });

  test('right codes do not count as wrong ones', async () => {
    const t = await open();
    const { email } = await createClient(t);
    for (let index = 0; index < 21; index += 1) {
      await browserOf(t).signIn(email);
      t.clock.advance(10 * MINUTE);
    }
  });
});

describe('limits of code requests (PORTAL-01)', () => {
  const statuses = async (asks: (() => Promise<{ status: number }>)[]) => {
    const found: number[] = [];
    for (const ask of asks) found.push((await ask()).status);
    return found;
  };
  const times = <Value>(count: number, value: (index: number) => Value) =>
    Array.from({ length: count }, (_, index) => value(index));

  test.each(['known', 'unknown'])(
    'three an hour for an address from one network address (%s)',
    async (kind) => {
      const t = await open();
      const email = kind === 'known' ? (await createClient(t)).email : 'nadie@example.com';
      const ask = () => browserOf(t, '203.0.113.7').ask(email);
      expect(await statuses(times(4, () => ask))).toEqual([202, 202, 202, 429]);
      const { body, headers } = await ask();
      expect([body.code, Number(headers['retry-after'])]).toEqual(['rate_limited', 3600]);
      expect((await browserOf(t, '203.0.113.8').ask(email)).status).toBe(202);
      t.clock.advance(HOUR);
      expect(await statuses(times(4, () => ask))).toEqual([202, 202, 202, 429]);
      // Reaching the limit twice does not make a later wait longer.
      t.clock.advance(HOUR);
      expect((await ask()).status).toBe(202);
    },
  );

  test.each(['known', 'unknown'])('ten an hour for an address (%s)', async (kind) => {
    const t = await open();
    const email = kind === 'known' ? (await createClient(t)).email : 'nadie@example.com';
    const found = await statuses(times(11, (index) => () => browserOf(t, `203.0.113.${index}`).ask(email)));
    expect(found).toEqual([...times(10, () => 202), 429]);
  });

  test('ten an hour from one network address, over many addresses', async () => {
    const t = await open();
    const found = await statuses(
      times(11, (index) => () => browserOf(t, '203.0.113.7').ask(`nadie${index}@example.com`)),
    );
    expect(found).toEqual([...times(10, () => 202), 429]);
  });

  test('fifty concurrent requests are counted like fifty one after another', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const answers = await Promise.all(times(50, () => browserOf(t, '203.0.113.7').ask(email)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(47);
    expect(await t.db.selectFrom('portal_asks').select('id').execute()).toHaveLength(3);
  });
});

describe('a portal session (PORTAL-03)', () => {
  test('lasts one hour without a call, and eight hours at most', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = await browserOf(t).signIn(email);
    const me = async () => (await browser.call('GET', 'me/')).status;
    for (let passed = 0; passed < 7; passed += 1) {
      t.clock.advance(59 * MINUTE);
      expect(await me()).toBe(200);
    }
    t.clock.advance(59 * MINUTE);
    expect(await me()).toBe(200);
    t.clock.advance(9 * MINUTE);
    expect(await me()).toBe(401);

    const idle = await browserOf(t).signIn(email);
    t.clock.advance(61 * MINUTE);
    expect(result(await idle.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
  });

  test.each([
    ['deactivation', { status: 'inactive' }, { status: 'active' }],
    ['another mail', { email: 'nueva@example.com' }, { email: 'vieja@example.com' }],
  ])('ends with %s, and cannot be restored', async (_what, change, back) => {
    const t = await open();
    const { id, email } = await createClient(t, { email: 'vieja@example.com' });
    const browser = await browserOf(t).signIn(email);
    // A pending sign-in ends too.
    const waiting = browserOf(t);
    await waiting.ask(email);
    const { code, token } = await mailedTo(t, email);
    await t.call('PUT', `/licenses/api/clients/${id}/`, { body: change });
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
    expect(result(await waiting.verify({ code }))).toEqual(INVALID);
    await t.call('PUT', `/licenses/api/clients/${id}/`, { body: back });
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
    expect(result(await waiting.verify({ token }))).toEqual(INVALID);
  });

  test('ends when its client is deactivated by a bulk action', async () => {
    const t = await open();
    const { id, email } = await createClient(t);
    const browser = await browserOf(t).signIn(email);
    await t.call('PATCH', '/licenses/api/clients/bulk_update/', {
      body: { ids: [id], updates: { status: 'suspended' } },
    });
    expect((await browser.call('GET', 'me/')).status).toBe(401);
  });

  test('ends by signing out, in this browser or everywhere', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const [one, two, three] = [
      await browserOf(t).signIn(email),
      await browserOf(t).signIn(email),
      await browserOf(t).signIn(email),
    ];
    const cookie = one.cookies.get('lm_portal')!;
    const out = await one.call('POST', 'sign-out/');
    expect([out.status, out.body.success]).toEqual([200, true]);
    expect(one.cookies.has('lm_portal')).toBe(false);
    one.cookies.set('lm_portal', cookie);
    expect((await one.call('GET', 'me/')).status).toBe(401);
    expect((await two.call('GET', 'me/')).status).toBe(200);
    expect((await two.call('POST', 'sign-out/', { body: { all: true } })).status).toBe(200);
    expect((await three.call('GET', 'me/')).status).toBe(401);
    expect(result(await three.call('POST', 'sign-out/'))).toEqual([401, 'unauthorized']);
  });

  test('with https its cookie cannot be set by another host and is sent over https only', async () => {
    const t = await open({ PUBLIC_URL: 'https://licencias.example.com' });
    const { email } = await createClient(t);
    const browser = browserOf(t);
    const { headers } = await browser.ask(email);
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-lm_ask=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const { code } = await mailedTo(t, email);
    await browser.verify({ code });
    expect([...browser.cookies.keys()]).toEqual(['__Host-lm_portal']);
    expect((await browser.call('GET', 'me/')).status).toBe(200);
    // A cookie with the plain name could have been set by another host of the same domain.
    const plain = browserOf(t);
    plain.cookies.set('lm_portal', browser.cookies.get('__Host-lm_portal')!);
    expect((await plain.call('GET', 'me/')).status).toBe(401);
  });
});

describe('calls from other origins (PORTAL-03)', () => {
  test('every call but GET needs the header X-Portal, signing in too', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = await browserOf(t).signIn(email);
    for (const [method, path, body] of [
      ['POST', 'sign-in/', { email }],
      ['POST', 'sign-in/verify/', { code: '123456' }],
      ['POST', 'sign-out/', {}],
      ['PATCH', 'me/', { phone: '+525500000000' }],
    ] as const) {
      for (const sent of ['', '0', 'true']) {
        const answer = await browser.call(method, path, { body, headers: { 'x-portal': sent } });
        expect([path, ...result(answer)]).toEqual([path, 403, 'forbidden']);
      }
    }
    expect((await browser.call('GET', 'me/', { headers: { 'x-portal': '' } })).status).toBe(200);
  });

  test('a page of another origin cannot read an answer, not even one allowed for staff', async () => {
    const t = await open({ CORS_ORIGINS: 'https://panel.example.com' });
    const { email } = await createClient(t);
    const browser = await browserOf(t).signIn(email);
    for (const origin of ['https://panel.example.com', 'https://mala.example.com']) {
      const { headers } = await browser.call('GET', 'me/', { headers: { origin } });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      const preflight = await t.app.inject({
        method: 'OPTIONS',
        url: `${PORTAL}sign-in/`,
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('a token of staff is refused in the portal, and the portal cookie elsewhere', async () => {
    const t = await open();
    const { id, email } = await createClient(t);
    const staff = { authorization: `Bearer ${t.token}` };
    const none = await new Browser(t, staff).call('GET', 'me/');
    expect(result(none)).toEqual([401, 'unauthorized']);
    expect(none.body.message).toBe('Su sesión terminó. Entre de nuevo.');
    // The token was not checked.
    expect(none.headers['www-authenticate']).not.toContain('error');
    const browser = await browserOf(t).signIn(email);
    const me = await browser.call('GET', 'me/', { headers: staff });
    expect(me.body.client.email).toBe(email);
    for (const path of [`/licenses/api/clients/${id}/`, '/api/auth/user/', '/licenses/api/licenses/']) {
      expect(result(await browser.call('GET', path))).toEqual([401, 'unauthorized']);
    }
    const asked = { authorization: `Bearer ${browser.cookies.get('lm_portal')}` };
    expect((await t.call('GET', '/api/auth/user/', { token: null, headers: asked })).status).toBe(401);
    expect((await new Browser(t, asked).call('GET', 'me/')).status).toBe(401);
  });

  test('a cookie of another kind is no session', async () => {
    const t = await open();
    const { email } = await createClient(t);
    const browser = browserOf(t);
    await browser.ask(email);
    browser.cookies.set('lm_portal', browser.cookies.get('lm_ask')!);
    expect((await browser.call('GET', 'me/')).status).toBe(401);
  });
});

test('no event, stored job or row contains a code or a token (EVENT-04)', async () => {
  const t = await open();
  const { email } = await createClient(t);
  const browser = browserOf(t);
  await browser.ask(email);
  const cookie = browser.cookies.get('lm_ask')!;
  const { code, token } = await mailedTo(t, email);
  await browser.verify({ code });
  const session = browser.cookies.get('lm_portal')!;
  await browser.ask(email);
  const texts = [];
  for (const table of ['portal_asks', 'portal_sessions', 'events', 'jobs', 'outbox', 'throttles'] as const) {
    texts.push(JSON.stringify(await t.db.selectFrom(table).selectAll().execute()));
  }
  for (const secret of [cookie, token, session]) expect(texts.join()).not.toContain(secret);
  expect(texts.slice(0, 4).join()).not.toContain(`"${code}"`);
});

test('expired requests and sessions are deleted', async () => {
  const t = await open();
  const { email } = await createClient(t);
  await browserOf(t).signIn(email);
  await browserOf(t).ask(email);
  const { deletePastPortal } = await import('./portal-sessions.queries.ts');
  await deletePastPortal(t.db, new Date(Date.parse(NOW) + 8 * HOUR));
  expect(await t.db.selectFrom('portal_asks').selectAll().execute()).toEqual([]);
  expect(await t.db.selectFrom('portal_sessions').selectAll().execute()).toEqual([]);
});

test('an erased client is signed out, and the portal stores nothing about the client any more', async () => {
  const t = await open();
  const { id, email } = await createClient(t);
  const browser = await browserOf(t).signIn(email);
  await browserOf(t).ask(email);
  await makeCodes(t);
  await browserOf(t).ask(email);
  await t.deliveredMail();
  const erased = await t.call('POST', `/licenses/api/clients/${id}/erase/`, { body: { reason: 'Lo pidió' } });
  expect(erased.status).toBe(200);
  expect((await browser.call('GET', 'me/')).status).toBe(401);
  expect(await t.db.selectFrom('portal_asks').selectAll().execute()).toEqual([]);
  expect(await t.db.selectFrom('portal_sessions').selectAll().execute()).toEqual([]);
  expect((await t.call('GET', `/licenses/api/clients/${id}/`)).body.portal_last_sign_in).toBeNull();
});
