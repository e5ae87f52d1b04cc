import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiOperation, type ApiSchema, apiDocument } from '../../server/openapi.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';

/** Any input, any endpoint: no 500, one shape of error, nothing of the inside in it (docs/promises.md, Under load). */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

/** What no answer may tell: a stack, a statement, a file of ours. */
const INSIDE =
  /\bat (async )?[\w.]+ \(|node_modules|\.ts:\d+|SQLITE_|syntax error|violates|select ["*]|insert into|kysely|ZodError/i;

/** JSON as it travels: some of these no JSON.stringify would ever write. */
const hostileJson = fc.oneof(
  fc.constantFrom(
    '1e999',
    '-1e999',
    '-0',
    '1e-400',
    '99999999999999999999',
    '9007199254740993',
    '-1',
    '0',
    '1.005',
    '0.1',
    'null',
    'true',
    '[]',
    '{}',
    '[[[[[[[[[[]]]]]]]]]]',
    '{"id":1e999}',
    '{"id":-1}',
    '{"__proto__":{"is_active":true}}',
    '{"constructor":{"prototype":{}}}',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00 a"',
    '"\\u202eabc"',
    '"\\ufeff"',
    '"\\r\\nBcc: x@example.com"',
    '"😀👩‍👩‍👧 مرحبا"',
    '"__proto__"',
    '"constructor"',
    '"%"',
    '"\' or 1=1 --"',
    '"<script>alert(1)</script>"',
    '"=1+1"',
    '"2026-02-30"',
    '"9999-12-31"',
    '"0000-00-00"',
    '"+010000-01-01T00:00:00Z"',
    '"NaN"',
    '""',
    '" "',
    `"${'x'.repeat(10_000)}"`,
    `[${'1,'.repeat(500)}1]`,
  ),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.double().map((number) => JSON.stringify(number)),
  fc.json(),
);
const hostileText = fc.oneof(
  fc.constantFrom('\u0000', '%', '_', '\\', '"', "'", '1e999', '-1', '0', '99999999999999999999', 'NaN'),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'true',
    '2026-02-30',
    '9999-12-31',
    '1900-01-01',
    '-created_at',
  ),
  fc.constantFrom('😀', '\u202eabc', ' ', 'x'.repeat(10_000), '(', '*', '{}', '[object Object]', '🇲🇽"*('),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const hostilePath = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '00',
    '9007199254740993',
    '9'.repeat(30),
    '9'.repeat(300),
    '-1',
    '1e3',
    '%00',
    '%',
    '%ff',
  ),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
);

function parametersOf({ parameters = [] }: ApiOperation): string[] {
  return parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
}

function propertiesOf(schema: ApiSchema | undefined): string[] {
  return Object.keys((schema?.properties ?? {}) as object);
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** A valid body with some of its fields made hostile, or something that is no such body at all. */
function bodyOf(operation: ApiOperation) {
  const json = operation.requestBody?.content['application/json'] as
    | { schema: ApiSchema; example?: Record<string, unknown> }
    | undefined;
  const names = [...propertiesOf(json?.schema), 'id', 'created_at', '__proto__', 'constructor', 'extra'];
  const valid = Object.entries(json?.example ?? {}).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  const spoilt = fc
    .array(fc.tuple(fc.constantFrom(...names), hostileJson), { maxLength: 4 })
    .map((fields) => [...new Map([...valid, ...fields])])
    .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
  const whole = fc.oneof(hostileJson, fc.constantFrom('', '{', '{"a":', 'undefined', '\u0000', '[]', '"a"'));
  return fc.oneof({ weight: 4, arbitrary: spoilt }, { weight: 1, arbitrary: whole });
}

function requestsOf(path: string, operation: ApiOperation) {
  const names = [...parametersOf(operation), 'page', '__proto__', 'extra'];
  return fc.record({
    id: fc.oneof({ weight: 3, arbitrary: fc.constant('1') }, { weight: 1, arbitrary: hostilePath }),
    query: fc.array(fc.tuple(fc.constantFrom(...names), hostileText), { maxLength: 3 }),
    body: bodyOf(operation),
    header: fc.constantFrom('', '*', '"x"', 'W/"1", "2"', '\u00e9', 'a'.repeat(300), ' '),
    path: fc.constant(path),
  });
}

describe('whatever is sent', () => {
  test('no route answers 500, and every error has the one shape (SEED-7-01)', {
    timeout: 180_000,
  }, async () => {
    const client = await createClient(app);
    const software = await createSoftware(app);
    const type = await createLicenseType(app);
    await createLicense(app, { client: client.id, software: software.id, license_type_config: type.id });
    const document = apiDocument(app.app);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        // What ends the session would only make a 401 of all that follows.
        if (path.endsWith('/logout/')) continue;
        await fc.assert(
          fc.asyncProperty(requestsOf(path, operation), async ({ id, query, body, header }) => {
            const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
            const url = `${path.replace('{id}', id)}${search && `?${search}`}`;
            const hasBody = method !== 'get';
            const { status, text } = await app.call(method.toUpperCase(), url, {
              ...(hasBody && { payload: body }),
              headers: { 'if-match': header, ...(header && { 'idempotency-key': header }) },
            });
            expect([url, body, status < 500]).toEqual([url, body, true]);
            // Its shape is checked by the application of the test, against the document.
            if (status >= 400) expect(text).not.toMatch(INSIDE);
          }),
          { numRuns: 25 },
        );
      }
    }
  });
});

test.each(['null', '[]', '[1]', '1', '"a"', 'true', '{}', '', '[null]', '{"":1}'])(
  'a body of %s is refused by every route that wants one, or taken as empty',
  async (payload) => {
    for (const [path, operations] of Object.entries(apiDocument(app.app).paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!operation.requestBody) continue;
        const { status } = await app.call(method.toUpperCase(), path.replace('{id}', '1'), { payload });
        const isNoObject = !['{}', '', '{"":1}'].includes(payload);
        expect([method, path, status < 500, !isNoObject || [400, 429].includes(status)]).toEqual([
          method,
          path,
          true,
          true,
        ]);
      }
    }
  },
);

describe('what cannot be stored is refused by name', () => {
  const VALID = { name: 'Ana', email: 'ana@example.com', phone: '5512345678' };
  const post = (payload: string) => app.call('POST', '/licenses/api/clients/', { payload });

  test.each([
    ['NUL', '"a\\u0000b"'],
    ['a line break', '"a\\nb"'],
    ['half a surrogate pair', '"a\\ud83d"'],
    ['10,000 characters', `"${'x'.repeat(10_000)}"`],
    ['a number', '7'],
    ['an object', '{"a":1}'],
    ['a list', '["Ana"]'],
    ['false', 'false'],
  ])('%s in a name', async (_what, value) => {
    const { status, body } = await post(`{"name":${value},"email":"n@example.com","phone":"5512345678"}`);

    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual(['name']);
  });

  test.each(['1e999', '-1e999', '-0', '0', '-5', '10000000000', '1.001', '"100"', 'null', 'true', '[1]'])(
    'a price of %s',
    async (value) => {
      const payload = `{"name":"Anual","base_price":${value},"max_installations":1,"validity_days":1}`;
      const { status, body } = await app.call('POST', '/licenses/api/license-types/', { payload });

      expect(status).toBe(400);
      expect(Object.keys(body.errors)).toEqual(['base_price']);
    },
  );

  test.each(['-0', '1e999', '1e-400e', '1.5', '0', '99999999999999999999', '"1"'])(
    'an id of %s in a bulk call',
    async (value) => {
      const { status } = await app.call('PATCH', '/licenses/api/software/bulk_update/', {
        payload: `{"ids":[${value}],"updates":{"is_active":true}}`,
      });
      expect(status).toBe(400);
    },
  );

  test.each(['__proto__', 'constructor'])('a field called %s, at any depth (D091)', async (name) => {
    const outer = await post(`{"${name}":{"is_active":true},${JSON.stringify(VALID).slice(1)}`);
    const inner = await post(
      `{"notes":{"deep":[{"${name}":{"prototype":{}}}]},${JSON.stringify(VALID).slice(1)}`,
    );

    expect([outer.status, inner.status]).toEqual([400, 400]);
    expect(Object.hasOwn(Object.prototype, 'is_active')).toBe(false);
  });

  test('a word that is only a value is none of these', async () => {
    const { status, body } = await post(
      JSON.stringify({ ...VALID, email: 'c@example.com', name: 'constructor __proto__' }),
    );
    expect([status, body.name]).toEqual([201, 'constructor __proto__']);
  });
});

describe('any script is stored exactly', () => {
  test.each([
    ['emoji', 'Ana 👩🏽‍💻🇲🇽'],
    ['right to left', 'شركة السلام للتجارة'],
    ['right-to-left marks', 'abc \u202etxt.exe\u202c'],
    ['Chinese outside the first plane', '𠮷野家'],
    ['markup', '<img src=x onerror=alert(1)> & "comillas"'],
    ['a statement', "'); drop table clients; --"],
    ['signs of LIKE and of FTS', '100%_\\ "a* NEAR(b) OR'],
  ])('%s, and found again', async (_what, name) => {
    const client = await createClient(app, { name, company: name });
    const read = await app.call('GET', `/licenses/api/clients/${client.id}/`);
    const found = await app.call(
      'GET',
      `/licenses/api/clients/?search=${encodeURIComponent(name)}&page_size=50`,
    );

    expect([read.body.name, read.body.company]).toEqual([name, name]);
    expect(found.body.results.map((row: { id: number }) => row.id)).toContain(client.id);
  });
});

describe('before a route is reached', () => {
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

  test.each(['9007199254740993', '9'.repeat(25), '9'.repeat(190)])(
    'an id of %s exists nowhere',
    async (id) => {
      for (const entity of ['clients', 'software', 'license-types', 'licenses', 'installations']) {
        expect((await call('GET', `/licenses/api/${entity}/${id}/`)).status).toBe(404);
        expect((await call('DELETE', `/licenses/api/${entity}/${id}/`)).status).toBe(404);
      }
    },
  );

  test('a malformed escape in the path is no 500', async () => {
    for (const url of ['/licenses/api/clients/%/', '/licenses/api/clients/%ff/', '/api/%c0%af/']) {
      const { status, body } = await call('GET', url);
      expect([url, [400, 404].includes(status), body.success]).toEqual([url, true, false]);
    }
  });

  test('a method that a path does not know is a 405 that names the others', async () => {
    const { status, headers, body } = await call('PATCH', '/licenses/api/clients/1/', { body: {} });

    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(String(headers.allow).split(', ')).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PUT']));
    expect((await call('DELETE', '/api/auth/login/')).status).toBe(405);
    expect((await call('GET', '/licenses/api/license/validate/')).status).toBe(405);
  });

  test('a body of more than 100 kB is a 413', async () => {
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
    '%j is no JSON',
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
  ])('lists in lists, %d deep%s', async (depth, more) => {
    const payload = `{"notes":${'['.repeat(depth)}${']'.repeat(depth)}${more}}`;
    const { status, body } = await call('POST', '/licenses/api/clients/', { payload });
    expect([status, body.code]).toEqual([400, 'invalid']);
  });

  test('a parameter that is repeated is an error of its field, or of no matter', async () => {
    const twice = await call('GET', '/licenses/api/clients/?status=active&status=inactive');
    expect([twice.status, Object.keys(twice.body.errors)]).toEqual([400, ['status']]);
    expect((await call('GET', '/licenses/api/clients/?page=1&page=2')).status).toBe(400);
    expect((await call('GET', '/licenses/api/clients/?otro=1&otro=2&__proto__=1')).status).toBe(200);
  });

  test.each(['0', '-1', '1.5', 'uno', '1e3', '99999999999', '٣'])(
    'a page of %s is a 404 (D045)',
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
  ])('a page size of %s becomes %d (D045)', async (asked, size) => {
    const { status, body } = await call('GET', `/licenses/api/clients/?page_size=${asked}`);
    expect([status, body.page_size]).toEqual([200, size]);
  });

  test('a search of more than 100 characters is refused', async () => {
    const search = (length: number) => call('GET', `/licenses/api/clients/?search=${'x'.repeat(length)}`);
    expect([(await search(100)).status, (await search(101)).status]).toEqual([200, 400]);
  });

  test('headers of more than 16 kB are a 431, and nonsense is a 400, in the same shape', async () => {
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

/** Sends bytes as they are and reads until the other side ends. */
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
