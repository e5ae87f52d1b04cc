import { describe, expect, test } from 'vitest';
import { licenseRefusal } from '../../../../contract/licenses/license-state.ts';
import { LICENSE_STATUSES } from '../../../../contract/licenses/licenses.fields.ts';
import fc from '../../../../test/properties.ts';
import { licenseClaims, type TokenLicense } from './license-claims.ts';

const ZONES = ['America/Mexico_City', 'America/Argentina/Buenos_Aires', 'America/Santiago', 'UTC'];
const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const moment = fc.integer({ min: 0, max: 2000 * DAY_MS }).map((ms) => new Date(START + ms));

const license: fc.Arbitrary<TokenLicense> = fc.record({
  id: fc.integer({ min: 1 }),
  license_key: fc.constant('AAAAA'),
  status: fc.constantFrom(...LICENSE_STATUSES),
  license_type: fc.constant('premium' as const),
  features: fc
    .dictionary(fc.stringMatching(/^[a-z0-9_]{1,50}$/), fc.oneof(fc.boolean(), fc.integer(), fc.string()))
    .map((all) => JSON.stringify(all)),
  max_installations: fc.integer({ min: 1 }),
  expiry_date: fc.option(moment.map((date) => date.toISOString())),
  grace_days: fc.constantFrom(0, 0, 1, 30, 365),
  offline_days: fc.constantFrom(0, 1, 7, 365),
  updates_until: fc.option(moment.map((date) => date.toISOString().slice(0, 10))),
  software_code: fc.constant('caja'),
});

/** The local time of an instant, computed only with Intl, so that the test does not depend on our own code. */
const localTime = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);

/** A token that a program stores is valid for at most its days, and never longer than the licence with its grace. */
function expectKept(
  { exp, iat, in_grace }: ReturnType<typeof licenseClaims>,
  { expiry_date, grace_days }: { expiry_date: string | null; grace_days: number },
  { days, now, timeZone }: { days: number; now: Date; timeZone: string },
): void {
  expect(exp - iat).toBeLessThanOrEqual(days * 86_400);
  if (expiry_date === null) {
    expect(exp - iat).toBe(days * 86_400);
    return;
  }
  const end = Date.parse(expiry_date);
  expect(in_grace).toBe(end < now.getTime());
  const isShortened = exp - iat < days * 86_400;
  // The expected end: the licence's end, or the last second of its last day of grace.
  if (grace_days === 0) {
    expect(exp).toBeLessThanOrEqual(end / 1000);
    if (isShortened) expect(exp).toBe(Math.floor(end / 1000));
    return;
  }
  const endDay = localTime(end, timeZone).slice(0, 10);
  const lastDay = new Date(Date.parse(endDay) + grace_days * DAY_MS).toISOString().slice(0, 10);
  const [day = '', time] = localTime(exp * 1000, timeZone).split(' ');
  expect(day <= lastDay).toBe(true);
  if (isShortened) expect([day, time]).toEqual([lastDay, '23:59:59']);
}

describe('the claims of any licence at any moment', { tags: ['PROG-01', 'PROG-03'] }, () => {
  test('begin now, last at most the days without connection, and never beyond the licence and its grace', () => {
    fc.assert(
      fc.property(
        license,
        moment,
        fc.constantFrom(...ZONES),
        fc.integer({ min: 1, max: 40_000 }),
        (one, now, timeZone, fileDays) => {
          const reason = licenseRefusal(one, now, timeZone);
          for (const days of [one.offline_days, fileDays, null]) {
            const claims = licenseClaims(
              {
                ...{
                  call: 'heartbeat' as const,
                  license_key: 'AAAAA',
                  machine_id: 'caja-1',
                  audience: 'caja',
                },
                ...{ license: one, reason, hasSeat: days !== null, days: days ?? 0 },
              },
              { issuer: 'https://licencias.example.com', now, timeZone },
            );
            expect(claims.iat).toBe(Math.floor(now.getTime() / 1000));
            expect(claims.nbf).toBe(claims.iat);
            expect(claims.exp).toBeGreaterThanOrEqual(claims.iat);
            expect(claims.valid).toBe(reason === null);
            expect(claims.features).toEqual(JSON.parse(one.features));
            if (reason === null && days !== null) {
              expectKept(claims, one, { days, now, timeZone });
              continue;
            }
            expect(claims.exp - claims.iat).toBe(300);
            expect(claims.in_grace && !claims.valid).toBe(false);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
