import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validationResult } from '../../../contract/licenses/license-verdict.ts';
import { LICENSE_STATUSES, type LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';

const VALIDATE = '/licenses/api/license/validate/';
const NOW = '2026-11-21T18:00:00.000Z';

const validate = (testApp: TestApp, body: unknown, remoteAddress?: string) =>
  testApp.call('POST', VALIDATE, {
    token: null,
    body,
    ...(remoteAddress !== undefined && { headers: { 'x-forwarded-for': remoteAddress } }),
  });

describe('POST license/validate/', { tags: ['SEED-7.4-10', 'SEED-3-25', 'D086'] }, () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ now: NOW, closeAfterTest: false });
  });
  afterAll(() => testApp.close());

  test('a valid key is accepted without a session, and nothing is written', async () => {
    const license = await createLicense(testApp, { max_installations: 2 });
    const { status, body } = await validate(testApp, {
      license_key: license.license_key,
      machine_id: 'caja-1',
    });
    expect(status).toBe(200);
    expect(validationResult.parse(body)).toEqual(body);
    expect(body).toEqual({
      success: true,
      valid: true,
      reason: null,
      message: 'Licencia válida',
      machine_registered: false,
      license: {
        license_key: license.license_key,
        status: 'active',
        license_type: 'premium',
        software_name: license.software_name,
        software_version: license.software_version,
        client_name: license.client_name,
        expiry_date: license.expiry_date,
        days_remaining: 365,
        max_installations: 2,
        current_installations: 0,
        remaining_installations: 2,
        features: {},
      },
    });
    expect((await testApp.call('GET', `/licenses/api/licenses/${license.id}/`)).body).toEqual(license);
  });

  test('accepts a key in any case and with spaces around it (D083)', async () => {
    const { license_key } = await createLicense(testApp);
    for (const key of [license_key.toLowerCase(), `  ${license_key} `]) {
      expect((await validate(testApp, { license_key: key, machine_id: 'x' })).body.valid).toBe(true);
    }
  });

  const reasons: Record<LicenseStatus, [reason: string | null, message: string]> = {
    active: [null, 'Licencia válida'],
    trial: [null, 'Licencia válida'],
    inactive: ['inactive', 'La licencia no está activa'],
    suspended: ['suspended', 'La licencia está suspendida'],
    cancelled: ['cancelled', 'La licencia está cancelada'],
    expired: ['expired', 'La licencia está vencida'],
  };

  test.for(LICENSE_STATUSES)('status %s is checked first, and then the end (D066, D067)', async (status) => {
    const [reason, message] = reasons[status];
    const holds = await createLicense(testApp, { status });
    const answer = await validate(testApp, { license_key: holds.license_key, machine_id: 'x' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: reason === null,
      valid: reason === null,
      reason,
      message,
    });
    expect(answer.body.license.status).toBe(status);

    const past = await createLicense(testApp, { status, expiry_date: '2026-11-20' });
    const late = await validate(testApp, { license_key: past.license_key, machine_id: 'x' });
    expect(late.body.reason).toBe(reason ?? 'expired');
  });

  test('without a free seat a new machine is refused and one with a seat is accepted', async () => {
    const { license_key } = await createLicense(testApp, { max_installations: 1 });
    await activate(testApp, license_key, 'caja-1');
    expect((await validate(testApp, { license_key, machine_id: 'caja-1' })).body).toMatchObject({
      valid: true,
      machine_registered: true,
      license: { remaining_installations: 0 },
    });
    expect((await validate(testApp, { license_key, machine_id: 'caja-2' })).body).toMatchObject({
      valid: false,
      reason: 'installation_limit',
      message: 'Se alcanzó el máximo de instalaciones',
      machine_registered: false,
    });
  });

  test('returns the current names of client and software', async () => {
    const license = await createLicense(testApp);
    await testApp.call('PUT', `/licenses/api/clients/${license.client.id}/`, { body: { name: 'Hoy, S.A.' } });
    const { body } = await validate(testApp, { license_key: license.license_key, machine_id: 'x' });
    expect(body.license.client_name).toBe('Hoy, S.A.');
  });

  test('returns an error for each missing field', async () => {
    const { status, body } = await validate(testApp, {});
    expect(status).toBe(400);
    expect(body.errors).toEqual({
      license_key: ['La clave de licencia es obligatoria'],
      machine_id: ['El identificador del equipo es obligatorio'],
    });
    expect((await validate(testApp, { license_key: ' ', machine_id: 'x'.repeat(201) })).body.errors).toEqual({
      license_key: ['La clave de licencia es obligatoria'],
      machine_id: ['No puede exceder 200 caracteres'],
    });
  });
});

describe('unknown keys (promises)', () => {
  const unknown = { license_key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ', machine_id: 'x' };

  test('unknown and malformed keys get the same answer', async () => {
    const testApp = await createTestApp({ now: NOW });
    const answers = [
      await validate(testApp, unknown),
      await validate(testApp, { ...unknown, license_key: 'no es una clave' }),
      await validate(testApp, { ...unknown, license_key: '%' }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toBe(answers[0]?.text);
    }
    expect(answers[0]?.body).toEqual({
      success: false,
      valid: false,
      reason: 'not_found',
      message: 'Licencia no encontrada',
      machine_registered: false,
      license: null,
    });
  });

  test('after twenty unknown keys, counted over all three calls, further ones get 429 and valid keys still work', async () => {
    const testApp = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(testApp);
    const unknownTo = (url: string) => testApp.call('POST', url, { token: null, body: unknown });
    for (let round = 0; round < 6; round += 1) {
      expect((await unknownTo(VALIDATE)).status).toBe(200);
      expect((await unknownTo('/licenses/api/installations/')).status).toBe(404);
      expect((await unknownTo('/licenses/api/installation/heartbeat/')).status).toBe(404);
    }
    await unknownTo(VALIDATE);
    expect((await unknownTo(VALIDATE)).status).toBe(200);
    const refused = await unknownTo(VALIDATE);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ success: false, code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe('600');
    expect((await unknownTo('/licenses/api/installations/')).status).toBe(429);
    expect((await unknownTo('/licenses/api/installation/heartbeat/')).status).toBe(429);
    expect((await validate(testApp, { license_key, machine_id: 'x' })).body.valid).toBe(true);
    expect((await activate(testApp, license_key, 'x')).status).toBe(201);

    testApp.clock.advance(10 * 60_000);
    expect((await unknownTo(VALIDATE)).status).toBe(200);
  });

  test('concurrent calls with unknown keys do not exceed the limit', async () => {
    const testApp = await createTestApp({ now: NOW });
    const answers = await Promise.all(Array.from({ length: 50 }, () => validate(testApp, unknown)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20);
  });

  test('X-Forwarded-For counts only behind a trusted proxy', async () => {
    const direct = await createTestApp({ now: NOW });
    for (let count = 0; count < 20; count += 1) await validate(direct, unknown, `203.0.113.${count}`);
    expect((await validate(direct, unknown, '203.0.113.99')).status).toBe(429);

    const behind = await createTestApp({ now: NOW, env: { TRUST_PROXY: '1' } });
    for (let count = 0; count < 20; count += 1) await validate(behind, unknown, '203.0.113.1');
    expect((await validate(behind, unknown, '203.0.113.1')).status).toBe(429);
    expect((await validate(behind, unknown, '203.0.113.2')).status).toBe(200);
  });
});

test('a machine may make 60 calls a minute, counted over all three calls, and other machines are not affected (promises)', async () => {
  const testApp = await createTestApp({ now: NOW });
  const { license_key } = await createLicense(testApp);
  const other = await createLicense(testApp);
  const body = { license_key, machine_id: 'en-círculo' };
  for (let round = 0; round < 20; round += 1) {
    expect((await validate(testApp, body)).status).toBe(200);
    expect([200, 201]).toContain((await activate(testApp, license_key, 'en-círculo')).status);
    const beat = await testApp.call('POST', '/licenses/api/installation/heartbeat/', { token: null, body });
    expect(beat.status).toBe(200);
  }
  const refused = await validate(testApp, body);
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('60');
  expect((await activate(testApp, license_key, 'en-círculo')).status).toBe(429);
  expect((await validate(testApp, { license_key, machine_id: 'otra' })).status).toBe(200);
  expect((await validate(testApp, { license_key: other.license_key, machine_id: 'en-círculo' })).status).toBe(
    200,
  );
  testApp.clock.advance(60_000);
  expect((await validate(testApp, body)).status).toBe(200);
});

test('the number of machines that one address may send for a licence in a minute is limited, other addresses and licences are not affected', async () => {
  const testApp = await createTestApp({ now: NOW, env: { TRUST_PROXY: '1' } });
  const { license_key } = await createLicense(testApp, { max_installations: 5 });
  const other = await createLicense(testApp);
  const statuses = [];
  for (let number = 0; number < 312; number += 1) {
    const { status } = await validate(
      testApp,
      { license_key, machine_id: `inventada-${number}` },
      '203.0.113.1',
    );
    statuses.push(status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(310);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  // A machine that called before, another address, and another licence are not limited.
  expect((await validate(testApp, { license_key, machine_id: 'inventada-7' }, '203.0.113.1')).status).toBe(
    200,
  );
  expect((await validate(testApp, { license_key, machine_id: 'nueva' }, '203.0.113.2')).status).toBe(200);
  const elsewhere = { license_key: other.license_key, machine_id: 'nueva' };
  expect((await validate(testApp, elsewhere, '203.0.113.1')).status).toBe(200);
  testApp.clock.advance(60_000);
  expect((await validate(testApp, { license_key, machine_id: 'nueva' }, '203.0.113.1')).status).toBe(200);
});
