import { describe, expect, test } from 'vitest';
import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { writeSettings } from '../settings/settings.queries.ts';

const LICENSES = '/licenses/api/licenses/';
const TYPES = '/licenses/api/license-types/';

const setCurrency = (t: TestApp, currency: Currency) =>
  writeSettings(t.db, { currency }, '2026-11-22T00:00:00.000Z');

const act = (t: TestApp, id: number, action: string, body: unknown = {}) =>
  t.call('POST', `${LICENSES}${id}/${action}/`, { body });

const termsOf = async (t: TestApp, id: number) =>
  (await t.call('GET', `${LICENSES}${id}/terms/`)).body.results.map(
    ({ kind, price, currency }: { kind: string; price: number; currency: string }) => [kind, price, currency],
  );

describe('the currency of a type (MONEY-01)', () => {
  test('is the sent one, otherwise that of the setting, otherwise MXN, and changing the setting never changes existing types', async () => {
    const t = await createTestApp();
    const before = await createLicenseType(t);
    await setCurrency(t, 'ARS');

    expect(before.currency).toBe('MXN');
    expect((await createLicenseType(t)).currency).toBe('ARS');
    for (const currency of CURRENCIES) {
      expect(await createLicenseType(t, { currency, base_price: 1200 })).toMatchObject({
        currency,
        base_price: 1200,
      });
    }
    expect((await t.call('GET', `${TYPES}${before.id}/`)).body.currency).toBe('MXN');
  });

  test('an unknown currency, or null, is refused at its field', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t);
    for (const currency of ['GBP', 'mxn', '', null]) {
      const { status, body } = await t.call('PUT', `${TYPES}${type.id}/`, { body: { currency } });
      expect([status, body.errors]).toEqual([400, { currency: ['Selecciona una moneda válida'] }]);
    }
  });

  test('a price in CLP has no decimals, also when only the currency changes', async () => {
    const t = await createTestApp();
    const refused = { base_price: ['El importe en CLP no lleva decimales'] };
    const type = { name: 'Anual', max_installations: 1, validity_days: 30 };
    const created = await t.call('POST', TYPES, { body: { ...type, currency: 'CLP', base_price: 10.5 } });
    expect([created.status, created.body.errors]).toEqual([400, refused]);
    await setCurrency(t, 'CLP');
    const byDefault = await t.call('POST', TYPES, { body: { ...type, base_price: 10.5 } });
    expect([byDefault.status, byDefault.body.errors]).toEqual([400, refused]);

    const pesos = await createLicenseType(t, { currency: 'MXN', base_price: 10.5 });
    const changed = await t.call('PUT', `${TYPES}${pesos.id}/`, { body: { currency: 'CLP' } });
    expect([changed.status, changed.body.errors]).toEqual([400, refused]);
    const both = await t.call('PUT', `${TYPES}${pesos.id}/`, { body: { currency: 'CLP', base_price: 9990 } });
    expect(both.body).toMatchObject({ currency: 'CLP', base_price: 9990 });
    const name = await t.call('PUT', `${TYPES}${pesos.id}/`, { body: { name: 'Otro' } });
    expect(name.body).toMatchObject({ currency: 'CLP', base_price: 9990 });
  });
});

describe('the currency of a licence (MONEY-01)', () => {
  test('is the sent one, otherwise that of its type, otherwise that of the setting, and is stored with its term', async () => {
    const t = await createTestApp();
    await setCurrency(t, 'COP');
    const type = await createLicenseType(t, { currency: 'USD', base_price: 60 });
    const typed = await createLicense(t, { license_type_config: type.id, price: 60 });
    const own = await createLicense(t, { license_type_config: type.id, price: 90000, currency: 'CLP' });
    const bare = await createLicense(t, { price: 100.25 });
    await setCurrency(t, 'MXN');
    await t.call('PUT', `${TYPES}${type.id}/`, { body: { currency: 'EUR' } });

    expect([typed.currency, own.currency, bare.currency]).toEqual(['USD', 'CLP', 'COP']);
    expect([await termsOf(t, typed.id), await termsOf(t, own.id), await termsOf(t, bare.id)]).toEqual([
      [['issue', 60, 'USD']],
      [['issue', 90000, 'CLP']],
      [['issue', 100.25, 'COP']],
    ]);
    expect((await t.call('GET', `${LICENSES}${typed.id}/`)).body).toMatchObject({
      price: 60,
      currency: 'USD',
    });
  });

  test('license/generate returns price and currency of the type', async () => {
    const t = await createTestApp();
    const [client, software] = [await createClient(t), await createSoftware(t)];
    const type = await createLicenseType(t, { currency: 'CLP', base_price: 19990 });
    const { body } = await t.call('POST', '/licenses/api/license/generate/', {
      body: { client: client.id, software: software.id, license_type_config: type.id },
    });
    expect(body).toMatchObject({ price: 19990, currency: 'CLP' });
  });

  test('on every call, an amount with decimals in CLP is refused at its field', async () => {
    const t = await createTestApp();
    const { client, software, id } = await createLicense(t, { price: 10.5, original_price: 20 });
    const refused = ['El importe en CLP no lleva decimales'];
    const issued = await t.call('POST', LICENSES, {
      body: {
        client: client.id,
        software: software.id,
        license_type: 'basic',
        currency: 'CLP',
        price: 10.5,
        original_price: 20.25,
      },
    });
    expect([issued.status, issued.body.errors]).toEqual([400, { price: refused, original_price: refused }]);
    const changed = await t.call('PUT', `${LICENSES}${id}/`, { body: { currency: 'CLP' } });
    expect([changed.status, changed.body.errors]).toEqual([400, { price: refused }]);
    const renewed = await act(t, id, 'renew', { price: 10.5, currency: 'CLP' });
    expect([renewed.status, renewed.body.errors]).toEqual([400, { price: refused }]);
  });

  test('a PUT corrects the currency of the last term without changing amounts, and is one change in the history', async () => {
    const t = await createTestApp();
    const { id } = await createLicense(t, { price: 900, original_price: 1000 });
    const { body } = await t.call('PUT', `${LICENSES}${id}/`, { body: { currency: 'CLP' } });

    expect(body).toMatchObject({ currency: 'CLP', price: 900, original_price: 1000 });
    expect(await termsOf(t, id)).toEqual([['issue', 900, 'CLP']]);
    const events = await t.call('GET', `/licenses/api/events/?license=${id}&type=license.updated`);
    expect(events.body.results[0].changes).toEqual({ currency: { before: 'MXN', after: 'CLP' } });
  });
});

describe('the currency of a renewal (MONEY-01)', () => {
  test('is that of the licence type, also of a newly chosen type, and undo restores the old one', async () => {
    const t = await createTestApp();
    const pesos = await createLicenseType(t, { base_price: 1200 });
    const dollars = await createLicenseType(t, { currency: 'USD', base_price: 60.5 });
    const { id } = await createLicense(t, { license_type_config: pesos.id, price: 1000 });

    const preview = await act(t, id, 'renew/preview', { license_type_config: dollars.id });
    expect(preview.body).toMatchObject({ price: 60.5, currency: 'USD' });
    const renewed = await act(t, id, 'renew', { license_type_config: dollars.id });
    expect(renewed.body).toMatchObject({ price: 60.5, currency: 'USD' });
    expect(await termsOf(t, id)).toEqual([
      ['upgrade', 60.5, 'USD'],
      ['issue', 1000, 'MXN'],
    ]);

    expect((await act(t, id, 'undo_renewal')).body).toMatchObject({ price: 1000, currency: 'MXN' });
    expect(await termsOf(t, id)).toEqual([['issue', 1000, 'MXN']]);
    expect((await act(t, id, 'renew')).body).toMatchObject({ price: 1200, currency: 'MXN' });
  });

  test('is that of the licence for a sent price, that of the type for a sent type, unless a currency is sent', async () => {
    const t = await createTestApp();
    const pesos = await createLicenseType(t, { base_price: 1200 });
    const chilean = await createLicenseType(t, { currency: 'CLP', base_price: 9990 });
    const { id } = await createLicense(t, { license_type_config: pesos.id, price: 60, currency: 'USD' });
    const previewOf = async (body: unknown) => {
      const { body: answer } = await act(t, id, 'renew/preview', body);
      return [answer.price, answer.currency];
    };

    expect(await previewOf({ price: 55 })).toEqual([55, 'USD']);
    expect(await previewOf({ price: 9000, license_type_config: chilean.id })).toEqual([9000, 'CLP']);
    expect(await previewOf({ price: 50, currency: 'EUR' })).toEqual([50, 'EUR']);
    expect(await previewOf({})).toEqual([1200, 'MXN']);
    const without = await act(t, id, 'renew/preview', { currency: 'EUR' });
    expect([without.status, without.body.errors]).toEqual([
      400,
      { price: ['El precio es obligatorio y debe ser mayor a 0'] },
    ]);
  });

  test('a promotion price in CLP is rounded to whole pesos', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t, {
      currency: 'CLP',
      base_price: 9990,
      is_promotion: true,
      promotion_name: 'Lanzamiento',
      discount_percentage: 33.33,
    });
    const { id } = await createLicense(t, { license_type_config: type.id, price: 9990 });
    expect((await act(t, id, 'renew')).body).toMatchObject({
      price: 6660,
      original_price: 9990,
      currency: 'CLP',
    });
  });
});

test('a list ordered by price compares amounts of one currency only', async () => {
  const t = await createTestApp();
  const { client, software } = await createLicense(t, { price: 900 });
  const terms = { client: client.id, software: software.id };
  await createLicense(t, { ...terms, price: 5000, currency: 'CLP' });
  await createLicense(t, { ...terms, price: 700, currency: 'CLP' });
  await createLicense(t, { ...terms, price: 20.5 });
  const pricesIn = async (ordering: string) =>
    (await t.call('GET', `${LICENSES}?ordering=${ordering}`)).body.results.map(
      ({ price, currency }: { price: number; currency: string }) => `${price} ${currency}`,
    );

  const upwards = ['700 CLP', '5000 CLP', '20.5 MXN', '900 MXN'];
  expect(await pricesIn('price')).toEqual(upwards);
  expect(await pricesIn('-price')).toEqual(upwards.toReversed());
});

test('sales in several currencies are never added: statistics, today and export list each currency (MONEY-01)', async () => {
  const t = await createTestApp({ now: '2026-11-21T18:00:00Z' });
  const { client, software } = await createLicense(t, { price: 100, expiry_days: 5 });
  const terms = { client: client.id, software: software.id, expiry_days: 5 };
  await createLicense(t, { ...terms, price: 40.5, currency: 'USD' });
  await createLicense(t, { ...terms, price: 9990, currency: 'CLP' });
  await createLicense(t, { ...terms, price: 10, currency: 'CLP' });

  const { body: revenue } = await t.call('GET', '/licenses/api/statistics/revenue/');
  expect(revenue.statistics).toMatchObject({
    currency: 'MXN',
    total: 100,
    license_count: 1,
    by_currency: [
      { currency: 'MXN', total: 100, license_count: 1, average_price: 100 },
      { currency: 'USD', total: 40.5, license_count: 1, average_price: 40.5 },
      { currency: 'CLP', total: 10000, license_count: 2, average_price: 5000 },
    ],
  });
  await setCurrency(t, 'CLP');
  const { body: today } = await t.call('GET', '/licenses/api/statistics/today/');
  expect(today.currency).toBe('CLP');
  expect(today.expiring[0]).toEqual({
    days: 7,
    count: 4,
    amount: 10000,
    by_currency: [
      { currency: 'CLP', count: 2, amount: 10000 },
      { currency: 'MXN', count: 1, amount: 100 },
      { currency: 'USD', count: 1, amount: 40.5 },
    ],
  });
  expect(today.revenue).toMatchObject({ this_month: 10000, last_month: 0 });
  const { text } = await t.call('GET', `${LICENSES}export/`);
  const rows = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  expect(rows.map((row) => row[rows[0]!.indexOf('Moneda')])).toEqual(['Moneda', 'MXN', 'USD', 'CLP', 'CLP']);
});
