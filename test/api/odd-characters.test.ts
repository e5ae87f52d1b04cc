import { beforeAll, expect, test } from 'vitest';
import { apiDocument } from '../../server/http/openapi.ts';
import { type ApiOperation, type ApiSchema, ownParameters } from '../../server/http/openapi-document.ts';
import { jsonBodyOf } from '../../server/http/openapi-schemas.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createLicense } from '../factories.ts';
import { refusingProviders } from '../payment-providers.ts';

/**
 * Characters that a database cannot store, and invalid UTF-8, in every parameter and every text of every route: the
 * answer is a clear refusal or a normal answer, never a 500 (docs/security.md).
 */

let t: TestApp;
let operations: { method: string; path: string; operation: ApiOperation }[];
beforeAll(async () => {
  t = await createTestApp({ env: await refusingProviders(), closeAfterTest: false });
  await createLicense(t);
  operations = Object.entries(apiDocument(t.app).paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath)
      // Skips routes that end the test's session, because all later answers would be 401.
      .filter(() => !path.endsWith('/logout/') && path !== '/api/auth/sessions/{id}/')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return t.close;
});

const INVALID = ['%00', 'a%00b', '%0A', '%7F', '%FF', '%C0%80', '%ED%A0%80', '%'];

/** Ids of records that do not exist, so that a call changes nothing; only `{kind}` exists. */
const filled = (path: string) =>
  path
    .replace('{kind}', 'digest')
    .replaceAll(/\{(?:id|delivery)\}/g, '999999999')
    .replaceAll(/\{\w+\}/g, 'nada');

const bodyOf = (operation: ApiOperation) =>
  jsonBodyOf(apiDocument(t.app), operation) as
    | { schema: ApiSchema; example?: Record<string, unknown> }
    | undefined;

test.each(INVALID)('on every route a path parameter %s finds nothing', async (invalid) => {
  for (const { method, path, operation } of operations) {
    for (const name of path.match(/\{\w+\}/g) ?? []) {
      // Not with `call`: it checks the content type, and for routes that answer with a page the error of an invalid
      // path is JSON.
      const { statusCode } = await t.app.inject({
        method: method as 'GET',
        url: filled(path.replace(name, invalid)),
        headers: { authorization: `Bearer ${t.token}` },
        ...(operation.requestBody && { payload: bodyOf(operation)?.example ?? {} }),
      });
      expect([method, path, name, statusCode]).toEqual([method, path, name, 404]);
    }
  }
});

test.each(['%00', '%FF'])('on every route %s in a query causes no 500', async (invalid) => {
  for (const { method, path, operation } of operations) {
    for (const { in: place, name } of ownParameters(operation)) {
      if (place !== 'query') continue;
      const { status } = await t.call(method, `${filled(path)}?${name}=a${invalid}z`);
      expect([method, path, name, status < 500]).toEqual([method, path, name, true]);
    }
  }
});

test.each(['a\u0000b', 'a\udc00'])('on every route %j in a text of a body causes no 500', async (invalid) => {
  for (const { method, path, operation } of operations) {
    const body = bodyOf(operation);
    if (!body) continue;
    const names = Object.keys((body.schema.properties ?? {}) as object);
    for (const name of names) {
      const { status } = await t.call(method, filled(path), { body: { ...body.example, [name]: invalid } });
      expect([method, path, name, status < 500]).toEqual([method, path, name, true]);
    }
  }
});

test('a control character in an unknown parameter is ignored with the parameter', async () => {
  expect((await t.call('GET', '/licenses/api/clients/?otro=%00')).status).toBe(200);
  const { status, body } = await t.call('GET', '/licenses/api/clients/?ordering=%00');
  expect([status, body.errors]).toEqual([400, { ordering: ['Contiene caracteres no permitidos'] }]);
});
