import { expect, test } from 'vitest';
import type { Catalog } from '../../../contract/licenses/catalog.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicenseType, createSoftware } from '../../../test/factories.ts';

/** The public catalogue, for the vendor's shop (SELL-06). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/catalog/';
const catalogOf = async (t: TestApp) => (await t.call<Catalog>('GET', URL, { token: null })).body;

test('without a session the catalogue lists active, public software and types by name (SELL-06)', async () => {
  const t = await createTestApp({ now: NOW });
  const before = await catalogOf(t);
  expect(before).toEqual({ success: true, software: [], license_types: [] });
  await createSoftware(t, { name: 'Zeta', version: '2.0', is_public: true });
  await createSoftware(t, { name: 'Álamo', version: '1.0', description: 'Caja', is_public: true });
  await createSoftware(t, { name: 'Oculto' });
  await createSoftware(t, { name: 'Retirado', is_public: true, is_active: false });
  const shown = await createLicenseType(t, {
    ...{ name: 'Anual', description: 'Un año', base_price: 1200, max_installations: 3, validity_days: 365 },
    validity_months: 12,
    features: { modulo_nomina: true },
    is_public: true,
  });
  await createLicenseType(t, { name: 'Interno' });
  await createLicenseType(t, { name: 'Viejo', is_public: true, is_active: false });
  expect(await catalogOf(t)).toEqual({
    success: true,
    software: [
      { code: 'alamo', name: 'Álamo', version: '1.0', description: 'Caja' },
      { code: 'zeta', name: 'Zeta', version: '2.0', description: '' },
    ],
    license_types: [
      {
        ...{ id: shown.id, name: 'Anual', description: 'Un año', price: 1200, original_price: null },
        renewal_price: null,
        ...{ promotion: null, currency: 'MXN', max_installations: 3, seat_mode: 'fixed' },
        ...{ validity_days: 365, validity_months: 12, features: { modulo_nomina: true } },
      },
    ],
  });
});

test('a price is the one of today, and includes a promotion only on its days', async () => {
  const t = await createTestApp({ now: NOW });
  await createLicenseType(t, {
    ...{ name: 'Anual', base_price: 1000, is_public: true, is_promotion: true },
    ...{ promotion_name: 'Buen Fin', discount_percentage: 25 },
    ...{ promotion_start_date: '2026-11-20', promotion_end_date: '2026-11-22' },
  });
  const priceOn = async (day: string) => {
    // 18:00 UTC is noon in Ciudad de México.
    t.clock.set(`${day}T18:00:00.000Z`);
    const { price, original_price, promotion } = (await catalogOf(t)).license_types[0]!;
    return { price, original_price, promotion };
  };
  const reduced = {
    ...{ price: 750, original_price: 1000 },
    promotion: { name: 'Buen Fin', ends: '2026-11-22' },
  };
  const full = { price: 1000, original_price: null, promotion: null };
  expect(await priceOn('2026-11-19')).toEqual(full);
  expect(await priceOn('2026-11-20')).toEqual(reduced);
  expect(await priceOn('2026-11-22')).toEqual(reduced);
  expect(await priceOn('2026-11-23')).toEqual(full);
});

test('pages of any origin may read the catalogue and cache it for a minute', async () => {
  const t = await createTestApp();
  // A cache may give one page's answer to another page, so the header must be on every answer.
  const ways: Record<string, string>[] = [{ origin: 'https://tienda.example.com' }, {}];
  for (const asked of ways) {
    const { headers } = await t.call('GET', URL, { token: null, headers: asked });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cache-control']).toBe('public, max-age=60');
  }
});

test('software and types are made public or private by a field of their form, with an event', async () => {
  const t = await createTestApp();
  const software = await createSoftware(t, { name: 'Caja' });
  const type = await createLicenseType(t, { name: 'Anual' });
  expect([software.is_public, type.is_public]).toEqual([false, false]);
  for (const [path, id] of [
    ['software', software.id],
    ['license-types', type.id],
  ]) {
    for (const is_public of [true, false]) {
      const url = `/licenses/api/${path}/${id}/`;
      const { body } = await t.call('PATCH', url, { body: { is_public } });
      expect(body.is_public).toBe(is_public);
    }
  }
  const { body } = await t.call('GET', '/licenses/api/events/?limit=1');
  expect(body.results[0].changes).toEqual({ is_public: { before: true, after: false } });
  expect((await catalogOf(t)).software).toEqual([]);
});
