/** A spreadsheet takes a cell that begins so as a formula (D014). */
const FORMULA_START = /^[=+\-@\t\r]/;
/** Text that begins as a neutralised cell does; an import takes exactly one apostrophe away. */
const NEUTRALISED = /^'+[=+\-@\t\r]/;

const BYTE_ORDER_MARK = '\uFEFF';

/** One cell: formulas neutralised with an apostrophe, quoted where it must be. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  // Text that already looks neutralised gets one more apostrophe, so that reading takes away just what writing put.
  const safe = FORMULA_START.test(value) || NEUTRALISED.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text that was written by {@link csvCell}, as an import reads it. */
export function readCsvCell(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}

export const csvLine = (cells: (string | number | boolean | null)[]) => `${cells.map(csvCell).join(',')}\r\n`;

export type CsvColumn<Row> = { header: string; value: (row: Row) => string | number | boolean | null };

/**
 * A CSV file as it is made: UTF-8 with the mark by which Excel knows it, a line of headers, then one chunk a batch.
 * Never more than one batch is in memory.
 */
export async function* csvFile<Row>(
  columns: CsvColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => column.header));
  for await (const rows of batches) {
    yield rows.map((row) => csvLine(columns.map((column) => column.value(row)))).join('');
  }
}
