import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { endOfLocalDay } from '../base/time.ts';
import { graceUntil, licenseRefusal } from './license-state.ts';
import { LICENSE_STATUSES } from './licenses.fields.ts';

const ZONES = [
  'America/Mexico_City',
  'America/Argentina/Buenos_Aires',
  'America/Santiago',
  'America/Asuncion',
  'America/Tijuana',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Europe/Madrid',
  'Asia/Kathmandu',
  'UTC',
];
const DAY_MS = 24 * 60 * 60 * 1000;

/** The last day of the grace, computed with calendar arithmetic only. */
const lastDayOf = (year: number, month: number, day: number, grace: number) =>
  new Date(Date.UTC(year, month - 1, day + grace)).toISOString().slice(0, 10);

const cases = fc.record({
  year: fc.integer({ min: 2000, max: 2090 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 31 }),
  zone: fc.constantFrom(...ZONES),
  grace_days: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 365 })),
});

describe('the grace of a licence', { tags: ['LIFE-13'] }, () => {
  test('a licence is valid exactly until its end plus its grace, to the second, in any zone', () => {
    fc.assert(
      fc.property(
        cases,
        fc.constantFrom('active', 'trial'),
        fc.integer({ min: -400, max: 400 }),
        fc.integer({ min: -2000, max: 2000 }),
        ({ year, month, day, zone, grace_days }, status, days, milliseconds) => {
          const lastDay = lastDayOf(year, month, day, 0);
          const expiry_date = endOfLocalDay(lastDay, zone);
          const until = endOfLocalDay(lastDayOf(year, month, day, grace_days), zone);
          const license = { status, expiry_date, grace_days } as const;
          const [end, endOfGrace] = [Date.parse(expiry_date), Date.parse(until)];
          // Instants within a millisecond of both ends, and at random distances.
          for (const at of [end, endOfGrace]) {
            for (const apart of [0, 1, -1, 1000, -1000, milliseconds, days * DAY_MS + milliseconds]) {
              const now = new Date(at + apart);
              const isUsable = now.getTime() <= endOfGrace;
              expect(licenseRefusal(license, now, zone)).toBe(isUsable ? null : 'expired');
              const isInGrace = now.getTime() > end && isUsable;
              expect(graceUntil(license, now, zone)).toBe(isInGrace ? until : null);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('grace never makes a licence valid that its status refuses, and never makes a valid licence invalid', () => {
    fc.assert(
      fc.property(
        cases,
        fc.constantFrom(...LICENSE_STATUSES),
        fc.integer({ min: -800, max: 800 }),
        ({ year, month, day, zone, grace_days }, status, days) => {
          const expiry_date = endOfLocalDay(lastDayOf(year, month, day, 0), zone);
          const now = new Date(Date.parse(expiry_date) + days * DAY_MS);
          const refusal = licenseRefusal({ status, expiry_date, grace_days }, now, zone);
          const without = licenseRefusal({ status, expiry_date, grace_days: 0 }, now, zone);
          if (without === null) expect(refusal).toBeNull();
          if (status !== 'active' && status !== 'trial') expect(refusal).toBe(status);
        },
      ),
      { numRuns: 300 },
    );
  });
});
