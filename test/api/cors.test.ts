import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { createLicense } from '../factories.ts';

/** Which answers pages of another origin may read (API-06). */

const PANEL = 'https://panel.example.com';
const OTHER = 'https://otro.example.net';
const CLIENTS = '/licenses/api/clients/';
const ACTIVATION = '/licenses/api/installations/';
const HEARTBEAT = '/licenses/api/installation/heartbeat/';
const VALIDATION = '/licenses/api/license/validate/';
const KEYS = '/.well-known/jwks.json';

const withPanel = () => createTestApp({ env: { CORS_ORIGINS: `${PANEL}, http://localhost:5173` } });
const corsOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
/** Called directly, because the API document has no OPTIONS. */
const options = async (t: TestApp, url: string, headers: Record<string, string> = {}) => {
  const { statusCode, ...answer } = await t.app.inject({ method: 'OPTIONS', url, headers });
  return { status: statusCode, headers: answer.headers, text: answer.body };
};
const preflight = (t: TestApp, url: string, origin: string, method: string) =>
  options(t, url, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type',
  });
const EXPOSED =
  'ETag, Retry-After, X-Request-Id, Idempotency-Replayed, Content-Disposition, Allow, Preference-Applied, WWW-Authenticate';

describe('the calls of programs', () => {
  test.each([VALIDATION, ACTIVATION, HEARTBEAT])(
    'POST %s can be called from any origin, and its refusals can be read too (API-06)',
    async (path) => {
      const t = await createTestApp();
      const { license_key } = await createLicense(t);
      const send = (body: unknown, origin: string) =>
        t.call('POST', path, { token: null, body, headers: { origin } });
      for (const origin of [OTHER, 'null', 'http://localhost:8080']) {
        for (const body of [
          { license_key, machine_id: 'web' },
          { license_key: 'x', machine_id: 'web' },
          {},
        ]) {
          const { headers } = await send(body, origin);
          expect(corsOf(headers)).toEqual({
            'access-control-allow-origin': '*',
            'access-control-expose-headers': EXPOSED,
          });
        }
      }
    },
  );

  test.each([VALIDATION, ACTIVATION, HEARTBEAT])(
    'a preflight of POST %s is answered at once (API-06)',
    async (path) => {
      const t = await createTestApp();
      const { status, headers, text } = await preflight(t, path, OTHER, 'POST');
      expect([status, text]).toEqual([204, '']);
      expect(corsOf(headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Content-Type, Prefer, X-Request-Id',
        'access-control-max-age': '7200',
      });
    },
  );

  test('the public keys can be read by any page, also from a cache (API-06)', async () => {
    const t = await createTestApp();
    for (const headers of [{}, { origin: OTHER }] as Record<string, string>[]) {
      const answer = await t.call('GET', KEYS, { token: null, headers });
      expect([answer.status, answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual([
        200,
        '*',
        undefined,
      ]);
    }
  });
});

describe('the calls of staff', () => {
  test('allow only the origins of CORS_ORIGINS, without credentials (API-06)', async () => {
    const t = await withPanel();
    for (const path of [CLIENTS, ACTIVATION, '/licenses/api/clients/999/', '/licenses/api/nada/']) {
      for (const origin of [PANEL, 'http://localhost:5173']) {
        const { headers } = await t.call('GET', path, { headers: { origin } });
        expect([path, corsOf(headers)]).toEqual([
          path,
          { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' },
        ]);
      }
      for (const origin of [
        OTHER,
        'null',
        'https://panel.example.com.evil.net',
        'http://panel.example.com',
        `${PANEL}:8443`,
      ]) {
        const { headers } = await t.call('GET', path, { headers: { origin } });
        expect([origin, corsOf(headers)]).toEqual([origin, { vary: 'Origin' }]);
      }
    }
    const refused = await t.call('GET', CLIENTS, { token: null, headers: { origin: PANEL } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, PANEL]);
    const wrong = await t.call('TRACE', CLIENTS, { headers: { origin: PANEL } });
    expect([wrong.status, wrong.headers['access-control-allow-origin']]).toEqual([405, PANEL]);
  });

  test('a preflight lists the methods of the path, and nothing for another origin (API-06)', async () => {
    const t = await withPanel();
    const allowed = await preflight(t, CLIENTS, PANEL, 'POST');
    expect([allowed.status, corsOf(allowed.headers)]).toEqual([
      204,
      {
        'access-control-allow-origin': PANEL,
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers':
          'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Request-Id',
        'access-control-max-age': '7200',
        vary: 'Origin',
      },
    ]);
    const refused = await preflight(t, CLIENTS, OTHER, 'POST');
    expect([refused.status, corsOf(refused.headers)]).toEqual([204, { vary: 'Origin' }]);
    expect((await preflight(t, '/licenses/api/nada/', PANEL, 'GET')).status).toBe(404);
  });

  test('on a path that programs also call, each method has a separate preflight answer (API-06)', async () => {
    const t = await withPanel();
    const origins = async (origin: string, method: string) =>
      (await preflight(t, ACTIVATION, origin, method)).headers['access-control-allow-origin'];
    expect([await origins(OTHER, 'POST'), await origins(OTHER, 'GET')]).toEqual(['*', undefined]);
    expect([await origins(PANEL, 'POST'), await origins(PANEL, 'GET')]).toEqual(['*', PANEL]);
  });
});

test('without CORS_ORIGINS, without an Origin, and outside the API there is no CORS header (API-06)', async () => {
  const plain = await createTestApp();
  const panel = await withPanel();
  for (const [t, path, headers] of [
    [plain, CLIENTS, { origin: PANEL }],
    [plain, '/api/health/', { origin: PANEL }],
    [panel, CLIENTS, {}],
    [panel, '/', { origin: PANEL }],
    [panel, '/api/docs/', { origin: PANEL }],
  ] as const) {
    const answer = await t.call('GET', path, { headers });
    expect([path, Object.keys(corsOf(answer.headers)).filter((name) => name !== 'vary')]).toEqual([path, []]);
  }
  const { status, headers } = await options(plain, CLIENTS);
  expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
});

test('the links next and previous are absolute when PUBLIC_URL is set (API-06)', async () => {
  const relative = await createTestApp();
  const absolute = await createTestApp({ env: { PUBLIC_URL: 'https://licencias.example.com/' } });
  for (const [t, before] of [
    [relative, ''],
    [absolute, 'https://licencias.example.com'],
  ] as const) {
    for (let index = 0; index < 3; index += 1) {
      const { license_key } = await createLicense(t);
      const body = { license_key, machine_id: `m-${index}` };
      await t.call('POST', ACTIVATION, { body, token: null });
      const user = {
        username: `u-${index}x`,
        names: 'Eva',
        email: `eva${index}@example.com`,
        role: 'viewer',
      };
      await t.call('POST', '/licenses/api/users/', { body: user });
      await t.call('POST', '/licenses/api/license-types/', {
        body: { name: `Tipo ${index}`, base_price: 5, max_installations: 1, validity_days: 5 },
      });
    }
    for (const list of [
      'clients',
      'software',
      'license-types',
      'licenses',
      'installations',
      'users',
      'mails',
    ]) {
      const url = (page: number) => `${before}/licenses/api/${list}/?page=${page}&page_size=1`;
      const { body } = await t.call('GET', `/licenses/api/${list}/?page=2&page_size=1`);
      const next = body.next.replace(/&after=[\w-]+$/, '');
      expect([list, next, body.previous]).toEqual([list, url(3), url(1)]);
    }
  }
});
