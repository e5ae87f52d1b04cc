import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';

/** Malformed requests: paths, methods, bodies, headers (docs/promises.md, Under load). */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ ownApp: true, closeAfterTest: false });
  return app.close;
});

describe('a malformed request', () => {
  const call = (method: string, url: string, options: Parameters<TestApp['call']>[2] = {}) =>
    app.call(method, url, options);

  test.each([
    '/api/nada/',
    '/licenses/api/nada/',
    '/licenses/api/clients/abc/',
    '/licenses/api/clients/1/nada/',
    '/licenses/api/clients/1%2F2/',
    '/licenses/api/clients/-1/',
    '/licenses/api/license-types/export/',
    '/api',
    '/licenses/api',
    '/licenses/api/..%2f..%2fetc/passwd',
  ])('%s is a 404 in JSON, never a page (D037)', async (url) => {
    const { status, headers, body } = await call('GET', url);

    expect([url, status, body]).toEqual([
      url,
      404,
      { success: false, code: 'not_found', message: expect.any(String) },
    ]);
    expect(headers['content-type']).toContain('application/json');
  });

  test.each(['9007199254740993', '9'.repeat(25), '9'.repeat(190)])('an id of %s gets 404', async (id) => {
    for (const entity of ['clients', 'software', 'license-types', 'licenses', 'installations']) {
      expect((await call('GET', `/licenses/api/${entity}/${id}/`)).status).toBe(404);
      expect((await call('DELETE', `/licenses/api/${entity}/${id}/`)).status).toBe(404);
    }
  });

  test('a malformed escape in the path is not a 500', async () => {
    for (const url of ['/licenses/api/clients/%/', '/licenses/api/clients/%ff/', '/api/%c0%af/']) {
      const { status, body } = await call('GET', url);
      expect([url, [400, 404].includes(status), body.success]).toEqual([url, true, false]);
    }
  });

  test('an unsupported method gets 405 with the allowed ones', async () => {
    const { status, headers, body } = await call('POST', '/licenses/api/clients/1/', { body: {} });

    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(String(headers.allow).split(', ')).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PUT']));
    expect((await call('DELETE', '/api/auth/login/')).status).toBe(405);
    expect((await call('GET', '/licenses/api/license/validate/')).status).toBe(405);
  });

  test('a body of more than 100 kB gets 413', async () => {
    const { status, body } = await call('POST', '/licenses/api/clients/', {
      payload: JSON.stringify({ name: 'x'.repeat(101 * 1024) }),
    });
    expect([status, body]).toEqual([413, { success: false, code: 'too_large', message: expect.any(String) }]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])('a body of type %s is a 415', async (contentType) => {
    const { status, body } = await call('POST', '/licenses/api/clients/', {
      payload: '{"name":"a"}',
      headers: { 'content-type': contentType },
    });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each(['{', '{"a":}', 'no', '{"name":"a"} x', '\ufeff{', "{'name':'a'}"])(
    'the body %j is refused as no JSON',
    async (payload) => {
      const { status, body } = await call('POST', '/licenses/api/clients/', { payload });
      expect([status, body.code]).toEqual([400, 'invalid']);
      expect(body.errors).toHaveProperty('body');
    },
  );

  test.each([
    [1000, ''],
    [4000, ',"a":"constructor"'],
    [8000, ',"a":"constructor"'],
    [20_000, ',"a":"constructor"'],
    [45_000, ',"constructor":1'],
  ])('a body with lists nested %d deep%s gets 400', async (depth, more) => {
    const payload = `{"notes":${'['.repeat(depth)}${']'.repeat(depth)}${more}}`;
    const { status, body } = await call('POST', '/licenses/api/clients/', { payload });
    expect([status, body.code]).toEqual([400, 'invalid']);
  });

  test('a repeated parameter is a field error or is ignored', async () => {
    const twice = await call('GET', '/licenses/api/clients/?status=active&status=inactive');
    expect([twice.status, Object.keys(twice.body.errors)]).toEqual([400, ['status']]);
    expect((await call('GET', '/licenses/api/clients/?page=1&page=2')).status).toBe(400);
    expect((await call('GET', '/licenses/api/clients/?otro=1&otro=2&__proto__=1')).status).toBe(200);
  });

  test.each(['0', '-1', '1.5', 'uno', '1e3', '99999999999', '٣'])(
    'a page of %s gets 404 (D045)',
    async (page) => {
      const { status, body } = await call('GET', `/licenses/api/clients/?page=${encodeURIComponent(page)}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  test.each([
    ['0', 1],
    ['-5', 1],
    ['101', 100],
    ['1000000', 100],
    ['muchas', 5],
    ['1e3', 5],
  ])('a page size of %s is read as %d (D045)', async (asked, size) => {
    const { status, body } = await call('GET', `/licenses/api/clients/?page_size=${asked}`);
    expect([status, body.page_size]).toEqual([200, size]);
  });

  test('a search of more than 100 characters is refused', async () => {
    const search = (length: number) => call('GET', `/licenses/api/clients/?search=${'x'.repeat(length)}`);
    expect([(await search(100)).status, (await search(101)).status]).toEqual([200, 400]);
  });

  test('headers of more than 16 kB get 431 and an invalid request 400, with the standard error body', async () => {
    const { port } = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }));
    const long = `GET /api/health/ HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;

    const [tooLarge, nonsense] = [
      await raw(Number(port), long),
      await raw(Number(port), 'SIN SENTIDO\r\n\r\n'),
    ];

    expect(tooLarge).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(tooLarge.split('\r\n\r\n')[1]!)).toMatchObject({
      success: false,
      code: 'headers_too_large',
    });
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(nonsense.split('\r\n\r\n')[1]!)).toMatchObject({ success: false, code: 'invalid' });
  });
});

/** Sends raw bytes and reads until the server closes the connection. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}
