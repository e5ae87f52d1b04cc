import type { CellType } from '../base/file-columns.ts';
import type { ReportAnswers, ReportKind } from './reports.ts';

/** What the columns of a report are described with. The descriptions stand in report-columns.ts. */

export type ReportCell = string | number | null;

/** How a series is drawn. Two series differ in more than their colour. */
export type Look = 'solid' | 'striped' | 'dotted' | 'lined' | 'outlined' | 'line' | 'mark';

/** How a column is drawn as a series of a chart. */
export interface SeriesLook {
  /** 'text': its values are only written in the legend. Marks and texts come last there. */
  look: Look | 'text';
  /** Bars with the same column are stacked; different columns stand side by side. */
  column?: number | undefined;
  /** True if the bar extends downwards from the line of 0. */
  below?: boolean | undefined;
}

/** What a period has of the values of its months; default: their sum. */
export type PeriodValue = 'first' | 'last' | 'sum';

/** The reports by month and currency. */
export type MonthKind = 'revenue' | 'renewals' | 'licenses' | 'trials' | 'recurring';

/** The rows of the files, tables and charts. A row of `clients` and `checks` has the fields of one of their tables. */
export type ReportRows = { [Kind in MonthKind]: ReportAnswers[Kind]['months'][number] } & {
  usage: ReportAnswers['usage']['by_software'][number];
  versions: ReportAnswers['versions']['results'][number];
  clients: Partial<
    { table: string } & ReportAnswers['clients']['by_country'][number] &
      ReportAnswers['clients']['at_risk'][number]
  >;
  checks: Partial<
    {
      month: string;
      accepted: number;
      refused: number;
      share: number;
    } & ReportAnswers['checks']['days'][number]
  >;
};

/** The columns that are no field of a row. */
interface Computed {
  renewals: 'renewal_rate' | 'rest';
  usage: 'version';
  versions: 'share';
  clients: 'id';
  checks: 'result';
  recurring: 'grr' | 'nrr';
}

/** The tables of the reports that have several. */
interface Tables {
  clients: 'by_country' | 'top' | 'at_risk';
  checks: 'months' | 'reasons';
}

/** A report has a column for each field of its rows: one that is not described does not compile. */
export type ColumnId<Kind extends ReportKind> =
  | (string & keyof ReportRows[Kind])
  | (Kind extends keyof Computed ? Computed[Kind] : never);
export type TableId<Kind extends ReportKind> = Kind extends keyof Tables ? Tables[Kind] : 'only';

type Value<Kind extends ReportKind> = (row: ReportRows[Kind], report: ReportAnswers[Kind]) => ReportCell;

/** What a column is called and holds. */
interface Described extends Partial<SeriesLook> {
  /** The heading of the table, and the name in the chart. */
  label: string;
  /** The header in the file, where it differs. */
  header?: string;
  /** A `month` is text in a file. */
  type: CellType | 'month';
  ofPeriod?: PeriodValue;
  /** Which chart it is in, if the report has several. */
  chart?: string;
  /** What it is in a waterfall. */
  step?: 'total' | 'gain' | 'loss';
}

/** Where a column is found: everywhere, or in one place. With several tables, each column says in which it is. */
type Places<Kind extends ReportKind> = Kind extends keyof Tables
  ? { only: 'file' } | { only?: 'screen'; tables: readonly TableId<Kind>[] }
  : { only?: 'file' | 'screen' | 'chart' };

/** The value of a column; a field that a cell can show needs none. */
type Valued<Kind extends ReportKind, Id> = Id extends keyof ReportRows[Kind]
  ? ReportRows[Kind][Id] extends ReportCell | undefined
    ? { value?: Value<Kind> }
    : { value: Value<Kind> }
  : { value: Value<Kind> };

export interface ReportDescription<Kind extends ReportKind> {
  /** What it is called in words; its file is named after it. */
  name: string;
  /** The rows of its file. */
  rows: (report: ReportAnswers[Kind]) => ReportRows[Kind][];
  /** The columns in the order of the file and the chart. A new one goes last: programs read files by position. */
  columns: { [Id in ColumnId<Kind>]: Described & Places<Kind> & Valued<Kind, Id> };
  /** The columns that a table shows first, so that a narrow screen does not hide them; the others follow. */
  first?: readonly ColumnId<Kind>[];
}

/** A column with its id. */
export interface ReportColumn<Kind extends ReportKind> extends Described {
  id: ColumnId<Kind>;
  only?: 'file' | 'screen' | 'chart';
  tables?: readonly TableId<Kind>[];
  value: Value<Kind>;
}
