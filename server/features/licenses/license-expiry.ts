import { addMonths, endAfterMonths } from '../../../contract/base/months.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { daysBetween, endAfterDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';

/**
 * The expiry of a licence, as days and as a date; both are null for a licence without an end (D070). The months are
 * those of its present term, null where that counts in days (MONEY-10).
 */
type Expiry = { expiry_days: number | null; expiry_date: string | null; expiry_months: number | null };

/** What a call says of the expiry. */
type SentExpiry = {
  expiry_days?: number | null | undefined;
  expiry_date?: string | null | undefined;
  expiry_months?: number | null | undefined;
};

/** The expiry after a number of days, at the end of that local day (D071). */
export function expiryAfterDays(issuedDate: string, days: number, timeZone: string): Expiry {
  return { expiry_days: days, expiry_date: endAfterDays(issuedDate, days, timeZone), expiry_months: null };
}

/** The expiry on a day (at its end) or at an exact instant; the days are computed (D071). */
export function expiryOnDate(issuedDate: string, date: string, timeZone: string): Expiry {
  const instant = isCalendarDay(date) ? endOfLocalDay(date, timeZone) : new Date(date).toISOString();
  const days = daysBetween(localDay(issuedDate, timeZone), localDay(instant, timeZone));
  return { expiry_days: days, expiry_date: instant, expiry_months: null };
}

/** The expiry after a term in months; the days are those from the issue to that end (MONEY-10). */
function expiryAfterMonths(
  issuedDate: string,
  months: number,
  timeZone: string,
  { from, anchor }: Partial<MonthsFrom> = {},
): Expiry {
  const ends = endAfterMonths(from ?? issuedDate, months, timeZone, anchor);
  return { ...expiryOnDate(issuedDate, ends, timeZone), expiry_months: months };
}

/** The days from the issue to the end of a first term in months. */
export function daysOfTerm(issuedDate: string, months: number, timeZone: string): number {
  const day = localDay(issuedDate, timeZone);
  return daysBetween(day, addMonths(day, months));
}

const NEVER: Expiry = { expiry_days: null, expiry_date: null, expiry_months: null };

/**
 * The expiry of a new licence. A date takes precedence. Null days without a date mean no end. Otherwise the given
 * days or months count, or those of the type (D070, D071, D125, MONEY-10).
 */
export function newExpiry(
  sent: SentExpiry,
  type: { days: number; months?: number | null | undefined },
  issuedDate: string,
  timeZone: string,
): Expiry {
  if (sent.expiry_date) return expiryOnDate(issuedDate, sent.expiry_date, timeZone);
  if (sent.expiry_days === null) return NEVER;
  const saysDays = sent.expiry_days !== undefined || sent.expiry_months === null;
  const months = sent.expiry_months ?? (saysDays ? null : (type.months ?? null));
  if (months !== null) return expiryAfterMonths(issuedDate, months, timeZone);
  return expiryAfterDays(issuedDate, sent.expiry_days ?? type.days, timeZone);
}

/** Whether a call gives a licence another length in months than it has. */
export const changesMonths = (
  stored: Pick<Expiry, 'expiry_months'>,
  sent: SentExpiry,
): sent is SentExpiry & { expiry_months: number } =>
  typeof sent.expiry_months === 'number' && sent.expiry_months !== stored.expiry_months;

/**
 * The expiry after a change. The first that changed decides: months, which count from the start of the present term;
 * days, which count from the day of issue; a date. Unchanged or absent values never move the end (D071, MONEY-10).
 * @param term where the present term began; the day of issue, if it is left out
 */
export function changedExpiry(
  stored: Expiry & { issued_date: string },
  sent: SentExpiry,
  timeZone: string,
  term?: MonthsFrom,
): Expiry {
  if (changesMonths(stored, sent)) {
    return expiryAfterMonths(stored.issued_date, sent.expiry_months, timeZone, term);
  }
  const daysChanged = sent.expiry_days !== undefined && sent.expiry_days !== stored.expiry_days;
  if (daysChanged && typeof sent.expiry_days === 'number') {
    return expiryAfterDays(stored.issued_date, sent.expiry_days, timeZone);
  }
  const kept = sent.expiry_months === null ? { ...stored, expiry_months: null } : stored;
  if (sent.expiry_date) {
    const expiry = expiryOnDate(stored.issued_date, sent.expiry_date, timeZone);
    return expiry.expiry_date === stored.expiry_date ? unchanged(kept) : expiry;
  }
  const saysNever =
    sent.expiry_days === null || (sent.expiry_days === undefined && sent.expiry_date === null);
  return saysNever ? NEVER : unchanged(kept);
}

const unchanged = ({ expiry_days, expiry_date, expiry_months }: Expiry): Expiry => ({
  expiry_days,
  expiry_date,
  expiry_months,
});
