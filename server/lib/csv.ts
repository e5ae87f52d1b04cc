/** A spreadsheet reads a cell with such a start as a formula (D014). */
const FORMULA_START = /^[=+\-@\t\r]/;
/** Text that starts like a neutralised cell; an import removes exactly one apostrophe. */
const NEUTRALISED = /^'+[=+\-@\t\r]/;

const BYTE_ORDER_MARK = '\uFEFF';

/** One cell: formulas are neutralised with an apostrophe, and the text is quoted where necessary. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  // Text that already looks neutralised gets one more apostrophe, so that reading removes exactly what writing added.
  const safe = FORMULA_START.test(value) || NEUTRALISED.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reverses {@link csvCell} for an import. */
export function readCsvCell(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}

export const csvLine = (cells: (string | number | boolean | null)[]) => `${cells.map(csvCell).join(',')}\r\n`;

export type CsvColumn<Row> = { header: string; value: (row: Row) => string | number | boolean | null };

/**
 * A CSV file in chunks: UTF-8 with a byte order mark for Excel, a header line, then one chunk per batch. Only one
 * batch is in memory.
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
