import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTestApp } from '../app.ts';

const PAGE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
/** The headers of answers with data: if a browser opens one as a page, it cannot run or load anything. */
const DATA = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

test('every page has the same strict content security policy, 404 pages included (promises)', async () => {
  const testApp = await createTestApp();
  for (const url of ['/', '/login', '/clients/7', '/api/docs/', '/api/docs/style.css', '/nada.js']) {
    const answer = await testApp.call('GET', url);
    expect(answer.headers, url).toMatchObject(PAGE);
  }
});

test('every API answer, errors included, forbids scripts and embedding (promises)', async () => {
  const testApp = await createTestApp();
  for (const url of [
    '/api/health/',
    '/licenses/api/clients/',
    '/licenses/api/clients/export/',
    '/licenses/api/clients/0/',
    '/api/nada/',
  ]) {
    const answer = await testApp.call('GET', url);
    expect(answer.headers, url).toMatchObject(DATA);
  }
});

test('API answers are not cached (promises)', async () => {
  const testApp = await createTestApp();
  for (const url of [
    '/api/auth/user/',
    '/licenses/api/clients/',
    '/licenses/api/clients/export/',
    '/api/nada/',
  ]) {
    const answer = await testApp.call('GET', url);
    expect(answer.headers['cache-control'], url).toBe('no-store');
  }
});

test('HSTS is sent only with an https address (promises)', async () => {
  const plain = await createTestApp();
  expect((await plain.call('GET', '/api/health/')).headers).not.toHaveProperty('strict-transport-security');
  const secure = await createTestApp({ env: { PUBLIC_URL: 'https://licencias.example.com' } });
  expect((await secure.call('GET', '/api/health/')).headers['strict-transport-security']).toBe(
    'max-age=31536000',
  );
});

test('an answer that is written directly to the socket has the same headers as every other (promises)', async () => {
  const { app } = await createTestApp({ env: { PUBLIC_URL: 'https://licencias.example.com' } });
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const refused = [
    'SIN SENTIDO\r\n\r\n',
    `GET /api/health/ HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  ];
  for (const request of refused) {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.toLowerCase().split(': ')),
    );
    expect(headers, request).toMatchObject({ ...DATA, 'strict-transport-security': 'max-age=31536000' });
  }
});

test('the pages of the API reference are revalidated each time', async () => {
  const { call } = await createTestApp();
  for (const url of ['/api/docs/', '/api/docs/style.css', '/api/openapi.json'])
    expect((await call('GET', url, { token: null })).headers['cache-control'], url).toBe('no-cache');
});

test('the API document forbids scripts and embedding (promises)', async () => {
  const { call } = await createTestApp();
  const { headers } = await call('GET', '/api/openapi.json', { token: null });
  expect(headers).toMatchObject({ ...DATA, 'cache-control': 'no-cache' });
});

test('only its owner can read the data folder (promises)', async () => {
  const testApp = await createTestApp();
  const { mode } = await stat(testApp.context.config.dataDir);
  expect((mode & 0o777).toString(8)).toBe('700');
});

test('X-Forwarded-For counts only with TRUST_PROXY (promises)', async () => {
  const guess = (testApp: Awaited<ReturnType<typeof createTestApp>>, address: string) =>
    testApp.call('POST', '/licenses/api/license/validate/', {
      token: null,
      headers: { 'x-forwarded-for': address },
      body: { license_key: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', machine_id: 'x' },
    });
  const lastStatus = async (env: Record<string, string>) => {
    const testApp = await createTestApp({ env });
    let status = 0;
    for (let index = 0; index <= 20; index += 1) status = (await guess(testApp, `203.0.113.${index}`)).status;
    return status;
  };
  // Without TRUST_PROXY the header is ignored, so 21 unknown keys count for one address. With it, they count for 21.
  expect(await lastStatus({})).toBe(429);
  expect(await lastStatus({ TRUST_PROXY: '1' })).toBe(200);
});

test('files outside the console are not served', async () => {
  const testApp = await createTestApp();
  for (const url of [
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/%2e%2e%2findex.html',
  ]) {
    const answer = await testApp.call('GET', url);
    expect(answer.text, url).not.toContain('"dependencies"');
  }
});
