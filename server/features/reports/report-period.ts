import { TEXT_MESSAGES } from '../../../contract/base/text.ts';
import { addDays, localDay } from '../../../contract/base/time.ts';
import {
  REPORT_MESSAGES,
  REPORT_MONTHS_MAX,
  type ReportKind,
  type ReportQuery,
} from '../../../contract/figures/reports.ts';
import { fault, invalid } from '../../errors.ts';
import {
  addMonths,
  countMonths,
  type DayRange,
  earlierOf,
  lastDayOf,
  type MonthPeriod,
  monthOf,
  monthsOf,
} from '../figures/periods.ts';

const MONTHS_BY_DEFAULT = 12;

/** The same day of the month, `count` months later; the last day of that month if it is shorter. */
const sameDayIn = (day: string, count: number) => {
  const month = addMonths(monthOf(day), count);
  return earlierOf(`${month}${day.slice(7)}`, lastDayOf(month));
};

/**
 * The period of a report. By default the twelve months up to today; for `renewals` the twelve months from today.
 * @throws invalid (400) as {@link checkedRange}
 */
export function readPeriod(kind: ReportKind, query: ReportQuery, now: Date, timeZone: string): DayRange {
  const today = localDay(now, timeZone);
  const isAhead = kind === 'renewals';
  const twelveFrom = (day: string) => lastDayOf(addMonths(monthOf(day), MONTHS_BY_DEFAULT - 1));
  const twelveTo = (day: string) => `${addMonths(monthOf(day), 1 - MONTHS_BY_DEFAULT)}-01`;
  let { from, to } = query;
  if (from === undefined && to === undefined) {
    if (isAhead) from = today;
    else to = today;
  }
  from ??= twelveTo(to!);
  to ??= twelveFrom(from);
  return checkedRange({ start_date: from, end_date: to });
}

/** @throws invalid (400) on `to` when it is before `from`, or when the period has too many months */
export function checkedRange(range: DayRange): DayRange {
  if (range.end_date < range.start_date)
    throw invalid({ to: [fault('out_of_range', TEXT_MESSAGES.endBeforeStart)] });
  if (countMonths(range) > REPORT_MONTHS_MAX)
    throw invalid({ to: [fault('out_of_range', REPORT_MESSAGES.span)] });
  return range;
}

/**
 * The previous period for a comparison: as many months earlier as the range has months, limited to the same days. If
 * the range ends with the last day of a month, so does the previous period.
 */
export function monthsBefore(range: DayRange, timeZone: string): MonthPeriod[] {
  const back = -countMonths(range);
  const { start_date: from, end_date: to } = range;
  const before = addMonths(monthOf(to), back);
  const end_date = to === lastDayOf(monthOf(to)) ? lastDayOf(before) : sameDayIn(to, back);
  return monthsOf({ start_date: sameDayIn(from, back), end_date }, timeZone);
}

/** The last twelve months, ending today. */
export function lastTwelveMonths(now: Date, timeZone: string): DayRange {
  const today = localDay(now, timeZone);
  return { start_date: addDays(sameDayIn(today, -MONTHS_BY_DEFAULT), 1), end_date: today };
}
