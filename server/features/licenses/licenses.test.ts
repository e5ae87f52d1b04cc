import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { licenseAnswer as licenseSchema } from '../../../contract/licenses/license-can.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../../../contract/licenses/licenses.fields.ts';
import { LICENSE_KEY_PATTERN } from '../../../contract/reading/license-keys.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { recordContract } from '../../../test/record-contract.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const LIST = '/licenses/api/licenses/';
const ONE = (id: number) => `${LIST}${id}/`;

let testApp: TestApp;
let client: number;
let software: number;
let type: number;

beforeAll(async () => {
  testApp = await createTestApp({ now: NOW, closeAfterTest: false });
  client = (await createClient(testApp, { name: 'Ana López', email: 'ana@example.com', company: 'Ánfora' }))
    .id;
  software = (await createSoftware(testApp, { name: 'Caja', version: '2.0', description: 'Cobra' })).id;
  type = (
    await createLicenseType(testApp, {
      name: 'Anual',
      base_price: 1200.5,
      max_installations: 7,
      validity_days: 90,
    })
  ).id;
});
afterAll(() => testApp.close());

const post = (body: unknown, url = LIST) => testApp.call('POST', url, { body });
const asked = (values: Record<string, unknown> = {}) => ({
  client,
  software,
  license_type: 'premium',
  price: 100,
  ...values,
});

describe('POST licenses/ (SEED-7.4-05)', () => {
  test('returns 201 with every field of a licence', {
    tags: ['SEED-1-07', 'SEED-3-10', 'SEED-3-11', 'SEED-3-12', 'SEED-3-13'],
  }, async () => {
    const { status, body } = await post(
      asked({
        license_type_config: type,
        original_price: 150.25,
        discount_percentage: 12.5,
        promotion_name: 'Buen Fin',
        promotion_description: 'Solo\nnoviembre',
        notes: 'Con factura',
      }),
    );
    expect(status).toBe(201);
    expect(licenseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      status: 'active',
      license_type: 'premium',
      license_type_config: type,
      license_type_name: 'Anual',
      issued_date: NOW,
      created_at: NOW,
      updated_at: NOW,
      client: { id: client, name: 'Ana López', email: 'ana@example.com', company: 'Ánfora' },
      client_name: 'Ana López',
      client_email: 'ana@example.com',
      client_phone: '+525512345678',
      software: { id: software, name: 'Caja', version: '2.0', description: 'Cobra' },
      software_name: 'Caja',
      software_version: '2.0',
      software_description: 'Cobra',
      price: 100,
      original_price: 150.25,
      discount_percentage: 12.5,
      promotion_name: 'Buen Fin',
      promotion_description: 'Solo\nnoviembre',
      notes: 'Con factura',
      current_installations: 0,
      max_installations: 7,
      remaining_installations: 7,
      expiry_days: 90,
      days_remaining: 90,
      is_active: true,
      is_expired: false,
      email_status: 'queued',
      installations: [],
    });
  });

  test('absent fields get their defaults', { tags: ['SEED-4-20', 'SEED-9-07', 'D125'] }, async () => {
    const { body } = await post(asked({ license_type: undefined, license_type_config: null, category: 1 }));
    expect(body.errors).toEqual({ license_type_config: ['Debe seleccionar un tipo de licencia'] });
    const issued = await post({ client, software, price: 100, license_type: 'basic' });
    expect(issued.body).toMatchObject({
      license_type: 'basic',
      license_type_config: null,
      license_type_name: null,
      status: 'active',
      max_installations: 5,
      expiry_days: 365,
      days_remaining: 365,
      original_price: null,
      discount_percentage: 0,
      promotion_name: '',
      notes: '',
    });
    expect((await post({ client, software, price: 1, license_type_config: type })).body.license_type).toBe(
      'premium',
    );
  });

  test('accepts client, software and type as objects with an id, and null for blank texts (D092)', async () => {
    const { status, body } = await post(
      asked({
        client: { id: client, name: 'ignored' },
        software: { id: software },
        license_type_config: { id: type },
        original_price: null,
        discount_percentage: null,
        promotion_name: null,
        notes: '   ',
      }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client: { id: client },
      license_type_config: type,
      discount_percentage: 0,
      notes: '',
    });
  });

  test('the server creates unique, readable keys and ignores a sent one (SEED-9-18, D083)', async () => {
    const sent = 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA';
    const keys = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await post(asked({ license_key: sent, id: 7 }))).body.license_key,
      ),
    );
    expect(new Set(keys).size).toBe(20);
    for (const key of keys) expect(key).toMatch(LICENSE_KEY_PATTERN);
    expect(keys).not.toContain(sent);
  });

  test.for(LICENSE_CATEGORIES)('accepts the category %s (SEED-3-14)', async (category) => {
    expect((await post(asked({ license_type: category }))).body.license_type).toBe(category);
  });

  test.for(LICENSE_STATUSES)('accepts the status %s (SEED-3-15, D065)', async (status) => {
    expect((await post(asked({ status }))).body.status).toBe(status);
  });

  test('an empty body gets an error for each missing field (SEED-5.3-01 to 03, SEED-1-07, SEED-9-16)', async () => {
    const { status, body } = await post({});
    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      code: 'invalid',
      message: 'Datos inválidos',
      errors: {
        client: ['Debe seleccionar un cliente'],
        software: ['Debe seleccionar un software'],
        price: ['El precio es obligatorio y debe ser mayor a 0'],
        license_type_config: ['Debe seleccionar un tipo de licencia'],
      },
      error_codes: {
        client: ['required'],
        software: ['required'],
        price: ['required'],
        license_type_config: ['required'],
      },
    });
  });

  test('returns Spanish errors for every invalid field (D078, SEED-9-06, SEED-5.3-04 to 07)', async () => {
    const { status, body } = await post({
      client: 'x',
      software: -1,
      license_type: 'otro',
      license_type_config: type,
      status: 'otro',
      price: 0,
      original_price: -1,
      discount_percentage: 100.01,
      promotion_name: 'x'.repeat(201),
      max_installations: 0,
      expiry_days: 0,
      expiry_date: '2026-02-30',
      notes: 'a\u0000b',
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual({
      client: ['Selecciona un elemento válido'],
      software: ['Selecciona un elemento válido'],
      license_type: ['Selecciona una categoría válida'],
      status: ['Debe seleccionar un estado'],
      price: ['El precio es obligatorio y debe ser mayor a 0'],
      original_price: ['El precio original debe ser mayor a 0'],
      discount_percentage: ['El descuento debe estar entre 0 y 100%'],
      promotion_name: ['No puede exceder 200 caracteres'],
      max_installations: ['El máximo de instalaciones debe ser mayor a 0'],
      expiry_days: ['Los días de expiración deben ser mayores a 0'],
      expiry_date: ['La fecha de expiración no es válida'],
      notes: ['Contiene caracteres no permitidos'],
    });
  });

  test('a client, software or type that does not exist is an error at its field (D125)', async () => {
    const { status, body } = await post(
      asked({ client: 999_999, software: 999_998, license_type_config: 999_997 }),
    );
    expect(status).toBe(400);
    expect(body.errors).toEqual({
      client: ['El cliente no existe'],
      software: ['El software no existe'],
      license_type_config: ['El tipo de licencia no existe'],
    });
  });

  test.for([0.001, 10_000_000_000, -0, 1e308])('the price %s is refused (D093)', async (price) => {
    const { status, body } = await post(asked({ price }));
    expect(status).toBe(400);
    expect(body.errors).toHaveProperty('price');
  });

  test('prices are stored exactly with two decimals (D093)', async () => {
    for (const price of [0.01, 0.1, 19.99, 1234567.89, 9_999_999_999.99]) {
      expect((await post(asked({ price, original_price: price }))).body).toMatchObject({
        price,
        original_price: price,
      });
    }
  });

  test('accepts a discount of 0 and of 100 (SEED-9-06)', async () => {
    for (const discount of [0, 100, 33.33]) {
      expect((await post(asked({ discount_percentage: discount }))).body.discount_percentage).toBe(discount);
    }
  });

  test.for(['null', '[]', '"x"', '7'])('refuses the body %s', async (payload) => {
    const { status, body } = await testApp.call('POST', LIST, { payload });
    expect(status).toBe(400);
    expect(body.code).toBe('invalid');
  });

  test('with a concurrent deletion of the client the licence is issued or refused, without a 500', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await createClient(testApp);
      const [removed, issued] = await Promise.all([
        testApp.call('DELETE', `/licenses/api/clients/${id}/`),
        post(asked({ client: id })),
      ]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([removed.status, issued.status]);
    }
  });
});

describe('GET licenses/{id}/ (SEED-7.4-06)', () => {
  test('returns the licence with its installations, and its version as ETag', async () => {
    const issued = await createLicense(testApp, { client, software });
    await activate(testApp, issued.license_key, 'caja-1');
    const { status, body, headers } = await testApp.call('GET', ONE(issued.id));
    expect(status).toBe(200);
    expect(licenseSchema.parse(body)).toEqual(body);
    expect(headers.etag).toBe(`"${body.updated_at}"`);
    expect(body).toMatchObject({ current_installations: 1, remaining_installations: 4 });
    expect(body.installations).toMatchObject([
      { machine_id: 'caja-1', license: issued.id, is_active: false },
    ]);
  });

  test('accepts a URL without the trailing slash (D039)', async () => {
    const { id } = await createLicense(testApp);
    expect((await testApp.call('GET', `/licenses/api/licenses/${id}`)).status).toBe(200);
  });

  test.for(['999999', '0', '99999999999999999999'])('an unknown id %s gets 404', async (id) => {
    const { status, body } = await testApp.call('GET', `${LIST}${id}/`);
    expect(status).toBe(404);
    expect(body.code).toBe('not_found');
  });
});

describe('DELETE licenses/{id}/', { tags: ['SEED-7.4-08', 'D013', 'D090'] }, () => {
  test('deletes it with its installations and returns a message', async () => {
    const issued = await createLicense(testApp);
    const seat = (await activate(testApp, issued.license_key, 'caja')).body;
    const { status, body } = await testApp.call('DELETE', ONE(issued.id));
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: 'Licencia eliminada exitosamente' });
    expect((await testApp.call('GET', ONE(issued.id))).status).toBe(404);
    expect((await testApp.call('GET', `/licenses/api/installations/${seat.id}/`)).status).toBe(404);
    expect((await testApp.call('DELETE', ONE(issued.id))).status).toBe(404);
  });

  test('a licence keeps price, seats and days when its type is deleted (D013)', async () => {
    const gone = await createLicenseType(testApp, { max_installations: 9 });
    const issued = await createLicense(testApp, { license_type_config: gone.id });
    await testApp.call('DELETE', `/licenses/api/license-types/${gone.id}/`);
    expect((await testApp.call('GET', ONE(issued.id))).body).toMatchObject({
      license_type_config: null,
      license_type_name: null,
      max_installations: 9,
    });
  });
});

describe('licences as records', { tags: ['SEED-7-02', 'D090'] }, () => {
  recordContract({
    path: LIST,
    create: createLicense,
    change: (notes) => ({ notes }),
    notFound: 'Licencia no encontrada',
    deleted: 'Licencia eliminada exitosamente',
    calls: {
      list: [
        ['PATCH', 'bulk_update/'],
        ['GET', 'export/'],
      ],
      one: [['POST', 'resend_email/']],
    },
  });
});

test.for([
  ['POST', '/licenses/api/license/generate/'],
  ['GET', '/licenses/api/license/1/status/'],
] as const)('%s %s requires a session (SEED-6-01)', async ([method, url]) => {
  const { status } = await testApp.call(method, url, { token: null, ...(method !== 'GET' && { body: {} }) });
  expect(status).toBe(401);
});
