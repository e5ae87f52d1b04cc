import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../contract/base/page.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType } from '../../../test/factories.ts';
import { recordContract } from '../../../test/record-contract.ts';

const URL = '/licenses/api/license-types/';
const one = (id: number) => `${URL}${id}/`;
const VALID = { name: 'Anual', base_price: 1200, max_installations: 5, validity_days: 365 };
const PROMOTION = {
  is_promotion: true,
  promotion_name: 'Buen Fin',
  promotion_description: 'Solo en noviembre',
  discount_percentage: 12.5,
  promotion_start_date: '2026-11-13',
  promotion_end_date: '2026-11-16',
};

const namesOf = (page: Page<LicenseType>) => page.results.map((type) => type.name);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

describe('GET license-types/', () => {
  test('lists all licence types by name, ignoring case and accents', {
    tags: ['SEED-7.5-01', 'D054', 'D057'],
  }, async () => {
    const t = await createTestApp();
    for (const name of ['básico plus', 'Único', 'Básico', 'zafiro', 'Ñu', 'Nube', 'Bronce']) {
      await createLicenseType(t, { name, description: 'Zeta' });
    }

    const { body } = await t.call<Page<LicenseType>>('GET', URL);

    expect(namesOf(body)).toEqual(['Básico', 'básico plus', 'Bronce', 'Nube', 'Ñu', 'Único', 'zafiro']);
    expect(body).toMatchObject({ count: 7, total_pages: 1, current_page: 1, next: null, previous: null });
  });

  test('returns pages when a page is asked for', async () => {
    const t = await createTestApp();
    for (const name of ['C', 'A', 'B']) await createLicenseType(t, { name });

    const { body } = await t.call<Page<LicenseType>>('GET', `${URL}?page=2&page_size=2`);

    expect(namesOf(body)).toEqual(['C']);
    expect(body).toMatchObject({ count: 3, total_pages: 2, previous: `${URL}?page=1&page_size=2` });
  });

  test('search looks in name, description and promotion, and is_active filters by state (SEED-7.5-01, SEED-4-15)', async () => {
    const t = await createTestApp();
    await createLicenseType(t, { name: 'Educación', description: 'Para escuelas' });
    await createLicenseType(t, { name: 'Empresa', ...PROMOTION });
    await createLicenseType(t, { name: 'Viejo', is_active: false });

    const found = async (query: string) =>
      namesOf((await t.call<Page<LicenseType>>('GET', `${URL}?${query}`)).body);

    expect(await found('search=EDUCACION')).toEqual(['Educación']);
    expect(await found('search=escuela')).toEqual(['Educación']);
    expect(await found('search=buen%20fin')).toEqual(['Empresa']);
    expect(await found('is_active=false')).toEqual(['Viejo']);
    expect(await found('search=zzz')).toEqual([]);
  });
});

describe('POST license-types/', () => {
  test('creates a type with the defaults of the specification', {
    tags: ['SEED-7.5-02', 'SEED-3-20', 'SEED-3-21', 'SEED-3-22', 'SEED-9-08'],
  }, async () => {
    const { status, body } = await app.call<LicenseType>('POST', URL, { body: VALID });

    expect(status).toBe(201);
    expect(body).toEqual({
      ...VALID,
      id: expect.any(Number),
      description: '',
      currency: 'MXN',
      grace_days: 0,
      offline_days: 7,
      features: {},
      meters: {},
      seat_mode: 'fixed',
      lease_minutes: null,
      self_release: false,
      releases_per_month: null,
      start_mode: 'issue',
      activate_by_days: 365,
      updates_days: null,
      renewal_price: null,
      validity_months: null,
      is_promotion: false,
      promotion_name: '',
      promotion_description: '',
      discount_percentage: null,
      promotion_start_date: null,
      promotion_end_date: null,
      is_active: true,
      is_public: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await app.call('GET', one(body.id))).body).toEqual(body);
  });

  test('stores the promotion as sent, with days as calendar days', {
    tags: ['SEED-3-21', 'D081', 'D106'],
  }, async () => {
    const { status, body } = await app.call('POST', URL, { body: { ...VALID, ...PROMOTION } });

    expect(status).toBe(201);
    expect(body).toMatchObject(PROMOTION);
  });

  test('the promotion fields are emptied when a type has no promotion (D080, SEED-5.5-12)', async () => {
    const { body } = await app.call('POST', URL, { body: { ...VALID, ...PROMOTION, is_promotion: false } });

    expect(body).toMatchObject({
      is_promotion: false,
      promotion_name: '',
      promotion_description: '',
      discount_percentage: null,
      promotion_start_date: null,
      promotion_end_date: null,
    });
  });

  test('returns errors for all invalid fields at once, promotion included', {
    tags: [
      'SEED-5.5-03',
      'SEED-5.5-04',
      'SEED-5.5-05',
      'SEED-5.5-06',
      'SEED-5.5-07',
      'SEED-5.5-08',
      'SEED-5.5-09',
    ],
  }, async () => {
    const { status, body } = await app.call('POST', URL, {
      body: {
        name: '   ',
        base_price: 0,
        max_installations: 0,
        validity_days: -1,
        is_promotion: true,
        promotion_name: ' ',
        discount_percentage: 100.01,
        promotion_start_date: '2026-05-02',
        promotion_end_date: '2026-05-02',
      },
    });

    expect(status).toBe(400);
    expect(body.errors).toEqual({
      name: ['El nombre es obligatorio'],
      base_price: ['El precio base debe ser mayor a 0'],
      max_installations: ['El máximo de instalaciones debe ser mayor a 0'],
      validity_days: ['Los días de validez deben ser mayores a 0'],
      promotion_name: ['El nombre de promoción es obligatorio'],
      discount_percentage: ['El descuento debe estar entre 0 y 100%'],
      promotion_end_date: ['La fecha de fin debe ser posterior a la fecha de inicio'],
    });
  });

  test('an empty body gets an error for each of the four fields', async () => {
    const { body } = await app.call('POST', URL, { body: {} });

    expect(body.errors).toEqual({
      name: ['El nombre es obligatorio'],
      base_price: ['El precio base debe ser mayor a 0'],
      max_installations: ['El máximo de instalaciones debe ser mayor a 0'],
      validity_days: ['Los días de validez deben ser mayores a 0'],
    });
  });

  test.each([
    ['a third decimal', { base_price: 1.005 }, 'base_price'],
    ['text for a price', { base_price: '100' }, 'base_price'],
    ['half an installation', { max_installations: 1.5 }, 'max_installations'],
    [
      'a day that does not exist',
      { ...PROMOTION, promotion_start_date: '2026-02-29' },
      'promotion_start_date',
    ],
    ['a negative discount', { ...PROMOTION, discount_percentage: -0.01 }, 'discount_percentage'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'name'],
  ])('refuses %s', async (_what, change, field) => {
    const { status, body } = await app.call('POST', URL, { body: { ...VALID, ...change } });

    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  test.each([0, 100, 0.01, 99.99])('accepts a discount of %d (SEED-9-06)', async (discount) => {
    const { body } = await app.call('POST', URL, {
      body: { ...VALID, ...PROMOTION, discount_percentage: discount },
    });

    expect(body.discount_percentage).toBe(discount);
  });

  test.each([0.01, 19.99, 1234.5, 9_999_999_999.99])(
    'stores a price of %d exactly to the cent (D093)',
    async (price) => {
      const { body } = await app.call('POST', URL, { body: { ...VALID, base_price: price } });

      expect(body.base_price).toBe(price);
    },
  );
});

describe('PUT license-types/{id}/', () => {
  test('changes the given fields and no others (SEED-7.5-04, D091)', async () => {
    const before = await createLicenseType(app, { description: 'se queda', ...PROMOTION });

    const { status, body } = await app.call<LicenseType>('PUT', one(before.id), {
      body: { base_price: 99.5, id: 1, created_at: '2000-01-01T00:00:00Z' },
    });

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, base_price: 99.5, updated_at: body.updated_at });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  test('checks the promotion rules on the merged record (D080, D081)', async () => {
    const { id } = await createLicenseType(app, PROMOTION);
    const put = (body: object) => app.call('PUT', one(id), { body });

    expect((await put({ promotion_name: '' })).body.errors).toEqual({
      promotion_name: ['El nombre de promoción es obligatorio'],
    });
    expect((await put({ promotion_end_date: '2026-11-13' })).body.errors).toEqual({
      promotion_end_date: ['La fecha de fin debe ser posterior a la fecha de inicio'],
    });
    expect((await put({ promotion_start_date: '2027-01-01', base_price: 0 })).body.errors).toEqual({
      base_price: ['El precio base debe ser mayor a 0'],
    });
    expect((await put({ promotion_start_date: '2027-01-01' })).body.errors).toHaveProperty(
      'promotion_end_date',
    );
    expect((await put({ promotion_start_date: '' })).body.promotion_start_date).toBeNull();
    expect((await put({ is_promotion: false })).body).toMatchObject({
      promotion_name: '',
      discount_percentage: null,
      promotion_end_date: null,
    });
    expect((await put({ is_promotion: true })).body.errors).toEqual({
      promotion_name: ['El nombre de promoción es obligatorio'],
    });
  });
});

describe('PATCH license-types/{id}/toggle-status/', () => {
  test('toggles is_active without a body, and back', {
    tags: ['SEED-7.5-06', 'SEED-4-16', 'D082'],
  }, async () => {
    const { id, updated_at } = await createLicenseType(app);
    const toggle = () => app.call<LicenseType>('PATCH', `${one(id)}toggle-status/`);

    const off = await toggle();
    const on = await toggle();

    expect([off.status, off.body.is_active]).toEqual([200, false]);
    expect([on.status, on.body.is_active]).toEqual([200, true]);
    expect(new Set([updated_at, off.body.updated_at, on.body.updated_at]).size).toBe(3);
    expect((await app.call('GET', one(id))).body.is_active).toBe(true);
  });

  test('accepts an empty JSON body', async () => {
    const { id } = await createLicenseType(app);

    const answer = await app.call('PATCH', `${one(id)}toggle-status/`, { payload: '' });

    expect(answer.body.is_active).toBe(false);
  });
});

describe('DELETE license-types/{id}/', () => {
  test('deletes a type, and its licences keep price, seats and days (SEED-7.5-05, D013)', async () => {
    const { id } = await createLicenseType(app, { name: 'Se irá', max_installations: 7, validity_days: 30 });
    const license = await createLicense(app, { license_type_config: id, price: 50 });

    const { status, body } = await app.call('DELETE', one(id));

    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: 'Tipo de licencia eliminado exitosamente' });
    expect((await app.call('GET', one(id))).status).toBe(404);
    const kept = await app.call('GET', `/licenses/api/licenses/${license.id}/`);
    expect(kept.body).toMatchObject({
      license_type_config: null,
      license_type_name: null,
      max_installations: 7,
      expiry_days: 30,
      price: 50,
    });
  });
});

test('licence types have no bulk_update and no export (D088)', async () => {
  expect((await app.call('PATCH', `${URL}bulk_update/`, { body: {} })).status).toBe(404);
  expect((await app.call('GET', `${URL}export/`)).status).toBe(404);
});

describe('licence types as records', { tags: ['SEED-7.5-03', 'D090'] }, () => {
  recordContract({
    path: URL,
    create: createLicenseType,
    change: (name) => ({ name }),
    notFound: 'Tipo de licencia no encontrado',
    deleted: 'Tipo de licencia eliminado exitosamente',
    calls: { list: [], one: [['PATCH', 'toggle-status/']] },
  });
});
