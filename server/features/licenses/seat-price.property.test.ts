import { beforeAll, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';

/**
 * Prices of seats against a computation of its own: fractions of whole numbers, and a calendar of whole days. The zone
 * is Ciudad de México, whose clock does not change.
 */

const ZONE_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-21T18:00:00.000Z');

let t: TestApp;
let client: number;
let software: number;
beforeAll(async () => {
  t = await createTestApp({ now: new Date(START).toISOString(), closeAfterTest: false });
  client = (await createClient(t)).id;
  software = (await createSoftware(t)).id;
  return t.close;
});

/** The number of a local day. */
const dayOf = (instant: number) => Math.floor((instant - ZONE_MS) / DAY_MS);

/** The nearest whole number to a fraction; the middle goes up. */
function nearest(above: bigint, below: bigint): bigint {
  const whole = above / below;
  const rest = above - whole * below;
  return rest + rest >= below ? whole + 1n : whole;
}

const CASE = fc.record({
  currency: fc.constantFrom(
    { code: 'MXN', decimals: 2 },
    { code: 'USD', decimals: 2 },
    { code: 'CLP', decimals: 0 },
  ),
  cents: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 99_999_999 })),
  renewal: fc.option(fc.integer({ min: 1, max: 999_999 })),
  seats: fc.integer({ min: 1, max: 97 }),
  quantities: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
  length: fc.option(fc.integer({ min: 1, max: 800 }), { freq: 6 }),
  passed: fc.integer({ min: 0, max: 799 }),
  hour: fc.integer({ min: 0, max: 23 }),
});

test('the price of seats and of the renewal with them, for days, seats and currencies (MONEY-08)', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(CASE, async ({ currency, cents, renewal, seats, quantities, length, passed, hour }) => {
      const moveTo = async (moment: number) => {
        t.clock.set(new Date(moment));
        t.token = await signInAs(t, 'admin', 'admin123');
      };
      await moveTo(START);
      const money = (minor: bigint) => Number(minor) / 10 ** currency.decimals;
      const type = await createLicenseType(t, {
        ...{ base_price: money(BigInt(cents)), currency: currency.code as 'MXN', max_installations: seats },
        renewal_price: renewal === null ? null : money(BigInt(renewal)),
      });
      const issued = await t.call('POST', '/licenses/api/licenses/', {
        body: {
          ...{ client, software, license_type: 'premium', license_type_config: type.id, price: 1 },
          ...{ currency: currency.code, max_installations: seats, expiry_days: length },
          ...(length === null && { expiry_date: null }),
        },
      });
      const one = `/licenses/api/licenses/${issued.body.id}/`;
      const firstDay = dayOf(START);
      // Any hour of a day on which it still runs.
      const day = firstDay + (length === null ? passed : passed % (length + 1));
      const moment = Math.max(START, day * DAY_MS + ZONE_MS + hour * 3_600_000);
      await moveTo(moment);
      let bought = 0n;
      for (const quantity of quantities) {
        const left = length === null ? 1n : BigInt(Math.max(1, firstDay + length - dayOf(moment)));
        const expected = nearest(
          BigInt(cents) * BigInt(quantity) * left,
          BigInt(seats) * BigInt(length === null ? 1 : length),
        );
        const body = { quantity };
        const preview = await t.call('POST', `${one}add_seats/preview/`, { body });
        if (expected === 0n) {
          expect([preview.status, Object.keys(preview.body.errors)]).toEqual([400, ['price']]);
          continue;
        }
        bought += BigInt(quantity);
        const max_installations = seats + Number(bought);
        const price = money(expected);
        expect(preview.body).toMatchObject({ price, currency: currency.code, max_installations });
        const sold = await t.call('POST', `${one}add_seats/`, { body: { ...body, notify: false } });
        expect(sold.body).toMatchObject({ max_installations, price: 1 });
        const terms = (await t.call('GET', `${one}terms/`)).body.results;
        expect(terms[0]).toMatchObject({ kind: 'seats', price, currency: currency.code });
      }
      if (length === null) return;
      const renewed = await t.call('POST', `${one}renew/preview/`, { body: {} });
      const asked = BigInt(renewal ?? cents);
      const whole = nearest(asked * (BigInt(seats) + bought), BigInt(seats));
      expect(renewed.body).toMatchObject({ price: money(whole), currency: currency.code });
    }),
    { numRuns: triesOf(60) },
  );
});
