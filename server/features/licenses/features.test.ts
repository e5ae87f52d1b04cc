import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType } from '../../../test/factories.ts';

const TYPES = '/licenses/api/license-types/';
const LICENSES = '/licenses/api/licenses/';
const FEATURES = { modulo_nomina: true, usuarios: 25, plan: 'Oro y plata' };

const licensesOf = (t: TestApp, type: number) =>
  createLicense(t, { license_type: 'premium', license_type_config: type });

describe('features of types and licences', { tags: ['PROG-00', 'PROG-04'] }, () => {
  test('by default a type and a licence have 7 days without connection and no features', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t);
    expect(type).toMatchObject({ offline_days: 7, features: {} });
    expect(await licensesOf(t, type.id)).toMatchObject({ offline_days: 7, features: {} });
    expect(await createLicense(t)).toMatchObject({ offline_days: 7, features: {} });
  });

  test('a licence copies them from its type when it is issued and does not change with the type', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t, { offline_days: 30, features: FEATURES });
    const license = await licensesOf(t, type.id);
    expect(license).toMatchObject({ offline_days: 30, features: FEATURES });

    const changed = await t.call('PUT', `${TYPES}${type.id}/`, {
      body: { offline_days: 1, features: { otra: false } },
    });
    expect(changed.body).toMatchObject({ offline_days: 1, features: { otra: false } });
    const found = await t.call('GET', `${LICENSES}${license.id}/`);
    expect(found.body).toMatchObject({ offline_days: 30, features: FEATURES });
    const renewed = await t.call('POST', `${LICENSES}${license.id}/renew/`, { body: {} });
    expect(renewed.body).toMatchObject({ offline_days: 30, features: FEATURES });
  });

  test('values sent for the licence replace those of its type', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t, { offline_days: 30, features: FEATURES });
    const license = await createLicense(t, {
      license_type_config: type.id,
      offline_days: 0,
      features: {},
    });
    expect(license).toMatchObject({ offline_days: 0, features: {} });
  });

  test('a PUT replaces all features, changes none when the field is absent, and its event lists the changed ones', async () => {
    const t = await createTestApp();
    const license = await createLicense(t, { features: FEATURES });
    const url = `${LICENSES}${license.id}/`;
    const kept = await t.call('PUT', url, { body: { notes: 'una nota' } });
    expect(kept.body.features).toEqual(FEATURES);
    const replaced = await t.call('PUT', url, { body: { features: { usuarios: 5 }, offline_days: 3 } });
    expect(replaced.body).toMatchObject({ features: { usuarios: 5 }, offline_days: 3 });
    const { body } = await t.call('GET', `/licenses/api/events/?license=${license.id}&limit=1`);
    expect(body.results[0]).toMatchObject({
      type: 'license.updated',
      changes: {
        features: { before: FEATURES, after: { usuarios: 5 } },
        offline_days: { before: 7, after: 3 },
      },
    });
    await t.call('PUT', url, { body: { features: { usuarios: 5 } } });
    const after = await t.call('GET', `/licenses/api/events/?license=${license.id}&limit=1`);
    expect(after.body.results[0].id).toBe(body.results[0].id);
  });

  test('validation returns the features of the licence', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t, { features: FEATURES });
    const { body } = await t.call('POST', '/licenses/api/license/validate/', {
      token: null,
      body: { license_key, machine_id: 'caja-1' },
    });
    expect(body.license.features).toEqual(FEATURES);
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, true]));

  test.each([
    [{ Módulo: true }, 'Módulo: El código'],
    [{ '': true }, 'El código'],
    [{ ['a'.repeat(51)]: true }, 'El código'],
    [{ usuarios: 2.5 }, 'usuarios: El valor'],
    [{ usuarios: null }, 'usuarios: El valor'],
    [{ usuarios: { max: 5 } }, 'usuarios: El valor'],
    [{ plan: 'a'.repeat(201) }, 'plan: El valor'],
    [{ plan: 'dos\nlíneas' }, 'plan: El valor'],
    [many(101), 'como máximo 100'],
    [['usuarios'], ''],
  ])('features %j are refused with an error that contains their code', async (features, message) => {
    const t = await createTestApp();
    for (const [url, body] of [
      [TYPES, { name: 'Anual', base_price: 1, max_installations: 1, validity_days: 1 }],
      [LICENSES, { client: 1, software: 1, price: 1, license_type: 'basic' }],
    ] as const) {
      const answer = await t.call('POST', url, { body: { ...body, features } });
      expect(answer.status).toBe(400);
      expect(answer.body.errors.features[0]).toContain(message);
    }
  });

  test('100 features of 50 letters and 200 characters are stored as sent', async () => {
    const t = await createTestApp();
    const features = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `${'a'.repeat(47)}_${10 + (index % 90)}${index > 89 ? 'b' : ''}`.slice(-50),
        'ñ'.repeat(200),
      ]),
    );
    const license = await createLicense(t, { features });
    expect(license.features).toEqual(features);
  });

  test('days without connection are a whole number from 0 to 365', async () => {
    const t = await createTestApp();
    for (const offline_days of [-1, 366, 1.5, '7', null]) {
      const answer = await t.call('POST', TYPES, {
        body: { name: 'Anual', base_price: 1, max_installations: 1, validity_days: 1, offline_days },
      });
      expect(answer.body.errors).toEqual({
        offline_days: ['Los días sin conexión deben ser un número entero entre 0 y 365'],
      });
    }
  });
});
