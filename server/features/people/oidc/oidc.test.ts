import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { comeBack, finish, openIdProvider, tokenOf } from '../../../../test/oidc-sign-in.ts';
import type { OpenIdProvider } from '../../../../test/openid-provider.ts';
import { endOtherSessions } from './only-oidc.ts';

/** Signing in with OpenID Connect, against a real provider in this process (SIGN-02). */

const MINUTE_MS = 60_000;
const ANA = {
  sub: 'ana-1',
  email: 'ana@example.com',
  email_verified: true,
  given_name: 'Ana',
  family_name: 'Ríos',
};
const UNINVITED = 'Pide una invitación a un administrador';

async function withProvider(
  env: Record<string, string> = {},
): Promise<{ t: TestApp; provider: OpenIdProvider }> {
  const provider = await openIdProvider();
  const t = await createTestApp({ env: { ...provider.env, ...env } });
  return { t, provider };
}

const invite = async (t: TestApp, person: object = {}) =>
  (
    await t.call('POST', '/licenses/api/users/', {
      body: { email: 'ana@example.com', role: 'operator', ...person },
    })
  ).body;
const who = async (t: TestApp, token: string) => (await t.call('GET', '/api/auth/user/', { token })).body;
const userOf = (t: TestApp, id: number) =>
  t.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const eventsOf = async (t: TestApp, subject: number) =>
  (await t.db.selectFrom('events').select('type').where('subject_id', '=', subject).orderBy('id').execute())
    .map(({ type }) => type)
    .filter((type) => type.startsWith('user.'));
const subjectsTo = async (t: TestApp, address: string) =>
  (await t.deliveredMail())
    .filter(({ to }) => to?.some((recipient) => recipient.address === address))
    .map(({ subject }) => subject);
/** Links the administrator of the test, who has a password, to an identity. */
async function linkAdmin(t: TestApp, provider: OpenIdProvider, somebody: typeof ANA = ANA): Promise<void> {
  const { token, cookie } = await tokenOf(t, provider, somebody);
  const linked = await t.call('POST', '/api/auth/oidc/link/', { body: { token }, headers: { cookie } });
  expect(linked.status).toBe(200);
}

describe('start', () => {
  test('leads to the issuer with code, PKCE, state and nonce, and sets an HttpOnly cookie of ten minutes', async () => {
    const { t, provider } = await withProvider();
    const { status, headers } = await t.call('GET', '/api/auth/oidc/start/', { token: null });
    expect(status).toBe(302);
    const url = new URL(String(headers.location));
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'license-manager',
      redirect_uri: 'http://127.0.0.1:3000/api/auth/oidc/callback/',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w.-]{50,}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers['set-cookie']).toMatch(
      /^lm_oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    // Nothing is stored for somebody who only begins.
    expect(await t.db.selectFrom('oidc_tokens').selectAll().execute()).toEqual([]);
  });

  test('over https the cookie is sent over https only', async () => {
    const { t } = await withProvider({ PUBLIC_URL: 'https://licencias.example.com' });
    const { headers } = await t.call('GET', '/api/auth/oidc/start/', { token: null });
    expect(headers['set-cookie']).toMatch(/^__Host-lm_oidc=[\w-]{43}; Path=\/; .*; Secure$/);
  });

  test('without an issuer all calls are 404, and one that does not answer leads to /login#oidc_error', async () => {
    const without = await createTestApp();
    for (const [method, url, body] of [
      ['GET', '/api/auth/oidc/start/'],
      ['GET', '/api/auth/oidc/callback/'],
      ['POST', '/api/auth/oidc/finish/', { token: 'x' }],
      ['POST', '/api/auth/oidc/link/', { token: 'x' }],
      ['DELETE', '/api/auth/oidc/'],
    ] as const) {
      const answer = await without.call(method, url, body ? { body } : {});
      expect([url, answer.status, answer.body.code]).toEqual([url, 404, 'not_found']);
    }
    const { t, provider } = await withProvider();
    await provider.close();
    const { status, headers } = await t.call('GET', '/api/auth/oidc/start/', { token: null });
    expect([status, headers.location, headers['set-cookie']]).toEqual([302, '/login#oidc_error', undefined]);
  });
});

describe('finish', () => {
  test('links who is invited with the same verified mail, once, and signs in by the subject from then on', async () => {
    const { t, provider } = await withProvider();
    const { id } = await invite(t);
    const { body, status, headers } = await finish(t, await tokenOf(t, provider, ANA));
    expect([status, body.message]).toEqual([200, 'Inicio de sesión exitoso']);
    expect(Object.keys(body).sort()).toEqual(['message', 'refresh_token', 'success', 'token', 'user']);
    expect(headers['set-cookie']).toMatch(/^lm_oidc=; .*Max-Age=0/);
    expect(await who(t, body.token)).toMatchObject({
      role: 'operator',
      user: { names: 'Ana', last_name: 'Ríos' },
    });
    expect(await eventsOf(t, id)).toEqual([
      'user.invited',
      'user.identity_linked',
      'user.joined',
      'user.signed_in',
    ]);
    const { body: listed } = await t.call('GET', `/licenses/api/users/${id}/`);
    expect(listed.status).toBe('active');
    expect(await subjectsTo(t, 'ana@example.com')).toContain('Tu cuenta se enlazó con Acme ID');

    // The mail changes at the issuer, and is somebody else's now.
    const renamed = { ...ANA, email: 'ana.rios@example.com', email_verified: false };
    expect((await finish(t, await tokenOf(t, provider, renamed))).body.user.id).toBe(id);
    const other = await finish(t, await tokenOf(t, provider, { ...ANA, sub: 'another' }));
    expect([other.status, other.body.code, other.body.message]).toEqual([403, 'forbidden', UNINVITED]);
  });

  test('the link of the invitation is void when its person has joined with an identity', async () => {
    const { t, provider } = await withProvider();
    const { link } = await invite(t, { names: 'Ana' });
    await finish(t, await tokenOf(t, provider, ANA));
    const answer = await t.call('POST', '/api/auth/invitation/accept/', {
      body: { token: link.split('#')[1], password: 'tres tristes tigres' },
      token: null,
    });
    expect(answer.body.code).toBe('invalid_token');
  });

  test('takes claims from userinfo where the ID token has none, and the secret in either way', async () => {
    const provider = await openIdProvider({ inIdToken: false, method: 'client_secret_post' });
    const t = await createTestApp({ env: { ...provider.env, OIDC_ROLE_CLAIM: 'role' } });
    await invite(t);
    const { body } = await finish(t, await tokenOf(t, provider, { ...ANA, role: 'viewer' } as typeof ANA));
    expect((await who(t, body.token)).role).toBe('viewer');
  });

  test.each([
    ['a mail that is not verified', { email_verified: false }],
    ['a mail of which the issuer says nothing', { email_verified: undefined }],
    ["a mail that is 'true'", { email_verified: 'true' }],
    ['another mail', { email: 'eva@example.com' }],
    ['no mail', { email: undefined }],
  ])('%s links nobody: 403', async (_name, claims) => {
    const { t, provider } = await withProvider();
    const { id } = await invite(t);
    const answer = await finish(t, await tokenOf(t, provider, { ...ANA, ...claims } as typeof ANA));
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([403, 'forbidden', UNINVITED]);
    expect((await userOf(t, id)).oidc_subject).toBeNull();
  });

  test('a mail with a letter that only looks like one of the invitation links nobody', async () => {
    const { t, provider } = await withProvider();
    await invite(t, { email: 'nick@example.com' });
    // The sign of the kelvin, which is a k in lower case.
    const answer = await finish(t, await tokenOf(t, provider, { ...ANA, email: 'nic\u212a@example.com' }));
    expect([answer.status, answer.body.message]).toEqual([403, UNINVITED]);
  });

  test('who has joined already, with a password, is not linked by a mail', async () => {
    const { t, provider } = await withProvider();
    const answer = await finish(t, await tokenOf(t, provider, { ...ANA, email: 'admin@example.com' }));
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect(
      await t.db.selectFrom('users').select('id').where('oidc_subject', 'is not', null).execute(),
    ).toEqual([]);
  });

  test('a deactivated person is 403 user_inactive, and one who was invited and deactivated 403 forbidden', async () => {
    const { t, provider } = await withProvider();
    const { id } = await invite(t);
    await t.call('POST', `/licenses/api/users/${id}/deactivate/`);
    expect((await finish(t, await tokenOf(t, provider, ANA))).body.code).toBe('forbidden');
    await t.call('POST', `/licenses/api/users/${id}/reactivate/`);
    const { body } = await finish(t, await tokenOf(t, provider, ANA));
    await t.call('POST', `/licenses/api/users/${id}/deactivate/`);
    expect((await t.call('GET', '/api/auth/user/', { token: body.token })).status).toBe(401);
    const answer = await finish(t, await tokenOf(t, provider, ANA));
    expect([answer.status, answer.body.code]).toEqual([403, 'user_inactive']);
  });

  test('the token of a callback holds for a minute, once, also of 20 calls at once', async () => {
    const { t, provider } = await withProvider();
    await invite(t);
    const stored = await tokenOf(t, provider, ANA);
    const tries = await Promise.all(Array.from({ length: 20 }, () => finish(t, stored)));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tries.filter(({ body }) => body.code === 'invalid_token')).toHaveLength(19);
    const old = await tokenOf(t, provider, ANA);
    t.clock.advance(MINUTE_MS);
    const late = await finish(t, old);
    expect([late.status, late.body.code]).toEqual([400, 'invalid_token']);
  });
});

describe('what a stranger tries', () => {
  test("another's finish token: without the cookie of its start it opens nothing, and stays good for its own browser", async () => {
    const { t, provider } = await withProvider();
    await invite(t);
    const victim = await tokenOf(t, provider, ANA);
    const stranger = await tokenOf(t, provider, { ...ANA, sub: 'eve', email: 'eve@example.com' });
    for (const cookie of ['', stranger.cookie, 'lm_oidc=short']) {
      const answer = await finish(t, { token: victim.token, cookie });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_token']);
    }
    expect((await finish(t, victim)).status).toBe(200);
  });

  const FALSE_TOKENS: [string, (provider: OpenIdProvider) => void][] = [
    ['of another issuer', (p) => setClaims(p, { iss: 'https://otro.example.com' })],
    ['for another audience', (p) => setClaims(p, { aud: 'another-client' })],
    [
      'for several audiences, of another party',
      (p) => setClaims(p, { aud: ['license-manager', 'x'], azp: 'x' }),
    ],
    ['with another nonce', (p) => setClaims(p, { nonce: 'another' })],
    ['without a nonce', (p) => setClaims(p, { nonce: undefined })],
    ['that has ended', (p) => setClaims(p, { exp: 1_700_000_000 })],
    ['without a subject', (p) => setClaims(p, { sub: undefined })],
    [
      'with alg none',
      (p) => {
        p.falsify = ({ header, payload }) => ({ header: { ...header, alg: 'none' }, payload });
      },
    ],
    [
      'with a claim changed after the signature',
      (p) => {
        p.falsifySigned = (token) => {
          const [header, payload, signature] = token.split('.') as [string, string, string];
          const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
          const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
          return `${header}.${changed}.${signature}`;
        };
      },
    ],
    [
      'signed with the secret of the client',
      (p) => {
        p.falsify = ({ header, payload }) => ({ header: { ...header, alg: 'HS256' }, payload });
      },
    ],
  ];
  const setClaims = (provider: OpenIdProvider, claims: object) => {
    provider.falsify = ({ header, payload }) => ({ header, payload: { ...payload, ...claims } });
  };

  test.each(FALSE_TOKENS)(
    'an ID token %s leads to /login#oidc_error and opens no session',
    async (_name, falsify) => {
      const { t, provider } = await withProvider();
      await invite(t);
      falsify(provider);
      const { location } = await comeBack(t, provider, ANA);
      expect(location).toBe('/login#oidc_error');
      expect(await t.db.selectFrom('oidc_tokens').selectAll().execute()).toEqual([]);
      expect(provider.exchanges).toBe(1);
      // The same without the lie.
      provider.falsify = null;
      provider.falsifySigned = null;
      expect((await finish(t, await tokenOf(t, provider, ANA))).status).toBe(200);
    },
  );

  test('an old code, a swapped or changed state, and a callback without its cookie ask nothing of the issuer, or fail there', async () => {
    const { t, provider } = await withProvider();
    await invite(t);
    const one = await comeBack(t, provider, ANA);
    expect(one.location).toMatch(/^\/login#oidc=[\w-]{43}$/);
    const again = (path: string, cookie: string) =>
      t.call('GET', path, { token: null, headers: { cookie } }).then(({ headers }) => headers.location);
    const [other, asked] = [await comeBack(t, provider, ANA), provider.exchanges];
    const codeOf = (path: string) => new URLSearchParams(path.split('?')[1]);
    const swapped = codeOf(one.path);
    swapped.set('state', codeOf(other.path).get('state')!);
    const later = codeOf(one.path);
    later.set('state', later.get('state')!.replace(/^[^.]+/, Date.now().toString(36)));
    const CALLBACK = '/api/auth/oidc/callback/';
    for (const [path, cookie] of [
      [one.path, other.cookie],
      [`${CALLBACK}?${swapped}`, one.cookie],
      [`${CALLBACK}?${later}`, one.cookie],
      [one.path, ''],
      [CALLBACK, one.cookie],
      [`${CALLBACK}?state=a&state=b&code=%00`, one.cookie],
    ] as const) {
      expect([path, await again(path, cookie)]).toEqual([path, '/login#oidc_error']);
    }
    expect(provider.exchanges).toBe(asked);
    // The right state with a code that was used.
    expect(await again(one.path, one.cookie)).toBe('/login#oidc_error');
    // Ten minutes after the start.
    const slow = await comeBack(t, provider, ANA, { wait: () => t.clock.advance(10 * MINUTE_MS + 1) });
    expect(slow.location).toBe('/login#oidc_error');
  });

  test('a refusal of the issuer leads to /login#oidc_error', async () => {
    const { t } = await withProvider();
    const start = await t.call('GET', '/api/auth/oidc/start/', { token: null });
    const cookie = String(start.headers['set-cookie']).split(';')[0]!;
    const state = new URL(String(start.headers.location)).searchParams.get('state')!;
    const path = `/api/auth/oidc/callback/?error=access_denied&state=${state}`;
    const { headers } = await t.call('GET', path, { token: null, headers: { cookie } });
    expect(headers.location).toBe('/login#oidc_error');
  });

  test('200 false tokens of an address in a quarter of an hour are the last', async () => {
    const { t } = await withProvider();
    const answers = [];
    for (let tries = 0; tries < 202; tries += 1)
      answers.push((await finish(t, { token: `false-${tries}`, cookie: '' })).status);
    expect(answers.slice(0, 200)).toEqual(Array(200).fill(400));
    expect(answers.at(-1)).toBe(429);
  });

  test('nothing of a code, a token or a secret is in the log or stored readable', async () => {
    const { t, provider } = await withProvider();
    const { token, cookie } = await tokenOf(t, provider, ANA);
    const [row] = await t.db.selectFrom('oidc_tokens').selectAll().execute();
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expect([row!.hash, row!.browser_hash]).toEqual([hash(token), hash(cookie.split('=')[1]!)]);
    expect(row!.claims).not.toMatch(/access|id_token|eyJ/);
  });
});

describe('the second factor', () => {
  async function withFactor(t: TestApp): Promise<() => string> {
    const { body } = await t.call('POST', '/api/auth/mfa/setup/', { body: { password: 'admin123' } });
    const { secret } = new TOTP({ secret: body.secret });
    const codeNow = () => TOTP.generate({ secret, timestamp: t.context.now().getTime() });
    await t.call('POST', '/api/auth/mfa/enable/', { body: { code: codeNow() } });
    return () => {
      // A code works once.
      t.clock.advance(MINUTE_MS);
      return codeNow();
    };
  }

  test.each([[['pwd']], [[]], [undefined], ['mfa']])(
    'that a person has is asked for with amr %j',
    async (amr) => {
      const { t, provider } = await withProvider();
      await linkAdmin(t, provider);
      const nextCode = await withFactor(t);
      const answer = await finish(
        t,
        await tokenOf(t, provider, { ...ANA, ...(amr && { amr }) } as typeof ANA),
      );
      expect([answer.status, answer.body.code]).toEqual([401, 'mfa_required']);
      const { mfa_token } = answer.body;
      const wrong = await t.call('POST', '/api/auth/mfa/verify/', {
        body: { mfa_token, code: '000000' },
        token: null,
      });
      expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_code']);
      const { status, body } = await t.call('POST', '/api/auth/mfa/verify/', {
        body: { mfa_token, code: nextCode() },
        token: null,
      });
      expect([status, body.user.username]).toEqual([200, 'admin']);
    },
  );

  test.each(['mfa', 'otp', 'hwk'])(
    'is not asked for with amr %s, which also satisfies require_mfa',
    async (method) => {
      const { t, provider } = await withProvider();
      await linkAdmin(t, provider);
      await t.call('PATCH', '/licenses/api/settings/', { body: { require_mfa: 'all' } });
      const weak = await finish(t, await tokenOf(t, provider, ANA));
      expect((await t.call('GET', '/licenses/api/clients/', { token: weak.body.token })).body.code).toBe(
        'mfa_setup_required',
      );
      const strong = { ...ANA, amr: ['pwd', method] } as typeof ANA;
      const { status, body } = await finish(t, await tokenOf(t, provider, strong));
      expect(status).toBe(200);
      expect((await t.call('GET', '/licenses/api/clients/', { token: body.token })).status).toBe(200);
      expect(await who(t, body.token)).toMatchObject({ mfa_setup_required: false, mfa_enabled: false });
    },
  );
});

describe('OIDC_ROLE_CLAIM', () => {
  const withRole = (role: unknown) => ({ ...ANA, role }) as typeof ANA;

  test('gives the role at each sign-in, of a list the highest, and is in the history', async () => {
    const { t, provider } = await withProvider({ OIDC_ROLE_CLAIM: 'role' });
    const { id } = await invite(t, { role: 'viewer' });
    for (const [claim, role] of [
      ['support', 'support'],
      [['viewer', 'unknown', 'operator', 'support'], 'operator'],
      ['viewer', 'viewer'],
      [['admin'], 'admin'],
      ['operator', 'operator'],
    ] as const) {
      const { body } = await finish(t, await tokenOf(t, provider, withRole(claim)));
      expect([claim, (await who(t, body.token)).role]).toEqual([claim, role]);
    }
    const changes = await t.db
      .selectFrom('events')
      .select('reason')
      .where('type', '=', 'user.updated')
      .where('subject_id', '=', id)
      .execute();
    expect(changes).toEqual(Array(5).fill({ reason: 'Rol según Acme ID' }));
  });

  test.each([[undefined], ['root'], [['x']], [{ admin: true }], [7], ['']])('%j is 403', async (claim) => {
    const { t, provider } = await withProvider({ OIDC_ROLE_CLAIM: 'role' });
    const { id } = await invite(t);
    const answer = await finish(t, await tokenOf(t, provider, withRole(claim)));
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect((await userOf(t, id)).oidc_subject).toBeNull();
  });

  test('that would take away the last administrator is not followed', async () => {
    const { t, provider } = await withProvider({ OIDC_ROLE_CLAIM: 'role' });
    await linkAdmin(t, provider);
    const { status, body } = await finish(t, await tokenOf(t, provider, withRole('viewer')));
    expect([status, (await who(t, body.token)).role]).toEqual([200, 'admin']);
    // With a second administrator it is.
    await invite(t, { email: 'eva@example.com', role: 'admin' });
    const eva = { ...ANA, sub: 'eva', email: 'eva@example.com', role: 'admin' } as typeof ANA;
    expect((await finish(t, await tokenOf(t, provider, eva))).status).toBe(200);
    const later = await finish(t, await tokenOf(t, provider, withRole('viewer')));
    expect((await who(t, later.body.token)).role).toBe('viewer');
    // Eva, who has no password, is the last one now.
    const last = await finish(t, await tokenOf(t, provider, { ...eva, role: 'support' } as typeof ANA));
    expect((await who(t, last.body.token)).role).toBe('admin');
  });

  test('with OIDC_ONLY an administrator with a password alone is not another one', async () => {
    const { t, provider } = await withProvider({ OIDC_ROLE_CLAIM: 'role', OIDC_ONLY: '1' });
    await invite(t, { role: 'admin' });
    await finish(t, await tokenOf(t, provider, withRole('admin')));
    const { body } = await finish(t, await tokenOf(t, provider, withRole('viewer')));
    expect((await who(t, body.token)).role).toBe('admin');
  });

  test('a password that does not do for an administrator ends when the claim makes one', async () => {
    const { t, provider } = await withProvider({ OIDC_ROLE_CLAIM: 'role' });
    const { body: luis } = await t.call('POST', '/api/auth/register/', {
      body: { username: 'luis', password: 'corta1', names: 'Luis', email: 'luis@example.com' },
    });
    const { token, cookie } = await tokenOf(t, provider, withRole('operator'));
    const linked = await t.call('POST', '/api/auth/oidc/link/', {
      body: { token },
      token: luis.token,
      headers: { cookie },
    });
    expect(linked.status).toBe(200);
    const { body } = await finish(t, await tokenOf(t, provider, withRole('admin')));
    expect((await who(t, body.token)).role).toBe('admin');
    expect(await signInAs(t, 'luis', 'corta1')).toBe('');
    // A session that the weak password opened becomes no administrator's.
    expect((await t.call('GET', '/api/auth/user/', { token: luis.token })).status).toBe(401);
    expect(await subjectsTo(t, 'luis@example.com')).toContain('Se quitó la contraseña de tu cuenta');
  });
});

describe('linking in Mi cuenta', () => {
  test('asks who the person is, and takes the token of the own browser, once', async () => {
    const { t, provider } = await withProvider();
    const stored = await tokenOf(t, provider, ANA);
    const link = (cookie: string, token: string | null = t.token) =>
      t.call('POST', '/api/auth/oidc/link/', { body: { token: stored.token }, headers: { cookie }, token });
    expect((await link(stored.cookie, null)).status).toBe(401);
    expect((await link('')).body.code).toBe('invalid_token');
    expect((await link(stored.cookie)).status).toBe(200);
    expect((await link(stored.cookie)).body.code).toBe('invalid_token');
    expect(await eventsOf(t, 1)).toContain('user.identity_linked');
    expect((await finish(t, await tokenOf(t, provider, ANA))).body.user.username).toBe('admin');

    t.clock.advance(10 * MINUTE_MS + 1);
    const late = await tokenOf(t, provider, ANA);
    for (const [method, url, body] of [
      ['POST', '/api/auth/oidc/link/', { token: late.token }],
      ['DELETE', '/api/auth/oidc/'],
    ] as const) {
      const answer = await t.call(method, url, { ...(body && { body }), headers: { cookie: late.cookie } });
      expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required']);
    }
  });

  test("another's identity, or a second one, is 409", async () => {
    const { t, provider } = await withProvider();
    await invite(t);
    const { body } = await finish(t, await tokenOf(t, provider, ANA));
    const link = async (somebody: typeof ANA, token: string) => {
      const stored = await tokenOf(t, provider, somebody);
      const { status, body: answer } = await t.call('POST', '/api/auth/oidc/link/', {
        body: { token: stored.token },
        headers: { cookie: stored.cookie },
        token,
      });
      return [status, answer.message];
    };
    expect(await link(ANA, t.token)).toEqual([409, 'Esta identidad ya es de otra persona']);
    expect(await link({ ...ANA, sub: 'second' }, body.token)).toEqual([
      409,
      'Tu cuenta ya tiene otra identidad: quítala primero',
    ]);
    expect(await link(ANA, body.token)).toEqual([200, 'Identidad enlazada']);
  });

  test('unlinking ends the other sessions that the identity opened, tells the person, and needs a password', async () => {
    const { t, provider } = await withProvider();
    await linkAdmin(t, provider);
    const { body } = await finish(t, await tokenOf(t, provider, ANA));
    expect((await t.call('DELETE', '/api/auth/oidc/')).status).toBe(200);
    expect((await t.call('GET', '/api/auth/user/', { token: body.token })).status).toBe(401);
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(200);
    expect((await finish(t, await tokenOf(t, provider, ANA))).body.code).toBe('forbidden');
    expect(await subjectsTo(t, 'admin@example.com')).toContain('Se quitó Acme ID de tu cuenta');
    expect((await t.call('DELETE', '/api/auth/oidc/')).body.code).toBe('not_found');

    await invite(t);
    const ana = await finish(t, await tokenOf(t, provider, ANA));
    const only = await t.call('DELETE', '/api/auth/oidc/', { token: ana.body.token });
    expect([only.status, only.body.code]).toEqual([409, 'conflict']);
  });
});

describe('a session that the issuer opened', () => {
  const createKey = (t: TestApp, token: string) =>
    t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['clients:read'] },
      token,
    });

  test('is confirmed only as long ago as the person signed in at the issuer', async () => {
    const { t, provider } = await withProvider();
    await linkAdmin(t, provider);
    const hours = { ...ANA, loginAt: Math.floor(Date.now() / 1000) - 7200 };
    const { body } = await finish(t, await tokenOf(t, provider, hours));
    expect((await createKey(t, body.token)).body.code).toBe('step_up_required');
    const fresh = await finish(t, await tokenOf(t, provider, ANA));
    expect((await createKey(t, fresh.body.token)).status).toBe(201);
  });
});

describe('a proof of identity at the issuer', () => {
  const stepUp = (t: TestApp, { token: oidc, cookie }: { token: string; cookie: string }, token = t.token) =>
    t.call('POST', '/api/auth/step-up/', { body: { oidc }, headers: { cookie }, token });
  const createKey = (t: TestApp, token = t.token) =>
    t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['clients:read'] },
      token,
    });
  const EVE = { ...ANA, sub: 'eve', email: 'eve@example.com' };

  async function unconfirmed(): Promise<{ t: TestApp; provider: OpenIdProvider }> {
    const { t, provider } = await withProvider();
    await linkAdmin(t, provider);
    await t.db.updateTable('sessions').set({ confirmed_at: null }).execute();
    expect((await createKey(t)).body.code).toBe('step_up_required');
    return { t, provider };
  }

  test('asks the issuer for a new sign-in, and confirms the session', async () => {
    const { t, provider } = await unconfirmed();
    const start = await t.call('GET', '/api/auth/oidc/start/?step_up=1', { token: null });
    const asked = new URL(String(start.headers.location)).searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
    const stored = await tokenOf(t, provider, ANA, { stepUp: true });
    expect((await stepUp(t, stored)).status).toBe(200);
    expect((await createKey(t)).status).toBe(201);
    const again = await stepUp(t, stored);
    expect([again.status, Object.keys(again.body.errors)]).toEqual([400, ['oidc']]);
  });

  test('is 400 at its field with the token of a sign-in, an old sign-in, another person, another browser', async () => {
    const { t, provider } = await unconfirmed();
    const login = await tokenOf(t, provider, ANA);
    const eve = await tokenOf(t, provider, EVE, { stepUp: true });
    const other = await tokenOf(t, provider, ANA, { stepUp: true });
    // Well before the start, and well within the ten minutes of the library.
    const before = { auth_time: Math.floor(Date.now() / 1000) - 300 };
    provider.falsify = ({ header, payload }) => ({ header, payload: { ...payload, ...before } });
    const old = await tokenOf(t, provider, ANA, { stepUp: true });
    for (const stored of [
      login,
      eve,
      { ...other, cookie: '' },
      old,
      { token: 'false', cookie: old.cookie },
    ]) {
      const answer = await stepUp(t, stored);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['oidc']]);
    }
    expect((await createKey(t)).body.code).toBe('step_up_required');
    // An issuer that does not say when, or of which it was too long ago for the library.
    for (const auth_time of [undefined, before.auth_time - 600]) {
      provider.falsify = ({ header, payload }) => ({ header, payload: { ...payload, auth_time } });
      expect((await comeBack(t, provider, ANA, { stepUp: true })).location).toBe('/login#oidc_error');
    }
    const both = await t.call('POST', '/api/auth/step-up/', { body: { oidc: 'x', password: 'admin123' } });
    expect(both.status).toBe(400);
  });

  test('takes the place of the password for somebody who has none: email and second factor', async () => {
    const { t, provider } = await withProvider();
    await invite(t);
    const required = await t.call('PATCH', '/licenses/api/settings/', { body: { require_mfa: 'all' } });
    expect(required.status).toBe(200);
    const hours = { ...ANA, loginAt: Math.floor(Date.now() / 1000) - 7200 };
    const { body } = await finish(t, await tokenOf(t, provider, hours));
    const { token } = body;
    expect(await who(t, token)).toMatchObject({
      mfa_setup_required: true,
      oidc: { name: 'Acme ID', linked: true, only: false, only_way: true },
    });
    const setup = () => t.call('POST', '/api/auth/mfa/setup/', { body: {}, token });
    expect((await setup()).body.code).toBe('step_up_required');
    expect((await stepUp(t, await tokenOf(t, provider, ANA, { stepUp: true }), token)).status).toBe(200);
    const { secret } = new TOTP({ secret: (await setup()).body.secret });
    const code = TOTP.generate({ secret, timestamp: t.context.now().getTime() });
    expect((await t.call('POST', '/api/auth/mfa/enable/', { body: { code }, token })).status).toBe(200);
    const changed = await t.call('PATCH', '/api/auth/user/', {
      body: { email: 'ana.rios@example.com' },
      token,
    });
    expect([changed.status, changed.body.user.email]).toEqual([200, 'ana.rios@example.com']);
    await t.db.updateTable('sessions').set({ confirmed_at: null }).execute();
    const late = await t.call('PATCH', '/api/auth/user/', { body: { email: 'otra@example.com' }, token });
    expect([late.status, late.body.code]).toEqual([403, 'step_up_required']);
    // Who has a password still gives it.
    const admin = await t.call('POST', '/api/auth/mfa/setup/', { body: {} });
    expect(admin.body.errors).toEqual({ password: ['La contraseña es requerida'] });
  });
});

describe('OIDC_ONLY', () => {
  test('refuses every other way in, and ends the sessions that they opened at the start', async () => {
    const { t, provider } = await withProvider();
    const { id, link } = await invite(t, { names: 'Ana' });
    await linkAdmin(t, provider, { ...ANA, sub: 'admin', email: 'admin@example.com' });
    const { body: ofIssuer } = await finish(
      t,
      await tokenOf(t, provider, { ...ANA, sub: 'admin', email: 'admin@example.com' }),
    );
    await endOtherSessions(t.context);
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(200);

    const only = { ...t.context.config, oidc: { ...t.context.config.oidc!, only: true } };
    await endOtherSessions({ ...t.context, config: only });
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(401);
    expect((await t.call('GET', '/api/auth/user/', { token: ofIssuer.token })).status).toBe(200);
    const ended = await t.db
      .selectFrom('events')
      .select('reason')
      .where('type', '=', 'session.revoked')
      .execute();
    expect(ended).toEqual([{ reason: 'Aquí solo se entra con Acme ID' }]);
    expect([id, typeof link]).toEqual([id, 'string']);
  });

  test('offers no passkeys', async () => {
    const { t } = await withProvider({ OIDC_ONLY: '1', PUBLIC_URL: 'http://localhost:3000' });
    const { body } = await t.call('GET', '/api/health/', { token: null });
    expect([body.oidc, body.passkey_origin]).toEqual([{ name: 'Acme ID', only: true }, undefined]);
  });

  test('403 forbidden', async () => {
    const { t } = await withProvider({ OIDC_ONLY: '1' });
    const { link } = await invite(t, { names: 'Ana' });
    const password = 'tres tristes tigres';
    const calls: [string, object, string | null][] = [
      ['/api/auth/login/', { username: 'admin', password: 'admin123' }, null],
      ['/api/auth/register/', { username: 'eva', names: 'Eva', email: 'eva@example.com', password }, null],
      ['/api/auth/register/', { username: 'eva', names: 'Eva', email: 'eva@example.com', password }, t.token],
      ['/api/auth/password/forgot/', { email: 'admin@example.com' }, null],
      ['/api/auth/password/reset/', { token: 'x', password }, null],
      ['/api/auth/password/change/', { current_password: 'admin123', password }, t.token],
      ['/api/auth/invitation/accept/', { token: link.split('#')[1], password }, null],
      ['/api/auth/passkeys/sign-in/options/', {}, null],
      ['/api/auth/passkeys/sign-in/', { token: 'x', response: {} }, null],
      ['/api/auth/passkeys/options/', {}, t.token],
      ['/api/auth/passkeys/', { name: 'Portátil', response: {} }, t.token],
      ['/api/auth/step-up/', { password: 'admin123' }, t.token],
      ['/api/auth/step-up/', { passkey: { token: 'x', response: {} } }, t.token],
      ['/licenses/api/users/2/reset_link/', {}, t.token],
    ];
    for (const [url, body, token] of calls) {
      const answer = await t.call('POST', url, { body, token });
      expect([url, answer.status, answer.body.code, answer.body.message]).toEqual([
        url,
        403,
        'forbidden',
        'Aquí solo se entra con Acme ID',
      ]);
    }
  });
});
