import type { Currency } from '../../../../contract/base/money.ts';
import { daysBetween, localDay, wallClock } from '../../../../contract/base/time.ts';
import { isAdded, isTrial } from '../../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRecord, LicenseTermRow } from '../../../db/tables.ts';

/**
 * What the terms of a licence are worth in a month, and on which days (REPORT-05). Pure rules.
 *
 * A day has a number, and a term holds on a day whose last second it includes: one that ends on the 31st holds on the
 * 31st, and its renewal, which begins at that last second, from the next day. So the recurring revenue of a month's end is
 * that of its last day, and today's is the same at any time of the day.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_OF_A_MONTH = 30.4375;
/** A day after each one with a year of four digits. */
const ENDLESS = 4_000_000;

export type RecurringTerm = Pick<
  LicenseTermRow,
  | 'kind'
  | 'starts'
  | 'ends'
  | 'covers_until'
  | 'months'
  | 'price_cents'
  | 'currency'
  | 'software_id'
  | 'is_trial'
  | 'is_free'
  | 'is_test'
  | 'created_at'
>;

export type RecurringLicense = Pick<LicenseRecord, 'status' | 'license_type' | 'activate_by'> & {
  /** When it was last active; null if it never was. Only asked for if it is cancelled. */
  left_at: string | null;
  /** When a licence that was issued as a trial became another one. */
  converted_at: string | null;
};

/** An amount that counts from a day on, before another day. */
export type RecurringSpan = {
  software: number;
  currency: Currency;
  from: number;
  until: number;
  cents: number;
};

/** The number of a local day. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** The local day with a number. */
export const dayOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The first day whose last second is after an instant: a term that begins then counts from it, one that ends not any more. */
const firstDayAfter = (instant: string, timeZone: string): number =>
  Math.floor((wallClock(Date.parse(instant), timeZone) + 1000) / DAY_MS);

/** The price of a term in a month, rounded once to the minor unit. */
function monthlyCents(
  { price_cents, months }: Pick<RecurringTerm, 'price_cents' | 'months'>,
  days: number,
): number {
  return months === null
    ? Math.round((price_cents * DAYS_OF_A_MONTH) / Math.max(1, days))
    : Math.round(price_cents / months);
}

/**
 * The amounts of a licence.
 * @param terms all its terms, in the order of their sale
 */
export function spansOf(
  license: RecurringLicense,
  terms: readonly RecurringTerm[],
  timeZone: string,
): RecurringSpan[] {
  // What waits for its first activation has neither a start nor an end.
  if (license.activate_by !== null) return [];
  const limit =
    license.status !== 'cancelled'
      ? ENDLESS
      : license.left_at === null
        ? 0
        : firstDayAfter(license.left_at, timeZone);
  // From the newest to the oldest, so that what was sold later is known.
  let later: LaterSales | undefined;
  const spans: RecurringSpan[] = [];
  for (const term of terms.toReversed()) {
    const span = spanOf(license, term, later, timeZone);
    const until = span === undefined ? 0 : Math.min(span.until, limit);
    if (span !== undefined && span.from < until && span.cents > 0) spans.push({ ...span, until });
    if (isOwn(term)) later = withSale(later, term, timeZone);
  }
  return spans;
}

/** The sales of a licence after a term: the first day that one of them holds, and when the first of them was made. */
type LaterSales = { firstDay: number; soldAt: string };

function withSale(
  later: LaterSales | undefined,
  { starts, created_at }: RecurringTerm,
  timeZone: string,
): LaterSales {
  const firstDay = starts === null ? ENDLESS : firstDayAfter(starts, timeZone);
  if (later === undefined) return { firstDay, soldAt: created_at };
  return {
    firstDay: Math.min(firstDay, later.firstDay),
    soldAt: created_at < later.soldAt ? created_at : later.soldAt,
  };
}

/** What a term is worth, and when; undefined if it never counts. */
function spanOf(
  license: RecurringLicense,
  term: RecurringTerm,
  later: LaterSales | undefined,
  timeZone: string,
): RecurringSpan | undefined {
  if (term.is_free || term.is_test || term.starts === null) return undefined;
  let from = firstDayAfter(term.starts, timeZone);
  if (isOwn(term)) {
    if (later === undefined && isTrial(license)) return undefined;
    if (term.is_trial) {
      // By hand it becomes a sale with the term that it has; by a renewal that is the sale.
      const { converted_at: at } = license;
      if (at === null || (later !== undefined && later.soldAt <= at)) return undefined;
      from = Math.max(from, firstDayAfter(at, timeZone));
    }
  }
  const end = endOf(term, timeZone);
  if (end === null) return undefined;
  // A sale that begins before this one ends takes its place; a renewal asks the price of the added seats too. Updates
  // go on beside it.
  const replacedOn = term.kind === 'maintenance' ? ENDLESS : (later?.firstDay ?? ENDLESS);
  const { software_id: software, currency } = term;
  const until = Math.min(end.until, replacedOn);
  return { software, currency, from, until, cents: monthlyCents(term, end.days) };
}

/** A term of the licence's own: a sale that is no test, of another kind than updates and seats. */
const isOwn = ({ kind, is_test }: RecurringTerm): boolean => !isAdded(kind) && !is_test;

/** The day before which a term counts, and its length in days; null if it has no end. */
function endOf(
  { kind, starts, ends, covers_until }: RecurringTerm,
  timeZone: string,
): { until: number; days: number } | null {
  const first = localDay(starts!, timeZone);
  if (isAdded(kind)) {
    return covers_until === null
      ? null
      : { until: dayNumber(covers_until) + 1, days: daysBetween(first, covers_until) };
  }
  return ends === null
    ? null
    : { until: firstDayAfter(ends, timeZone), days: daysBetween(first, localDay(ends, timeZone)) };
}
