import { describe, expect, test } from 'vitest';
import { daysBetween, localDay } from '../../../contract/base/time.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';
import fc from '../../../test/properties.ts';
import { changedExpiry, expiryAfterDays, expiryOnDate, newExpiry } from './license-expiry.ts';

/** A licence ends at the end of a day in the business time zone (D070 to D072). */

const ONE = (id: number) => `/licenses/api/licenses/${id}/`;
const MEXICO = 'America/Mexico_City';

const put = (testApp: TestApp, id: number, body: unknown) => testApp.call('PUT', ONE(id), { body });
const read = async (testApp: TestApp, id: number) => (await testApp.call('GET', ONE(id))).body;

/** Sets the clock and signs in again, because the session has expired. */
async function travel(testApp: TestApp, moment: string): Promise<void> {
  testApp.clock.set(moment);
  testApp.token = await signInAs(testApp, 'admin', 'admin123');
}

describe('the end of a new licence', () => {
  test('is after 365 days by default, at the last second of that local day', {
    tags: ['SEED-5.3-10', 'D071', 'D072'],
  }, async () => {
    const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
    const license = await createLicense(testApp);
    expect(license).toMatchObject({
      expiry_days: 365,
      days_remaining: 365,
      expiry_date: '2027-11-22T05:59:59.000Z',
      is_expired: false,
    });
  });

  test('counts from the local day when it is already tomorrow in UTC (D071)', async () => {
    const testApp = await createTestApp({ now: '2026-11-22T05:59:59.999Z' });
    expect(await createLicense(testApp, { expiry_days: 1 })).toMatchObject({
      days_remaining: 1,
      expiry_date: '2026-11-23T05:59:59.000Z',
    });
  });

  test('is right with a leap day as day of issue, as last day, and in between', async () => {
    const testApp = await createTestApp({ now: '2028-02-29T18:00:00.000Z' });
    expect((await createLicense(testApp)).expiry_date).toBe('2029-03-01T05:59:59.000Z');
    await travel(testApp, '2028-02-28T18:00:00.000Z');
    expect((await createLicense(testApp, { expiry_days: 1 })).expiry_date).toBe('2028-03-01T05:59:59.000Z');
    await travel(testApp, '2027-02-28T18:00:00.000Z');
    expect((await createLicense(testApp)).expiry_date).toBe('2028-02-29T05:59:59.000Z');
    expect((await createLicense(testApp, { expiry_date: '2028-02-29' })).expiry_days).toBe(366);
  });

  test('two nulls mean no end, a date wins over days, a day means its last second, and an instant is exact (D070)', async () => {
    const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
    expect(await createLicense(testApp, { expiry_days: null, expiry_date: null })).toMatchObject({
      expiry_days: null,
      expiry_date: null,
      days_remaining: null,
      is_expired: false,
      is_active: true,
    });
    expect(await createLicense(testApp, { expiry_days: 3, expiry_date: '2026-12-01' })).toMatchObject({
      expiry_days: 10,
      expiry_date: '2026-12-02T05:59:59.000Z',
    });
    expect(await createLicense(testApp, { expiry_date: '2026-12-01T12:00:00-03:00' })).toMatchObject({
      expiry_days: 10,
      expiry_date: '2026-12-01T15:00:00.000Z',
    });
    expect(await createLicense(testApp, { expiry_date: '2026-11-01' })).toMatchObject({
      expiry_days: -20,
      days_remaining: 0,
      is_expired: true,
      is_active: false,
    });
  });

  test('an invalid date and one out of the range of a database are refused', async () => {
    const testApp = await createTestApp();
    const { client, software } = await createLicense(testApp);
    for (const expiry_date of [
      '2026-02-30',
      '2026-11-21T25:00:00Z',
      '2026-11-21T10:00:00',
      'mañana',
      '',
      '0000-01-01T00:00:00Z',
      '9999-12-31',
    ]) {
      const { status, body } = await testApp.call('POST', '/licenses/api/licenses/', {
        body: { client, software, license_type: 'basic', price: 1, expiry_date },
      });
      expect(status).toBe(400);
      expect(body.errors).toEqual({ expiry_date: ['La fecha de expiración no es válida'] });
    }
  });

  test('the first and the last allowed date are stored exactly', async () => {
    const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
    for (const expiry_date of ['1900-01-01T00:00:00.000Z', '9998-12-31T23:59:59.000Z']) {
      const license = await createLicense(testApp, { expiry_date });
      expect((await read(testApp, license.id)).expiry_date).toBe(expiry_date);
      // The console sends back the whole record; a number of days out of range must then not be refused.
      const saved = await put(testApp, license.id, { ...license, notes: 'guardado' });
      expect(saved.body).toMatchObject({ notes: 'guardado', expiry_date, expiry_days: license.expiry_days });
    }
  });
});

describe('the last day of a licence', () => {
  test('has 0 days left, is valid to the last second, and then is expired (D072, SEED-4-11)', async () => {
    const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
    const license = await createLicense(testApp, { expiry_days: 1 });
    await activate(testApp, license.license_key, 'caja');
    const validate = async () =>
      (
        await testApp.call('POST', '/licenses/api/license/validate/', {
          token: null,
          body: { license_key: license.license_key, machine_id: 'caja' },
        })
      ).body;

    await travel(testApp, '2026-11-22T05:59:59.000Z');
    expect(await read(testApp, license.id)).toMatchObject({ days_remaining: 1, is_expired: false });
    await travel(testApp, '2026-11-22T06:00:00.000Z');
    expect(await read(testApp, license.id)).toMatchObject({
      days_remaining: 0,
      is_expired: false,
      is_active: true,
    });
    await travel(testApp, '2026-11-23T05:59:59.000Z');
    expect(await read(testApp, license.id)).toMatchObject({
      days_remaining: 0,
      is_expired: false,
      is_active: true,
    });
    expect(await validate()).toMatchObject({ valid: true });
    await travel(testApp, '2026-11-23T05:59:59.001Z');
    expect(await read(testApp, license.id)).toMatchObject({
      days_remaining: 0,
      is_expired: true,
      is_active: false,
    });
    expect(await validate()).toMatchObject({ valid: false, reason: 'expired' });
    // Only users change the stored status (D066).
    expect(await read(testApp, license.id)).toMatchObject({ status: 'active' });
    await travel(testApp, '2026-12-31T05:59:59.001Z');
    expect(await read(testApp, license.id)).toMatchObject({ days_remaining: 0, is_expired: true });
  });

  test.for([
    // In this night Chile sets its clock back from 24:00 to 23:00: the day has 23:59:59 twice, and the later one
    // counts.
    ['America/Santiago', '2026-03-30', 5, '2026-04-05T03:59:59.000Z'],
    // In this night the clock goes forward from 24:00 to 01:00.
    ['America/Santiago', '2026-09-01', 4, '2026-09-06T03:59:59.000Z'],
    ['America/Santiago', '2026-09-01', 5, '2026-09-07T02:59:59.000Z'],
    ['America/New_York', '2026-03-01', 7, '2026-03-09T03:59:59.000Z'],
    ['America/New_York', '2026-10-31', 1, '2026-11-02T04:59:59.000Z'],
    ['America/Havana', '2026-10-31', 0, '2026-11-01T03:59:59.000Z'],
    ['Asia/Kathmandu', '2026-05-01', 1, '2026-05-02T18:14:59.000Z'],
    ['UTC', '2026-12-31', 1, '2027-01-01T23:59:59.000Z'],
  ] as const)('in zone %s a licence issued on %s for %i days ends at %s', ([timeZone, day, days, end]) => {
    expect(expiryAfterDays(`${day}T17:00:00.000Z`, days, timeZone).expiry_date).toBe(end);
  });

  test('in any zone, for any day and count, the end is one second before the next day begins', () => {
    const zones = [
      'America/Mexico_City',
      'America/Santiago',
      'America/Sao_Paulo',
      'America/New_York',
      'Pacific/Apia',
      'UTC',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2015-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 4000 }),
        (timeZone, issued, days) => {
          const { expiry_date } = expiryAfterDays(issued.toISOString(), days, timeZone);
          const last = localDay(expiry_date!, timeZone);
          expect(daysBetween(localDay(issued, timeZone), last)).toBe(days);
          const next = new Date(Date.parse(expiry_date!) + 1000);
          expect(daysBetween(last, localDay(next, timeZone))).toBeGreaterThanOrEqual(1);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the end of a changed licence (D071)', () => {
  const now = '2026-11-21T18:00:00.000Z';

  test('changed days count from the day of issue and win over a date', async () => {
    const testApp = await createTestApp({ now });
    const license = await createLicense(testApp);
    await travel(testApp, '2026-12-01T18:00:00.000Z');
    const { body } = await put(testApp, license.id, { expiry_days: 30, expiry_date: '2030-01-01' });
    expect(body).toMatchObject({
      expiry_days: 30,
      expiry_date: '2026-12-22T05:59:59.000Z',
      days_remaining: 20,
    });
  });

  test('a changed date sets the days, also below 1, and sending them back changes nothing', async () => {
    const testApp = await createTestApp({ now });
    const license = await createLicense(testApp);
    const moved = await put(testApp, license.id, { ...license, expiry_date: '2026-11-20' });
    expect(moved.body).toMatchObject({
      expiry_days: -1,
      expiry_date: '2026-11-21T05:59:59.000Z',
      is_expired: true,
    });
    const saved = await put(testApp, license.id, { ...moved.body, notes: 'x' });
    expect(saved.body).toMatchObject({
      expiry_days: -1,
      expiry_date: '2026-11-21T05:59:59.000Z',
      notes: 'x',
    });
  });

  test('editing the notes does not change the end, whether set by days or by date', async () => {
    const testApp = await createTestApp({ now });
    const byDays = await createLicense(testApp);
    const byHand = await createLicense(testApp, { expiry_date: '2027-01-15T10:30:00.000Z' });
    const never = await createLicense(testApp, { expiry_days: null, expiry_date: null });
    await travel(testApp, '2027-01-10T18:00:00.000Z');
    for (const license of [byDays, byHand, never]) {
      const { body } = await put(testApp, license.id, { ...license, notes: 'otra' });
      expect(body).toMatchObject({
        expiry_date: license.expiry_date,
        expiry_days: license.expiry_days,
        notes: 'otra',
      });
    }
  });

  test('the end can be removed and set again, and days out of range are refused', async () => {
    const testApp = await createTestApp({ now });
    const license = await createLicense(testApp);
    const endless = await put(testApp, license.id, { ...license, expiry_days: null, expiry_date: null });
    expect(endless.body).toMatchObject({ expiry_days: null, expiry_date: null });
    const back = await put(testApp, license.id, { ...endless.body, expiry_days: 365 });
    expect(back.body).toMatchObject({ expiry_days: 365, expiry_date: license.expiry_date });
    for (const [expiry_days, message] of [
      [0, 'Los días de expiración deben ser mayores a 0'],
      [-5, 'Los días de expiración deben ser mayores a 0'],
      [36_526, 'El número es demasiado grande'],
    ] as const) {
      const { status, body } = await put(testApp, license.id, { expiry_days });
      expect(status).toBe(400);
      expect(body.errors).toEqual({ expiry_days: [message] });
    }
    expect((await put(testApp, license.id, { expiry_date: 'ayer' })).body.errors).toHaveProperty(
      'expiry_date',
    );
  });

  test('a value counts as changed only when it differs from the stored value', () => {
    const issued_date = now;
    const stored = { ...expiryAfterDays(issued_date, 10, MEXICO), issued_date };
    const same = {
      expiry_days: stored.expiry_days,
      expiry_date: stored.expiry_date,
      expiry_months: null,
    };
    const change = (sent: Parameters<typeof changedExpiry>[1]) => changedExpiry(stored, sent, MEXICO);
    expect(change({})).toEqual(same);
    expect(change(same)).toEqual(same);
    expect(change({ expiry_days: 10 })).toEqual(same);
    expect(change({ expiry_date: stored.expiry_date })).toEqual(same);
    expect(change({ expiry_days: null, expiry_date: stored.expiry_date })).toEqual(same);
    const never = { expiry_days: null, expiry_date: null, expiry_months: null };
    expect(change({ expiry_date: null })).toEqual(never);
    expect(change({ expiry_days: null })).toEqual(never);
    expect(change({ expiry_days: 10, expiry_date: '2026-12-24' })).toEqual(
      expiryOnDate(issued_date, '2026-12-24', MEXICO),
    );
    expect(newExpiry({}, { days: 90 }, issued_date, MEXICO).expiry_days).toBe(90);
  });
});
