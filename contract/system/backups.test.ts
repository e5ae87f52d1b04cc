import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { addDays, localDay, mondayOf } from '../base/time.ts';
import { backupLateSince, copiesToKeep, KEPT_COPIES, lastSlot, makesCopies, nextSlot } from './backups.ts';

const ZONES = ['America/Mexico_City', 'Europe/Madrid', 'Pacific/Apia', 'UTC'] as const;
const zone = fc.constantFrom(...ZONES);
const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) });

const copyAt = (at: number) => ({ name: String(at), at: new Date(at).toISOString() });
const parts = (copies: { at: string }[], partOf: (day: string) => string, timeZone: string) => [
  ...new Set(copies.map(({ at }) => partOf(localDay(at, timeZone)))),
];

describe('which backup copies are retained (OPS-03)', () => {
  test('the newest copy of each of the last 7 days, 4 weeks and 6 months is retained', () => {
    fc.assert(
      fc.property(fc.uniqueArray(moment, { maxLength: 60 }), zone, (moments, timeZone) => {
        const copies = moments.map(copyAt);
        const kept = copiesToKeep(copies, timeZone);
        expect(kept.size).toBeLessThanOrEqual(KEPT_COPIES.days + KEPT_COPIES.weeks + KEPT_COPIES.months);
        const newest = [...copies].sort((a, b) => b.at.localeCompare(a.at));
        for (const [count, partOf] of [
          [KEPT_COPIES.days, (day: string) => day],
          [KEPT_COPIES.weeks, mondayOf],
          [KEPT_COPIES.months, (day: string) => day.slice(0, 7)],
        ] as const) {
          for (const part of parts(newest, partOf, timeZone).slice(0, count)) {
            const first = newest.find(({ at }) => partOf(localDay(at, timeZone)) === part);
            expect(kept.has(first!.name)).toBe(true);
          }
        }
        // The newest copy is never removed.
        if (newest.length > 0) expect(kept.has(newest[0]!.name)).toBe(true);
      }),
    );
  });

  test('after a year of daily pruning there is a copy for each of 7 days, 4 weeks and 6 months', () => {
    fc.assert(
      fc.property(
        moment,
        zone,
        fc.array(fc.boolean(), { minLength: 400, maxLength: 400 }),
        fc.integer({ min: 0, max: 100 }),
        (from, timeZone, outages, rare) => {
          let copies: ReturnType<typeof copyAt>[] = [];
          const all: ReturnType<typeof copyAt>[] = [];
          let day = localDay(new Date(from), timeZone);
          for (const [index, isOut] of outages.entries()) {
            day = addDays(day, 1);
            // Realistic: a server is only down sometimes, not every second day.
            if (isOut && index % 100 < rare) continue;
            const copy = copyAt(Date.parse(lastSlot(new Date(`${day}T23:00:00Z`), '03:00', timeZone)));
            if (all.some(({ name }) => name === copy.name)) continue;
            all.push(copy);
            copies.push(copy);
            const kept = copiesToKeep(copies, timeZone);
            copies = copies.filter(({ name }) => kept.has(name));
          }
          const last = all.at(-1);
          if (!last) return;
          const expected = copiesToKeep(all, timeZone);
          for (const partOf of [(one: string) => one, mondayOf, (one: string) => one.slice(0, 7)]) {
            const want = parts(
              all.filter(({ name }) => expected.has(name)),
              partOf,
              timeZone,
            );
            // Copies that a later copy of the same day, week or month replaced were removed; each of these still has
            // one copy.
            expect(parts(copies, partOf, timeZone)).toEqual(expect.arrayContaining(want));
          }
          expect(copies).toContainEqual(last);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('a copy is due at its local time, also on days when the clocks change', () => {
  fc.assert(
    fc.property(
      moment,
      zone,
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      (at, timeZone, hour, minute) => {
        const now = new Date(at);
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const last = lastSlot(now, time, timeZone);
        const next = nextSlot(now, time, timeZone);
        expect(last <= now.toISOString()).toBe(true);
        expect(next > now.toISOString()).toBe(true);
        // A local day has 22 to 26 hours. Apia once skipped a whole day.
        expect(Date.parse(next) - Date.parse(last)).toBeLessThanOrEqual(49 * 3_600_000);
        expect(Date.parse(next) - Date.parse(last)).toBeGreaterThanOrEqual(21 * 3_600_000);
      },
    ),
  );
  expect(lastSlot(new Date('2026-11-26T08:59:59Z'), '03:00', 'America/Mexico_City')).toBe(
    '2026-11-25T09:00:00.000Z',
  );
  expect(lastSlot(new Date('2026-11-26T09:00:00Z'), '03:00', 'America/Mexico_City')).toBe(
    '2026-11-26T09:00:00.000Z',
  );
  // 02:30 does not exist on this day, so the first moment after the gap is used.
  expect(nextSlot(new Date('2027-03-28T00:00:00Z'), '02:30', 'Europe/Madrid')).toBe(
    '2027-03-28T01:30:00.000Z',
  );
});

test('a copy is late 26 hours after the last attempt', () => {
  const state = {
    since: '2026-11-20T09:00:00.000Z',
    seen_at: '2026-11-26T10:00:00.000Z',
    last_tried_at: null,
    skipped_rows: null,
  };
  const late = (change: object, now: string) => backupLateSince({ ...state, ...change }, new Date(now));
  expect(late({}, '2026-11-21T10:59:59Z')).toBe(null);
  expect(late({}, '2026-11-21T11:00:00Z')).toBe('2026-11-21T11:00:00.000Z');
  const tried = { last_tried_at: '2026-11-25T09:00:00.000Z' };
  expect(late(tried, '2026-11-26T10:59:59Z')).toBe(null);
  expect(late(tried, '2026-11-26T11:00:00Z')).toBe('2026-11-26T11:00:00.000Z');
  expect(late({ ...tried, skipped_rows: 21_000_000 }, '2026-11-28T00:00:00Z')).toBe(null);
  // Two weeks after a server with BACKUP_DIR was last seen, backups count as switched off.
  expect(makesCopies(state, new Date('2026-12-10T09:59:59Z'))).toBe(true);
  expect(late(tried, '2026-12-10T10:00:00Z')).toBe(null);
});
