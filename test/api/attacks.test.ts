import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../contract/people/permissions.ts';
import { insertUser, openSession } from '../../server/features/people/sign-in/auth.queries.ts';
import { createTestApp, signInAs, type TestApp } from '../app.ts';
import { createClient, createLicense, createSoftware } from '../factories.ts';
import { asSystem } from '../scope.ts';

/** Attacks on accounts, sessions and keys. Attacks on a single feature are tested beside that feature. */

const START = '2026-11-22T12:00:00.000Z';
const PASSWORD = 'tres tristes tigres';
const KEYS = '/licenses/api/api-keys/';
const USERS = '/licenses/api/users/';

const post = (t: TestApp, path: string, body: object, token: string | null = null) =>
  t.call('POST', `/api/auth/${path}/`, { body, token });
const statusWith = async (t: TestApp, token: string, url = '/api/auth/user/') =>
  (await t.call('GET', url, { token })).status;
const tokenOf = (link: string) => link.split('#')[1]!;

/** A user with an open session, created without the slow password hash. */
const newUser = (t: TestApp, role: Role, values: object = {}) =>
  asSystem(t, async ({ tx, now }) => {
    const names = { username: role, names: role, last_name: '', email: `${role}@example.com` };
    const user = await insertUser(tx, { ...names, role, password_hash: 'x', ...values }, now);
    return { user, ...(await openSession(tx, user.id, now, { ip: null, userAgent: null })) };
  });

const requireSecondFactor = (t: TestApp, value: string) =>
  t.db
    .insertInto('settings')
    .values({ id: 1, changed: JSON.stringify({ require_mfa: value }), updated_at: START })
    .execute();

describe('sessions', () => {
  test('a token of an ended session is refused, and reusing a refresh token ends its session (PEOPLE-06)', async () => {
    const t = await createTestApp();
    const { body: stolen } = await post(t, 'login', { username: 'admin', password: 'admin123' });
    const { body: renewed } = await post(t, 'refresh', { refresh_token: stolen.refresh_token });
    await post(t, 'refresh', { refresh_token: renewed.refresh_token });
    expect((await post(t, 'refresh', { refresh_token: stolen.refresh_token })).status).toBe(401);
    expect([await statusWith(t, stolen.token), await statusWith(t, renewed.token)]).toEqual([401, 401]);

    const { body } = await post(t, 'login', { username: 'admin', password: 'admin123' });
    await post(t, 'logout', {}, body.token);
    expect(await statusWith(t, body.token)).toBe(401);
    expect((await post(t, 'refresh', { refresh_token: body.refresh_token })).status).toBe(401);
  });

  test('signing in creates a new session, whatever token the call sends', async () => {
    const t = await createTestApp();
    const planted = await newUser(t, 'viewer');
    const body = {
      username: 'admin',
      password: 'admin123',
      token: planted.token,
      refresh_token: planted.refresh_token,
      session_id: 1,
    };
    const own = await post(t, 'login', body, planted.token);
    expect([own.body.token, own.body.refresh_token]).not.toContain(planted.token);
    const whose = async (token: string) => (await t.call('GET', '/api/auth/user/', { token })).body.role;
    expect([await whose(own.body.token), await whose(planted.token)]).toEqual(['admin', 'viewer']);
    expect((await t.call('GET', '/api/auth/sessions/', { token: own.body.token })).body.results).toHaveLength(
      2,
    );
  });

  test('sessions of other people cannot be seen or ended, not even by an administrator (PEOPLE-06)', async () => {
    const t = await createTestApp();
    const viewer = await newUser(t, 'viewer');
    const list = async (token: string) =>
      (await t.call('GET', '/api/auth/sessions/', { token })).body.results as { id: number }[];
    const [[own], [foreign]] = [await list(viewer.token), await list(t.token)];
    for (const [token, id] of [
      [viewer.token, foreign!.id],
      [t.token, own!.id],
    ] as const) {
      expect((await t.call('DELETE', `/api/auth/sessions/${id}/`, { token })).status).toBe(404);
    }
    await t.call('POST', '/api/auth/sessions/revoke_others/', { token: viewer.token });
    expect([await statusWith(t, viewer.token), await statusWith(t, t.token)]).toEqual([200, 200]);
  });

  test('a changed role applies to the next call of an open session (PEOPLE-02)', async () => {
    const t = await createTestApp();
    const { user, token } = await newUser(t, 'operator');
    const client = () => createClient({ ...t, call: (m, url, o) => t.call(m, url, { ...o, token }) });
    await client();
    await t.call('PUT', `${USERS}${user.id}/`, { body: { role: 'viewer' } });
    await expect(client()).rejects.toThrow('403');
    await t.call('PUT', `${USERS}${user.id}/`, { body: { role: 'admin' } });
    expect(await statusWith(t, token, USERS)).toBe(200);
    await t.call('PUT', `${USERS}${user.id}/`, { body: { role: 'support' } });
    expect(await statusWith(t, token, USERS)).toBe(403);
  });
});

describe('the second factor cannot be bypassed', () => {
  test('the refresh token of a session opened before the second factor is refused (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { body: before } = await post(t, 'login', { username: 'admin', password: 'admin123' });
    const { secret } = (await post(t, 'mfa/setup', { password: 'admin123' }, t.token)).body;
    const code = TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: Date.parse(START) });
    expect((await post(t, 'mfa/enable', { code }, t.token)).status).toBe(200);
    expect((await post(t, 'refresh', { refresh_token: before.refresh_token })).status).toBe(401);
  });

  test('the token of the second step opens and renews no session', async () => {
    const t = await createTestApp({ now: START });
    await t.db.updateTable('users').set({ mfa_enabled_at: START }).execute();
    const { body } = await post(t, 'login', { username: 'admin', password: 'admin123' });
    expect(body.code).toBe('mfa_required');
    expect(await statusWith(t, body.mfa_token)).toBe(401);
    expect((await post(t, 'refresh', { refresh_token: body.mfa_token })).status).toBe(401);
  });

  test('a person who must set up a second factor cannot avoid it by registering another account (PEOPLE-05)', async () => {
    const t = await createTestApp({ env: { ALLOW_REGISTRATION: '0' } });
    await requireSecondFactor(t, 'admins');
    const second = { username: 'otra', password: PASSWORD, names: 'Otra', email: 'otra@example.com' };
    const { status, body } = await post(t, 'register', second, t.token);
    expect([status, body.code]).toEqual([403, 'mfa_setup_required']);
  });

  test('an API key can neither read codes nor turn the requirement of a second factor off (PEOPLE-07)', async () => {
    const t = await createTestApp();
    const { body } = await t.call('POST', KEYS, {
      body: { name: 'Todo', permissions: ['settings:read', 'settings:manage'] },
    });
    const change = (values: object, token: string) =>
      t.call('PUT', '/licenses/api/settings/', { body: values, token });
    for (const path of ['mfa/setup', 'mfa/enable', 'mfa/disable', 'password/change']) {
      expect([path, (await post(t, path, {}, body.key)).status]).toEqual([path, 403]);
    }
    expect((await change({ vendor_name: 'Otra' }, body.key)).status).toBe(200);
    const refused = await change({ vendor_name: 'Tercera', require_mfa: 'all' }, body.key);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const settings = await t.call('GET', '/licenses/api/settings/');
    expect([settings.body.vendor_name, settings.body.require_mfa]).toEqual(['Otra', 'none']);
  });
});

describe('permissions cannot be gained', () => {
  test('fields that a call does not have give no permission', async () => {
    const t = await createTestApp();
    const taken = {
      role: 'admin',
      is_active: false,
      permissions: ['users:manage'],
      mfa_enabled: true,
      id: 1,
    };
    const registered = await post(t, 'register', {
      ...{ username: 'otra', password: PASSWORD, names: 'Otra', email: 'otra@example.com' },
      ...taken,
    });
    const { token } = registered.body;
    const hashes = () =>
      t.db.selectFrom('users').select(['username', 'password_hash']).orderBy('id').execute();
    const before = await hashes();
    await t.call('PUT', '/api/auth/user/', {
      body: { names: 'Otra', username: 'admin', password: 'x', password_hash: 'x', ...taken },
      token,
    });
    const own = (await t.call('GET', '/api/auth/user/', { token })).body;
    expect([own.role, own.user.username, own.user.is_active, own.mfa_enabled]).toEqual([
      'operator',
      'otra',
      true,
      false,
    ]);
    const id = own.user.id;
    const { role: _role, ...others } = taken;
    await t.call('PUT', `${USERS}${id}/`, { body: { ...others, username: 'x', password_hash: 'x' } });
    const found = (await t.call('GET', `${USERS}${id}/`)).body;
    expect([found.id, found.username, found.is_active, found.mfa_enabled]).toEqual([id, 'otra', true, false]);
    const key = await t.call('POST', KEYS, {
      body: { name: 'Clave', permissions: ['clients:read'], user_id: id, created_by: { id }, hash: 'x' },
    });
    expect(key.body.created_by.id).toBe(1);
    expect(await hashes()).toEqual(before);
  });

  test('accepting an invitation for another person is refused', async () => {
    const t = await createTestApp();
    const { body: invited } = await t.call('POST', USERS, {
      body: { username: 'ana', names: 'Ana', email: 'ana@example.com', role: 'viewer', password: 'x', id: 1 },
    });
    const accept = { token: tokenOf(invited.link), password: PASSWORD, role: 'admin', user_id: 1 };
    const taken = await post(t, 'invitation/accept', { ...accept, username: 'admin' });
    expect([taken.status, taken.body.errors]).toEqual([400, { username: [expect.any(String)] }]);
    const { body } = await post(t, 'invitation/accept', accept);
    const own = (await t.call('GET', '/api/auth/user/', { token: body.token })).body;
    expect([own.user.username, own.role]).toEqual(['ana', 'viewer']);
    expect(await signInAs(t, 'admin', 'admin123')).not.toBe('');
  });

  test('an operator, support or viewer cannot change their own role or create users or keys (PEOPLE-02)', async () => {
    const t = await createTestApp();
    for (const role of ['operator', 'support', 'viewer'] as const) {
      const { user, token } = await newUser(t, role);
      const answers = [
        await t.call('PUT', `${USERS}${user.id}/`, { body: { role: 'admin' }, token }),
        await t.call('POST', USERS, { body: { username: 'x', role: 'admin' }, token }),
        await t.call('POST', KEYS, { body: { name: 'Clave', permissions: ['users:manage'] }, token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect((await t.call('GET', '/api/auth/user/', { token })).body.role).toBe(role);
    }
  });

  test('an API key cannot create keys or users, whatever permissions it has (PEOPLE-07)', async () => {
    const t = await createTestApp();
    const { body } = await t.call('POST', KEYS, { body: { name: 'Clave', permissions: ['clients:read'] } });
    await t.db
      .updateTable('api_keys')
      .set({ permissions: '["api_keys:manage","users:manage","clients:read"]' })
      .execute();
    const answers = [
      await t.call('POST', KEYS, { body: { name: 'Otra', permissions: ['clients:read'] }, token: body.key }),
      await t.call('POST', `${KEYS}${body.id}/rotate/`, { token: body.key }),
      await t.call('PUT', `${USERS}1/`, { body: { role: 'viewer' }, token: body.key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await statusWith(t, body.key, '/licenses/api/clients/')).toBe(200);
  });
});

describe('a name with markup', () => {
  const NAME = `<img src=x onerror=alert(1)> "Ana" & [x](https://mal.example) **b**`;
  const SHOWN = '&lt;img src=x onerror=alert(1)&gt; &quot;Ana&quot; &amp; [x](https://mal.example) **b**';

  test('is shown as text in the mails of an invitation, a new password and a licence (MAIL-05)', async () => {
    const t = await createTestApp();
    await t.call('PUT', '/api/auth/user/', { body: { names: NAME } });
    await t.call('PUT', '/licenses/api/settings/', { body: { vendor_name: NAME } });
    await t.call('POST', USERS, {
      body: { username: 'ana', names: NAME, email: 'ana@example.com', role: 'viewer' },
    });
    await post(t, 'password/forgot', { email: 'admin@example.com' });
    const client = await createClient(t, { name: NAME, email: 'cliente@example.com' });
    const software = await createSoftware(t, { name: NAME });
    await createLicense(t, { client: client.id, software: software.id });
    await expect.poll(async () => (await t.deliveredMail()).length).toBe(3);
    for (const { html = '', text = '', to, bcc, cc } of await t.deliveredMail()) {
      expect(html).not.toContain('<img src=x');
      expect(html).not.toContain('href="https://mal.example');
      expect(html).toContain(SHOWN);
      expect(text).toContain(NAME);
      expect([to?.length, bcc ?? [], cc ?? []]).toEqual([1, [], []]);
    }
  });

  test('a name with line breaks adds no header and no recipient to a mail', async () => {
    const t = await createTestApp();
    for (const names of ['Ana\r\nBcc: mal@example.com', 'Ana\nX-Mal: 1', 'Ana\u2028Bcc: mal@example.com']) {
      await t.call('PUT', '/api/auth/user/', { body: { names } });
      await t.call('PUT', '/licenses/api/settings/', { body: { vendor_name: names } });
      await t.call('POST', USERS, {
        body: {
          username: crypto.randomUUID(),
          names,
          email: `${crypto.randomUUID()}@example.com`,
          role: 'viewer',
        },
      });
    }
    await t.call('POST', USERS, {
      body: { username: 'eva', names: 'Eva', email: 'eva@example.com', role: 'viewer' },
    });
    const mails = await t.deliveredMail();
    expect(mails.map(({ to }) => to?.map(({ address }) => address))).toContainEqual(['eva@example.com']);
    for (const { headers, to } of mails) {
      expect(to).toHaveLength(1);
      const names = headers.map(({ key }) => key);
      expect([names.includes('bcc'), names.includes('x-mal')]).toEqual([false, false]);
    }
  });
});

describe('an attacker cannot find out who has an account', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({
      closeAfterTest: false,
      env: { AUTH_ERRORS: 'generic', ALLOW_REGISTRATION: '0' },
    });
    await newUser(t, 'operator', { password_hash: '' });
    await newUser(t, 'viewer');
    await t.db.updateTable('users').set({ is_active: false }).where('username', '=', 'viewer').execute();
    return t.close;
  });

  /** The parts of an answer that a caller sees, without those that change with every call. */
  const found = async (path: string, body: object) => {
    const { status, headers, text } = await post(t, path, body);
    const { 'x-request-id': _id, date: _date, ...kept } = headers;
    return { status, headers: kept, text };
  };
  const LINK = 'x'.repeat(43);

  test.each<[string, object[]]>([
    ['login', ['admin', 'operator', 'viewer', 'nadie'].map((username) => ({ username, password: 'no es' }))],
    [
      'password/forgot',
      ['admin', 'operator', 'viewer', 'nadie'].map((name) => ({ email: `${name}@example.com` })),
    ],
    ['password/forgot', [{ email: 'ADMIN@example.com ' }, { email: 'nadie' }]],
    [
      'password/reset',
      [
        { token: LINK, password: PASSWORD },
        { token: `${LINK}y`, password: 'password1' },
      ],
    ],
    [
      'invitation/accept',
      [
        { token: LINK, password: PASSWORD },
        { token: `${LINK}y`, password: PASSWORD },
      ],
    ],
    [
      'mfa/verify',
      [
        { mfa_token: LINK, code: '123456' },
        { mfa_token: LINK, code: 'AAAAA-BBBBB' },
      ],
    ],
    [
      'register',
      ['admin', 'nadie'].map((username) => ({
        ...{ username, password: PASSWORD, names: 'Ana', email: `${username}@example.com` },
      })),
    ],
    [
      'first-admin',
      ['admin', 'nadie'].map((username) => ({
        ...{ token: LINK, username, password: PASSWORD, names: 'Ana', email: `${username}@example.com` },
      })),
    ],
  ])('%s answers the same for known and unknown accounts', async (path, bodies) => {
    const [first, ...others] = await Promise.all(bodies.map((body) => found(path, body)));
    for (const other of others) expect(other).toEqual(first);
  });

  test('a wrong code in the second step answers the same for known and unknown tokens (PEOPLE-05)', async () => {
    const known = await createTestApp({ now: START });
    await known.db.updateTable('users').set({ mfa_enabled_at: START }).execute();
    const { body } = await post(known, 'login', { username: 'admin', password: 'admin123' });
    const answers = await Promise.all(
      [body.mfa_token, LINK].map((mfa_token) => post(known, 'mfa/verify', { mfa_token, code: '123456' })),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([401, answers[0]?.text]));
  });
});
