import { addDays, localDay } from '../../../contract/base/time.ts';
import type { ReportPeriod, ReportsSearch } from './reports-search.ts';

/** The first and last day of a report, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The default period: a year shows seasonal changes, while a single month shows very little. */
export const DEFAULT_PERIOD: ReportPeriod = '12_months';

/** How many whole calendar months before the current one each period begins, by the current month's number. */
const BEGINS: Record<ReportPeriod, (month: number) => number> = {
  this_month: () => 0,
  last_month: () => 1,
  quarter: (month) => (month - 1) % 3,
  '3_months': () => 2,
  '12_months': () => 11,
  this_year: (month) => month - 1,
};

/** The first day of the month that is `count` months before the month of `day`. */
export function monthsBefore(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`;
}

/** The last day of the month of a day. */
export const monthEnd = (day: string): string => addDays(monthsBefore(day, -1), -1);

const monthOf = (day: string) => Number(day.slice(5, 7));

/** The days of a period: whole calendar months, the current one until today. */
export function rangeOf(period: ReportPeriod, today: string): DayRange {
  const from = monthsBefore(today, BEGINS[period](monthOf(today)));
  return { from, to: period === 'last_month' ? monthEnd(from) : today };
}

/** True if both days are given and the second is not before the first. */
const isRange = ({ from, to }: Partial<DayRange>): boolean =>
  from !== undefined && to !== undefined && from <= to;

/** The period in an address: 'own' for two given days, or a named period. */
export const periodOf = ({ period, from, to }: ReportsSearch): ReportPeriod | 'own' =>
  period === undefined && isRange({ from, to }) ? 'own' : (period ?? DEFAULT_PERIOD);

/**
 * The days of the period in an address.
 * @param now the current instant; the business time zone determines its day
 */
export function daysOf(search: ReportsSearch, now: Date, timeZone: string): DayRange {
  const period = periodOf(search);
  if (period !== 'own') return rangeOf(period, localDay(now, timeZone));
  return { from: search.from ?? '', to: search.to ?? '' };
}

/** Equal to REPORT_MONTHS_MAX of contract/figures/reports.ts. Repeated here, because that file loads schemas. */
export const MONTHS_MAX = 60;

/** How many calendar months a period covers, wholly or partly. */
export function monthsOf({ from, to }: DayRange): number {
  const count = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return count(to) - count(from) + 1;
}
