import { beforeAll, describe, expect, test } from 'vitest';
import { FIELD_ERROR_CODES, type FieldErrorCode } from '../../contract/base/field-errors.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { activate, createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { upload } from '../import-file.ts';
import { uncodedField } from './conformance.ts';

/**
 * The codes of field errors (API-04). conformance.ts also checks in every answer of every test that texts have their
 * codes.
 */

const API = '/licenses/api';
let t: TestApp;
let ids: { client: number; software: number; type: number; license: number; key: string; import: number };

beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false, now: '2026-11-22T12:00:00.000Z' });
  const client = await createClient(t, { email: 'taken@example.com' });
  const software = await createSoftware(t, { name: 'Caja', version: '1' });
  const type = await createLicenseType(t);
  const license = await createLicense(t, { client: client.id, software: software.id, max_installations: 1 });
  await activate(t, license.license_key, 'first');
  const file = await upload(t, 'clients', 'Nombre,Email\nAna,ana@example.com\n');
  ids = {
    client: client.id,
    software: software.id,
    type: type.id,
    license: license.id,
    key: license.license_key,
    import: file.body.id,
  };
  return t.close;
});

type Call = [method: string, path: string, body: object | null];

/** Calls with the codes that their answers must have. */
const CALLS: [what: string, codes: Record<string, FieldErrorCode[]>, call: () => Call][] = [
  [
    'a taken address, alone',
    { email: ['taken'] },
    () => ['POST', '/clients/', { name: 'Ana', email: 'TAKEN@example.com', phone: '+525512345678' }],
  ],
  [
    'several wrong fields of a client',
    {
      name: ['required'],
      email: ['invalid'],
      company: ['too_long'],
      phone: ['required'],
      client_type: ['invalid'],
    },
    () => [
      'POST',
      '/clients/',
      { name: ' ', email: 'no', company: 'x'.repeat(201), phone: '', client_type: 'shop' },
    ],
  ],
  [
    'a taken name and version',
    { name: ['taken'] },
    () => ['POST', '/software/', { name: 'caja', version: '1' }],
  ],
  [
    'references to nothing',
    {
      client: ['unknown_reference'],
      software: ['unknown_reference'],
      license_type_config: ['unknown_reference'],
    },
    () => ['POST', '/licenses/', { client: 999, software: 999, license_type_config: 999, price: 10 }],
  ],
  [
    'numbers outside of their limits, and no type',
    { price: ['out_of_range'], discount_percentage: ['out_of_range'], license_type_config: ['required'] },
    () => [
      'POST',
      '/licenses/',
      { client: ids.client, software: ids.software, price: 0, discount_percentage: 101 },
    ],
  ],
  [
    'an amount that its currency has not',
    { price: ['invalid'] },
    () => ['PUT', `/licenses/${ids.license}/`, { price: 10.5, currency: 'CLP' }],
  ],
  [
    'days that were changed to too many',
    { expiry_days: ['out_of_range'] },
    () => ['PUT', `/licenses/${ids.license}/`, { expiry_days: 99_999_999 }],
  ],
  [
    'a promotion without a name that ends before it begins',
    { promotion_name: ['required'], promotion_end_date: ['out_of_range'] },
    () => [
      'PUT',
      `/license-types/${ids.type}/`,
      {
        is_promotion: true,
        promotion_name: '',
        promotion_start_date: '2026-02-01',
        promotion_end_date: '2026-01-01',
      },
    ],
  ],
  [
    'a transfer to the same client',
    { client: ['not_allowed'] },
    () => ['POST', `/licenses/${ids.license}/transfer/`, { client: ids.client }],
  ],
  [
    'a renewal that ends before it begins',
    { expiry_date: ['out_of_range'] },
    () => ['POST', `/licenses/${ids.license}/renew/`, { expiry_date: '2026-01-01' }],
  ],
  [
    'a seat too many',
    { license_key: ['not_allowed'] },
    () => ['POST', '/installations/', { license_key: ids.key, machine_id: 'second' }],
  ],
  [
    'a field that a closed object has not',
    { updates: ['unknown_field', 'required'] },
    () => ['PATCH', '/clients/bulk_update/', { ids: [1], updates: { email: 'x' } }],
  ],
  [
    'filters of a bulk call',
    { filters: ['unknown_field', 'required', 'invalid'] },
    () => [
      'POST',
      '/clients/bulk_action/',
      { action: 'delete', filters: { colour: 'red', city: ' ', status: 'sleeping' } },
    ],
  ],
  [
    'a selection of nothing',
    { ids: ['required'] },
    () => ['POST', '/clients/bulk_action/', { action: 'delete', ids: [] }],
  ],
  [
    'faults of a mail template',
    { body: ['unknown_reference', 'invalid'] },
    () => [
      'PUT',
      '/mail-templates/license_issued/',
      { subject: 'Hola', body: '{{ cliente }}\n{{ client.name | upcase: 1, 2, 3 }}' },
    ],
  ],
  [
    'a mapping of an import',
    { mapping: ['unknown_reference', 'unknown_reference', 'required'] },
    () => [
      'POST',
      `/imports/${ids.import}/check/`,
      { mode: 'create', mapping: { Nombre: 'nombre', Apellido: null, Email: null } },
    ],
  ],
  [
    'an API key of the past for what keys may not do',
    { permissions: ['not_allowed'] },
    () => ['POST', '/api-keys/', { name: 'x', permissions: ['users:manage'] }],
  ],
  [
    'a period that ends before it begins',
    { to: ['out_of_range'] },
    () => ['GET', '/reports/revenue/?from=2026-02-01&to=2026-01-01', null],
  ],
  [
    'a filter of a list',
    { status: ['invalid'], client: ['invalid'] },
    () => ['GET', '/licenses/?status=nice&client=x', null],
  ],
  ['a body that is no object', { body: ['invalid'] }, () => ['POST', '/clients/', [1]]],
];

describe('each field error has a code for its reason, beside the text', () => {
  test.each(CALLS)('the error for %s has its text and code (API-04)', async (_what, codes, call) => {
    const [method, path, body] = call();
    const answer = await t.call(method, `${API}${path}`, body === null ? {} : { body });
    expect(answer.body.error_codes).toEqual(codes);
    expect(Object.keys(answer.body.error_codes)).toEqual(Object.keys(answer.body.errors));
    expect([400, 409]).toContain(answer.status);
  });

  test('the errors for a body that is no JSON, and for an invalid Idempotency-Key, have codes (API-04)', async () => {
    const unreadable = await t.call('POST', `${API}/clients/`, { payload: '{' });
    expect(unreadable.body.error_codes).toEqual({ body: ['invalid'] });
    const headers = { 'idempotency-key': 'a b' };
    const body = { name: 'Ana', email: 'ana@example.com', phone: '+525512345678' };
    const keyed = await t.call('POST', `${API}/clients/`, { headers, body });
    expect(keyed.body.error_codes).toEqual({ 'Idempotency-Key': ['invalid'] });
  });
});

test('a record that a bulk call cannot change gets errors with codes at its fields (API-04)', async () => {
  const trial = await createLicense(t, { status: 'trial' });
  const body = { action: 'renew', ids: [trial.id, 999] };
  const answer = await t.call('POST', `${API}/licenses/bulk_action/`, { body });
  const message = 'Elige el tipo de licencia con el que sigue la prueba';
  expect(answer.body.failed).toEqual([
    {
      id: trial.id,
      code: 'invalid',
      message,
      errors: { license_type_config: [message] },
      error_codes: { license_type_config: ['required'] },
    },
    { id: 999, code: 'not_found', message: 'Licencia no encontrada' },
  ]);
});

test('the document lists every code, with its meaning (API-04)', async () => {
  const { body } = await t.call('GET', '/api/openapi.json', { token: null });
  const { FieldErrorCode: listed, Error: error } = body.components.schemas;
  expect(listed.enum).toEqual(Object.keys(FIELD_ERROR_CODES));
  for (const [code, meaning] of Object.entries(FIELD_ERROR_CODES)) {
    expect(listed.description).toContain(`${code}: ${meaning}`);
  }
  expect(error.properties.error_codes.additionalProperties.items.$ref).toBe(
    '#/components/schemas/FieldErrorCode',
  );
});

test.each<[what: string, body: unknown, field: string | null]>([
  ['no error', { id: 1, errors: [] }, null],
  ['an error that names no fields', { success: false }, null],
  ['texts with their codes', { success: false, errors: { a: ['x'] }, error_codes: { a: ['taken'] } }, null],
  ['texts without codes', { success: false, errors: { a: ['x'] } }, 'a'],
  ['codes without texts', { success: false, error_codes: { a: ['taken'] } }, 'a'],
  ['a code too few', { success: false, errors: { a: ['x', 'y'] }, error_codes: { a: ['taken'] } }, 'a'],
  ['a code that is not listed', { success: false, errors: { a: ['x'] }, error_codes: { a: ['gone'] } }, 'a'],
  [
    'another order',
    { success: false, errors: { a: ['x'], b: ['y'] }, error_codes: { b: ['taken'], a: ['taken'] } },
    'a',
  ],
])('uncodedField finds the field without a code in %s', (_what, body, field) => {
  expect(uncodedField(body)).toBe(field);
});
