import { beforeAll, describe, expect, test } from 'vitest';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';

const TYPES = '/licenses/api/license-types/';
const LICENSES = '/licenses/api/licenses/';
const TYPE = { name: 'Flotante', base_price: 1200, max_installations: 5, validity_days: 365 };
const FLOATING = {
  seat_mode: 'floating',
  lease_minutes: 60,
  self_release: true,
  releases_per_month: 3,
} as const;
const FIXED = { seat_mode: 'fixed', lease_minutes: null, self_release: false, releases_per_month: null };

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  return t.close;
});

const errorsOf = async (method: string, url: string, body: object) =>
  (await t.call(method, url, { body })).body.errors;

describe('the seat model of a type', { tags: ['PROG-00', 'PROG-05', 'PROG-06'] }, () => {
  test('is fixed by default, and otherwise as sent', async () => {
    expect(await createLicenseType(t)).toMatchObject(FIXED);
    const type = await createLicenseType(t, FLOATING);
    expect(type).toMatchObject(FLOATING);
    const { body } = await t.call<LicenseType>('PUT', `${TYPES}${type.id}/`, {
      body: { releases_per_month: null, lease_minutes: 5 },
    });
    expect(body).toMatchObject({ ...FLOATING, releases_per_month: null, lease_minutes: 5 });
  });

  test('fixed seats have no lease, whatever was sent', async () => {
    expect(await createLicenseType(t, { lease_minutes: 60 })).toMatchObject(FIXED);
    const type = await createLicenseType(t, FLOATING);
    const { body } = await t.call('PUT', `${TYPES}${type.id}/`, { body: { seat_mode: 'fixed' } });
    expect(body).toMatchObject({ seat_mode: 'fixed', lease_minutes: null });
  });

  test('floating seats without a lease are refused, together with the other errors', async () => {
    const needed = ['Los lugares flotantes necesitan los minutos de préstamo'];
    expect(await errorsOf('POST', TYPES, { ...TYPE, name: '', seat_mode: 'floating' })).toEqual({
      name: ['El nombre es obligatorio'],
      lease_minutes: needed,
    });
    const type = await createLicenseType(t);
    const url = `${TYPES}${type.id}/`;
    expect(await errorsOf('PUT', url, { seat_mode: 'floating' })).toEqual({ lease_minutes: needed });
    const both = { seat_mode: 'floating', lease_minutes: 10_080 };
    expect((await t.call('PUT', url, { body: both })).body).toMatchObject(both);
    expect(await errorsOf('PUT', url, { lease_minutes: null })).toEqual({ lease_minutes: needed });
  });

  test('each invalid value gets a Spanish error', async () => {
    for (const lease_minutes of [4, 10_081, 7.5, '60']) {
      expect(await errorsOf('POST', TYPES, { ...TYPE, seat_mode: 'floating', lease_minutes })).toEqual({
        lease_minutes: ['Los minutos de préstamo deben ser un número entero entre 5 y 10080'],
      });
    }
    const wrong = { ...TYPE, seat_mode: 'loose', self_release: 'sí', releases_per_month: 0 };
    for (const [method, url] of [
      ['POST', TYPES],
      ['PUT', `${TYPES}1/`],
    ] as const) {
      expect(await errorsOf(method, url, wrong)).toEqual({
        seat_mode: ['Los lugares deben ser fijos (fixed) o flotantes (floating)'],
        self_release: ['Indica si el programa puede liberar su equipo'],
        releases_per_month: ['Las liberaciones por mes deben ser un número entero entre 1 y 1000'],
      });
    }
  });
});

describe('the seat model of a licence', { tags: ['PROG-00', 'PROG-05', 'PROG-06'] }, () => {
  test('is copied from its type at issue, and does not change with the type', async () => {
    const type = await createLicenseType(t, FLOATING);
    const license = await createLicense(t, { license_type_config: type.id });
    expect(license).toMatchObject(FLOATING);
    await t.call('PUT', `${TYPES}${type.id}/`, { body: { seat_mode: 'fixed', self_release: false } });
    expect((await t.call<License>('GET', `${LICENSES}${license.id}/`)).body).toMatchObject(FLOATING);
    expect(await createLicense(t, { license_type_config: type.id })).toMatchObject({
      ...FIXED,
      releases_per_month: 3,
    });
  });

  test('sent with the licence replaces that of its type', async () => {
    const type = await createLicenseType(t, FLOATING);
    const own = await createLicense(t, {
      license_type_config: type.id,
      lease_minutes: 15,
      releases_per_month: null,
    });
    expect(own).toMatchObject({ ...FLOATING, lease_minutes: 15, releases_per_month: null });
    const fixed = await createLicense(t, { license_type_config: type.id, seat_mode: 'fixed' });
    expect(fixed).toMatchObject({ ...FLOATING, seat_mode: 'fixed', lease_minutes: null });
    expect(await createLicense(t)).toMatchObject(FIXED);
  });

  test('license/generate copies it too, and a renewal does not change it', async () => {
    const type = await createLicenseType(t, FLOATING);
    const client = (await createClient(t)).id;
    const software = (await createSoftware(t)).id;
    const { body } = await t.call('POST', '/licenses/api/license/generate/', {
      body: { client, software, license_type_config: type.id },
    });
    expect(body).toMatchObject(FLOATING);
    const other = await createLicenseType(t);
    const renewed = await t.call('POST', `${LICENSES}${body.id}/renew/`, {
      body: { license_type_config: other.id },
    });
    expect(renewed.body).toMatchObject(FLOATING);
  });

  test('floating seats need a lease at issue and at every change, and the change is in the history', async () => {
    const needed = ['Los lugares flotantes necesitan los minutos de préstamo'];
    const client = (await createClient(t)).id;
    const software = (await createSoftware(t)).id;
    const body = { client, software, license_type: 'premium', price: 100 };
    expect(await errorsOf('POST', LICENSES, { ...body, seat_mode: 'floating' })).toEqual({
      lease_minutes: needed,
    });
    const license = await createLicense(t);
    const url = `${LICENSES}${license.id}/`;
    expect(await errorsOf('PUT', url, { seat_mode: 'floating', price: 0 })).toEqual({
      lease_minutes: needed,
      price: ['El precio es obligatorio y debe ser mayor a 0'],
    });
    expect(await errorsOf('PUT', url, { seat_mode: 'floating' })).toEqual({ lease_minutes: needed });
    expect((await t.call('PUT', url, { body: FLOATING })).body).toMatchObject(FLOATING);
    const events = await t.call('GET', `/licenses/api/events/?license=${license.id}&type=license.updated`);
    expect(events.body.results[0].changes).toEqual({
      seat_mode: { before: 'fixed', after: 'floating' },
      lease_minutes: { before: null, after: 60 },
      self_release: { before: false, after: true },
      releases_per_month: { before: null, after: 3 },
    });
  });
});
