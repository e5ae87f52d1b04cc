import { isCalendarDay } from '../../../contract/base/text.ts';
import { daysBetween, endAfterDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';

/** The expiry of a licence, as days and as a date; both are null for a licence without an end (D070). */
type Expiry = { expiry_days: number | null; expiry_date: string | null };

/** The expiry after a number of days, at the end of that local day (D071). */
export function expiryAfterDays(issuedDate: string, days: number, timeZone: string): Expiry {
  return { expiry_days: days, expiry_date: endAfterDays(issuedDate, days, timeZone) };
}

/** The expiry on a day (at its end) or at an exact instant; the days are computed (D071). */
export function expiryOnDate(issuedDate: string, date: string, timeZone: string): Expiry {
  const instant = isCalendarDay(date) ? endOfLocalDay(date, timeZone) : new Date(date).toISOString();
  const days = daysBetween(localDay(issuedDate, timeZone), localDay(instant, timeZone));
  return { expiry_days: days, expiry_date: instant };
}

const NEVER: Expiry = { expiry_days: null, expiry_date: null };

/**
 * The expiry of a new licence. A date takes precedence. Null days without a date mean no end. Otherwise the given
 * days count, or `defaultDays` (D070, D071, D125).
 */
export function newExpiry(
  sent: { expiry_days?: number | null | undefined; expiry_date?: string | null | undefined },
  defaultDays: number,
  issuedDate: string,
  timeZone: string,
): Expiry {
  if (sent.expiry_date) return expiryOnDate(issuedDate, sent.expiry_date, timeZone);
  if (sent.expiry_days === null) return NEVER;
  return expiryAfterDays(issuedDate, sent.expiry_days ?? defaultDays, timeZone);
}

/**
 * The expiry after a change. Changed days take precedence and count from the day of issue; else a changed date is
 * used. Unchanged or absent values never move the date (D071).
 */
export function changedExpiry(
  stored: Expiry & { issued_date: string },
  sent: { expiry_days?: number | null | undefined; expiry_date?: string | null | undefined },
  timeZone: string,
): Expiry {
  const daysChanged = sent.expiry_days !== undefined && sent.expiry_days !== stored.expiry_days;
  if (daysChanged && typeof sent.expiry_days === 'number') {
    return expiryAfterDays(stored.issued_date, sent.expiry_days, timeZone);
  }
  if (sent.expiry_date) {
    const expiry = expiryOnDate(stored.issued_date, sent.expiry_date, timeZone);
    return expiry.expiry_date === stored.expiry_date ? unchanged(stored) : expiry;
  }
  const saysNever =
    sent.expiry_days === null || (sent.expiry_days === undefined && sent.expiry_date === null);
  return saysNever ? NEVER : unchanged(stored);
}

const unchanged = ({ expiry_days, expiry_date }: Expiry): Expiry => ({ expiry_days, expiry_date });
