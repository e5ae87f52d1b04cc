import { addDays, localDay } from '../../../contract/base/time.ts';
import type { ReportPeriod, ReportsSearch } from './reports-search.ts';

/** The days that a report is about, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** Without a word in the address: a year shows seasons, and one month alone hardly anything. */
export const DEFAULT_PERIOD: ReportPeriod = '12_months';

/** How many months of the calendar each period has, the current one included; 0: those of this year. */
const MONTHS: Record<ReportPeriod, number> = { this_month: 1, '3_months': 3, '12_months': 12, this_year: 0 };

/** The first day of the month that is `count` months before the one of a day. */
export function monthsBefore(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`;
}

/** The last day of the month of a day. */
export const monthEnd = (day: string): string => addDays(monthsBefore(day, -1), -1);

/** The days of a period: whole months of the calendar, the last one until today. */
export function rangeOf(period: ReportPeriod, today: string): DayRange {
  const count = MONTHS[period];
  return { from: count === 0 ? `${today.slice(0, 4)}-01-01` : monthsBefore(today, count - 1), to: today };
}

/** Whether two days are a range: both are there, and the second is not before the first. */
const isRange = ({ from, to }: Partial<DayRange>): boolean =>
  from !== undefined && to !== undefined && from <= to;

/** The period of an address: two days of one's own, or one of the words. */
export const periodOf = ({ period, from, to }: ReportsSearch): ReportPeriod | 'own' =>
  period === undefined && isRange({ from, to }) ? 'own' : (period ?? DEFAULT_PERIOD);

/**
 * The days of an address.
 * @param now the instant of asking, of which the business time zone decides the day
 */
export function daysOf(search: ReportsSearch, now: Date, timeZone: string): DayRange {
  const period = periodOf(search);
  if (period !== 'own') return rangeOf(period, localDay(now, timeZone));
  return { from: search.from ?? '', to: search.to ?? '' };
}

/** As REPORT_MONTHS_MAX of contract/figures/reports.ts, which brings its schemas with it. */
export const MONTHS_MAX = 60;

/** How many months of the calendar a period touches. */
export function monthsOf({ from, to }: DayRange): number {
  const count = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return count(to) - count(from) + 1;
}
