import { beforeAll, describe, expect, test } from 'vitest';
import { apiDocument } from '../../server/http/openapi.ts';
import {
  type ApiDocument,
  type ApiOperation,
  type ApiSchema,
  ownParameters,
} from '../../server/http/openapi-document.ts';
import { jsonBodyOf } from '../../server/http/openapi-schemas.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { refusingProviders } from '../payment-providers.ts';
import { Browser, PORTAL, setSettings } from '../portal.ts';
import fc, { triesOf } from '../properties.ts';

/** Any input to any endpoint: no 500, the usual error body, no internals in it (docs/promises.md, Under load). */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: await refusingProviders(), closeAfterTest: false });
  return app.close;
});

/** Internals that no answer may contain: stack traces, SQL statements, source files. */
const INSIDE =
  /\bat (async )?[\w.]+ \(|node_modules|\.ts:\d+|SQLITE_|syntax error|violates|select ["*]|insert into|kysely|ZodError/i;

/** Texts of JSON, because JSON.stringify would not write some of these values. */
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

function parametersOf(operation: ApiOperation): string[] {
  return ownParameters(operation)
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name);
}

function propertiesOf(schema: ApiSchema | undefined): string[] {
  return Object.keys((schema?.properties ?? {}) as object);
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** A valid body with some hostile fields, or a hostile value instead of a body. */
function bodyOf(document: ApiDocument, operation: ApiOperation) {
  const json = jsonBodyOf(document, operation) as
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

function requestsOf(document: ApiDocument, path: string, operation: ApiOperation) {
  const names = [...parametersOf(operation), 'page', '__proto__', 'extra'];
  return fc.record({
    id: fc.oneof({ weight: 3, arbitrary: fc.constant('1') }, { weight: 1, arbitrary: hostilePath }),
    query: fc.array(fc.tuple(fc.constantFrom(...names), hostileText), { maxLength: 3 }),
    body: bodyOf(document, operation),
    prefer: fc.constantFrom('', 'handling=strict'),
    header: fc.constantFrom('', '*', '"x"', 'W/"1", "2"', '\u00e9', 'a'.repeat(300), ' '),
    path: fc.constant(path),
  });
}

describe('any input', () => {
  test('no route answers 500, and every error has the standard body (SEED-7-01)', {
    timeout: 180_000,
  }, async () => {
    const client = await createClient(app);
    const software = await createSoftware(app);
    const type = await createLicenseType(app);
    await createLicense(app, { client: client.id, software: software.id, license_type_config: type.id });
    const document = apiDocument(app.app);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        // Skips routes that end the test's session, because all later answers would be 401.
        if (path.endsWith('/logout/') || path === '/api/auth/sessions/{id}/') continue;
        await fc.assert(
          fc.asyncProperty(
            requestsOf(document, path, operation),
            async ({ id, query, body, header, prefer }) => {
              const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
              const url = `${path.replace('{id}', id).replace('{delivery}', id).replace('{row}', id).replace('{matter}', id).replace('{kind}', 'digest').replace('{provider}', 'stripe').replace('{code}', 'nadie')}${search && `?${search}`}`;
              const hasBody = method !== 'get';
              const { status, text } = await app.call(method.toUpperCase(), url, {
                ...(hasBody && { payload: body }),
                headers: { 'if-match': header, prefer, ...(header && { 'idempotency-key': header }) },
              });
              expect([url, body, status < 500]).toEqual([url, body, true]);
              // The application of the test also checks the body against the document.
              if (status >= 400) expect(text).not.toMatch(INSIDE);
            },
          ),
          { numRuns: triesOf(25) },
        );
      }
    }
  });
});

test.each(['null', '[]', '[1]', '1', '"a"', 'true', '{}', '', '[null]', '{"":1}'])(
  'every route with a body refuses %s or treats it as empty',
  async (payload) => {
    await setSettings(app, { portal_enabled: true });
    const client = await new Browser(app).signIn((await createClient(app)).email);
    for (const [path, operations] of Object.entries(apiDocument(app.app).paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!operation.requestBody) continue;
        const isOfPortal = operation['x-access'] === 'client' || path.startsWith(`${PORTAL}sign-in/`);
        const { status } = await (isOfPortal ? client : app).call(
          method.toUpperCase(),
          path
            .replace('{id}', '1')
            .replace('{delivery}', '1')
            .replace('{row}', '1')
            .replace('{kind}', 'digest')
            .replace('{provider}', 'mercado_pago'),
          { payload },
        );
        const isNoObject = !['{}', '', '{"":1}'].includes(payload);
        // A route for files refuses every JSON body because of its content type.
        const refusals = 'application/json' in operation.requestBody.content ? [400, 429] : [415];
        expect([method, path, status < 500, !isNoObject || refusals.includes(status)]).toEqual([
          method,
          path,
          true,
          true,
        ]);
      }
    }
  },
);

describe('a value that cannot be stored gets a field error', () => {
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
  ])('a name with %s gets a field error', async (_what, value) => {
    const { status, body } = await post(`{"name":${value},"email":"n@example.com","phone":"5512345678"}`);

    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual(['name']);
  });

  test.each(['1e999', '-1e999', '-0', '0', '-5', '10000000000', '1.001', '"100"', 'null', 'true', '[1]'])(
    'a price of %s gets a field error',
    async (value) => {
      const payload = `{"name":"Anual","base_price":${value},"max_installations":1,"validity_days":1}`;
      const { status, body } = await app.call('POST', '/licenses/api/license-types/', { payload });

      expect(status).toBe(400);
      expect(Object.keys(body.errors)).toEqual(['base_price']);
    },
  );

  test.each(['-0', '1e999', '1e-400e', '1.5', '0', '99999999999999999999', '"1"'])(
    'an id of %s in a bulk call gets a field error',
    async (value) => {
      const { status } = await app.call('PATCH', '/licenses/api/software/bulk_update/', {
        payload: `{"ids":[${value}],"updates":{"is_active":true}}`,
      });
      expect(status).toBe(400);
    },
  );

  test.each(['__proto__', 'constructor'])(
    'a field called %s, at any depth, gets an error (D091)',
    async (name) => {
      const outer = await post(`{"${name}":{"is_active":true},${JSON.stringify(VALID).slice(1)}`);
      const inner = await post(
        `{"notes":{"deep":[{"${name}":{"prototype":{}}}]},${JSON.stringify(VALID).slice(1)}`,
      );

      expect([outer.status, inner.status]).toEqual([400, 400]);
      expect(Object.hasOwn(Object.prototype, 'is_active')).toBe(false);
    },
  );

  test('words that are refused as field names are accepted as values', async () => {
    const { status, body } = await post(
      JSON.stringify({ ...VALID, email: 'c@example.com', name: 'constructor __proto__' }),
    );
    expect([status, body.name]).toEqual([201, 'constructor __proto__']);
  });
});

describe('marks that turn the direction of text (INPUT-13)', () => {
  const MARKED = '\u2066abc \u202etxt.exe\u202c\u2069';
  const BARE = 'abc txt.exe';

  test('they are taken out of stored texts and of a search, in lines, notes and features', async () => {
    const client = await createClient(app, { name: MARKED, notes: `${MARKED}\n${MARKED}`, address: MARKED });
    expect(client).toMatchObject({ name: BARE, notes: `${BARE}\n${BARE}`, address: BARE });
    const found = await app.call('GET', `/licenses/api/clients/?search=${encodeURIComponent(MARKED)}`);
    expect(found.body.results.map((row: { id: number }) => row.id)).toContain(client.id);
    const type = await createLicenseType(app, { features: { plan: MARKED } });
    expect(type.features).toEqual({ plan: BARE });
  });

  test('a name of marks alone is missing', async () => {
    const answer = await app.call('POST', '/licenses/api/clients/', {
      body: { name: '\u202e\u202c', email: 'marcas@example.com', phone: '+525512345678' },
    });
    expect([answer.status, answer.body.errors]).toEqual([400, { name: ['El nombre es obligatorio'] }]);
  });
});

describe('text in any script is stored exactly', () => {
  test.each([
    ['emoji', 'Ana 👩🏽‍💻🇲🇽'],
    ['right to left', 'شركة السلام للتجارة'],
    ['Chinese outside the first plane', '𠮷野家'],
    ['markup', '<img src=x onerror=alert(1)> & "comillas"'],
    ['a statement', "'); drop table clients; --"],
    ['signs of LIKE and of FTS', '100%_\\ "a* NEAR(b) OR'],
  ])('%s is stored exactly and found by a search', async (_what, name) => {
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
