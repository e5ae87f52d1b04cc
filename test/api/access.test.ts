import { beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS, type Permission, ROLE_PERMISSIONS } from '../../contract/people/permissions.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { createTestApp, signInAs, type TestApp } from '../app.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';

/** Access control (docs/promises.md, D009): every route, with every kind of invalid token. */

type Route = { method: string; path: string; url: string; access: string };

let app: TestApp;
let routes: Route[];
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  routes = Object.entries(apiDocument(app.app).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      url: path
        .replace('{id}', '1')
        .replace('{delivery}', '1')
        .replace('{row}', '1')
        .replace('{kind}', 'digest'),
      access: operation['x-access'],
    })),
  );
  return app.close;
});

/** Calls with the cookie of the client portal have separate tests (server/features/portal). */
const asksForToken = (access: string) => !['anyone', 'license-key', 'client'].includes(access);

const namesOf = (access: string) =>
  routes.filter((route) => route.access === access).map(({ method, path }) => `${method} ${path}`);

test('only the routes listed here are open without a session (D009, SEED-6-01)', () => {
  expect(namesOf('anyone').sort()).toEqual([
    'GET /.well-known/jwks.json',
    'GET /api/auth/oidc/callback/',
    'GET /api/auth/oidc/start/',
    'GET /api/health/',
    'GET /api/health/ready/',
    'GET /licenses/api/catalog/',
    'GET /licenses/api/health/',
    'GET /licenses/api/pay/{code}/',
    'GET /licenses/api/pay/{code}/receipt/',
    'GET /licenses/api/portal/vendor/',
    'GET /licenses/api/settings/logo/',
    'GET /licenses/api/unsubscribe/{token}/',
    'GET /licenses/api/verify/{code}/',
    'POST /api/auth/first-admin/',
    'POST /api/auth/invitation/accept/',
    'POST /api/auth/link/',
    'POST /api/auth/login/',
    'POST /api/auth/mfa/verify/',
    'POST /api/auth/oidc/finish/',
    'POST /api/auth/passkeys/sign-in/',
    'POST /api/auth/passkeys/sign-in/options/',
    'POST /api/auth/password/forgot/',
    'POST /api/auth/password/reset/',
    'POST /api/auth/refresh/',
    'POST /api/auth/register/',
    'POST /licenses/api/pay/{code}/check/',
    'POST /licenses/api/pay/{code}/checkout/',
    'POST /licenses/api/pay/{code}/demo/',
    'POST /licenses/api/pay/{code}/notice/',
    'POST /licenses/api/payments/{provider}/notify/',
    'POST /licenses/api/portal/sign-in/',
    'POST /licenses/api/portal/sign-in/verify/',
    'POST /licenses/api/trial/',
    'POST /licenses/api/unsubscribe/{token}/',
  ]);
  expect(namesOf('license-key').sort()).toEqual([
    'POST /licenses/api/installation/heartbeat/',
    'POST /licenses/api/installations/',
    'POST /licenses/api/installations/release/',
    'POST /licenses/api/license/validate/',
    'POST /licenses/api/portal/ticket/',
    'POST /licenses/api/usage/',
  ]);
});

/** RFC 6750, section 3: the challenge of a 401 differs for a missing and an invalid token. */
const NO_TOKEN = 'Bearer realm="License Manager"';
const BAD_TOKEN = 'Bearer realm="License Manager", error="invalid_token"';

describe('every other route answers 401', () => {
  const bodies = async (t: TestApp, headers: Record<string, string>) => {
    const answers = [];
    for (const { method, url, access } of routes) {
      if (!asksForToken(access)) continue;
      const answer = await t.call(method, url, { token: null, headers });
      answers.push([method, url, answer.status, answer.body, answer.headers['www-authenticate']]);
    }
    return answers;
  };
  const unauthorized = (challenge = BAD_TOKEN) =>
    routes
      .filter(({ access }) => asksForToken(access))
      .map(({ method, url }) => [
        method,
        url,
        401,
        { success: false, code: 'unauthorized', message: 'Unauthorized' },
        challenge,
      ]);

  test.each([
    ['without a token', {}, NO_TOKEN],
    ['with a token that nobody was given', { authorization: `Bearer ${'x'.repeat(43)}` }, BAD_TOKEN],
    ['with another scheme', { authorization: 'Basic YWRtaW46YWRtaW4xMjM=' }, NO_TOKEN],
    ['with an empty token', { authorization: 'Bearer ' }, NO_TOKEN],
    ['with a token of invalid characters', { authorization: "bearer ' or 1=1 --" }, BAD_TOKEN],
    ['with a very long token', { authorization: `Bearer ${'a'.repeat(5000)}` }, BAD_TOKEN],
  ])('without a token: %s (SEED-7-02)', async (_what, headers, challenge) => {
    expect(await bodies(app, headers as Record<string, string>)).toEqual(unauthorized(challenge));
  });

  test('an expired token gets 401', async () => {
    const t = await createTestApp({ now: '2026-05-01T00:00:00Z' });
    t.clock.advance(15 * 60_000);
    expect(await bodies(t, { authorization: `Bearer ${t.token}` })).toEqual(unauthorized());
  });

  test('a token gets 401 after sign-out (SEED-7.1-02)', async () => {
    const t = await createTestApp();
    await t.call('POST', '/api/auth/logout/');
    expect(await bodies(t, { authorization: `Bearer ${t.token}` })).toEqual(unauthorized());
  });

  test('a token of a deactivated user gets 401 (D042)', async () => {
    const t = await createTestApp();
    await t.db.updateTable('users').set({ is_active: false }).execute();
    expect(await bodies(t, { authorization: `Bearer ${t.token}` })).toEqual(unauthorized());
  });

  test('a refresh token gets 401', async () => {
    const t = await createTestApp();
    const { body } = await t.call('POST', '/api/auth/login/', {
      token: null,
      body: { username: 'admin', password: 'admin123' },
    });
    expect(await bodies(t, { authorization: `Bearer ${body.refresh_token}` })).toEqual(unauthorized());
  });
});

test('a 401 of a public route asks for a token and does not say that one is invalid', async () => {
  const refused = [
    await app.call('POST', '/api/auth/login/', { token: null, body: { username: 'nadie', password: 'x' } }),
    await app.call('POST', '/api/auth/login/', { body: { username: 'nadie', password: 'x' } }),
    await app.call('POST', '/api/auth/refresh/', { token: null, body: { refresh_token: 'nada' } }),
  ];
  expect(refused.map(({ status, headers }) => [status, headers['www-authenticate']])).toEqual(
    Array(3).fill([401, NO_TOKEN]),
  );
  const { headers } = await app.call('GET', '/api/auth/user/');
  expect(headers).not.toHaveProperty('www-authenticate');
});

test('an operator may call every route except those for administrators (SEED-6-01, SEED-6-02, PEOPLE-02)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const t = await createTestApp();
  await t.call('POST', '/api/auth/register/', {
    body: { username: 'segunda', password: 'secreta1', names: 'Segunda', email: 'segunda@example.com' },
  });
  const token = await signInAs(t, 'segunda', 'secreta1');
  for (const { method, url, access } of routes) {
    if (!asksForToken(access) || url.endsWith('/logout/')) continue;
    const { status } = await t.call(method, url, { token });
    // Without a filter by client or licence, the list of events is the audit.
    const needed = url.startsWith('/licenses/api/events/') ? 'audit:read' : (access as Permission);
    const refused = PERMISSIONS.includes(needed) && !ROLE_PERMISSIONS.operator.has(needed);
    expect([method, url, [401, 403].includes(status)]).toEqual([method, url, refused]);
  }
});

test('public routes ignore an invalid token', { tags: [POSTGRES_AT_NIGHT] }, async () => {
  const headers = { authorization: 'Bearer nothing' };
  for (const { method, url, access } of routes) {
    if (asksForToken(access) || access === 'client') continue;
    const { status } = await app.call(method, url, { token: null, headers });
    expect([method, url, status === 401 && !url.includes('refresh')]).toEqual([method, url, false]);
  }
});
