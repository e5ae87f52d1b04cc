import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import {
  addDays,
  daysBetween,
  daysRemaining,
  endOfLocalDay,
  isExpired,
  isInstallationActive,
  localDay,
  startOfLocalDay,
  utcOffset,
} from './time.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Zones without summer time, with summer time in both hemispheres, with odd offsets, and beyond the date line. */
const ZONES = [
  'America/Mexico_City',
  'America/Tijuana',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Bogota',
  'Europe/Madrid',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'UTC',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.date({
  min: new Date('1970-01-02T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const day = instant.map((date) => date.toISOString().slice(0, 10));

/** The local day of an instant, computed by Intl and not by time.ts. */
const swedishDay = (date: Date | string, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(date));

describe('localDay', () => {
  test('returns the day in the business time zone, not in UTC (D106)', () => {
    expect(localDay('2026-03-01T05:59:59.999Z', 'America/Mexico_City')).toBe('2026-02-28');
    expect(localDay('2026-03-01T06:00:00.000Z', 'America/Mexico_City')).toBe('2026-03-01');
    expect(localDay(new Date('2026-12-31T23:00:00Z'), 'Europe/Madrid')).toBe('2027-01-01');
  });

  test('returns the same day as Intl in every zone', () => {
    fc.assert(
      fc.property(instant, zone, (date, timeZone) => {
        expect(localDay(date, timeZone)).toBe(swedishDay(date, timeZone));
      }),
    );
  });
});

describe('the start and end of a local day', () => {
  test('a local day ends at its last second in the business time zone (D071)', () => {
    expect(endOfLocalDay('2026-11-21', 'America/Mexico_City')).toBe('2026-11-22T05:59:59.000Z');
    expect(startOfLocalDay('2026-11-21', 'America/Mexico_City')).toBe('2026-11-21T06:00:00.000Z');
    expect(endOfLocalDay('2024-02-29', 'UTC')).toBe('2024-02-29T23:59:59.000Z');
  });

  test('start and end are right on days when the clocks change', () => {
    // Madrid changes to summer time on 2026-03-29 and back on 2026-10-25.
    expect(startOfLocalDay('2026-03-29', 'Europe/Madrid')).toBe('2026-03-28T23:00:00.000Z');
    expect(endOfLocalDay('2026-03-29', 'Europe/Madrid')).toBe('2026-03-29T21:59:59.000Z');
    expect(startOfLocalDay('2026-10-25', 'Europe/Madrid')).toBe('2026-10-24T22:00:00.000Z');
    expect(endOfLocalDay('2026-10-25', 'Europe/Madrid')).toBe('2026-10-25T22:59:59.000Z');
  });

  test('a day whose midnight is skipped by summer time starts after the gap', () => {
    // In Santiago the second after 2025-09-06 23:59:59 is 2025-09-07 01:00:00.
    expect(startOfLocalDay('2025-09-07', 'America/Santiago')).toBe('2025-09-07T04:00:00.000Z');
    expect(endOfLocalDay('2025-09-06', 'America/Santiago')).toBe('2025-09-07T03:59:59.000Z');
  });

  test('both ends belong to that day and not to its neighbours', () => {
    fc.assert(
      fc.property(day, zone, (date, timeZone) => {
        // The local day 2011-12-30 does not exist in Apia: the zone moved across the date line.
        fc.pre(!(timeZone === 'Pacific/Apia' && date === '2011-12-30'));
        fc.pre(!(timeZone === 'Pacific/Kiritimati' && /^199[45]-(12-31|01-01)$/.test(date)));
        const [start, end] = [startOfLocalDay(date, timeZone), endOfLocalDay(date, timeZone)];
        expect([swedishDay(start, timeZone), swedishDay(end, timeZone)]).toEqual([date, date]);
        expect(swedishDay(new Date(Date.parse(start) - 1), timeZone) < date).toBe(true);
        expect(swedishDay(new Date(Date.parse(end) + 1000), timeZone) > date).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('counting days', () => {
  test('is right across leap days and ends of months and years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2024-02-29', 365)).toBe('2025-02-28');
    expect(addDays('2025-02-28', 1)).toBe('2025-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(daysBetween('2024-01-01', '2025-01-01')).toBe(366);
    expect(daysBetween('2026-11-21', '2026-11-20')).toBe(-1);
  });

  test('addDays and daysBetween are inverse', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -36_525, max: 36_525 }), (date, count) => {
        expect(daysBetween(date, addDays(date, count))).toBe(count);
        expect(addDays(addDays(date, count), -count)).toBe(date);
      }),
    );
  });
});

describe('a licence', () => {
  const now = new Date('2026-11-21T18:00:00Z');

  test('is expired when its date is before now, not when it is equal, and never without a date (SEED-4-11)', () => {
    expect(isExpired('2026-11-21T17:59:59.999Z', now)).toBe(true);
    expect(isExpired('2026-11-21T18:00:00.000Z', now)).toBe(false);
    expect(isExpired('2026-11-21T18:00:00.001Z', now)).toBe(false);
    expect(isExpired(null, now)).toBe(false);
  });

  test('has a whole number of local days left, 0 on its last day and after it (D072)', () => {
    const left = (date: string, at: string) =>
      daysRemaining(endOfLocalDay(date, 'America/Mexico_City'), new Date(at), 'America/Mexico_City');

    expect(left('2027-11-21', '2026-11-21T18:00:00Z')).toBe(365);
    expect(left('2026-11-21', '2026-11-21T06:00:00Z')).toBe(0);
    expect(left('2026-11-22', '2026-11-22T05:59:59Z')).toBe(1);
    expect(left('2026-11-22', '2026-11-22T06:00:00Z')).toBe(0);
    expect(left('2026-11-01', '2026-11-21T18:00:00Z')).toBe(0);
    expect(daysRemaining(null, now, 'America/Mexico_City')).toBeNull();
  });

  test('has as many days left as a program computes with the UTC offset, in a zone without summer time (D136)', () => {
    fc.assert(
      fc.property(instant, instant, (end, at) => {
        const offset = utcOffset(at, 'America/Bogota') * 1000;
        const dayOf = (date: Date) => Math.floor((date.getTime() + offset) / DAY);
        fc.pre(at.getTime() > Date.parse('1995-01-01') && end.getTime() > at.getTime());
        expect(daysRemaining(end.toISOString(), at, 'America/Bogota')).toBe(dayOf(end) - dayOf(at));
      }),
    );
    expect(utcOffset(now, 'America/Mexico_City')).toBe(-6 * 60 * 60);
    expect(utcOffset(now, 'Asia/Kathmandu')).toBe(5.75 * 60 * 60);
  });

  test('has all its days left at any time on the day of issue', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 36_525 }), zone, (issued, days, timeZone) => {
        const lastDay = addDays(localDay(issued, timeZone), days);
        fc.pre(swedishDay(startOfLocalDay(lastDay, timeZone), timeZone) === lastDay);
        const expiry = endOfLocalDay(lastDay, timeZone);
        expect(daysRemaining(expiry, issued, timeZone)).toBe(days);
        expect(isExpired(expiry, new Date(expiry))).toBe(false);
      }),
    );
  });
});

test('an installation is active for 24 hours after its last heartbeat', {
  tags: ['SEED-4-12', 'SEED-9-10', 'D109'],
}, () => {
  const now = new Date('2026-11-21T18:00:00Z');
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();

  expect(isInstallationActive(ago(0), now)).toBe(true);
  expect(isInstallationActive(ago(23 * HOUR), now)).toBe(true);
  expect(isInstallationActive(ago(DAY - 1), now)).toBe(true);
  expect(isInstallationActive(ago(DAY), now)).toBe(false);
  expect(isInstallationActive(ago(25 * HOUR), now)).toBe(false);
  expect(isInstallationActive(null, now)).toBe(false);
});
