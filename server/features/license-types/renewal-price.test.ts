import { beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType } from '../../../test/factories.ts';
import { REQUESTS } from '../../../test/payment-shop.ts';

/** `renewal_price` of a type: what a renewal with the same type asks (MONEY-07). */

const TYPES = '/licenses/api/license-types/';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
});

const PROMOTION = { is_promotion: true, promotion_name: 'Buen Fin', discount_percentage: 50 };
const renew = (id: number, path: string, body: object = {}) =>
  t.call('POST', `/licenses/api/licenses/${id}/${path}/`, { body });

test('it is null unless it is set, is kept by a PUT without it, and is in list, details and events', async () => {
  const type = await createLicenseType(t, { base_price: 1200 });
  expect(type.renewal_price).toBeNull();
  const one = `${TYPES}${type.id}/`;
  const put = await t.call('PUT', one, { body: { renewal_price: 800.5 } });
  expect(put.body.renewal_price).toBe(800.5);
  await t.call('PUT', one, { body: { description: 'Anual' } });
  expect((await t.call('GET', one)).body.renewal_price).toBe(800.5);
  expect((await t.call('GET', TYPES)).body.results[0].renewal_price).toBe(800.5);
  const { results } = (await t.call('GET', '/licenses/api/events/?limit=5')).body;
  expect(results[1].changes).toEqual({ renewal_price: { before: null, after: 800.5 } });
  expect((await t.call('PATCH', one, { body: { renewal_price: null } })).body.renewal_price).toBeNull();
});

test.each([0, -1, 1.999, '800', 1e10])('a price of %s is refused at its field', async (renewal_price) => {
  const body = { name: 'Anual', base_price: 1, max_installations: 1, validity_days: 1, renewal_price };
  const { status, body: answer } = await t.call('POST', TYPES, { body });
  expect([status, Object.keys(answer.errors)]).toEqual([400, ['renewal_price']]);
});

test('it has no decimals in a currency that has none, also when the currency alone changes', async () => {
  const body = { name: 'Chile', base_price: 100, max_installations: 1, validity_days: 1, renewal_price: 9.5 };
  const refused = await t.call('POST', TYPES, { body: { ...body, currency: 'CLP' } });
  expect(Object.keys(refused.body.errors)).toEqual(['renewal_price']);
  const { id } = (await t.call('POST', TYPES, { body })).body;
  const moved = await t.call('PATCH', `${TYPES}${id}/`, { body: { currency: 'CLP' } });
  expect(Object.keys(moved.body.errors)).toEqual(['renewal_price']);
  const whole = await t.call('PATCH', `${TYPES}${id}/`, { body: { currency: 'CLP', renewal_price: 9 } });
  expect(whole.body).toMatchObject({ renewal_price: 9, currency: 'CLP' });
});

test('a renewal with the same type asks it, without the promotion; a sent price goes first', async () => {
  const type = await createLicenseType(t, { base_price: 1200, renewal_price: 800, ...PROMOTION });
  const license = await createLicense(t, { license_type_config: type.id, price: 600 });
  for (const body of [{}, { license_type_config: type.id }]) {
    expect((await renew(license.id, 'renew/preview', body)).body).toMatchObject({
      price: 800,
      currency: 'MXN',
    });
  }
  expect((await renew(license.id, 'renew/preview', { price: 5 })).body.price).toBe(5);
  expect((await renew(license.id, 'renew', { notify: false })).body).toMatchObject({
    ...{ price: 800, original_price: null, discount_percentage: 0, promotion_name: '' },
  });
  // Without it a renewal asks the price of today, as before.
  await t.call('PATCH', `${TYPES}${type.id}/`, { body: { renewal_price: null } });
  expect((await renew(license.id, 'renew', { notify: false })).body).toMatchObject({
    ...{ price: 600, original_price: 1200, promotion_name: 'Buen Fin' },
  });
});

test('another type and a trial ask the base price, with its promotion', async () => {
  const type = await createLicenseType(t, { base_price: 1200, renewal_price: 800, ...PROMOTION });
  const other = await createLicense(t, { price: 10 });
  const trial = await createLicense(t, { license_type: 'trial', license_type_config: type.id, price: 1 });
  for (const { id } of [other, trial]) {
    const { body } = await renew(id, 'renew/preview', { license_type_config: type.id });
    expect(body.price).toBe(600);
  }
});

test('requests and bulk renewals ask it', async () => {
  const type = await createLicenseType(t, { base_price: 1200, renewal_price: 800 });
  const license = await createLicense(t, { license_type_config: type.id, price: 1200 });
  const body = { lines: [{ license: license.id, kind: 'renewal' }], notify: false };
  expect((await t.call('POST', REQUESTS, { body })).body).toMatchObject({ subtotal: 800 });
  await t.call('POST', '/licenses/api/licenses/bulk_action/', {
    body: { ids: [license.id], action: 'renew' },
  });
  expect((await t.call('GET', `/licenses/api/licenses/${license.id}/`)).body.price).toBe(800);
});

test('the public catalogue has it', async () => {
  await createLicenseType(t, { base_price: 1200, renewal_price: 800, is_public: true });
  const { body } = await t.call('GET', '/licenses/api/catalog/', { token: null });
  expect(body.license_types[0]).toMatchObject({ price: 1200, renewal_price: 800 });
});
