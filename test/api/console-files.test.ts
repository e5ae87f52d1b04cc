import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../app.ts';

/** An application that serves a console with a few files. */
async function appWithConsole() {
  const root = await mkdtemp(join(tmpdir(), 'license-manager-console-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'index.html'), '<title>Consola</title>');
  await writeFile(join(root, 'verificar.html'), '<title>¿Es auténtica?</title>');
  await writeFile(join(root, 'portal.html'), '<title>Mis licencias</title>');
  await writeFile(join(root, 'favicon.svg'), '<svg/>');
  await writeFile(join(root, 'mail-frame.html'), '<title>Correo</title>');
  await writeFile(join(root, 'assets', 'main-a1b2.js'), 'void 0');
  await writeFile(join(root, 'assets', 'main-a1b2.css'), ':root{}');
  await writeFile(join(root, 'preloads.json'), '{"/clients":["assets/main-a1b2.js"]}');
  return createTestApp({ env: { WEB_DIST: root } });
}

test('the page of a screen lists its files in a Link header', async () => {
  const t = await appWithConsole();
  const link = '</assets/main-a1b2.js>; rel=modulepreload; crossorigin';
  for (const [url, expected] of [
    ['/clients?q=ana', link],
    ['/clients/7', link],
    ['/', undefined],
    ['/nada', undefined],
  ] as const) {
    const { headers } = await t.call('GET', url);
    expect([url, headers.link]).toEqual([url, expected]);
  }
});

test('paths that are neither files nor API return the console’s page without caching (D037)', async () => {
  const t = await appWithConsole();
  for (const url of ['/', '/login', '/clients/7?tab=licenses', '/nada/mas', '/index.html', '/v1.0/clients']) {
    const { status, headers, text } = await t.call('GET', url);
    expect([url, status, headers['cache-control'], text]).toEqual([
      url,
      200,
      'no-cache',
      '<title>Consola</title>',
    ]);
  }
  const head = await t.call('HEAD', '/clients');
  expect([head.status, head.headers['content-type'], head.text]).toEqual([
    200,
    'text/html; charset=utf-8',
    '',
  ]);
});

test('the public page that checks a certificate is a separate page (LIFE-12)', async () => {
  const t = await appWithConsole();
  for (const url of ['/verificar', '/verificar/ABCD-2345-EFGH-6789', '/verificar/x?y=1']) {
    const { status, headers, text } = await t.call('GET', url, { token: null });
    expect([url, status, headers['cache-control'], headers.link, text]).toEqual([
      url,
      200,
      'no-cache',
      undefined,
      '<title>¿Es auténtica?</title>',
    ]);
  }
  expect((await t.call('GET', '/verificaron')).text).toBe('<title>Consola</title>');
});

test('the portal is a separate page that cannot be embedded, and every address below it returns that page (PORTAL-02)', async () => {
  const t = await appWithConsole();
  for (const url of ['/portal', '/portal?licencia=7']) {
    const { status, headers, text } = await t.call('GET', url, { token: null });
    expect([url, status, headers['cache-control'], headers.link, text]).toEqual([
      url,
      200,
      'no-cache',
      undefined,
      '<title>Mis licencias</title>',
    ]);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
  for (const url of ['/portal/', '/portal/nada', '/portal/a/b?c=1']) {
    const { status, headers } = await t.call('GET', url, { token: null });
    expect([url, status, headers.location]).toEqual([url, 302, '/portal']);
  }
  expect((await t.call('GET', '/portales')).text).toBe('<title>Consola</title>');
});

test('existing files are served, and an unknown file name gets 404 (D037)', async () => {
  const t = await appWithConsole();
  const icon = await t.call('GET', '/favicon.svg?v=2');
  expect([icon.status, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    'no-cache',
  ]);
  for (const url of ['/otro.svg', '/robots.txt', '/clients/favicon.svg', '/assets/no.js']) {
    const { status, body } = await t.call('GET', url);
    expect([url, status, body.code]).toEqual([url, 404, 'not_found']);
  }
});

test('files with a hash in the name are cached for a year', async () => {
  const t = await appWithConsole();
  for (const name of ['main-a1b2.js', 'main-a1b2.css']) {
    const { status, headers } = await t.call('GET', `/assets/${name}?x`);
    expect([name, status, headers['cache-control']]).toEqual([
      name,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a %s on a page of the console gets 404 in JSON',
  async (method) => {
    const t = await appWithConsole();
    const { status, body } = await t.call(method, '/clients', { body: {} });
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);

test('without a built console the API answers and every page gets 404', async () => {
  const t = await createTestApp({ env: { WEB_DIST: join(tmpdir(), 'license-manager-no-console') } });
  for (const url of ['/', '/login', '/assets/main.js']) {
    const { status, body } = await t.call('GET', url);
    expect([url, status, body.code]).toEqual([url, 404, 'not_found']);
  }
  expect((await t.call('GET', '/api/health/', { token: null })).status).toBe(200);
});

test('only the console can embed the page that shows a mail, and no script runs in it (MAIL-04)', async () => {
  const t = await appWithConsole();
  const { headers } = await t.call('GET', '/mail-frame.html');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; img-src * data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  );
  expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  expect((await t.call('GET', '/otra.html')).status).toBe(404);
});
