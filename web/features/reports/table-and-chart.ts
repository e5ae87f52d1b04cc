import type { ReactNode } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import { columnsOf, REPORT_COLUMNS } from '../../../contract/figures/report-columns.ts';
import type {
  ColumnId,
  ReportCell,
  ReportColumn,
  ReportRows,
  TableId,
} from '../../../contract/figures/report-description.ts';
import type { ReportAnswers, ReportKind } from '../../../contract/figures/reports.ts';
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
} from '../../text/format.ts';
import type { MonthChartProps } from './chart/month-chart.tsx';
import type { WaterfallStep } from './chart/waterfall.ts';
import type { TableData } from './sections/report-table.tsx';

/** Tables and charts of the columns that report-columns.ts describes. */

type FigureType = ReportColumn<ReportKind>['type'];

const WRITTEN: Record<FigureType, (value: NonNullable<ReportCell>, money: Money) => string> = {
  text: String,
  count: (value) => formatNumber(Number(value)),
  percent: (value) => formatPercent(Number(value)),
  money: (value, { currency, mixed }) => formatMoney(value, currency, mixed),
  day: (value) => formatDate(String(value)),
  month: (value) => formatMonth(String(value)),
  moment: (value) => formatDateTime(String(value)),
};

/** The currency of an amount, and whether amounts in others are shown beside it. */
type Money = { currency: Currency | undefined; mixed: boolean };

const moneyIn = (
  { totals = [] }: { as_of: string; totals?: readonly unknown[] },
  row: object,
  mixed = totals.length > 1,
): Money => ({ currency: 'currency' in row ? (row.currency as Currency) : undefined, mixed });

interface TableOptions<Kind extends ReportKind, Row> {
  caption: string;
  report: ReportAnswers[Kind];
  rows: readonly Row[];
  /** Which one, if the report has several tables. */
  table?: TableId<Kind>;
  /** Columns that are left out. */
  without?: readonly ColumnId<Kind>[];
  /** What cells show in place of their value, such as a link. */
  cells?: { [Id in ColumnId<Kind>]?: (row: Row) => ReactNode };
  /** Whether amounts of several currencies are shown; default: if the report has totals in several. */
  mixed?: boolean;
  note?: string | undefined;
}

/** The rows of a report as a table. */
export function tableOf<Kind extends ReportKind, Row extends ReportRows[Kind]>(
  kind: Kind,
  { caption, report, rows, table, without = [], cells = {}, mixed, note }: TableOptions<Kind, Row>,
): TableData {
  const { first = [] } = REPORT_COLUMNS[kind];
  const placeOf = (id: ColumnId<Kind>) => (first.includes(id) ? first.indexOf(id) : first.length);
  const columns = columnsOf(kind)
    .filter(({ only = 'screen' }) => only === 'screen')
    .filter(({ tables }) => tables === undefined || (table !== undefined && tables.includes(table)))
    .filter(({ id }) => !without.includes(id))
    .sort((one, other) => placeOf(one.id) - placeOf(other.id));
  return {
    caption,
    headings: columns.map(({ label }) => label),
    rows: rows.map((row, position) => ({
      key: String(position),
      cells: columns.map(({ id, type, value }) => {
        const own = cells[id];
        if (own) return own(row);
        const cell = value(row, report);
        return cell === null ? '—' : WRITTEN[type](cell, moneyIn(report, row, mixed));
      }),
    })),
    note,
  };
}

interface ChartOptions<Kind extends ReportKind, Row> {
  report: ReportAnswers[Kind];
  rows: readonly Row[];
  /** Which one, if the report has several charts. */
  chart?: string;
  without?: readonly ColumnId<Kind>[];
  /** How values are written, if not by their type. */
  formats?: { [Id in ColumnId<Kind>]?: (value: number) => string };
}

/** What the legend names after the bars and lines. */
const LAST_LOOKS: readonly string[] = ['mark', 'text'];

/** The rows of a report, one for each month, as a chart. */
export function chartOf<Kind extends ReportKind, Row extends ReportRows[Kind] & { month: string }>(
  kind: Kind,
  { report, rows, chart, without = [], formats = {} }: ChartOptions<Kind, Row>,
): Pick<MonthChartProps, 'months' | 'series' | 'counts'> {
  const drawn = columnsOf(kind).filter(
    (column) => column.look !== undefined && column.chart === chart && !without.includes(column.id),
  );
  const money = moneyIn(report, rows[0] ?? {});
  const series = drawn.map(({ id, label, type, look = 'text', column, below, ofPeriod, value }) => ({
    ...{ name: label, look, column, below, ofPeriod },
    values: rows.map((row) => Number(value(row, report))),
    format: formats[id] ?? ((number: number) => WRITTEN[type](number, money)),
  }));
  return {
    months: rows.map(({ month }) => month),
    series: series.sort((one, other) => LAST_LOOKS.indexOf(one.look) - LAST_LOOKS.indexOf(other.look)),
    counts: drawn.every(({ type }) => type === 'count'),
  };
}

/** A row as the steps of a waterfall. */
export const stepsOf = <Kind extends ReportKind>(
  kind: Kind,
  report: ReportAnswers[Kind],
  row: ReportRows[Kind],
): WaterfallStep[] =>
  columnsOf(kind).flatMap(({ id, label, step, value }) =>
    step === undefined ? [] : [{ key: id, name: label, kind: step, value: Number(value(row, report)) }],
  );
