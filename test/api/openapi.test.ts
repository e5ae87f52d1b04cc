import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { FILE_TYPES } from '../../contract/base/file-columns.ts';
import { PERMISSIONS } from '../../contract/people/permissions.ts';
import { insertDemoData } from '../../server/features/demo/demo-data.ts';
import { schemaRows } from '../../server/http/api-docs/schema-rows.ts';
import { apiDocument, describeApi } from '../../server/http/openapi.ts';
import type { ApiDocument, ApiOperation } from '../../server/http/openapi-document.ts';
import { jsonBodyOf } from '../../server/http/openapi-schemas.ts';
import { apiTable, withApiTable } from '../../tools/api-table.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { conformanceOf } from './conformance.ts';

let app: TestApp;
let document: ApiDocument;
let operations: [name: string, operation: ApiOperation][];

beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  document = apiDocument(app.app);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, ApiOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
  return app.close;
});

const OF_EXPORTS: readonly string[] = Object.values(FILE_TYPES);

describe('the document', () => {
  test('is OpenAPI 3.1, can be read by anyone, and lists the headers of every answer', async () => {
    const { status, headers, body } = await app.call('GET', '/api/openapi.json', { token: null });

    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.openapi).toBe('3.1.0');
    expect(body).toEqual(document);
  });

  test('contains the paths of the specification and only API paths', {
    tags: ['SEED-7.3-07', 'SEED-7.6-06', 'SEED-7.6-07'],
  }, () => {
    const paths = Object.keys(document.paths);
    for (const path of [
      '/api/auth/login/',
      '/licenses/api/clients/{id}/',
      '/licenses/api/software/register/',
      '/licenses/api/license-types/{id}/toggle-status/',
      '/licenses/api/license/{id}/status/',
      '/licenses/api/installations/',
      '/licenses/api/installation/heartbeat/',
      '/licenses/api/statistics/usage/',
    ]) {
      expect(paths).toContain(path);
    }
    expect(paths.every((path) => /^\/(licenses\/api|api|\.well-known)\//.test(path))).toBe(true);
  });

  test('cannot be created while a route has no schema', async () => {
    const silent = Fastify();
    await describeApi(silent, '0');
    silent.get('/api/callada/', () => ({}));
    await silent.ready();
    expect(() => apiDocument(silent)).toThrow('/api/callada/');
  });

  test('describes every route with its purpose, access, answers and errors', () => {
    const credentials: Partial<Record<string, object[]>> = {
      anyone: [],
      'license-key': [],
      client: [{ portalSession: [] }],
    };
    for (const [name, operation] of operations) {
      expect([name, operation.summary]).toEqual([name, expect.stringMatching(/^[A-ZÁÉÍÓÚ].{5,}/)]);
      expect([name, operation.tags?.length]).toEqual([name, 1]);
      expect([...PERMISSIONS, 'anyone', 'license-key', 'client', 'token', 'signed-in']).toContain(
        operation['x-access'],
      );
      expect([name, operation.security]).toEqual([
        name,
        credentials[operation['x-access']] ?? expect.arrayContaining([{ bearer: [] }]),
      ]);
      for (const [status, response] of Object.entries(operation.responses)) {
        expect([name, status, response.description]).toEqual([name, status, expect.stringMatching(/\S/)]);
        const types = Object.keys(response.content ?? {});
        // Images can have one of two content types, and the caller chooses that of an export.
        const isPicture = types.length > 1 && types.every((type) => type.startsWith('image/'));
        const isChosen = types.length > 1 && types.every((type) => OF_EXPORTS.includes(type));
        expect([name, status, isPicture || isChosen || types.length === 1]).toEqual([name, status, true]);
        const schema = response.content?.['application/json']?.schema;
        const isOfItsOwn = status === '503' && schema?.$ref !== '#/components/schemas/Error';
        // Routes for clients in a browser answer errors with a page.
        const isPage = response.content?.['text/html'] !== undefined;
        if (Number(status) >= 400 && !isOfItsOwn && !isPage) {
          expect([name, status, schema?.$ref]).toEqual([name, status, '#/components/schemas/Error']);
        }
      }
    }
  });

  test('has a unique id per operation, as client generators need', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
  });

  test('allows no additional properties (SEED-3-32)', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      // Schemas of requests may allow more properties: these are ignored, or refused in strict mode.
      if (schema.type === 'string' || name.endsWith('Request')) continue;
      expect([name, schema.additionalProperties]).toEqual([name, false]);
    }
  });

  test('has no broken references', () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(document.components.schemas).toHaveProperty(name);
  });

  test('has an example for every body, which is accepted in strict mode on the sample data (API-05)', async () => {
    const t = await createTestApp();
    await insertDemoData(t.context);
    for (const [name, { requestBody }] of operations) {
      const body = requestBody?.content['application/json'];
      if (!body) continue;
      expect([name, body.example]).toEqual([name, expect.any(Object)]);
      const [method, path] = name.split(' ') as [string, string];
      const url = path.replace('{id}', '1').replace('{kind}', 'license_issued');
      const answer = await t.call(method.toUpperCase(), url, {
        headers: { prefer: 'handling=strict' },
        body: body.example,
      });
      // In the example bodies, passwords and codes are not valid for this account, its address is taken, and licence 1
      // was deleted.
      const wrong = Object.keys(answer.body?.errors ?? {});
      expect([
        name,
        wrong.filter((field) => !['password', 'code', 'email', 'license'].includes(field)),
      ]).toEqual([name, []]);
    }
  });

  test('has an example for every body that a vendor’s program sends', () => {
    for (const [name, operation] of operations) {
      if (operation['x-access'] !== 'license-key') continue;
      const body = operation.requestBody?.content['application/json'];
      expect([name, body]).toEqual([
        name,
        expect.objectContaining({ example: expect.objectContaining({ license_key: expect.any(String) }) }),
      ]);
    }
  });
});

describe('every answer is checked against the document', () => {
  const found = { status: 200, contentType: 'application/json; charset=utf-8' };
  const check = (method: string, url: string, what: Partial<typeof found> & { body: unknown }) => () =>
    conformanceOf(document)(method, url, { ...found, ...what });
  const software = {
    id: 1,
    name: 'A',
    version: '1',
    code: 'a',
    description: '',
    is_active: true,
    trial_type: null,
    trial_type_name: null,
    trial_email: 'no',
    trial_daily_limit: 200,
    is_public: false,
    active_licenses_count: 0,
    created_at: '2026-11-21T18:00:00.000Z',
    updated_at: '2026-11-21T18:00:00.000Z',
  };
  const one = '/licenses/api/software/7/';

  test('a documented answer passes', () => {
    expect(check('GET', one, { body: software })).not.toThrow();
    expect(check('GET', '/dashboard', { body: 'the console is no part of it' })).not.toThrow();
  });

  test.each<[string, Partial<typeof found> & { body: unknown }, RegExp]>([
    ['a property too many', { body: { ...software, search_text: 'a' } }, /additional properties/],
    ['a property too few', { body: { ...software, version: undefined } }, /required property 'version'/],
    ['another type', { body: { ...software, id: '1' } }, /must be integer/],
    ['no instant', { body: { ...software, updated_at: 'ayer' } }, /must match format "date-time"/],
    ['another status', { body: software, status: 202 }, /status is not named/],
    ['another content type', { body: software, contentType: 'text/html' }, /content type text\/html/],
    ['an error with another body', { body: { error: 'x' }, status: 404 }, /required property 'code'/],
  ])('%s fails', (_what, answer, message) => {
    expect(check('GET', one, answer)).toThrow(message);
  });

  test('an undocumented path may answer only with an error', () => {
    const error = { success: false, code: 'not_found', message: 'No encontrado' };
    expect(check('GET', '/api/nada/', { status: 404, body: error })).not.toThrow();
    expect(check('GET', '/api/nada/', { body: {} })).toThrow(/no such operation/);
  });
});

describe('the page of the API', () => {
  test('shows every call without scripts, with the security policy of all pages', async () => {
    const { status, headers, text } = await app.call('GET', '/api/docs/', { token: null });

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    expect([...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map((match) => match[1])).toEqual([
      '/favicon.svg',
      '/api/docs/style.css',
      '/api/openapi.json',
    ]);
    for (const [, { operationId, summary }] of operations) {
      expect(text).toContain(`<article id="${operationId}">`);
      expect(text).toContain(`<h3>${summary}</h3>`);
    }
    const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]!);
    for (const anchor of new Set(anchors)) expect(text).toContain(`id="${anchor}"`);
  });

  test('has a separate style sheet', async () => {
    const { status, headers } = await app.call('GET', '/api/docs/style.css', { token: null });

    expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });
});

test('the page shows the fields of a body with several forms, and which of them are always required', () => {
  const operation = document.paths['/licenses/api/clients/bulk_action/']!.post!;
  const rows = schemaRows(jsonBodyOf(document, operation)!.schema);
  expect(rows.map(({ name, required }) => [name, required])).toEqual([
    ['action', true],
    ['ids', false],
    ['filters', false],
    ['expected_count', false],
    ['status', false],
    ['tag', false],
  ]);
  expect(rows[0]?.type).toBe('"delete" | "set_status" | "release_seats" | "add_tag" | "remove_tag"');
});

test('the table in docs/api.md is current (update it with: node tools/api-table.ts)', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api.md'), 'utf8');
  expect(withApiTable(text, apiTable(document))).toBe(text);
});
