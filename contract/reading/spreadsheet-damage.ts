import { orderProvenBy, readDay } from './days.ts';

/**
 * What spreadsheets do to text that looks like a number, a day or a formula (INPUT-03). The value that was there cannot
 * be known any more, so a key, tax id, phone or postal code of this form is an error.
 */

/** What became of a text. */
export type SpreadsheetDamage = 'scientific' | 'rounded' | 'day' | 'truth' | 'error';

/**
 * Scientific notation with a decimal separator, as Excel shows a number above 11 digits. Without the separator a text
 * like '1E10' may be somebody's own id.
 */
const SCIENTIFIC = /^[+-]?\d+[.,]\d+E[+-]?\d+$/i;

/** A spreadsheet keeps 15 digits of a number and fills the rest with zeros; five of them are no chance. */
const ROUNDED = /^\d{11,}0{5}$/;

/** The digits of a number that a spreadsheet keeps. */
const KEPT_DIGITS = 15;

/** A day in digits, with one sign between its parts. A short year is one only after slashes, because '12-11-26' is an id. */
const DAY_IN_DIGITS =
  /^(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{1,2}\/\d{1,2}\/\d{2}|\d{4}([/-])\d{1,2}\2\d{1,2})$/;
/** What a spreadsheet shows for a day of this year and for a month: '1-mar', '1-Mar-26', 'mar-26'. */
const DAY_WITH_MONTH = /^(?:(\d{1,2})[-/])?([a-z]{3,4})\.?(?:[-/](\d{2}|\d{4}))?$/i;
const TIME_BEHIND = / \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.? ?m\.?)?$/i;

const TRUTH_WORDS: ReadonlySet<string> = new Set(['verdadero', 'falso', 'verdadeiro', 'true', 'false']);

/** Error values (#N/D, #¡REF!, #VALUE!), and the ##### of a column that is too narrow. */
const SHEET_ERROR =
  /^(?:#(?:N\/[AD]|¡?(?:REF|VALOR|VALUE|DIV\/0|NUM|NULL|NULO|CALC|SPILL|DESBORDAMIENTO|CAMPO|FIELD)!|¿?(?:NOMBRE|NAME)\?|#+)|Err:\d{3})$/i;

/** The beginnings of all that follows, which most texts do not have: a digit, a sign, or a few letters up to their end. */
const MAY_BE_DAMAGED = /^(?:[\d+\-#]|\p{L}{3,10}(?:$|[.:/-]))/u;

/**
 * True for a number of a workbook that may have had other digits behind its fifteenth: a spreadsheet makes them zeros. A
 * whole number that says its sixteenth digit was written by another program, exactly.
 */
export const hasLostDigits = (number: number): boolean =>
  Math.abs(number) >= 10 ** KEPT_DIGITS && (!Number.isSafeInteger(number) || number % 10 === 0);

/** True for a text that a spreadsheet shows in place of a value that it cannot compute or show. */
export const isSheetError = (text: string): boolean => SHEET_ERROR.test(text);

function isDayForm(text: string): boolean {
  const bare = text.replace(TIME_BEHIND, '');
  if (DAY_IN_DIGITS.test(bare)) return readDay(bare) !== null || orderProvenBy(bare) !== null;
  const parts = DAY_WITH_MONTH.exec(bare);
  if (!parts) return false;
  const [, date, month, year] = parts as unknown as [string, string?, string?, string?];
  // A spreadsheet writes a month in small letters but the first: 'MAR-26' is somebody's own id.
  if (month === undefined || month === month.toUpperCase() || (date ?? year) === undefined) return false;
  if (date === undefined && year?.length !== 2) return false;
  return readDay(`${date ?? 1}-${month}-${year ?? '2024'}`) !== null;
}

/**
 * What a spreadsheet did to the text of a cell.
 * @param text without spaces around
 * @returns null if nothing shows
 */
export function spreadsheetDamage(text: string): SpreadsheetDamage | null {
  if (!MAY_BE_DAMAGED.test(text)) return null;
  if (SCIENTIFIC.test(text)) return 'scientific';
  if (ROUNDED.test(text)) return 'rounded';
  if (TRUTH_WORDS.has(text.toLowerCase())) return 'truth';
  if (isSheetError(text)) return 'error';
  return isDayForm(text) ? 'day' : null;
}
