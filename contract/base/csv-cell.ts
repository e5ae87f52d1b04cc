/**
 * How cells of a CSV file are written and read. The server uses it for exports, the console for files it saves (D014).
 */

/**
 * A spreadsheet evaluates a cell that begins with one of these signs as a formula, also with the full-width signs
 * (D014).
 */
const FORMULA_SIGNS: ReadonlySet<string> = new Set('=+-@\t\r＝＋－＠');
/**
 * Characters after which a new cell may begin. In some countries spreadsheets split lines at semicolons or tabs, and
 * then quotes in the middle of a line protect nothing.
 */
const CELL_ENDS: ReadonlySet<string> = new Set(';\t\r\n');

/**
 * Changes the number of apostrophes before each formula sign at a place where a cell may begin. It goes through the
 * text character by character: a regular expression would take quadratic time on long runs of apostrophes.
 * @param change maps the current number of apostrophes to the new number
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

/** Without this mark Excel reads the file in another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The value of a cell. `asRead` is the text of a cell from an imported file: exported again, it must be imported with
 * the same meaning.
 */
export type CsvCell = string | number | boolean | null | { asRead: string };

/** One cell: formulas are neutralised with an apostrophe, and the text is quoted where necessary. */
export function csvCell(value: CsvCell): string {
  return quoted(csvText(value));
}

/** The text of a cell as a reader of the file gets it, without quotes. */
export function csvText(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  if (typeof value === 'object') {
    // '-' alone is no formula, and with an apostrophe an import would no longer read it as 'clear this field'.
    const { asRead } = value;
    return asRead === '-' ? asRead : changeApostrophes(asRead, (count) => Math.max(count, 1));
  }
  // Text that already looks neutralised gets one more apostrophe, so that reading removes exactly what writing added.
  return changeApostrophes(value, (count) => count + 1);
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Reverses {@link csvCell}; imports use it. */
export const readCsvCell = (cell: string): string =>
  changeApostrophes(cell, (count) => Math.max(count - 1, 0));

export const csvLine = (cells: CsvCell[]) => `${cells.map(csvCell).join(',')}\r\n`;
