import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { KEY_PERMISSIONS } from '../../contract/people/permissions.ts';
import { EVENT_TYPES } from '../../contract/system/events.ts';
import { webhookJob } from '../../server/features/webhooks/webhook-job.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import {
  type ApiDocument,
  type ApiOperation,
  type ApiSchema,
  ownParameters,
} from '../../server/http/openapi-document.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense } from '../factories.ts';
import { runJob } from '../run-job.ts';
import { startReceiver } from '../webhook-receiver.ts';

/** Rules for the whole OpenAPI document, including future routes. Generators of API clients need them. */

let t: TestApp;
let document: ApiDocument;
let operations: { call: string; path: string; method: string; operation: ApiOperation }[];

beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  document = apiDocument(t.app);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method} ${path}`,
      path,
      method,
      operation,
    })),
  );
  return t.close;
});

type Property = { name: string; owner: string; schema: ApiSchema };

function* propertiesOf(schema: ApiSchema, owner: string): Generator<Property> {
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, ApiSchema>)) {
    yield { name, owner, schema: property };
    yield* propertiesOf(property, owner);
  }
  const inner = [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf, schema.allOf].flat();
  for (const one of inner) {
    if (typeof one === 'object' && one !== null) yield* propertiesOf(one as ApiSchema, owner);
  }
}

/** All properties in the document: in its schemas, and in answers and messages with inline schemas. */
function* allProperties(): Generator<Property> {
  for (const [name, schema] of Object.entries(document.components.schemas)) yield* propertiesOf(schema, name);
  for (const { call, operation } of operations) {
    for (const { content } of Object.values(operation.responses)) {
      for (const { schema } of Object.values(content)) yield* propertiesOf(schema, call);
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    yield* propertiesOf(post.requestBody.content['application/json']!.schema, type);
  }
}

const BOTH_LANGUAGES = /^\S.* \/ \S/;

describe('the whole document', () => {
  test('describes every property, parameter, header and group in Spanish and English', () => {
    const silent = [...allProperties()].filter(
      ({ schema }) => typeof schema.description !== 'string' || !BOTH_LANGUAGES.test(schema.description),
    );
    expect(silent.map(({ owner, name }) => `${owner}.${name}`)).toEqual([]);
    const parameters = operations.flatMap(({ call, operation }) =>
      ownParameters(operation).map(({ name, description }) => ({ call, name, description })),
    );
    for (const { call, name, description } of parameters) {
      expect([call, name, description]).toEqual([call, name, expect.stringMatching(BOTH_LANGUAGES)]);
    }
    const { headers = {}, parameters: shared = {}, securitySchemes } = document.components;
    for (const { description } of [
      ...Object.values(headers),
      ...Object.values(shared),
      ...Object.values(securitySchemes),
      ...document.tags,
    ]) {
      expect(description).toMatch(BOTH_LANGUAGES);
    }
    const used = new Set(operations.map(({ operation }) => operation.tags[0]));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  });

  test('has a named schema for every JSON body', () => {
    const names = operations.flatMap(({ call, operation }) => {
      const body = operation.requestBody?.content['application/json'];
      if (!body) return [];
      expect([call, body.schema]).toEqual([
        call,
        { $ref: expect.stringMatching(/^#\/components\/schemas\/[A-Z][A-Za-z]+Request$/) },
      ]);
      return [String(body.schema.$ref).split('/').at(-1)!];
    });
    expect(names).toContain('RenewLicenseRequest');
    const known = Object.keys(document.components.schemas).filter((name) => name.endsWith('Request'));
    expect([...new Set(names)].sort()).toEqual(known.sort());
    const { put, patch } = document.paths['/licenses/api/clients/{id}/']!;
    expect(put!.requestBody!.content['application/json']!.schema).toEqual(
      patch!.requestBody!.content['application/json']!.schema,
    );
  });

  test('marks every text that is a date and time', () => {
    const isInstant = ({ name, owner }: Property) =>
      (/_(?:at|until|since)$/.test(name) && name !== 'updates_until') ||
      (name === 'expiry_date' && !owner.endsWith('Request'));
    const texts = ({ type, anyOf = [] }: ApiSchema): boolean =>
      [type].flat().includes('string') || (anyOf as ApiSchema[]).some(texts);
    const formatOf = ({ format, anyOf = [] }: ApiSchema): unknown =>
      format ?? (anyOf as ApiSchema[]).map(formatOf).find((found) => found !== undefined);
    const instants = [...allProperties()].filter((one) => isInstant(one) && texts(one.schema));
    expect(instants.length).toBeGreaterThan(100);
    const others = instants.filter(({ schema }) => formatOf(schema) !== 'date-time');
    expect(others.map(({ owner, name }) => `${owner}.${name}`)).toEqual([]);
    for (const { call, operation } of operations) {
      const since = ownParameters(operation).find(({ name }) => name === 'updated_since');
      if (since) expect([call, since.schema.format]).toEqual([call, 'date-time']);
    }
  });

  test('uses integers for pages, ids and days', () => {
    for (const { call, operation } of operations) {
      for (const { in: place, name, schema } of ownParameters(operation)) {
        expect([call, name, schema.type === 'number']).toEqual([call, name, false]);
        const isCounted = [
          'page',
          'page_size',
          'limit',
          'before',
          'client',
          'expiring_within',
          // Of the events an id; of a list a text.
          ...(call.endsWith('/events/') ? ['after'] : []),
        ].includes(name);
        if (isCounted || (place === 'path' && name === 'id'))
          expect([call, name, schema.type, typeof schema.minimum]).toEqual([call, name, 'integer', 'number']);
      }
    }
  });

  test('has readable operation names', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    // The operation id of a new route must read well by the naming rule, or be listed in server/http/openapi-names.ts.
    const byRule = ids.filter((id) =>
      /^(?:get|post|put|patch|delete)[A-Z].*Id(?:$|[A-Z])|^(?:post|put)[A-Z]/.test(id),
    );
    expect(byRule).toEqual([]);
    const idOf = (call: string) => operations.find((one) => one.call === call)?.operation.operationId;
    for (const [call, id] of [
      ['post /licenses/api/licenses/{id}/renew/', 'renewLicense'],
      ['get /licenses/api/clients/', 'listClients'],
      ['post /licenses/api/clients/', 'createClient'],
      ['delete /licenses/api/api-keys/{id}/', 'revokeApiKey'],
      ['get /licenses/api/clients/export/', 'exportClients'],
      ['post /licenses/api/license/validate/', 'validateLicense'],
      ['post /licenses/api/clients/bulk_action/', 'runClientBulkAction'],
    ]) {
      expect([call, idOf(call!)]).toEqual([call, id]);
    }
  });

  test('lists the credentials that each call accepts: a session, an API key', () => {
    const { bearer, apiKey } = document.components.securitySchemes;
    expect([bearer, apiKey]).toMatchObject([
      { type: 'http', scheme: 'bearer' },
      { type: 'http', scheme: 'bearer', bearerFormat: expect.stringContaining('lmk_') },
    ]);
    const ofPeople = [
      'post /licenses/api/signing-keys/rotate/',
      'post /licenses/api/payments/{id}/refund/',
      'put /licenses/api/settings/payments/',
      'patch /licenses/api/settings/payments/',
      'post /licenses/api/settings/payments/{provider}/test/',
      'get /licenses/api/settings/mail/',
      'put /licenses/api/settings/mail/',
      'patch /licenses/api/settings/mail/',
      'post /licenses/api/settings/mail/test/',
      'post /licenses/api/clients/{id}/portal/view/',
    ];
    for (const { call, operation } of operations) {
      const access = operation['x-access'];
      const takesKey = operation.security.some((one) => 'apiKey' in one);
      const mayTakeKey = access === 'token' || (KEY_PERMISSIONS as ReadonlySet<string>).has(access);
      if (takesKey) expect([call, mayTakeKey]).toEqual([call, true]);
      else if (mayTakeKey) expect(ofPeople).toContain(call);
    }
  });

  test('lists the headers of every answer', () => {
    for (const { call, operation } of operations) {
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        expect([call, status, Object.keys(headers)]).toEqual([
          call,
          status,
          expect.arrayContaining(['X-Request-Id']),
        ]);
        for (const [name, { $ref }] of Object.entries(headers)) {
          expect([call, $ref]).toEqual([call, `#/components/headers/${name}`]);
          expect(document.components.headers).toHaveProperty(name);
        }
        if (status === '401') expect(Object.keys(headers)).toContain('WWW-Authenticate');
        if (status === '429' || status === '503') expect(Object.keys(headers)).toContain('Retry-After');
      }
    }
  });

  test('lists only headers that answers really have', async () => {
    const headersOf = (call: string, status: number) =>
      Object.keys(operations.find((one) => one.call === call)!.operation.responses[status]!.headers ?? {});
    const license = await createLicense(t);
    const shown = async (method: string, path: string, options = {}) => {
      const { status, headers } = await t.call(
        method.toUpperCase(),
        path.replace('{id}', String(license.id)),
        options,
      );
      const call = `${method} ${path}`;
      for (const name of headersOf(call, status).filter((one) => one !== 'Idempotency-Replayed'))
        expect([call, status, name, headers[name.toLowerCase()]]).toEqual([
          call,
          status,
          name,
          expect.anything(),
        ]);
      return headersOf(call, status);
    };
    const one = '/licenses/api/licenses/{id}/';
    expect(await shown('get', one)).toContain('ETag');
    expect(await shown('put', one, { body: { notes: 'x' } })).toEqual(
      expect.arrayContaining(['ETag', 'Idempotency-Replayed']),
    );
    expect(await shown('get', one, { token: null })).toContain('WWW-Authenticate');
    expect(await shown('get', '/licenses/api/licenses/export/')).toContain('Content-Disposition');
    expect(await shown('get', '/licenses/api/settings/')).toContain('ETag');
  });
});

describe('the document is valid', () => {
  /**
   * A compiler for all schemas of the document that throws for unknown keywords, broken references and bad formats.
   */
  const compiler = () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      allowUnionTypes: true,
    });
    addFormats.default(ajv);
    ajv.addFormat('binary', true);
    ajv.addVocabulary([
      'components',
      'paths',
      'webhooks',
      'info',
      'openapi',
      'servers',
      'tags',
      'x-access',
      'example',
    ]);
    ajv.addSchema({ $id: 'https://license-manager.invalid/document', components: document.components });
    return ajv;
  };

  test('each schema is JSON Schema 2020-12', () => {
    const ajv = compiler();
    const pointer = (...parts: string[]) =>
      parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect([name, ajv.validateSchema(schema)]).toEqual([name, true]);
      expect(
        () =>
          ajv.getSchema(
            `https://license-manager.invalid/document#/${pointer('components', 'schemas', name)}`,
          ),
        name,
      ).not.toThrow();
    }
  });

  type Value = { place: string; schema: ApiSchema; value: unknown };

  /** The keywords whose keys are names: a property may be called `default` or `example`. */
  const NAMED =
    /\/(?:properties|schemas|paths|webhooks|parameters|headers|responses|content|securitySchemes)$/;
  const DATA: ReadonlySet<string> = new Set(['examples', 'example', 'default', 'enum', 'const']);

  /** The examples and the default of one schema, parameter or content. */
  function valuesOf(node: ApiSchema, place: string): Value[] {
    const { examples, example, ...schema } = node;
    const inner = (node.schema as ApiSchema | undefined) ?? schema;
    // Beside a schema OpenAPI takes `example` or a map `examples`, never both; this document has the first.
    if ('schema' in node) expect([place, examples]).toEqual([place, undefined]);
    return [
      ...((examples ?? []) as unknown[]),
      ...('example' in node ? [example] : []),
      ...('default' in node ? [node.default] : []),
    ].map((value) => ({ place, schema: inner, value }));
  }

  /** Each example and default in the document, with its schema, at its place. */
  function valuesIn(node: unknown, place: string): Value[] {
    if (typeof node !== 'object' || node === null) return [];
    const isNamed = NAMED.test(place);
    const inner = Object.entries(node).filter(([name]) => isNamed || !DATA.has(name));
    return [
      ...(isNamed ? [] : valuesOf(node as ApiSchema, place)),
      ...inner.flatMap(([name, one]) => valuesIn(one, `${place}/${name}`)),
    ];
  }

  test('every example and default fits its schema', { tags: ['CODE-08'] }, () => {
    const ajv = compiler();
    const values = [...valuesIn(document, '#')];
    expect(values.length).toBeGreaterThan(500);
    for (const { place, schema, value } of values) {
      const text = JSON.stringify(schema).replaceAll(
        '"#/components/',
        '"https://license-manager.invalid/document#/components/',
      );
      const validate = ajv.compile(JSON.parse(text));
      expect([place, value, validate(value), validate.errors]).toEqual([place, value, true, null]);
    }
  });

  test('names its licence', { tags: ['CODE-08'] }, () => {
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
  });

  test('has the required parts of OpenAPI 3.1, and no reference is broken', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const all = [
      ...operations.map(({ path, operation }) => ({ path, ...operation })),
      ...Object.values(document.webhooks).map(({ post }) => ({ path: '', ...post })),
    ];
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operationId, parameters = [], responses } of all) {
      const own = parameters.filter((parameter) => 'in' in parameter);
      const inPath = own.filter((parameter) => parameter.in === 'path');
      expect([operationId, inPath.map(({ name }) => `{${name}}`).sort()]).toEqual([
        operationId,
        (path.match(/\{\w+\}/g) ?? []).sort(),
      ]);
      for (const { required } of inPath) expect([operationId, required]).toEqual([operationId, true]);
      const places = own.map(({ in: place, name }) => `${place} ${name}`);
      expect([operationId, places.length]).toEqual([operationId, new Set(places).size]);
      for (const [status, { description }] of Object.entries(responses)) {
        expect([operationId, status]).toEqual([
          operationId,
          expect.stringMatching(/^(?:[1-5](?:\d\d|XX)|default)$/),
        ]);
        expect(description).toMatch(/\S/);
      }
    }
    const refs = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!),
    );
    expect(refs.size).toBeGreaterThan(100);
    for (const ref of refs) {
      const found = ref
        .split('/')
        .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
      expect([ref, typeof found]).toEqual([ref, 'object']);
    }
  });

  test('the section of webhooks has every event, and describes the message (HOOK-01)', async () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, 'webhook.test']);
    const receiver = await startReceiver();
    const { body: webhook } = await t.call('POST', '/licenses/api/webhooks/', {
      body: { url: receiver.url, types: ['*'] },
    });
    const client = await createClient(t);
    await t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { city: 'León' } });
    await createLicense(t);
    await runJob(t.context, webhookJob);
    await t.call('POST', `/licenses/api/webhooks/${webhook.id}/test/`);
    const types = receiver.received.map(({ body }) => body.type as string);
    expect(types).toEqual(expect.arrayContaining(['client.updated', 'license.issued', 'webhook.test']));
    const ajv = compiler();
    for (const { body, headers } of receiver.received) {
      const { post } = document.webhooks[body.type]!;
      const { schema } = post.requestBody.content['application/json']!;
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://license-manager.invalid/document#/')),
      );
      expect([body.type, validate(body), validate.errors]).toEqual([body.type, true, null]);
      for (const { $ref } of post.parameters) {
        const name = $ref.split('/').at(-1)!;
        expect(document.components.parameters?.[name]).toMatchObject({ in: 'header', name, required: true });
        expect(headers).toHaveProperty(name);
      }
    }
  });
});
