import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { REQUESTS, result } from '../../../test/payment-shop.ts';

/** Whose terms a payment request has: those that a renewal finds, or others, which need `licenses:renew` (PAY-01). */

let t: TestApp;
let license: License;
let keys: Record<'payments' | 'renewals', string>;

/** A licence of a type that costs 1,200.00 MXN for a year. */
beforeEach(async () => {
  t = await createTestApp({ now: '2026-11-10T18:00:00.000Z' });
  const type = await createLicenseType(t, { name: 'Anual', base_price: 1200, validity_days: 365 });
  license = await createLicense(t, { license_type_config: type.id, price: 900, expiry_days: 20 });
  const keyWith = async (...permissions: string[]) =>
    (await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Cobranza', permissions } })).body.key;
  keys = {
    payments: await keyWith('payments:read', 'payments:write'),
    renewals: await keyWith('payments:read', 'payments:write', 'licenses:renew'),
  };
});

type Line = { license?: number } & Record<string, unknown>;

const ask = (token: string, ...lines: Line[]) =>
  t.call('POST', REQUESTS, {
    token,
    body: {
      lines: lines.map((line) => ({ license: license.id, kind: 'renewal', ...line })),
      notify: false,
    },
  });

/** Asks with both keys: only the one that can renew may. */
async function expectRenewals(...lines: Line[]) {
  const refused = await ask(keys.payments, ...lines);
  expect([lines, ...result(refused)]).toEqual([lines, 403, 'forbidden']);
  expect(refused.body.license).toBe(lines.at(-1)?.license ?? license.id);
  expect(refused.body.message).toContain('licenses:renew');
  expect((await t.call('GET', REQUESTS)).body.count).toBe(0);
  expect([lines, (await ask(keys.renewals, ...lines)).status]).toEqual([lines, 201]);
}

describe('terms other than those that the renewal finds need licenses:renew too (PAY-01)', () => {
  test.each<[string, Line]>([
    ['a licence for a hundred years at a cent', { price: 0.01, expiry_days: 36_500 }],
    ['a price one cent below', { price: 1199.99 }],
    ['a lower price for a shorter time', { price: 100, expiry_days: 30 }],
    ['a length one day above', { expiry_days: 366 }],
    ['a longer time at a higher price', { price: 2400, expiry_days: 730 }],
  ])('%s', async (_what, line) => {
    await expectRenewals(line);
  });

  test('the terms of another type, below its price or above its length', async () => {
    const type = await createLicenseType(t, { name: 'Mensual', base_price: 150, validity_days: 30 });
    const line = { kind: 'upgrade', license_type_config: type.id };
    expect(result(await ask(keys.payments, { ...line, expiry_days: 31 }))).toEqual([403, 'forbidden']);
    await expectRenewals({ ...line, price: 149 });
  });

  test('the terms of a trial', async () => {
    const trial = await createLicense(t, { license_type: 'trial', price: 1, expiry_days: 5 });
    const type = await createLicenseType(t, { name: 'Mensual', base_price: 150, validity_days: 30 });
    await expectRenewals({ license: trial.id, license_type_config: type.id, price: 1 });
  });

  test('each line of a request, not only its first', async () => {
    const other = await createLicense(t, {
      client: license.client.id,
      software: (await createSoftware(t)).id,
      price: 500,
    });
    await expectRenewals({}, { license: other.id, price: 499.99 });
  });

  test('each maintenance, because nothing finds its price', async () => {
    await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, { body: { updates_until: '2026-12-01' } });
    const line = { kind: 'maintenance', price: 99_999 };
    expect(result(await ask(keys.payments, { ...line, updates_days: 1 }))).toEqual([403, 'forbidden']);
    await expectRenewals(line);
  });

  test('a price in a currency in which nothing finds one', async () => {
    const type = await createLicenseType(t, { name: 'Local', base_price: 1200, currency: 'MXN' });
    const dollars = await createLicense(t, {
      license_type_config: type.id,
      currency: 'USD',
      price: 60,
      expiry_days: 20,
    });
    // Without a currency the price is in that of the licence, and that of its type is in another one.
    await expectRenewals({ license: dollars.id, price: 5000 });
  });
});

describe('payments:write alone is enough (PAY-01)', () => {
  test.each<[string, Line]>([
    ['for the terms that the renewal finds', {}],
    ['if they are sent', { price: 1200, expiry_days: 365 }],
    ['for a higher price', { price: 1500 }],
    ['for a shorter time at the whole price', { expiry_days: 30 }],
  ])('%s', async (_what, line) => {
    expect((await ask(keys.payments, line)).status).toBe(201);
  });

  test('for the price of a promotion that runs', async () => {
    const type = await createLicenseType(t, {
      name: 'Oferta',
      base_price: 1000,
      is_promotion: true,
      promotion_name: 'Buen Fin',
      discount_percentage: 20,
    });
    const line = { kind: 'upgrade', license_type_config: type.id };
    expect(result(await ask(keys.payments, { ...line, price: 799.99 }))).toEqual([403, 'forbidden']);
    expect((await ask(keys.payments, { ...line, price: 800 })).status).toBe(201);
  });
});
