import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    for (const host of [`${HOST}:8443`, `x.${HOST}`])
      expect((await get('/login', host)).statusCode).toBe(200);
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
    expect((await get('/login', 'interno:3000', {}, trusting)).statusCode).toBe(200);
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
  const { code, text } = await mailedTo(t, email);
  expect(text).toContain(`https://${HOST}/portal#t=`);
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
