import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, suggestMapping } from '../../../contract/imports/import-mapping.ts';
import {
  IMPORT_CELL_MAX,
  IMPORT_COLUMNS_MAX,
  IMPORT_MESSAGES,
  IMPORT_ROWS_MAX,
  IMPORT_SAMPLE_ROWS,
} from '../../../contract/imports/imports.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { type CsvFault, UnreadableCsv } from '../../lib/csv-records.ts';
import { readCsv } from '../../lib/read-csv.ts';
import { cleanText } from './clean-text.ts';

/** A row of a file: its number in the spreadsheet, and its cells. */
export type SheetRow = [row: number, ...cells: string[]];

/** The result of reading the headers and the first rows. */
export type SheetHead = {
  columns: string[];
  sample: string[][];
  mapping: ImportMapping;
  warnings: string[];
};

/** The headers are searched for in this many rows, because titles and merged cells may be above them. */
const HEADERS_WITHIN = 20;

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');
const tidy = (cells: readonly string[]) => cells.map((cell) => cleanText(cell).replace(/\s+/g, ' ').trim());

/** The number of fields whose names the cells contain as headers. */
const namedFields = (kind: ImportKind, cells: readonly string[]) =>
  Object.values(suggestMapping(kind, [...new Set(tidy(cells))])).filter((field) => field !== null).length;

/** The position of the headers: the row that contains the names of most fields, or the first row that is not blank. */
function findHeaders(kind: ImportKind, records: readonly (readonly string[])[]): number {
  const first = records.findIndex((cells) => !isBlank(cells));
  const named = records.map((cells) => namedFields(kind, cells));
  const best = named.indexOf(Math.max(...named));
  // A row with the name of only one field may be data.
  return (named[best] ?? 0) >= 2 ? best : first;
}

/** Headers that a mapping cannot contain: empty ones, and keys that a JSON body may not have (http/json-body.ts). */
const NO_NAME = /^(?:|__proto__|constructor)$/;

/** The columns by their headers. A column without a header gets a name, and a repeated header gets a number. */
function nameColumns(cells: readonly string[]): Pick<SheetHead, 'columns' | 'warnings'> {
  const headers = tidy(cells);
  const last = headers.findLastIndex((header) => header !== '');
  const columns = new Set<string>();
  const warnings: string[] = [];
  for (const [index, header] of headers.slice(0, last + 1).entries()) {
    const wanted = (NO_NAME.test(header) ? `Columna ${index + 1}` : header).slice(0, 100);
    let name = wanted;
    for (let count = 2; columns.has(name); count += 1) name = `${wanted} (${count})`;
    if (name !== wanted)
      warnings.push(`El encabezado «${wanted}» se repite: esa columna se llama aquí «${name}».`);
    columns.add(name);
  }
  return { columns: [...columns], warnings };
}

/**
 * Reads the rows of a file, in small parts.
 * @yields first the head of the sheet, then rows that are not blank
 * @throws AppError 400 for a file that cannot be read, is empty or has too many rows or columns
 */
export async function* readSheet(
  kind: ImportKind,
  bytes: Buffer,
): AsyncGenerator<{ head: SheetHead } | { rows: SheetRow[] }> {
  let count = 0;
  let total = 0;
  let start: string[][] | null = [];
  const toRows = (records: string[][]): SheetRow[] => {
    const rows: SheetRow[] = [];
    for (const cells of records) {
      count += 1;
      // NUL is removed: no cell can show it, and PostgreSQL cannot store it.
      if (!isBlank(cells)) rows.push([count, ...cells.map((cell) => cell.replaceAll('\0', ''))]);
    }
    total += rows.length;
    if (total > IMPORT_ROWS_MAX) throw invalid({ file: [fault('too_long', IMPORT_MESSAGES.tooManyRows)] });
    return rows;
  };
  const open = (records: string[][]): { head: SheetHead; rows: SheetRow[] } => {
    const at = findHeaders(kind, records.slice(0, HEADERS_WITHIN));
    if (at < 0) throw invalid({ file: [fault('required', IMPORT_MESSAGES.empty)] });
    const { columns, warnings } = nameColumns(records[at]!);
    if (!isBlank(records.slice(0, at).flat()))
      warnings.push(`Los encabezados están en la fila ${at + 1}; lo que está arriba no se importa.`);
    count = at + 1;
    const rows = toRows(records.slice(at + 1));
    const sample = rows.slice(0, IMPORT_SAMPLE_ROWS).map(([, ...cells]) =>
      columns.map((_, n) =>
        cleanText(cells[n] ?? '')
          .trim()
          .slice(0, 200),
      ),
    );
    return { head: { columns, warnings, sample, mapping: suggestMapping(kind, columns, sample) }, rows };
  };
  try {
    for await (const records of readCsv(bytes, { cell: IMPORT_CELL_MAX, columns: IMPORT_COLUMNS_MAX })) {
      if (start) {
        start.push(...records);
        if (start.length < HEADERS_WITHIN + IMPORT_SAMPLE_ROWS) continue;
        const { head, rows } = open(start);
        start = null;
        yield { head };
        yield { rows };
      } else yield { rows: toRows(records) };
    }
    if (start) {
      const { head, rows } = open(start);
      yield { head };
      yield { rows };
    }
    if (total === 0) throw invalid({ file: [fault('required', IMPORT_MESSAGES.empty)] });
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    throw refusalOf(error.fault);
  }
}

/** The answer to a file that cannot be read. */
function refusalOf(found: CsvFault): AppError {
  if (found.kind === 'no-text')
    return new AppError(415, 'unsupported_media_type', { message: IMPORT_MESSAGES.notText });
  const { kind, record } = found;
  if (kind === 'open-quote') return invalid({ file: [fault('invalid', IMPORT_MESSAGES.quotes(record))] });
  const message = kind === 'long-cell' ? IMPORT_MESSAGES.longCell : IMPORT_MESSAGES.tooManyCells;
  return invalid({ file: [fault('too_long', message(record))] });
}

/** The label of a field, for messages. */
export const labelOf = (kind: ImportKind, name: string): string =>
  IMPORT_FIELDS[kind].find((field) => field.name === name)?.label ?? name;
