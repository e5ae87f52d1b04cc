import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { png } from '../../../test/pictures.ts';

const codeOf = async (testApp: TestApp, id: number): Promise<string> =>
  (await testApp.call('POST', `/licenses/api/licenses/${id}/certificate/`)).body.code;

const check = (testApp: TestApp, code: string) =>
  testApp.call('GET', `/licenses/api/verify/${encodeURIComponent(code)}/`, { token: null });

describe('POST licenses/{id}/certificate/', { tags: ['LIFE-12'] }, () => {
  test('gives each licence one code that never changes, and the address of the public page', async () => {
    const testApp = await createTestApp({ env: { PUBLIC_URL: 'https://licencias.example.com' } });
    const license = await createLicense(testApp);
    const url = `/licenses/api/licenses/${license.id}/certificate/`;
    const [first, second] = await Promise.all([testApp.call('POST', url), testApp.call('POST', url)]);
    expect(first.status).toBe(200);
    expect(first.body.code).toMatch(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/);
    expect(first.body).toEqual({
      code: second.body.code,
      url: `https://licencias.example.com/verificar/${first.body.code}`,
      vendor: {
        name: 'License Manager',
        support_email: '',
        accent_color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        logo: null,
      },
    });
    expect(license.license_key).not.toContain(first.body.code);
    const other = await createLicense(testApp);
    expect(await codeOf(testApp, other.id)).not.toBe(first.body.code);
  });

  test('returns the address of the logo, which changes with the logo', async () => {
    const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
    const { id } = await createLicense(testApp);
    const headers = { 'content-type': 'image/png' };
    await testApp.call('PUT', '/licenses/api/settings/logo/', { payload: png(320, 80), headers });
    const { body } = await testApp.call('POST', `/licenses/api/licenses/${id}/certificate/`);
    expect(body.vendor.logo).toBe(`/licenses/api/settings/logo/?v=${Date.parse('2026-11-21T18:00:00.000Z')}`);
  });

  test('an unknown licence is 404, and without a session it is 401', async () => {
    const testApp = await createTestApp();
    const url = '/licenses/api/licenses/99/certificate/';
    expect((await testApp.call('POST', url)).status).toBe(404);
    expect((await testApp.call('POST', url, { token: null })).status).toBe(401);
  });
});

describe('GET verify/{code}/', { tags: ['LIFE-12'] }, () => {
  test('returns without a session state, product and initials of the client, and nothing else of the licence', async () => {
    const testApp = await createTestApp();
    const client = await createClient(testApp, { name: 'Álvaro de la Ó  Núñez' });
    const software = await createSoftware(testApp, { name: 'Caja Fácil', version: '4.2.0' });
    const license = await createLicense(testApp, { client: client.id, software: software.id });
    const code = await codeOf(testApp, license.id);
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ' '), `Código: “${code}”.`]) {
      const { status, body } = await check(testApp, typed);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        code,
        status: 'active',
        software_name: 'Caja Fácil',
        software_version: '4.2.0',
        client_name: 'Á••• de la Ó••• N•••',
        issued_date: license.issued_date,
        expiry_date: license.expiry_date,
        pending_start: false,
        time_zone: 'America/Mexico_City',
        vendor: expect.objectContaining({ name: 'License Manager' }),
      });
    }
  });

  test('the state is the current one: suspended, or expired after the end, also during grace', async () => {
    const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
    const late = await createLicense(testApp, { expiry_days: 1, grace_days: 9 });
    const stopped = await createLicense(testApp, { status: 'suspended', expiry_days: 1 });
    const codes = [await codeOf(testApp, late.id), await codeOf(testApp, stopped.id)];
    testApp.clock.set('2026-11-24T18:00:00.000Z');
    const states = await Promise.all(codes.map(async (code) => (await check(testApp, code)).body.status));
    expect(states).toEqual(['expired', 'suspended']);
  });

  test('every unknown code gets the same 404: a code never given, a key, an id, a code of a former client', async () => {
    const testApp = await createTestApp();
    const license = await createLicense(testApp);
    const former = await codeOf(testApp, license.id);
    const client = await createClient(testApp);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/transfer/`, {
      body: { client: client.id, notify: false },
    });
    const answers = await Promise.all(
      ['2222-2222-2222-2222', license.license_key, String(license.id), former, '%', '•'].map(async (code) => {
        const { status, body } = await check(testApp, code);
        return [status, body.code, body.message];
      }),
    );
    expect(new Set(answers.map(String))).toEqual(
      new Set(['404,not_found,No hay ninguna constancia con este código']),
    );
    const current = await codeOf(testApp, license.id);
    expect(current).not.toBe(former);
    expect((await check(testApp, current)).status).toBe(200);
  });

  test('after 20 unknown codes an address gets 429 for further ones, and known codes still answer', async () => {
    const testApp = await createTestApp();
    const code = await codeOf(testApp, (await createLicense(testApp)).id);
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await check(testApp, `2222-2222-2222-22${tries}`)).status).toBe(404);
    }
    const refused = await check(testApp, '3333-3333-3333-3333');
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await check(testApp, code)).status).toBe(200);
  });
});
