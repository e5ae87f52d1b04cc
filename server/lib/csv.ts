/** A spreadsheet reads a cell with such a start as a formula (D014). */
const FORMULA_START = /^[=+\-@\t\r]/;
/** Text that starts like a neutralised cell; an import removes exactly one apostrophe. */
const NEUTRALISED = /^'+[=+\-@\t\r]/;

const BYTE_ORDER_MARK = '\uFEFF';

/** What a cell holds; `asRead` is the cell of another file, which must mean the same to an import. */
export type CsvCell = string | number | boolean | null | { asRead: string };

/** One cell: formulas are neutralised with an apostrophe, and the text is quoted where necessary. */
export function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  if (typeof value === 'object') {
    // '-' alone is no formula, and means something else with an apostrophe.
    const isSafe = value.asRead === '-' || !FORMULA_START.test(value.asRead);
    return quoted(isSafe ? value.asRead : `'${value.asRead}`);
  }
  // Text that already looks neutralised gets one more apostrophe, so that reading removes exactly what writing added.
  const safe = FORMULA_START.test(value) || NEUTRALISED.test(value) ? `'${value}` : value;
  return quoted(safe);
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Reverses {@link csvCell} for an import. */
export function readCsvCell(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}

export const csvLine = (cells: CsvCell[]) => `${cells.map(csvCell).join(',')}\r\n`;

export type CsvColumn<Row> = { header: string; value: (row: Row) => CsvCell };

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
