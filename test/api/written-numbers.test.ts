import { beforeAll, describe, expect, test } from 'vitest';
import { apiDocument } from '../../server/http/openapi.ts';
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type ApiSchema,
  ownParameters,
} from '../../server/http/openapi-document.ts';
import { jsonBodyOf } from '../../server/http/openapi-schemas.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { Browser, PORTAL, setSettings } from '../portal.ts';

/**
 * Each number and each day of a call, found in the API's document, is what was meant, or a 400 at its name (decision
 * 176): nothing that JavaScript reads as another number.
 */

const NOW = '2026-11-29T18:00:00.000Z';

/** No whole numbers in decimal digits, but each one for some reader. */
const NO_NUMBERS = [
  '0x10',
  '0b11',
  '1e3',
  '12abc',
  '1_000',
  '1.5',
  '12,5',
  '1 2',
  'Infinity',
  'NaN',
  '١٢',
  '１２',
  '--5',
];
const TOO_LARGE = '9007199254740993';
const NO_DAYS = [
  ...NO_NUMBERS,
  '2026-1-5',
  '20260105',
  '2026-01-05x',
  '2026-02-30',
  '+2026-01-05',
  '٢٠٢٦-٠١-٠٥',
  '46027',
];

let t: TestApp;
let client: Browser;
let document: ApiDocument;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, closeAfterTest: false });
  await setSettings(t, { portal_enabled: true });
  const { id, email } = await createClient(t);
  const [software, type] = [await createSoftware(t), await createLicenseType(t)];
  await createLicense(t, { client: id, software: software.id, license_type_config: type.id });
  client = await new Browser(t).signIn(email);
  document = apiDocument(t.app);
  return t.close;
});

/** Parameters that a wrong value changes in another way (D045). */
const PAGING = new Set(['page', 'page_size']);

type Kind = 'number' | 'limit' | 'day' | 'days' | 'instant' | 'ids';

/** What a parameter is, by its schema and example; undefined for a text. */
function kindOf({ name, schema, example }: ApiParameter): Kind | undefined {
  if (name === 'limit') return 'limit';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.format === 'date') return 'day';
  if (schema.format === 'date-time') return 'instant';
  if (/^\d{4}-\d\d-\d\d\.\./.test(String(example))) return 'days';
  return String(schema.pattern).startsWith('^\\d') ? 'ids' : undefined;
}

const callsOf = (): { path: string; method: string; operation: ApiOperation }[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );

const withValues = (path: string) =>
  path
    .replace('{kind}', 'digest')
    .replace('{provider}', 'stripe')
    .replace(/\{\w+\}/g, '1');

const send = (method: string, path: string, operation: ApiOperation, payload?: string) =>
  (operation['x-access'] === 'client' || path.startsWith(`${PORTAL}sign-in/`) ? client : t).call(
    method.toUpperCase(),
    path,
    {
      ...(payload !== undefined && { payload }),
    },
  );

/** The parameters of a kind, each with its address up to the value. */
function parametersOf(...kinds: Kind[]) {
  return callsOf().flatMap(({ path, method, operation }) =>
    ownParameters(operation)
      .filter((parameter) => parameter.in === 'query' && !PAGING.has(parameter.name))
      .filter((parameter) => kinds.includes(kindOf(parameter)!))
      .map(({ name }) => ({ name, method, operation, address: `${withValues(path)}?${name}=` })),
  );
}

/** What is wrong with the answers to these values of parameters: each must be a 400 that names the parameter. */
async function wronglyTaken(parameters: ReturnType<typeof parametersOf>, values: readonly string[]) {
  const found: unknown[] = [];
  for (const { name, method, operation, address } of parameters) {
    for (const value of values) {
      const { status, body } = await send(method, address + encodeURIComponent(value), operation);
      const isNamed = status === 400 && body?.errors?.[name]?.[0]?.length > 0;
      if (!isNamed) found.push([method, address, value, status, body?.errors]);
    }
  }
  return found;
}

describe('in an address', () => {
  test('a text that is no whole number is refused at its name', async () => {
    const parameters = parametersOf('number', 'limit', 'ids');
    const refused = NO_NUMBERS.filter((text) => text !== '12,5');
    expect(await wronglyTaken(parameters, refused)).toEqual([]);
    // For a list of ids these are two.
    expect(await wronglyTaken(parametersOf('number', 'limit'), ['12,5'])).toEqual([]);
    expect(await wronglyTaken(parametersOf('number', 'ids'), [TOO_LARGE])).toEqual([]);
    expect(new Set(parameters.map(({ name }) => name))).toEqual(
      new Set([
        ...['client', 'software', 'license', 'license_type_config', 'import', 'user', 'before', 'after'],
        ...['silent_minutes', 'active_within', 'silent_for', 'expiring_within', 'limit', 'ids', 'payment'],
      ]),
    );
  });

  test('a number with a sign, zeros or spaces around it is that number', async () => {
    const found: unknown[] = [];
    for (const { method, operation, address } of parametersOf('number', 'limit')) {
      const meant = await send(method, `${address}12`, operation);
      for (const value of ['+12', '%2B12', '012', '%2012%20']) {
        const { status, body } = await send(method, address + value, operation);
        const isSame = status === meant.status && JSON.stringify(body) === JSON.stringify(meant.body);
        if (!isSame) found.push([method, address, value, status, meant.status]);
      }
    }
    expect(found).toEqual([]);
  });

  test('a day is refused at its name unless it is one of the calendar, with its digits', async () => {
    expect(await wronglyTaken(parametersOf('day', 'days', 'instant'), NO_DAYS)).toEqual([]);
    const days = parametersOf('days');
    expect(
      await wronglyTaken(
        days,
        NO_DAYS.map((day) => `${day}..2026-12-31`),
      ),
    ).toEqual([]);
    expect(days.length).toBeGreaterThan(5);
    expect(parametersOf('day').length).toBeGreaterThan(10);
  });

  test('a page that is no number is no page, and a page size is brought into its range (D045)', async () => {
    for (const page of [...NO_NUMBERS, TOO_LARGE, '-0']) {
      const { status } = await t.call('GET', `/licenses/api/clients/?page=${encodeURIComponent(page)}`);
      expect([page, status]).toEqual([page, 404]);
    }
    const sizes = [
      ...([TOO_LARGE, '9'.repeat(400), '101'] as const).map((size) => [size, 100] as const),
      ...(['-0', `-${TOO_LARGE}`] as const).map((size) => [size, 1] as const),
      ...([' 12 ', '+12', '012'] as const).map((size) => [size, 12] as const),
      ...NO_NUMBERS.map((size) => [size, 5] as const),
    ];
    for (const [size, read] of sizes) {
      const { body } = await t.call('GET', `/licenses/api/clients/?page_size=${encodeURIComponent(size)}`);
      expect([size, body.page_size]).toEqual([size, read]);
    }
  });

  test('an id in a path is one in digits', async () => {
    const ids = [...NO_NUMBERS, TOO_LARGE, '-0', '+1', ' 1 '];
    for (const { path, method, operation } of callsOf()) {
      for (const { name, schema } of ownParameters(operation).filter(({ in: place }) => place === 'path')) {
        if (schema.type !== 'integer') continue;
        for (const id of ids) {
          const address = withValues(path.replace(`{${name}}`, encodeURIComponent(id)));
          expect([method, path, id, (await send(method, address, operation)).status]).toEqual([
            method,
            path,
            id,
            404,
          ]);
        }
      }
    }
  });
});

/** `chosen`: the values that choose the form of the body that has the field, such as the action of a bulk call. */
type Field = { path: (string | number)[]; schema: ApiSchema; chosen: Record<string, unknown> };

/** The fields of a body at any depth, also those of each form of a union. */
function fieldsOf(schema: ApiSchema, path: Field['path'] = [], chosen: Field['chosen'] = {}): Field[] {
  if (path.length > 6) return [];
  const { $ref, properties, items, additionalProperties } = schema as Record<string, ApiSchema | undefined>;
  if ($ref !== undefined) {
    return fieldsOf(document.components.schemas[String($ref).split('/').at(-1)!]!, path, chosen);
  }
  const own = Object.entries((properties ?? {}) as Record<string, ApiSchema>);
  const choices = own.flatMap(([name, inner]) => {
    const [only, ...others] = (inner.enum ?? []) as unknown[];
    return only === undefined || others.length > 0 ? [] : [[name, only]];
  });
  const all = path.length === 0 ? { ...chosen, ...Object.fromEntries(choices) } : chosen;
  const forms = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (schema[keyword] ?? []) as ApiSchema[]);
  return [
    ...(path.length > 0 ? [{ path, schema, chosen }] : []),
    ...own.flatMap(([name, inner]) => fieldsOf(inner, [...path, name], all)),
    ...(items ? fieldsOf(items, [...path, 0], chosen) : []),
    ...(typeof additionalProperties === 'object'
      ? fieldsOf(additionalProperties, [...path, 'a'], chosen)
      : []),
    ...forms.flatMap((form) => fieldsOf(form, path, chosen)),
  ];
}

/** A body with a value at a path; the value is JSON. */
function bodyWith(example: unknown, path: Field['path'], json: string): string {
  const put = (inner: unknown, [key, ...rest]: Field['path']): unknown => {
    if (key === undefined) return MARK;
    if (typeof key === 'number') return [put(Array.isArray(inner) ? inner[0] : undefined, rest)];
    const own = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    return { ...own, [key]: put(own[key], rest) };
  };
  return JSON.stringify(put(example, path)).replace(JSON.stringify(MARK), json);
}
const MARK = '\u0001';

const typesOf = (schema: ApiSchema) => [schema.type].flat();

/** The fields of all bodies that are of a type and of no other, by their path; routes with the same body once. */
function bodyFields(isOf: (schema: ApiSchema) => boolean) {
  return callsOf().flatMap(({ path, method, operation }) => {
    const body = jsonBodyOf(document, operation);
    if (!body || method === 'patch') return [];
    const fields = fieldsOf(body.schema);
    const isAlone = ({ path: own }: Field) =>
      fields.every(
        (other) =>
          other.path.join() !== own.join() ||
          isOf(other.schema) ||
          typesOf(other.schema).every((type) => type === undefined || type === 'null'),
      );
    const found = fields.filter((field) => isOf(field.schema) && isAlone(field));
    return found.map((field) => ({
      ...field,
      url: withValues(path),
      method,
      operation,
      example: body.example,
    }));
  });
}

async function takenInBodies(fields: ReturnType<typeof bodyFields>, values: readonly string[]) {
  const found: unknown[] = [];
  for (const { path, url, method, operation, chosen, example } of fields) {
    for (const json of values) {
      const { status, body } = await send(
        method,
        url,
        operation,
        bodyWith({ ...(example as object), ...chosen }, path, json),
      );
      const isNamed = status === 400 && Object.hasOwn(body.errors ?? {}, String(path[0]));
      // A number for a client that was not offered is a wrong choice, whatever it is (DESK-04).
      if (!isNamed && body.code !== 'invalid_token')
        found.push([method, url, path.join('.'), json, status, body.errors ?? body.code]);
    }
  }
  return found;
}

const asTexts = (values: readonly string[]) => values.map((value) => JSON.stringify(value));

describe('in a body', () => {
  test('a text or a number that cannot be stored exactly is refused at its field', async () => {
    const fields = bodyFields(({ type }) => type === 'integer' || type === 'number');
    const values = [...asTexts([...NO_NUMBERS, '']), TOO_LARGE, '1e999'];
    expect(await takenInBodies(fields, values)).toEqual([]);
    expect(fields.length).toBeGreaterThan(100);
  }, 300_000);

  test('a day is refused at its field unless it is one of the calendar, with its digits', async () => {
    const fields = bodyFields(({ format }) => format === 'date');
    expect(await takenInBodies(fields, [...asTexts(NO_DAYS), '46027', '-0'])).toEqual([]);
    expect(fields.length).toBeGreaterThan(5);
  });
});
