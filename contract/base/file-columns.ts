import type { CsvCell } from './csv-cell.ts';
import { localDay, wallClock } from './time.ts';

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
  /** What an export in words writes in place of `value`; default: that, as {@link inWords} writes its type. */
  words?: InWords<Row> | undefined;
  /** True for a column that only an export in words has. */
  onlyInWords?: true | undefined;
};

/** The words of codes, or the text of a row as people see it. */
export type InWords<Row> = Readonly<Record<string, string>> | ((row: Row, moment: Moment) => CsvCell);
type Moment = { now: Date; timeZone: string };

/** The forms of an export's values: without `values` codes and instants as the API has them (INPUT-15). */
export const EXPORT_VALUES = ['words'] as const;
export type ExportValues = (typeof EXPORT_VALUES)[number];

/** The columns of an export without words: values as the API has them. */
export const inCodes = <Row>(columns: readonly FileColumn<Row>[]): FileColumn<Row>[] =>
  columns.filter(({ onlyInWords }) => !onlyInWords);

/**
 * The columns of an export in words (INPUT-15): the console's words for codes, days as AAAA-MM-DD, and moments as local
 * time with seconds, with the name of the zone in the header.
 */
export const inWords = <Row>(columns: readonly FileColumn<Row>[], moment: Moment): FileColumn<Row>[] =>
  columns.map((column) => ({
    ...column,
    header: column.type === 'moment' ? `${column.header} (${moment.timeZone})` : column.header,
    value: (row) => wordsOf(column, row, moment),
  }));

/** A cell in words. */
function wordsOf<Row>({ type, value, words }: FileColumn<Row>, row: Row, moment: Moment): CsvCell {
  if (typeof words === 'function') return words(row, moment);
  const cell = value(row);
  if (typeof cell !== 'string') return cell;
  if (words) return words[cell] ?? cell;
  if (type === 'day') return dayOf(cell, moment.timeZone);
  return type === 'moment' ? localTime(cell, moment.timeZone) : cell;
}

/** The local day of a day or an instant; another text, such as 'Sin límite', stays. */
const dayOf = (text: string, timeZone: string) => (isInstant(text) ? localDay(text, timeZone) : text);

/** 'AAAA-MM-DD HH:MM:SS' in the zone. */
const localTime = (text: string, timeZone: string) =>
  isInstant(text)
    ? new Date(wallClock(Date.parse(text), timeZone)).toISOString().slice(0, 19).replace('T', ' ')
    : text;

const isInstant = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
