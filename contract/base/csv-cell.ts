/** How cells of a CSV file are written and read: by the server for its exports, by the console for what it saves itself (D014). */

/** A spreadsheet reads a cell with such a start as a formula, in full width too (D014). */
const FORMULA_SIGNS: ReadonlySet<string> = new Set('=+-@\t\r＝＋－＠');
/**
 * After these a spreadsheet of another country may begin a new cell: it splits the lines of a file at semicolons or
 * tabs, and there a quote inside a line protects nothing.
 */
const CELL_ENDS: ReadonlySet<string> = new Set(';\t\r\n');

/**
 * Changes the number of apostrophes before each sign of a formula that stands where a cell may begin. Letter by
 * letter: a pattern would read long runs of apostrophes once for each of them.
 * @param change gives the new number for the number that stands there
 */
function changeApostrophes(text: string, change: (count: number) => number): string {
  let changed = '';
  let isStart = true;
  for (let at = 0; at < text.length; ) {
    let next = at;
    while (isStart && text[next] === "'") next += 1;
    const letter = text[next] ?? '';
    const count = next - at;
    changed += "'".repeat(isStart && FORMULA_SIGNS.has(letter) ? change(count) : count) + letter;
    isStart = CELL_ENDS.has(letter) || (isStart && count === 0 && letter === '"');
    at = next + 1;
  }
  return changed;
}

/** Without it Excel reads the file in another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What a cell holds; `asRead` is the cell of another file, which must mean the same to an import. */
export type CsvCell = string | number | boolean | null | { asRead: string };

/** One cell: formulas are neutralised with an apostrophe, and the text is quoted where necessary. */
export function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  if (typeof value === 'object') {
    // '-' alone is no formula, and means something else with an apostrophe.
    const { asRead } = value;
    return quoted(asRead === '-' ? asRead : changeApostrophes(asRead, (count) => Math.max(count, 1)));
  }
  // Text that already looks neutralised gets one more apostrophe, so that reading removes exactly what writing added.
  return quoted(changeApostrophes(value, (count) => count + 1));
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Reverses {@link csvCell} for an import. */
export const readCsvCell = (cell: string): string =>
  changeApostrophes(cell, (count) => Math.max(count - 1, 0));

export const csvLine = (cells: CsvCell[]) => `${cells.map(csvCell).join(',')}\r\n`;
