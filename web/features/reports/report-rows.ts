import type { Currency } from '../../../contract/base/money.ts';
import { columnsOf, percentOf } from '../../../contract/figures/report-columns.ts';
import type {
  MonthKind,
  PeriodValue,
  ReportColumn,
  ReportRows,
} from '../../../contract/figures/report-description.ts';
import type { LICENSE_FIGURES, LicensesSearch } from '../../components/license/licenses-search.ts';
import { formatMoney, formatPercent } from '../../text/format.ts';
import type { DayRange } from './period.ts';
import type { ReportFilters } from './reports.api.ts';

/** The filters for the licences behind a figure of these days. */
export const licensesOn = (
  filter: (typeof LICENSE_FIGURES)[number],
  { from, to }: DayRange,
  { software, currency }: Pick<ReportFilters, 'software' | 'currency'>,
): LicensesSearch => ({ [filter]: `${from}..${to}`, software, currency });

/** Groups rows by currency, in the order of the report: amounts of different currencies are never added (MONEY-01). */
export const byCurrency = <Row extends { currency: Currency }>(rows: readonly Row[]): [Currency, Row[]][] => [
  ...Map.groupBy(rows, ({ currency }) => currency),
];

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What a period has of the values of its months. */
export const periodValue = (values: readonly number[], of: PeriodValue = 'sum'): number =>
  ({ first: values[0], last: values.at(-1), sum: sum(values) })[of] ?? 0;

/** '43.6%': a part of a whole, with at most one decimal. */
export const shareText = (part: number, whole: number) => formatPercent(percentOf(part, whole) ?? 0);

/** Formats the amounts of a report, with their currency code if the page shows several currencies. */
export const moneyOf = (currency: Currency, mixed: boolean) => (amount: number) =>
  formatMoney(amount, currency, mixed);

/** The counts and amounts of a month. */
const figuresOf = <Kind extends MonthKind>(kind: Kind) =>
  columnsOf(kind).filter(({ type, only }) => (type === 'count' || type === 'money') && only !== 'chart');

const numberIn = (row: object, id: string) => Number((row as Record<string, unknown>)[id]);

/** Figures that are all 0. */
export const zeroesOf = <Kind extends MonthKind>(kind: Kind) =>
  Object.fromEntries(figuresOf(kind).map(({ id }) => [id, 0])) as Record<keyof ReportRows[Kind], 0>;

/** Whether all figures are 0. */
export const isBlank = <Kind extends MonthKind>(kind: Kind, rows: readonly ReportRows[Kind][]) =>
  rows.every((row) => figuresOf(kind).every(({ id }) => numberIn(row, id) === 0));

/** One row of several, in which each figure is what `takes` says of theirs. */
function joined<Kind extends MonthKind>(
  kind: Kind,
  rows: readonly ReportRows[Kind][],
  takes: (column: ReportColumn<Kind>) => ReportColumn<Kind>['ofPeriod'],
): ReportRows[Kind] {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const figures = figuresOf(kind).map((column) => {
    const values = rows.map((row) => numberIn(row, column.id));
    return [column.id, periodValue(values, takes(column))];
  });
  return { ...first, to: last.to, ...Object.fromEntries(figures) };
}

/** All months of a period as one row. */
export const periodOf = <Kind extends MonthKind>(kind: Kind, months: readonly ReportRows[Kind][]) =>
  joined(kind, months, ({ ofPeriod }) => ofPeriod);

/** One row for each month, in which the counts of all currencies are added. */
export const addedUp = <Kind extends 'licenses' | 'trials'>(kind: Kind, rows: readonly ReportRows[Kind][]) =>
  [...Map.groupBy(rows, ({ month }) => month).values()].map((ofMonth) => joined(kind, ofMonth, () => 'sum'));
