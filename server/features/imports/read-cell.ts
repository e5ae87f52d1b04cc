import { readCsvCell } from '../../../contract/base/csv-cell.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import type { ImportField } from '../../../contract/imports/import-fields.ts';
import { choiceOf } from '../../../contract/imports/import-mapping.ts';
import { headerKey } from '../../../contract/imports/import-words.ts';
import { compactPhone } from '../../../contract/reading/phones.ts';
import { cleanText } from './clean-text.ts';

/** The meaning of a cell for its field: empty, cleared, a value, or not readable. */
type Cell =
  | { kind: 'left' }
  | { kind: 'cleared' }
  | { kind: 'value'; value: unknown }
  | { kind: 'wrong'; message: string };

export const CELL_MESSAGES = {
  sheetError: (text: string) => `La celda contiene un error de la hoja de cálculo (${text})`,
  scientific: (text: string) =>
    `La hoja de cálculo cambió este teléfono a ${text} y perdió dígitos. Da a la columna formato de Texto, escribe de nuevo el teléfono y guarda otra vez.`,
  amount: 'Escribe solo el número, sin la moneda. Ejemplo: 1234.50',
  number: 'Escribe solo un número. Ejemplo: 30',
  date: 'Fecha inválida. Usa dd/mm/aaaa o aaaa-mm-dd.',
  serial:
    'La hoja de cálculo guardó esta fecha como número. Da a la columna formato de Fecha y guarda otra vez.',
  flag: 'Escribe Sí o No',
  features: 'Escribe las características como en la exportación: {"modulo_nomina":true,"usuarios":25}',
  meters:
    'Escribe los contadores como en la exportación: {"facturas":{"limit":500,"period":"month","overage":"refuse"}}',
  choice: (words: string) => `Escribe una de estas opciones: ${words}`,
} as const;

/** Error values of a spreadsheet (#N/D, #¡REF!, #VALUE!), and the ##### of a column that is too narrow. */
const SHEET_ERROR = /^#(?:N\/[AD]|¡?(?:REF|VALOR|VALUE|DIV\/0|NUM|NULL|NULO)!|¿?(?:NOMBRE|NAME)\?|#+)$/i;
/** ="0012", which people write so that a spreadsheet does not change a text. */
const KEPT_TEXT = /^="((?:[^"]|"")*)"$/;

/** Reads a cell of a column that is mapped to a field. */
export function readCell(field: ImportField, raw: string): Cell {
  const seen = cleanText(raw);
  if (seen.trim() === '') return { kind: 'left' };
  if (seen.trim() === '-') return { kind: 'cleared' };
  // Before trimming, because an export puts its apostrophe before a tab too.
  const kept = readCsvCell(seen).trim();
  const text = KEPT_TEXT.exec(kept)?.[1]?.replaceAll('""', '"') ?? kept;
  if (field.none !== undefined && headerKey(text) === headerKey(field.none)) return { kind: 'cleared' };
  if (SHEET_ERROR.test(text)) return wrong(CELL_MESSAGES.sheetError(text));
  return READERS[field.form](text, field);
}

const value = (it: unknown): Cell => ({ kind: 'value', value: it });
const wrong = (message: string): Cell => ({ kind: 'wrong', message });

const READERS: Record<ImportField['form'], (text: string, field: ImportField) => Cell> = {
  line: (text) => value(text.replace(/\s+/g, (gap) => (/[\r\n\t]/.test(gap) ? ' ' : gap))),
  paragraph: value,
  phone: (text) => phone(text, (digits) => compactPhone(digits.replace(/[.,]0+$/, ''))),
  // Kept as written, because the field takes any text.
  phone_text: (text) => phone(text, (kept) => kept),
  amount: (text) => number(text.replace(/^\$|\$$/g, ''), CELL_MESSAGES.amount),
  percent: (text) => number(text.replace(/%$/, ''), CELL_MESSAGES.number),
  count: (text) => number(text, CELL_MESSAGES.number),
  day: readDay,
  flag: readFlag,
  features: (text) => readObject(text, CELL_MESSAGES.features),
  meters: (text) => readObject(text, CELL_MESSAGES.meters),
  choice: (text, field) => {
    const choice = choiceOf(field, text);
    return choice === undefined ? wrong(CELL_MESSAGES.choice(namedChoices(field))) : value(choice);
  },
};

/**
 * A message lists more choices than this by their codes, because the long names of a catalogue would fill the screen.
 */
const NAMED_MAX = 8;

function namedChoices({ choices = {} }: ImportField): string {
  const names = Object.values(choices).map(([first, second]) => second ?? first);
  return (names.length > NAMED_MAX ? Object.keys(choices) : names).join(', ');
}

/** A phone. One that a spreadsheet has turned into scientific notation gets a special message. */
function phone(text: string, bare: (text: string) => string): Cell {
  if (/^\+?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text)) return wrong(CELL_MESSAGES.scientific(text));
  return value(bare(text));
}

/** A number with a decimal point or comma; between thousands may be the other of the two, a space or an apostrophe. */
export function parseNumber(text: string): number | null {
  const bare = text.replace(/[\s'’]/g, '');
  if (!/^[+-]?\d[\d.,]*$/.test(bare)) return null;
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (last < 0) return Number(bare);
  const sign = bare[last]!;
  const [whole, decimals] = [bare.slice(0, last), bare.slice(last + 1)];
  const isOnly = !/[.,]/.test(whole);
  // Numbers have at most two decimals. So three digits after the only separator, or a separator that repeats, mean
  // thousands.
  const groups = whole.includes(sign) || (isOnly && /^\d{3}$/.test(decimals) && !/^[+-]?0$/.test(whole));
  const digits = groups ? bare : whole;
  const separator = groups ? sign : sign === '.' ? ',' : '.';
  const isGrouped = new RegExp(`^[+-]?\\d{1,3}(?:\\${separator}\\d{3})+$`).test(digits);
  if (!isGrouped && !/^[+-]?\d+$/.test(digits)) return null;
  const plain = digits.replaceAll(separator, '');
  return Number(groups ? plain : `${plain}.${decimals || '0'}`);
}

function number(text: string, message: string): Cell {
  const read = parseNumber(text.trim());
  return read === null || !Number.isFinite(read) ? wrong(message) : value(read);
}

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'];
const MONTHS_ENGLISH = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** A time after a day; a spreadsheet adds one if the cell once had a time. */
const TIME = /[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]\.? ?m\.?)?$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;
/** Two-digit years up to this one are in this century. */
const CENTURY_ENDS = 79;

/**
 * A day as AAAA-MM-DD, read with the day first as in Latin America; null if the text is not a day. An instant of an
 * export is returned unchanged.
 */
export function parseDay(text: string): string | null {
  if (INSTANT.test(text)) return Number.isNaN(Date.parse(text)) ? null : text;
  const parts = text
    .replace(TIME, '')
    .trimEnd()
    .split(/[/.\- ]+/);
  if (parts.length !== 3) return null;
  const [first, second, third] = parts as [string, string, string];
  const isYearFirst = /^\d{4}$/.test(first);
  const [year, month, date] = isYearFirst ? [first, second, third] : [third, second, first];
  if (!/^(?:\d{2}|\d{4})$/.test(year) || !/^\d{1,2}$/.test(date)) return null;
  const word = month.toLowerCase().slice(0, 3).replace('set', 'sep');
  const named = Math.max(MONTHS.indexOf(word), MONTHS_ENGLISH.indexOf(word)) + 1;
  const number = /^\d{1,2}$/.test(month) ? Number(month) : named;
  const full = year.length === 4 ? year : `${Number(year) <= CENTURY_ENDS ? '20' : '19'}${year}`;
  const day = `${full}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isCalendarDay(day) ? day : null;
}

function readDay(text: string): Cell {
  const day = parseDay(text);
  if (day !== null) return value(day);
  return wrong(/^\d{5}(?:[.,]\d+)?$/.test(text) ? CELL_MESSAGES.serial : CELL_MESSAGES.date);
}

/** A JSON object; its content is checked later, with the other values. */
function readObject(text: string, message: string): Cell {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return value(read);
  } catch {
    // The message below is for people, so the parser's message is ignored.
  }
  return wrong(message);
}

const YES = new Set([
  'si',
  's',
  'yes',
  'y',
  'true',
  'verdadero',
  'x',
  '1',
  'activo',
  'activa',
  'active',
  'vigente',
]);
const NO = new Set(['no', 'n', 'false', 'falso', '0', 'inactivo', 'inactiva', 'inactive', 'baja']);

function readFlag(text: string): Cell {
  const word = headerKey(text);
  if (YES.has(word)) return value(true);
  return NO.has(word) ? value(false) : wrong(CELL_MESSAGES.flag);
}
