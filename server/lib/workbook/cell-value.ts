import type { NumberFormat } from './cell-formats.ts';
import { dayText } from './serial-days.ts';

/** A cell of a sheet: a number as such, everything else as the text that the sheet shows. */
export type SheetCell = string | number;

/** A whole number of more digits is not exact; a spreadsheet keeps 15 digits of any number. */
const DIGITS = 15;

/** A number as a spreadsheet shows it, without the tail of binary fractions: 1199.9999999999998 is 1200. */
const tidied = (value: number): number =>
  Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS));

/** A number in digits, without thousands and never with an exponent: 525512000000, 0.00001. */
export function plainNumber(value: number): string {
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const [whole = '', decimals = ''] = digits.replace('-', '').split('.');
  const all = whole + decimals;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${all}`;
  if (point >= all.length) return sign + all.padEnd(point, '0');
  return `${sign}${all.slice(0, point)}.${all.slice(point)}`;
}

/** The text of a cell, for fields that take text. */
export const cellText = (cell: SheetCell): string => (typeof cell === 'number' ? plainNumber(cell) : cell);

/** What a number stands for with its format: a day is text (ISO 8601), as is '12.5%' and '01234'. */
export function numberCell(value: number, format: NumberFormat, is1904: boolean): SheetCell {
  if (format === 'number') return tidied(value);
  if (format === 'percent') return `${plainNumber(tidied(value * 100))}%`;
  if (typeof format === 'object') {
    const isWhole = Number.isSafeInteger(value) && value >= 0;
    return isWhole ? String(value).padStart(format.zeros, '0') : tidied(value);
  }
  return dayText(value, format, is1904) ?? tidied(value);
}

/** A day that is written in the form of ISO 8601 instead of as a number. */
export function isoCell(text: string): string {
  const [day = '', time = ''] = text.replace(/Z$/, '').split('T');
  return /^[0:.]*$/.test(time) ? day : `${day} ${time}`;
}
