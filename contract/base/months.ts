import { endOfLocalDay, localDay } from './time.ts';

/**
 * Terms in months (MONEY-10). A term ends on the same day of the month as it began, so many months on, or on the
 * month's last day. The day of the month is that of an anchor, the first of the terms in a row, so that the 31st comes
 * back after a shorter month. Days are text 'AAAA-MM-DD' in the business time zone.
 */

const partsOf = (day: string): [year: number, month: number, date: number] =>
  day.split('-').map(Number) as [number, number, number];

/** The day of the month, 1 to 31. */
export const dateOf = (day: string): number => partsOf(day)[2];

/** The last day of a month; `month` counts from 0 and may lie outside the year. */
const lastDateOf = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/**
 * The day so many months after a day.
 * @param anchor the wanted day of the month; in a shorter month it is the month's last
 */
export function addMonths(day: string, months: number, anchor = dateOf(day)): string {
  const [year, month] = partsOf(day);
  const target = month - 1 + months;
  const date = Math.min(anchor, lastDateOf(year, target));
  return new Date(Date.UTC(year, target, date)).toISOString().slice(0, 10);
}

/** Whether a day is where an anchor falls in its month. */
export function isAnchored(day: string, anchor: number): boolean {
  const [year, month, date] = partsOf(day);
  return date === Math.min(anchor, lastDateOf(year, month - 1));
}

/** The end of a term in months that begins at an instant: the end of a local day. */
export function endAfterMonths(from: string, months: number, timeZone: string, anchor?: number): string {
  return endOfLocalDay(addMonths(localDay(from, timeZone), months, anchor), timeZone);
}

/** The days that a form writes for so many months, for those who read days alone. */
export const daysOfMonths = (months: number): number => (months === 12 ? 365 : 30 * months);
