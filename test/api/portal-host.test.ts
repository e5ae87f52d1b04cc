import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense } from '../factories.ts';
import { Browser, mailedTo, setSettings } from '../portal.ts';

/** A separate host for the portal, on which no route for staff answers (PORTAL-07). */

const HOST = 'clientes.example.com';
const ENV = { PUBLIC_URL: 'https://panel.example.com', PORTAL_URL: `https://${HOST}` };

let t: TestApp;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'license-manager-portal-'));
  await mkdir(join(root, 'assets'));
  const files = {
    'index.html': '<title>Consola</title>',
    'verificar.html': '<title>¿Es auténtica?</title><script src="/assets/verify-1.js"></script>',
    'portal.html': '<title>Mis licencias</title><script src="/assets/portal-1.js"></script>',
    'pagar.html': '<title>Su pago</title><script src="/assets/pagar-1.js"></script>',
    'portal-files.json':
      '["assets/portal-1.js","assets/pagar-1.js","assets/licenses-page-1.js","assets/portal-1.css"]',
    'preloads.json': '{}',
    'mail-frame.html': '<title>Correo</title>',
    'favicon.svg': '<svg/>',
    'assets/main-1.js': 'staff',
    'assets/portal-1.js': 'void 0',
    'assets/portal-1.css': ':root{}',
    'assets/licenses-page-1.js': 'void 0',
    'assets/pagar-1.js': 'void 0',
    'assets/verify-1.js': 'void 0',
    'assets/inter-1.woff2': 'font',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  t = await createTestApp({ env: { ...ENV, WEB_DIST: root }, closeAfterTest: false });
  await setSettings(t, { portal_enabled: true });
  return async () => {
    await t.close();
    await rm(root, { recursive: true, force: true });
  };
});

const get = (url: string, host = HOST, headers: Record<string, string> = {}, app = t) =>
  app.app.inject({ method: 'GET', url, headers: { host, ...headers } });

describe('the host of the portal (PORTAL-07)', () => {
  test('serves the pages of clients and their files', async () => {
    for (const [url, title] of [
      ['/portal', 'Mis licencias'],
      ['/verificar', '¿Es auténtica?'],
      ['/verificar/ABCD-2345', '¿Es auténtica?'],
      ['/pagar/aB-3_x', 'Su pago'],
      ['/pagar/aB-3_x/prueba', 'Su pago'],
    ] as const) {
      const { statusCode, body, headers } = await get(url);
      expect([url, statusCode, body.includes(title)]).toEqual([url, 200, true]);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
    for (const url of ['/', '/portal/algo']) {
      const { statusCode, headers } = await get(url);
      expect([url, statusCode, headers.location]).toEqual([url, 302, '/portal']);
    }
    for (const file of [
      'portal-1.js',
      'pagar-1.js',
      'portal-1.css',
      'licenses-page-1.js',
      'verify-1.js',
      'inter-1.woff2',
    ]) {
      expect([file, (await get(`/assets/${file}`)).statusCode]).toEqual([file, 200]);
    }
    expect((await get('/favicon.svg')).statusCode).toBe(200);
  });

  test('serves no page and no file of staff', async () => {
    for (const url of [
      '/login',
      '/clients',
      '/dashboard',
      '/index.html',
      '/mail-frame.html',
      '/preloads.json',
      '/pagar',
      '/pagar/x/otra',
      '/pagar/x/prueba/mas',
    ]) {
      const { statusCode, body, headers } = await get(url);
      expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8']);
      expect(body).not.toContain('Consola');
    }
    expect((await get('/assets/main-1.js')).statusCode).toBe(404);
  });

  test('answers 404 to every call that is not for clients, also with a token', async () => {
    const open = new Set([
      'GET /api/health/',
      'GET /licenses/api/health/',
      'GET /licenses/api/verify/{code}/',
      'GET /licenses/api/unsubscribe/{token}/',
      'POST /licenses/api/unsubscribe/{token}/',
      'GET /licenses/api/settings/logo/',
    ]);
    const authorization = `Bearer ${t.token}`;
    for (const [path, operations] of Object.entries(apiDocument(t.app).paths)) {
      for (const method of Object.keys(operations)) {
        const call = `${method.toUpperCase()} ${path}`;
        const url = path
          .replace('{id}', '1')
          .replace('{delivery}', '1')
          .replace('{row}', '1')
          .replace(/\{\w+\}/g, 'x');
        const isOpen =
          open.has(call) ||
          path.startsWith('/licenses/api/pay/') ||
          (path.startsWith('/licenses/api/portal/') && !path.endsWith('/ticket/'));
        const answer = await t.app.inject({
          method: method.toUpperCase() as 'GET',
          url,
          headers: { host: HOST, authorization, 'x-portal': '1' },
        });
        if (isOpen) continue;
        expect([call, answer.statusCode, answer.json().code]).toEqual([call, 404, 'not_found']);
      }
    }
    for (const url of ['/api/health/', '/licenses/api/health/', '/licenses/api/portal/vendor/']) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
    }
    expect((await get('/licenses/api/portal/me/')).statusCode).toBe(401);
    expect((await get('/api/openapi.json')).statusCode).toBe(404);
    expect((await get('/api/docs/')).statusCode).toBe(404);
    expect((await get('/.well-known/jwks.json')).statusCode).toBe(404);
    const other = await t.app.inject({
      method: 'DELETE',
      url: '/licenses/api/clients/',
      headers: { host: HOST },
    });
    expect(other.statusCode).toBe(404);
  });

  test('is recognised in any case and with its port', async () => {
    for (const host of ['CLIENTES.example.com', `${HOST}:443`]) {
      expect((await get('/login', host)).statusCode).toBe(404);
    }
    for (const host of ['PANEL.example.com', 'panel.example.com:443'])
      expect((await get('/login', host)).statusCode).toBe(200);
  });
});

describe('any other host (PORTAL-07)', () => {
  const OTHERS = [
    'otro.example.com',
    `x.${HOST}`,
    `${HOST}:8443`,
    `${HOST}.`,
    'panel.example.com.',
    'panel.example.com:80',
    'panel.example.com:8443',
    'panel%2eexample.com',
    'yo@panel.example.com',
    'panel.example.com/x',
    '127.0.0.1',
    '127.0.0.1:3000',
    '[::1]:3000',
    'localhost',
  ];

  test.each(OTHERS)('%s: no page, no file and no call of staff or clients answers', async (host) => {
    for (const url of ['/', '/login', '/clients', '/portal', '/pagar/abc', '/verificar/x', '/favicon.svg']) {
      const { statusCode, body, headers } = await get(url, host);
      expect([url, statusCode, headers['content-type']]).toEqual([url, 421, 'text/html; charset=utf-8']);
      expect(body).not.toMatch(/Consola|Mis licencias|example\.com/);
    }
    const authorization = `Bearer ${t.token}`;
    for (const url of [
      '/assets/main-1.js',
      '/assets/inter-1.woff2',
      '/api/openapi.json',
      '/api/docs/',
      '/api/auth/user/',
      '/api/nada/',
      '/licenses/api/clients/',
      '/licenses/api/verify/x/',
      '/licenses/api/portal/me/',
      '/licenses/api/portal/vendor/',
    ]) {
      const { statusCode, body } = await get(url, host, { authorization });
      expect([url, statusCode, JSON.parse(body).code]).toEqual([url, 421, 'misdirected']);
    }
  });

  test('every call of the document but those of installed programs gets 421', async () => {
    const open = new Set([
      'GET /api/health/',
      'GET /licenses/api/health/',
      'GET /api/health/ready/',
      'GET /.well-known/jwks.json',
      'GET /licenses/api/catalog/',
      'POST /licenses/api/payments/{provider}/notify/',
    ]);
    const answered: string[] = [];
    for (const [path, operations] of Object.entries(apiDocument(t.app).paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const { statusCode } = await t.app.inject({
          method: method.toUpperCase() as 'GET',
          url: path.replace('{id}', '1').replace(/\{\w+\}/g, 'x'),
          headers: { host: 'otro.example.com', authorization: `Bearer ${t.token}`, 'x-portal': '1' },
        });
        const call = `${method.toUpperCase()} ${path}`;
        const isProgram = operation['x-access'] === 'license-key' || path === '/licenses/api/trial/';
        expect([call, statusCode === 421]).toEqual([call, !open.has(call) && !isProgram]);
        if (statusCode !== 421) answered.push(call);
      }
    }
    expect(answered).toEqual(expect.arrayContaining([...open]));
  });

  test('a page of another origin may ask before a call of an installed program, not before one of staff', async () => {
    const ask = (url: string) =>
      t.app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          host: '192.0.2.7',
          origin: 'https://app.example.org',
          'access-control-request-method': 'POST',
        },
      });
    const program = await ask('/licenses/api/license/validate/');
    expect([program.statusCode, program.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect((await ask('/licenses/api/clients/')).statusCode).toBe(421);
    const deletion = { method: 'DELETE', headers: { host: '192.0.2.7' } } as const;
    expect((await t.app.inject({ ...deletion, url: '/licenses/api/license/validate/' })).statusCode).toBe(
      405,
    );
    expect((await t.app.inject({ ...deletion, url: '/licenses/api/clients/' })).statusCode).toBe(421);
  });

  test('an invented X-Forwarded-Host gives no access behind a trusted proxy', async () => {
    const trusting = await createTestApp({ env: { ...ENV, WEB_DIST: root, TRUST_PROXY: '1' } });
    const authorization = `Bearer ${trusting.token}`;
    for (const [host, forwarded] of [
      ['panel.example.com', 'otro.example.com'],
      ['interno:3000', 'panel.example.com.'],
      ['interno:3000', 'panel.example.com, otro.example.com'],
      // The proxy leads the portal's name here and passes the caller's header on.
      [HOST, 'panel.example.com'],
      [HOST.toUpperCase(), 'PANEL.example.com:443'],
    ] as const) {
      const headers = { 'x-forwarded-host': forwarded, authorization };
      for (const url of ['/login', '/licenses/api/clients/'])
        expect([host, forwarded, url, (await get(url, host, headers, trusting)).statusCode]).toEqual([
          host,
          forwarded,
          url,
          421,
        ]);
      expect((await get('/api/health/', host, headers, trusting)).statusCode).toBe(200);
    }
  });

  test('a server without PORTAL_URL answers under every name', async () => {
    const alone = await createTestApp({ env: { PUBLIC_URL: ENV.PUBLIC_URL, WEB_DIST: root } });
    for (const host of OTHERS)
      expect([host, (await get('/login', host, {}, alone)).statusCode]).toEqual([host, 200]);
  });
});

describe('the checks of deploy/ (PORTAL-07)', () => {
  const FOLDER = join(import.meta.dirname, '..', '..');

  /** Sends a request as it stands, also one without a Host header, which `inject` and `fetch` always add. */
  const statusOf = async (port: number, request: string) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    return Number((await text(socket)).split(' ')[1]);
  };

  test('the check of HAProxy, which names no host, and that of the image get an answer', async () => {
    const port = Number(new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port);
    const haproxy = await readFile(join(FOLDER, 'deploy', 'haproxy', 'haproxy.cfg'), 'utf8');
    const [, check] = /^\s*option httpchk (GET \S+)$/m.exec(haproxy) ?? [];
    expect(check).toBe('GET /api/health/ready/');
    expect(await statusOf(port, `${check} HTTP/1.0\r\n\r\n`)).toBe(200);
    expect(await statusOf(port, 'GET /login HTTP/1.0\r\n\r\n')).toBe(421);
    const image = await readFile(join(FOLDER, 'Dockerfile'), 'utf8');
    const [, path] = /fetch\('http:\/\/127\.0\.0\.1:'\+process\.env\.PORT\+'([^']+)'/.exec(image) ?? [];
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
  });
});

describe('HSTS (PORTAL-07)', () => {
  const HSTS = 'strict-transport-security';

  test('follows the scheme of the host on which an answer is given', async () => {
    for (const [PUBLIC_URL, PORTAL_URL] of [
      ['http://panel.example.com', 'https://clientes.example.com'],
      ['https://panel.example.com', 'http://clientes.example.com'],
    ] as const) {
      const mixed = await createTestApp({ env: { PUBLIC_URL, PORTAL_URL, WEB_DIST: root } });
      for (const url of ['/', '/api/health/', '/licenses/api/clients/', '/nada.js'])
        for (const address of [PUBLIC_URL, PORTAL_URL]) {
          const { headers } = await get(url, new URL(address).host, {}, mixed);
          expect([address, url, HSTS in headers]).toEqual([address, url, address.startsWith('https:')]);
        }
      // Neither: a browser must not keep for a year what holds for the other address only.
      expect((await get('/api/health/', '127.0.0.1', {}, mixed)).headers).not.toHaveProperty(HSTS);
    }
    expect((await get('/api/health/', '127.0.0.1')).headers).toHaveProperty(HSTS);
  });
});

describe('the host of the console (PORTAL-07)', () => {
  test('serves the console, and redirects the pages of clients', async () => {
    const host = 'panel.example.com';
    expect((await get('/login', host)).body).toContain('Consola');
    expect((await get('/assets/main-1.js', host)).statusCode).toBe(200);
    for (const url of ['/portal', '/portal/', '/pagar/abc?x=1', '/pagar']) {
      const { statusCode, headers } = await get(url, host);
      expect([url, statusCode, headers.location]).toEqual([url, 302, `https://${HOST}${url}`]);
    }
    expect((await get('/verificar/x', host)).statusCode).toBe(200);
  });

  test('is taken from X-Forwarded-Host only behind a trusted proxy', async () => {
    const forwarded = { 'x-forwarded-host': HOST };
    expect((await get('/login', 'panel.example.com', forwarded)).statusCode).toBe(200);
    const trusting = await createTestApp({ env: { ...ENV, WEB_DIST: root, TRUST_PROXY: '1' } });
    expect((await get('/login', 'interno:3000', forwarded, trusting)).statusCode).toBe(404);
    expect((await get('/login', 'interno:3000', {}, trusting)).statusCode).toBe(421);
    const own = { 'x-forwarded-host': 'panel.example.com' };
    expect((await get('/login', 'interno:3000', own, trusting)).statusCode).toBe(200);
  });
});

test('links in mails, tickets, certificates and unsubscribe pages use the portal host', async () => {
  const { email, id } = await createClient(t);
  const license = await createLicense(t, { client: id });
  await t.call('POST', '/licenses/api/installations/', {
    token: null,
    body: { license_key: license.license_key, machine_id: 'caja' },
  });
  const browser = new Browser(t, { host: HOST });
  const { headers } = await browser.ask(email);
  expect(String(headers['set-cookie'])).toMatch(/^__Host-lm_ask=.*; Secure$/);
  const { code, text: mail } = await mailedTo(t, email);
  expect(mail).toContain(`https://${HOST}/portal#t=`);
  await browser.verify({ code });
  await createLicense(t, { client: id });
  const page = await browser.call('GET', 'licenses/?page=1&page_size=1');
  expect(page.body.next).toMatch(new RegExp(`^https://${HOST}/licenses/api/portal/licenses/\\?`));
  const certificate = await browser.call('POST', `licenses/${license.id}/certificate/`, { body: {} });
  expect(certificate.body.url).toMatch(new RegExp(`^https://${HOST}/verificar/`));
  const ticket = await t.call('POST', '/licenses/api/portal/ticket/', {
    token: null,
    body: { license_key: license.license_key, machine_id: 'caja' },
  });
  expect(ticket.body.url).toMatch(new RegExp(`^https://${HOST}/portal#k=`));
  const view = await t.call('POST', `/licenses/api/clients/${id}/portal/view/`);
  expect(view.body.url).toMatch(new RegExp(`^https://${HOST}/portal#k=`));
});

test('a cookie is secure depending on the host that it is for', async () => {
  const mixed = await createTestApp({
    env: { PUBLIC_URL: 'http://panel.example.com', PORTAL_URL: 'https://clientes.example.com' },
  });
  await setSettings(mixed, { portal_enabled: true });
  const there = await new Browser(mixed, { host: HOST }).ask('a@example.com');
  expect(String(there.headers['set-cookie'])).toMatch(/^__Host-/);
  const here = await new Browser(mixed, { host: 'panel.example.com' }).ask('a@example.com');
  expect(String(here.headers['set-cookie'])).toMatch(/^lm_ask=/);
});

test.each(['https://clientes.example.com/portal', 'clientes.example.com', 'ftp://x.example.com', '*'])(
  'PORTAL_URL %s is refused as no origin',
  (PORTAL_URL) => {
    expect(() => readConfig({ DEMO: '1', PORTAL_URL })).toThrow(/PORTAL_URL: debe ser/);
  },
);

test('PORTAL_URL must be another host than PUBLIC_URL, and with it the server counts as public (D140)', () => {
  const PORTAL_URL = 'https://a.example.com';
  expect(() => readConfig({ DEMO: '1', PUBLIC_URL: `${PORTAL_URL}/`, PORTAL_URL })).toThrow(
    /PORTAL_URL: es la dirección de PUBLIC_URL/,
  );
  expect(() => readConfig({ PORTAL_URL })).toThrow(/PORTAL_URL: el servidor no es solo de este equipo/);
  const { clientUrl, publicUrl } = readConfig({ DEMO: '1', PUBLIC_URL: 'https://b.example.com', PORTAL_URL });
  expect([clientUrl, publicUrl]).toEqual([PORTAL_URL, 'https://b.example.com']);
});
