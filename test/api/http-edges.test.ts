import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';

/** HTTP rules that apply before a route: hosts, lengths, methods, encodings (RFC 9110, RFC 9112). */

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp({ ownApp: true, closeAfterTest: false });
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
  return app.close;
});

/** Sends raw bytes, and reads until the server closes the connection. */
async function exchange(bytes: string) {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

const request = (...lines: string[]) => exchange(`${lines.join('\r\n')}\r\n\r\n`);
const LOGIN = 'POST /api/auth/login/ HTTP/1.1';
const JSON_TYPE = 'Content-Type: application/json';

describe('a request that HTTP forbids gets the standard error body', () => {
  test.each<[what: string, status: number, code: string, lines: string[]]>([
    ['no Host', 400, 'invalid', ['GET /api/health/ HTTP/1.1', 'Connection: close']],
    ['two Hosts', 400, 'invalid', ['GET /api/health/ HTTP/1.1', 'Host: a', 'host: b', 'Connection: close']],
    [
      'the same Host twice',
      400,
      'invalid',
      ['GET /login HTTP/1.1', 'Host: a', 'Host: a', 'Connection: close'],
    ],
    [
      'an unsupported expectation',
      417,
      'expectation_failed',
      [LOGIN, 'Host: a', 'Expect: un-milagro', JSON_TYPE, 'Content-Length: 2', 'Connection: close'],
    ],
    ['two lengths', 400, 'invalid', [LOGIN, 'Host: a', JSON_TYPE, 'Content-Length: 2', 'Content-Length: 3']],
    [
      'one length twice',
      400,
      'invalid',
      [LOGIN, 'Host: a', JSON_TYPE, 'Content-Length: 2', 'Content-Length: 2'],
    ],
    ['a list of lengths', 400, 'invalid', [LOGIN, 'Host: a', JSON_TYPE, 'Content-Length: 2, 2']],
    [
      'a length and a transfer coding',
      400,
      'invalid',
      [LOGIN, 'Host: a', JSON_TYPE, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    [
      'a transfer coding and a length',
      400,
      'invalid',
      [LOGIN, 'Host: a', JSON_TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 2'],
    ],
    [
      'a transfer coding that is not the last one',
      400,
      'invalid',
      [LOGIN, 'Host: a', JSON_TYPE, 'Transfer-Encoding: chunked, gzip'],
    ],
    ['CONNECT', 405, 'method_not_allowed', ['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443']],
  ])('%s gets %d %s', async (_what, status, code, lines) => {
    const { status: answered, head, body } = await request(...lines);

    expect([answered, head]).toEqual([status, expect.stringMatching(/content-type: application\/json/i)]);
    expect(JSON.parse(body)).toMatchObject({ success: false, code, message: expect.any(String) });
  });

  test('HTTP/1.0 does not need a Host', async () => {
    expect((await request('GET /api/health/ HTTP/1.0')).status).toBe(200);
  });

  test('a request with Expect: 100-continue gets 100 and then the answer', async () => {
    const body = '{"username":"","password":""}';
    const bytes = [LOGIN, 'Host: a', 'Expect: 100-continue', JSON_TYPE, `Content-Length: ${body.length}`];
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(`${[...bytes, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    const goOn = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(goOn.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid"/s);
  });
});

describe('a method that a path does not support', () => {
  const LIST = '/licenses/api/clients/';
  const ONE = '/licenses/api/clients/7/';

  test.each([
    [LIST, 'GET, HEAD, OPTIONS, POST'],
    [`${LIST}?page=1`, 'GET, HEAD, OPTIONS, POST'],
    [ONE, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    [ONE.slice(0, -1), 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/api/auth/login/', 'OPTIONS, POST'],
    ['/licenses/api/licenses/bulk_update/', 'OPTIONS, PATCH'],
    ['/api/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS of %s is a 204 that lists %s, without a session', async (url, allow) => {
    const { statusCode, headers, body } = await app.app.inject({ method: 'OPTIONS', url });

    expect([statusCode, headers.allow, body]).toEqual([204, allow, '']);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'QUERY', 'POST'])(
    '%s of a known path gets 405 with the same list',
    async (method) => {
      const { status, head, body } = await request(
        `${method} ${ONE} HTTP/1.1`,
        'Host: a',
        'Content-Length: 0',
        'Connection: close',
      );

      expect(status).toBe(405);
      expect(head).toMatch(/^allow: DELETE, GET, HEAD, OPTIONS, PATCH, PUT$/im);
      expect(JSON.parse(body)).toMatchObject({ success: false, code: 'method_not_allowed' });
    },
  );

  test('an invalid method gets 400', async () => {
    const { status, body } = await request(`VOLAR ${ONE} HTTP/1.1`, 'Host: a');
    expect([status, JSON.parse(body).code]).toEqual([400, 'invalid']);
  });

  test('is refused before its body is read', async () => {
    const payload = { payload: 'no', headers: { 'content-type': 'text/plain' } };
    const { status, body } = await app.call('POST', ONE, payload);
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
  });

  test('a HEAD on a path without GET gets 405', async () => {
    expect((await app.app.inject({ method: 'HEAD', url: '/api/auth/login/' })).statusCode).toBe(405);
  });

  test.each(['OPTIONS', 'TRACE', 'DELETE', 'HEAD'] as const)(
    '%s of an unknown path gets 404',
    async (method) => {
      for (const url of ['/api/nada/', '/licenses/api/clients/abc/', '/licenses/api/clients/1/nada/']) {
        expect((await app.app.inject({ method, url })).statusCode).toBe(404);
      }
    },
  );
});

describe('a body that is not JSON in UTF-8', () => {
  // If the body can be parsed, the only error is the missing version.
  const PAYLOAD = '{"name":"Señal"}';
  const send = (payload: string | Buffer, headers: Record<string, string>) =>
    app.call('POST', '/licenses/api/software/', { payload, headers });
  const isRead = { status: 400, body: { errors: { version: expect.any(Array) } } };

  test.each(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'otra'])(
    'a content coding of %s gets 415 with the reason',
    async (coding) => {
      const { status, headers, body } = await send(gzipSync(PAYLOAD), { 'content-encoding': coding });

      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
      expect(body.message).toBe('El contenido debe enviarse sin comprimir (sin Content-Encoding)');
      expect(headers['accept-encoding']).toBe('identity');
    },
  );

  test.each(['identity', 'Identity', ''])('a content coding of %j is ignored', async (coding) => {
    expect(await send(PAYLOAD, { 'content-encoding': coding })).toMatchObject(isRead);
  });

  test.each(['latin1', 'iso-8859-1', '"utf-16"', 'UTF-7'])(
    'a charset of %s gets 415 with the reason',
    async (charset) => {
      const { status, body } = await send(Buffer.from(PAYLOAD, 'latin1'), {
        'content-type': `application/json; charset=${charset}`,
      });

      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
      expect(body.message).toBe('El contenido debe enviarse en UTF-8');
    },
  );

  test.each(['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; Charset=utf8', '; profile=x', ''])(
    'a content type of application/json%s is accepted',
    async (parameters) => {
      const answer = await send(PAYLOAD, { 'content-type': `application/json${parameters}` });
      expect(answer).toMatchObject(isRead);
      expect(answer.body.errors).not.toHaveProperty('name');
    },
  );

  test('an empty body is an empty object with any headers (D082)', async () => {
    const headers = { 'content-type': 'application/json; charset=latin1', 'content-encoding': 'gzip' };
    expect(await send('', headers)).toMatchObject(isRead);
  });
});
