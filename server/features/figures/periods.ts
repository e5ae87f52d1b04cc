import { TEXT_MESSAGES } from '../../../contract/base/text.ts';
import { localDay, startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import { fault, invalid } from '../../errors.ts';

/** A period of instants, from `since` (included) to `until` (excluded). */
export type Period = { since: string; until: string };

/** A local month, 'AAAA-MM', or the part of it that is in a range. */
export type MonthPeriod = Period & DayRange & { month: string };

export type DayRange = { start_date: string; end_date: string };

const MONTHS_BY_DEFAULT = 12;
/** The last month: years have four digits (contract/base/text.ts). */
const LAST_MONTH = '9999-12';

/** Days are texts, and their alphabetical order is the order of time. */
export const earlierOf = (day: string, other: string) => [day, other].sort()[0]!;
const laterOf = (day: string, other: string) => [day, other].sort()[1]!;
export const monthOf = (day: string) => day.slice(0, 7);

/**
 * The month that is `count` months after a given month (before it if `count` is negative); at most the last month of
 * the calendar.
 */
export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number);
  const date = new Date(Date.UTC(year!, number! - 1 + count, 1));
  return date.getUTCFullYear() > 9999 ? LAST_MONTH : date.toISOString().slice(0, 7);
}

/** The last day of a month. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
}

/**
 * Reads a range of days. By default it ends today (but not before its start), and starts on the first day of the
 * twelve months up to its end.
 * @throws invalid (400) on end_date when it is before start_date
 */
export function readRange(
  query: { start_date?: string | undefined; end_date?: string | undefined },
  now: Date,
  timeZone: string,
): DayRange {
  const { start_date: start, end_date: end } = query;
  if (start !== undefined && end !== undefined && end < start) {
    throw invalid({ end_date: [fault('out_of_range', TEXT_MESSAGES.endBeforeStart)] });
  }
  const today = localDay(now, timeZone);
  const lastDay = end ?? (start !== undefined && start > today ? start : today);
  return { start_date: start ?? firstDayOfTwelveMonths(lastDay), end_date: lastDay };
}

function firstDayOfTwelveMonths(lastDay: string): string {
  return `${addMonths(monthOf(lastDay), 1 - MONTHS_BY_DEFAULT)}-01`;
}

/** The period of a range of days. */
export function periodOf({ start_date, end_date }: DayRange, timeZone: string): Period {
  return {
    since: startOfLocalDay(start_date, timeZone),
    until: startOfNextLocalDay(end_date, timeZone),
  };
}

/** The number of months that a range overlaps. */
export function countMonths({ start_date, end_date }: DayRange): number {
  const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return index(end_date) - index(start_date) + 1;
}

/** The months of a range, oldest first; the first and the last are limited to the range. */
export function monthsOf(range: DayRange, timeZone: string): MonthPeriod[] {
  const first = monthOf(range.start_date);
  return Array.from({ length: countMonths(range) }, (_, index) => {
    const month = addMonths(first, index);
    const start_date = laterOf(`${month}-01`, range.start_date);
    const end_date = earlierOf(lastDayOf(month), range.end_date);
    const days = { start_date, end_date };
    return { month, ...days, ...periodOf(days, timeZone) };
  });
}

/** The last twelve local months, oldest first; the current one ends today. */
export function lastMonths(now: Date, timeZone: string): MonthPeriod[] {
  return monthsOf(readRange({}, now, timeZone), timeZone);
}
