import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LICENSE_KEY_PATTERN } from '../../../contract/reading/license-keys.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const LIST = '/licenses/api/licenses/';

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

describe('POST license/generate/', { tags: ['SEED-7.4-09', 'D084', 'D085'] }, () => {
  const generate = (body?: unknown) => testApp.call('POST', '/licenses/api/license/generate/', { body });

  test('an empty body returns a key and stores nothing', async () => {
    const count = async () => (await testApp.call('GET', `${LIST}?page_size=1`)).body.count;
    const before = await count();
    for (const body of [undefined, {}]) {
      const answer = await generate(body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ success: true, license_key: expect.stringMatching(LICENSE_KEY_PATTERN) });
    }
    expect(await count()).toBe(before);
  });

  test('absent fields, price included, are taken from the type (D125)', async () => {
    const answer = await generate({ client, software, license_type_config: type });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      price: 1200.5,
      max_installations: 7,
      expiry_days: 90,
      license_type: 'premium',
      email_status: 'queued',
    });
    const said = await generate({
      client,
      software,
      license_type_config: type,
      license_type: 'trial',
      price: 1,
      max_installations: 1,
      expiry_days: 1,
      notes: 'n',
    });
    expect(said.body).toMatchObject({
      price: 1,
      max_installations: 1,
      expiry_days: 1,
      license_type: 'trial',
      notes: 'n',
    });
  });

  test('requires client, software and type', async () => {
    const answer = await generate({ notes: 'x' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors).sort()).toEqual(['client', 'license_type_config', 'software']);
    const unknown = await generate({ client, software, license_type_config: 999_999 });
    expect(unknown.body.errors).toEqual({ license_type_config: ['El tipo de licencia no existe'] });
  });
});

describe('GET license/{id}/status/ (SEED-7.4-11)', () => {
  test('returns a short state of the licence', async () => {
    const issued = await createLicense(testApp, { max_installations: 2 });
    await activate(testApp, issued.license_key, 'caja');
    const { status, body } = await testApp.call('GET', `/licenses/api/license/${issued.id}/status/`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      id: issued.id,
      license_key: issued.license_key,
      status: 'active',
      is_active: true,
      is_expired: false,
      issued_date: issued.issued_date,
      expiry_date: issued.expiry_date,
      days_remaining: 365,
      current_installations: 1,
      max_installations: 2,
      pending_start: false,
      remaining_installations: 1,
    });
  });

  test('an unknown id gets 404', async () => {
    expect((await testApp.call('GET', '/licenses/api/license/999999/status/')).status).toBe(404);
  });
});
