import { isCalendarDay } from '../../../../contract/base/text.ts';
import { addDays, endOfLocalDay, localDay } from '../../../../contract/base/time.ts';

/** The validity of a new API key: the choices of its form (PEOPLE-07). Days are those of the business time zone. */

const DAY_MS = 24 * 3_600_000;
const LENGTHS = [30, 90, 365] as const;
const USUAL = 365;

/**
 * The default validity of a key in days.
 * @param limit the longest allowed validity; null means no limit
 */
export const usualLength = (limit: number | null): number => Math.min(USUAL, limit ?? USUAL);

/** The validities that the form offers, in days. A limit below the default becomes the last choice. */
export const lengthsFor = (limit: number | null): number[] => {
  const usual = usualLength(limit);
  return [...LENGTHS.filter((days) => days < usual), usual];
};

/**
 * The last day that the limit allows as the end of a key; undefined without a limit. It is one day less than the limit,
 * because the key is valid until the end of the day.
 */
export const lastDay = (limit: number | null, now: Date, timeZone: string): string | undefined =>
  limit === null ? undefined : addDays(localDay(now, timeZone), limit - 1);

/** The end of a key: after some days, or at the end of a local day. Null for a missing or past day. */
export function endOf(length: string, day: string, now: Date, timeZone: string): string | null {
  if (length !== '') return new Date(now.getTime() + Number(length) * DAY_MS).toISOString();
  if (!isCalendarDay(day)) return null;
  const end = endOfLocalDay(day, timeZone);
  return Date.parse(end) <= now.getTime() ? null : end;
}
