import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import fc from '../../../test/properties.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { renewalTerms } from './renewal-terms.ts';

/** The computation of renewals, as pure functions (LIFE-02). */

const ZONES = ['America/Mexico_City', 'America/Santiago', 'Asia/Kolkata', 'Pacific/Kiritimati', 'UTC'];
const DAY_MS = 86_400_000;

const license = (values: Partial<LicenseRecord>) =>
  ({
    status: 'active',
    license_type: 'premium',
    license_type_id: 1,
    price_cents: 1000,
    currency: 'MXN',
    max_installations: 5,
    bought_seats: 0,
    issued_date: '2026-01-01T12:00:00.000Z',
    ...values,
  }) as LicenseRecord & { expiry_date: string };

const type = (values: Partial<LicenseType> = {}) =>
  ({
    id: 1,
    base_price: 10,
    currency: 'MXN',
    validity_days: 365,
    validity_months: null,
    max_installations: 5,
    renewal_price: null,
    is_promotion: false,
    ...values,
  }) as LicenseType;

const moment = fc
  .integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') })
  .map((instant) => new Date(instant));

const cases = fc.record({
  now: moment,
  /** Days from today to the end of the licence. */
  left: fc.integer({ min: -800, max: 800 }),
  days: fc.integer({ min: 1, max: 3660 }),
  timeZone: fc.constantFrom(...ZONES),
});

describe('renewals at any moment, in any zone, of any length', () => {
  test('an early renewal adds its days to those that are left, a late one counts from today', () => {
    fc.assert(
      fc.property(cases, ({ now, left, days, timeZone }) => {
        const today = localDay(now, timeZone);
        const expiry_date = endOfLocalDay(addDays(today, left), timeZone);
        const renewed = renewalTerms(
          { expiry_days: days },
          { license: license({ expiry_date }), last: undefined, type: type(), now, timeZone },
        );
        const daysAfter = daysBetween(today, localDay(renewed.ends, timeZone));
        expect(daysAfter).toBe(Math.max(0, left) + days);
        expect(renewed.starts).toBe(expiry_date >= now.toISOString() ? expiry_date : now.toISOString());
        // A licence ends with a local day, also on days with 23 or 25 hours.
        expect(renewed.ends).toBe(endOfLocalDay(localDay(renewed.ends, timeZone), timeZone));
      }),
      { numRuns: 2000 },
    );
  });

  test('renewals in a row leave no gap and no overlap', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 6 }), ({ now, left, days, timeZone }, times) => {
        const today = localDay(now, timeZone);
        let kept = license({ expiry_date: endOfLocalDay(addDays(today, Math.abs(left)), timeZone) });
        for (let count = 0; count < times; count += 1) {
          const known = { license: kept, last: undefined, type: type(), now, timeZone };
          const renewed = renewalTerms({ expiry_days: days }, known);
          // The last day ends at second 59. In the fraction of a second after it the licence has already expired.
          fc.pre(kept.expiry_date >= now.toISOString());
          expect(renewed.starts).toBe(kept.expiry_date);
          kept = { ...kept, ...renewed.license };
        }
        expect(daysBetween(today, localDay(kept.expiry_date, timeZone))).toBe(Math.abs(left) + times * days);
      }),
      { numRuns: 500 },
    );
  });

  test('a promotion applies on its first and last local day, and on no other day outside', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 40 }), ({ now, timeZone }, length) => {
        const today = localDay(now, timeZone);
        const until = endOfLocalDay(addDays(today, 30), timeZone);
        const price = (start: string, end: string) =>
          renewalTerms(
            {},
            {
              license: license({ expiry_date: until }),
              last: undefined,
              type: type({
                is_promotion: true,
                promotion_name: 'Buen Fin',
                discount_percentage: 10,
                promotion_start_date: start,
                promotion_end_date: end,
              }),
              now,
              timeZone,
            },
          ).license.price_cents;
        expect(price(addDays(today, -length), today)).toBe(900);
        expect(price(today, addDays(today, length))).toBe(900);
        expect(price(addDays(today, -length - 1), addDays(today, -1))).toBe(1000);
        expect(price(addDays(today, 1), addDays(today, length + 1))).toBe(1000);
      }),
      { numRuns: 500 },
    );
  });
});

test('without a licence type and without sent days a term is as long as the last one', () => {
  const now = new Date('2026-06-01T12:00:00.000Z');
  const last = {
    starts: '2026-01-01T12:00:00.000Z',
    ends: new Date(Date.parse('2026-01-01T23:59:59.000Z') + 40 * DAY_MS).toISOString(),
    moved_days: 10,
  };
  const renewed = renewalTerms(
    {},
    {
      license: license({ expiry_date: '2026-07-01T23:59:59.000Z', license_type_id: null }),
      last: last as never,
      type: undefined,
      now,
      timeZone: 'UTC',
    },
  );
  expect(renewed).toMatchObject({ ends: '2026-07-31T23:59:59.000Z', kind: 'renewal' });
});

describe('renewals without type, term or promotion dates', () => {
  const now = new Date('2026-06-01T12:00:00.000Z');
  const known = { last: undefined, now, timeZone: 'UTC' } as const;
  const kept = license({ expiry_date: '2026-07-01T23:59:59.000Z', license_type_id: null });

  test('without type and term a renewal has the default length and the price of the licence', () => {
    const renewed = renewalTerms({}, { ...known, license: kept, type: undefined });
    expect(renewed).toMatchObject({ ends: '2027-07-01T23:59:59.000Z', license: { price_cents: 1000 } });
    const endless = { starts: '2026-01-01T12:00:00.000Z', ends: null, moved_days: 0 };
    const after = renewalTerms({}, { ...known, license: kept, last: endless as never, type: undefined });
    expect(after.ends).toBe(renewed.ends);
  });

  test('a promotion without dates always applies, and without a percentage costs the base price', () => {
    const promotion = type({
      is_promotion: true,
      promotion_name: 'Siempre',
      discount_percentage: null,
      promotion_start_date: null,
      promotion_end_date: null,
    });
    const renewed = renewalTerms({}, { ...known, license: kept, type: promotion });
    expect(renewed.license).toMatchObject({
      price_cents: 1000,
      original_price_cents: null,
      promotion_name: 'Siempre',
    });
  });

  test('a term that ends before it starts, or after the last possible date, is refused', () => {
    expect(() =>
      renewalTerms({ expiry_date: '2026-01-01' }, { ...known, license: kept, type: type() }),
    ).toThrow(expect.objectContaining({ code: 'invalid' }));
    const far = license({ expiry_date: '9990-01-01T00:00:00.000Z' });
    expect(() => renewalTerms({ expiry_days: 36_525 }, { ...known, license: far, type: type() })).toThrow(
      expect.objectContaining({
        faults: { expiry_days: [{ code: 'out_of_range', message: LICENSE_MESSAGES.expiryDate }] },
      }),
    );
  });
});
