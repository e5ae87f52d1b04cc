import { describe, expect, test } from 'vitest';
import { endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createLicenseType } from '../../../test/factories.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const MACHINE = 'caja-1';

const validate = async (testApp: TestApp, license_key: string, machine_id = MACHINE) =>
  (
    await testApp.call('POST', '/licenses/api/license/validate/', {
      token: null,
      body: { license_key, machine_id },
    })
  ).body;

const beat = (testApp: TestApp, license_key: string) =>
  testApp.call('POST', '/licenses/api/installation/heartbeat/', {
    token: null,
    body: { license_key, machine_id: MACHINE },
  });

/** A licence of ten days with a machine, at a moment some seconds after its end. */
async function endedLicense(values: object, seconds = 1) {
  const testApp = await createTestApp({ now: NOW });
  const license = await createLicense(testApp, { expiry_days: 10, ...values });
  await activate(testApp, license.license_key, MACHINE);
  const end = Date.parse(String(license.expiry_date));
  testApp.clock.set(new Date(end + seconds * 1000));
  // The first session has ended by then.
  testApp.token = await signInAs(testApp, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
  return { testApp, license, end };
}

const DAY_S = 24 * 60 * 60;

describe('the grace after the end of a licence', { tags: ['LIFE-13'] }, () => {
  test('validation answers valid with in_grace until the end of the last day of grace, and then expired', async () => {
    const { testApp, license, end } = await endedLicense({ grace_days: 5 });
    const until = new Date(end + 5 * DAY_S * 1000).toISOString();
    expect(await validate(testApp, license.license_key)).toMatchObject({
      success: true,
      valid: true,
      reason: null,
      in_grace: true,
      grace_until: until,
      license: { expiry_date: license.expiry_date, days_remaining: 0 },
    });
    testApp.clock.set(until);
    expect(await validate(testApp, license.license_key)).toMatchObject({ valid: true, in_grace: true });
    testApp.clock.advance(1);
    const after = await validate(testApp, license.license_key);
    expect(after).toMatchObject({ valid: false, reason: 'expired' });
    expect(after).not.toHaveProperty('in_grace');
    expect(after).not.toHaveProperty('grace_until');
  });

  test('before the end, and without grace, the answers have no grace field', async () => {
    const testApp = await createTestApp({ now: NOW });
    for (const grace_days of [0, 5]) {
      const { license_key } = await createLicense(testApp, { expiry_days: 10, grace_days });
      await activate(testApp, license_key, MACHINE);
      for (const answer of [await validate(testApp, license_key), (await beat(testApp, license_key)).body]) {
        expect(JSON.stringify(answer)).not.toContain('grace');
      }
    }
  });

  test('status and statistics show expired during grace', async () => {
    const { testApp, license } = await endedLicense({ grace_days: 5 });
    const state = await testApp.call('GET', `/licenses/api/licenses/${license.id}/`);
    expect(state.body).toMatchObject({
      is_active: false,
      is_expired: true,
      days_remaining: 0,
      grace_days: 5,
    });
    const list = await testApp.call('GET', '/licenses/api/licenses/?is_active=true');
    expect(list.body.count).toBe(0);
  });

  test('during grace a known machine is activated again, and a new machine gets a seat', async () => {
    const { testApp, license, end } = await endedLicense({ grace_days: 5 });
    expect((await activate(testApp, license.license_key, MACHINE)).status).toBe(200);
    expect((await activate(testApp, license.license_key, 'caja-2')).status).toBe(201);
    testApp.clock.set(new Date(end + (5 * DAY_S + 1) * 1000));
    for (const machine of [MACHINE, 'caja-3']) {
      const { status, body } = await activate(testApp, license.license_key, machine);
      expect([status, body.code]).toEqual([403, 'expired']);
    }
  });

  test('a heartbeat returns the same grace fields as validation', async () => {
    const { testApp, license } = await endedLicense({ grace_days: 5 });
    const { grace_until } = await validate(testApp, license.license_key);
    expect((await beat(testApp, license.license_key)).body.license).toEqual({
      status: 'active',
      is_expired: true,
      in_grace: true,
      grace_until,
      days_remaining: 0,
    });
  });

  test.each(['suspended', 'cancelled', 'inactive', 'expired'])(
    'a licence that a person set to %s has no grace',
    async (status) => {
      const { testApp, license } = await endedLicense({ grace_days: 5 });
      await testApp.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { status } });
      expect(await validate(testApp, license.license_key)).toMatchObject({ valid: false, reason: status });
      expect((await beat(testApp, license.license_key)).body.license).not.toHaveProperty('in_grace');
    },
  );

  test('a licence with all seats taken has no seat for another machine in its grace either', async () => {
    const { testApp, license } = await endedLicense({ grace_days: 5, max_installations: 1 });
    const refused = await validate(testApp, license.license_key, 'caja-2');
    expect(refused).toMatchObject({ valid: false, reason: 'installation_limit' });
    expect(refused).not.toHaveProperty('in_grace');
  });
});

describe('grace_days of types and licences', { tags: ['LIFE-13'] }, () => {
  test('a licence copies the days of its type at issue, and does not change with the type', async () => {
    const testApp = await createTestApp();
    const type = await createLicenseType(testApp, { grace_days: 7 });
    expect(type.grace_days).toBe(7);
    const copied = await createLicense(testApp, { license_type_config: type.id });
    const own = await createLicense(testApp, { license_type_config: type.id, grace_days: 0 });
    await testApp.call('PUT', `/licenses/api/license-types/${type.id}/`, { body: { grace_days: 30 } });
    for (const [license, days] of [
      [copied, 7],
      [own, 0],
    ] as const) {
      expect(license.grace_days).toBe(days);
      const stored = await testApp.call('GET', `/licenses/api/licenses/${license.id}/`);
      expect(stored.body.grace_days).toBe(days);
    }
  });

  test('the default is 0, a save without the field does not change it, and a change is an event', async () => {
    const testApp = await createTestApp();
    expect((await createLicenseType(testApp)).grace_days).toBe(0);
    const license = await createLicense(testApp);
    expect(license.grace_days).toBe(0);
    const url = `/licenses/api/licenses/${license.id}/`;
    await testApp.call('PUT', url, { body: { grace_days: 15 } });
    expect((await testApp.call('PUT', url, { body: { notes: 'x' } })).body.grace_days).toBe(15);
    const events = await testApp.call('GET', `/licenses/api/events/?license=${license.id}`);
    expect(events.body.results[1].changes).toEqual({ grace_days: { before: 0, after: 15 } });
  });

  test.each([-1, 366, 1.5, '3', null])('%s is refused, for a type and for a licence', async (grace_days) => {
    const testApp = await createTestApp();
    const license = await createLicense(testApp);
    const type = await createLicenseType(testApp);
    for (const path of [`licenses/${license.id}`, `license-types/${type.id}`]) {
      const { status, body } = await testApp.call('PUT', `/licenses/api/${path}/`, { body: { grace_days } });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['grace_days']]);
    }
  });
});

test('the grace of a licence whose end is set as an instant ends at the end of a local day (D071)', async () => {
  const testApp = await createTestApp({ now: NOW });
  const { timeZone } = testApp.context.config;
  const ends = '2026-11-25T12:00:00.000Z';
  const license = await createLicense(testApp, { expiry_date: ends, grace_days: 2 });
  testApp.clock.set('2026-11-25T12:00:00.001Z');
  const { grace_until } = await validate(testApp, license.license_key);
  expect(localDay(grace_until, timeZone)).toBe('2026-11-27');
  expect(grace_until).toBe(endOfLocalDay('2026-11-27', timeZone));
});
