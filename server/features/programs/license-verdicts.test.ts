import { expect, test } from 'vitest';
import type { LicenseVerdicts } from '../../../contract/licenses/license-verdict.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const verdictsOf = (testApp: TestApp, id: number) =>
  testApp.call<LicenseVerdicts>('GET', `/licenses/api/licenses/${id}/verdicts/`);

/** The real validation's answer for a machine. */
async function validated(testApp: TestApp, license_key: string, machine_id: string) {
  const { body } = await testApp.call('POST', '/licenses/api/license/validate/', {
    token: null,
    body: { license_key, machine_id },
  });
  const { valid, reason, message, in_grace, grace_until } = body;
  return { valid, reason, message, ...(in_grace && { in_grace, grace_until }) };
}

test.each([
  ['a free seat', { max_installations: 2 }],
  ['no free seat', { max_installations: 1 }],
  ['a past end', { expiry_date: '2026-11-10' }],
  ['a past end with grace', { expiry_date: '2026-11-20', grace_days: 5 }],
  ['the status suspended', { status: 'suspended' }],
  ['the status inactive', { status: 'inactive' }],
  ['the status cancelled', { status: 'cancelled' }],
  ['the status expired', { status: 'expired' }],
] as const)('for a licence with %s the verdicts are those of validation (D144)', async (_, values) => {
  const testApp = await createTestApp({ now: NOW });
  const license = await createLicense(testApp, { max_installations: 2 });
  await activate(testApp, license.license_key, 'caja-1');
  await testApp.call('PATCH', `/licenses/api/licenses/${license.id}/`, { body: values });
  const { status, body } = await verdictsOf(testApp, license.id);
  expect(status).toBe(200);
  expect(body.as_of).toBe(NOW);
  expect(body.activated).toEqual(await validated(testApp, license.license_key, 'caja-1'));
  expect(body.other).toEqual(await validated(testApp, license.license_key, 'otra'));
  expect(body.current_installations).toBe(1);
});

test('asking for verdicts takes no seat, is no heartbeat, and writes no event (D144)', async () => {
  const testApp = await createTestApp({ now: NOW });
  const license = await createLicense(testApp, { max_installations: 1 });
  const path = `/licenses/api/licenses/${license.id}/`;
  const before = (await testApp.call('GET', path)).body;
  const events = () => testApp.call('GET', `/licenses/api/events/?license=${license.id}`);
  const eventsBefore = (await events()).body;
  for (let time = 0; time < 3; time++) await verdictsOf(testApp, license.id);
  expect((await testApp.call('GET', path)).body).toEqual(before);
  expect((await events()).body).toEqual(eventsBefore);
  const machines = await testApp.call('GET', '/licenses/api/installations/');
  expect(machines.body.count).toBe(0);
});

test('a floating seat whose lease has lapsed counts as free', async () => {
  const testApp = await createTestApp({ now: NOW });
  const license = await createLicense(testApp, {
    max_installations: 1,
    seat_mode: 'floating',
    lease_minutes: 5,
  });
  await activate(testApp, license.license_key, 'caja-1');
  expect((await verdictsOf(testApp, license.id)).body.other.reason).toBe('installation_limit');
  testApp.clock.set('2026-11-21T18:06:00.000Z');
  expect((await verdictsOf(testApp, license.id)).body).toMatchObject({
    other: { valid: true, reason: null },
    current_installations: 0,
  });
});

test('an unknown licence is 404, and without a session the answer is 401', async () => {
  const testApp = await createTestApp({ now: NOW });
  expect((await verdictsOf(testApp, 999)).status).toBe(404);
  const { id } = await createLicense(testApp);
  const path = `/licenses/api/licenses/${id}/verdicts/`;
  expect((await testApp.call('GET', path, { token: null })).status).toBe(401);
});
