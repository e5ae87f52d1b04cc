import type { CsvCell } from './csv-cell.ts';

/** The kinds of files that an export answers, with their media types (INPUT-06). */
export const FILE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type FileKind = keyof typeof FILE_TYPES;

/** The most rows of a workbook below the headers; Excel's own limit is 1,048,576. CSV has none. */
export const WORKBOOK_ROWS_MAX = 1_000_000;

export const FILE_MESSAGES = {
  tooManyRows: 'Un archivo de Excel admite hasta 1 000 000 de filas. Filtra la lista o elige CSV.',
} as const;

/**
 * What the cells of an exported column hold. A workbook writes a number, a day and a moment as such; CSV writes what
 * `value` gives. A `day` is a local day or the instant at which it ends; a `moment` is an instant.
 */
export type CellType = 'text' | 'count' | 'percent' | 'money' | 'day' | 'moment';

/** A column of an export, for each kind of file. */
export type FileColumn<Row> = {
  header: string;
  /** A cell that holds something else, such as a word in place of a number, is text. */
  type: CellType;
  value: (row: Row) => CsvCell;
  /** The currency of a row's amount, which says how many decimals it has. Default: two decimals. */
  currency?: ((row: Row) => string) | undefined;
};
