import { beforeAll, expect, test } from 'vitest';
import type { ApiDocument, ApiOperation, ApiSchema } from '../../server/http/openapi-document.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { upload } from '../import-file.ts';
import { refusingProviders } from '../payment-providers.ts';
import { valuesAt } from '../properties.ts';

/** Whatever a call sends, answers contain only our own texts, never those of a library. */

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ env: await refusingProviders(), closeAfterTest: false });
  const client = (await createClient(t)).id;
  const software = (await createSoftware(t)).id;
  const license_type_config = (await createLicenseType(t)).id;
  await createLicense(t, { client, software, license_type_config });
  await t.call('POST', '/licenses/api/webhooks/', {
    body: { url: 'https://ejemplo.example.com/aviso', types: ['license.issued'] },
  });
  await upload(t, 'clients', 'Nombre,Email,Teléfono\nAna,ana@example.com,5512345678\n');
  return t.close;
});

/** Texts of zod, JSON.parse, fastify and liquidjs, and names of types. */
const FORBIDDEN =
  /se esperaba|recibido|indefinid|\bregistro,|tuviera|\bfuera [<>]|entrada inválida|opción inválida|cadena inválida|número inválido|llaves? (?:des|inv)|undefined|\bNaN\b|\[object|\bnull\b|instanceof|\b(?:expected|received|invalid|required|must|should|unexpected|unknown|not|the|is|of|at position|token|undefined variable|string|array|number|boolean|object|body)\b/i;

/** Values of a wrong type for any field. */
const WRONG: unknown[] = [
  null,
  [],
  [null],
  'x',
  '',
  1e300,
  -1.5,
  true,
  {},
  { a: { b: [undefined, null] } },
  [[{}]],
];

type Found = { route: string; sent: string; text: string };

/** The texts of an error answer: its message and those of its fields, without quotations from the call. */
function textsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('success' in body) || body.success !== false) return [];
  // The answer to a try of the mail server has what that server said, and is no error.
  if (!('message' in body)) return [];
  const { message, errors = {} } = body as unknown as { message: string; errors?: Record<string, string[]> };
  return [message, ...Object.values(errors).flat()].map((text) =>
    text.replace(/«[^»]*»|Elige una de estas opciones:.*|\{"modulo_nomina".*\}/g, ''),
  );
}

/** The fields in the schema of a body, in all its variants. */
function fieldsOf(document: ApiDocument, schema: ApiSchema | undefined): Record<string, ApiSchema> {
  if (!schema) return {};
  const { $ref, properties, anyOf, oneOf, allOf } = schema as {
    $ref?: string;
    properties?: Record<string, ApiSchema>;
    anyOf?: ApiSchema[];
    oneOf?: ApiSchema[];
    allOf?: ApiSchema[];
  };
  if ($ref) return fieldsOf(document, document.components.schemas[$ref.split('/').at(-1)!]);
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].map((form) =>
    fieldsOf(document, form),
  );
  return Object.assign({}, properties, ...inner);
}

/** Routes that would end the session of the test. */
const ENDS_SESSION =
  /\/(?:logout|change-password|sessions|mfa|step-up)|\/auth\/(?:login|register)|users\/\{id\}/;

test('no answer to an invalid call contains an English text of a library', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 300_000,
}, async () => {
  const { body: document } = await t.call<ApiDocument>('GET', '/api/openapi.json', { token: null });
  const found: Found[] = [];
  let refused = 0;
  let place = 0;
  const send = async (method: string, path: string, options: { body?: unknown; payload?: string }) => {
    const answer = await t.app.inject({
      method: method.toUpperCase() as 'POST',
      url: path,
      headers: { authorization: `Bearer ${t.token}`, 'content-type': 'application/json' },
      payload: options.payload ?? JSON.stringify(options.body),
    });
    expect([method, path, options, answer.statusCode < 500]).toEqual([method, path, options, true]);
    if (answer.statusCode === 400) refused += 1;
    if (!String(answer.headers['content-type']).includes('json')) return;
    const sent = options.payload ?? JSON.stringify(options.body);
    for (const text of textsOf(answer.json()))
      if (FORBIDDEN.test(text)) found.push({ route: `${method} ${path}`, sent, text });
  };
  /** Sends each query parameter with invalid values, and twice. */
  const sendQueries = async (path: string, { parameters = [] }: ApiOperation) => {
    for (const parameter of parameters) {
      if (!('in' in parameter) || parameter.in !== 'query') continue;
      for (const value of ['x', '-1', 'NaN', '%5B%5D', 'x'.repeat(300)])
        await send('GET', `${path}?${parameter.name}=${value}`, { payload: '' });
      await send('GET', `${path}?${parameter.name}=1&${parameter.name}=2`, { payload: '' });
    }
  };
  /** Sends bodies that are not JSON, and each field with invalid values and absent. */
  const sendBodies = async (method: string, path: string, { requestBody }: ApiOperation) => {
    const content = requestBody?.content['application/json'];
    const fields = fieldsOf(document, content?.schema);
    const example = (content?.example ?? {}) as Record<string, unknown>;
    for (const payload of ['{', '{"a":}', '[1', '{"a":1}x', "{'a':1}", '\u0000'])
      await send(method, path, { payload });
    for (const body of [...WRONG, 5]) await send(method, path, { body });
    for (const name of Object.keys(fields)) {
      place += 1;
      for (const value of valuesAt(place, WRONG))
        await send(method, path, { body: { ...example, [name]: value } });
      const { [name]: _missing, ...others } = example;
      await send(method, path, { body: others });
    }
  };
  for (const [template, operations] of Object.entries(document.paths)) {
    const path = template.replace('{kind}', 'license_issued').replace(/\{\w+\}/g, '1');
    for (const [method, operation] of Object.entries(operations)) {
      if (method === 'get') await sendQueries(path, operation);
      else if (method !== 'delete' && !ENDS_SESSION.test(template)) await sendBodies(method, path, operation);
    }
  }
  expect([...new Map(found.map((one) => [one.text, one])).values()]).toEqual([]);
  expect(refused).toBeGreaterThan(500);
});

test('a template with any mistake is refused with a Spanish text of this product', async () => {
  const bodies = [
    '{{',
    '{{ license.key',
    '{% if %}',
    '{% if reason %}',
    '{% for x %}{% endfor %}',
    '{% endif %}',
    '{% nada %}',
    '{{ x | nada }}',
    '{{ license.key | append }}',
    '{% assign x = %}',
    '{{ license..key }}',
    '{% include "a" %}',
    '{{ "a" | date: }}',
    '{% case %}{% endcase %}',
    '{{ license.key | truncate: "x" }}',
    '{% raw %}',
  ];
  for (const body of bodies) {
    const answer = await t.call('PUT', '/licenses/api/mail-templates/license_issued/', { body: { body } });
    for (const text of textsOf(answer.body))
      expect([body, text]).toEqual([body, expect.not.stringMatching(FORBIDDEN)]);
  }
});
