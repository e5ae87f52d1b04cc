import { readCsvCell } from '../../../contract/base/csv-cell.ts';
import type { FieldErrorCode } from '../../../contract/base/field-errors.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { readWorkbookText } from '../../../contract/base/workbook-cell.ts';
import type { FlagMeaning, ImportField } from '../../../contract/imports/import-fields.ts';
import { choiceOf } from '../../../contract/imports/import-mapping.ts';
import { headerKey, UNLIMITED_WORDS } from '../../../contract/imports/import-words.ts';
import { readContactsCell } from '../../../contract/reading/contact-cells.ts';
import { countryCode, countryName } from '../../../contract/reading/countries.ts';
import { ASSUMED_ORDER, type ChosenOrder, orderProvenBy, readDay } from '../../../contract/reading/days.ts';
import { readFlag } from '../../../contract/reading/flags.ts';
import { type NumberUnit, numberMessage, readNumber } from '../../../contract/reading/numbers.ts';
import {
  hasLostDigits,
  isSheetError,
  spreadsheetDamage,
} from '../../../contract/reading/spreadsheet-damage.ts';
import { tagsInCell } from '../../../contract/reading/tags.ts';
import { cellText, type SheetCell } from '../../lib/workbook/cell-value.ts';
import { cleanText } from './clean-text.ts';
import type { CellFinding } from './findings.ts';

/**
 * The meaning of a cell for its field: empty, cleared, a value, or not readable. `found` says what is worth telling about
 * a value, and what is stored of the cell; `isSigned` that an amount names a currency.
 */
export type Cell =
  | { kind: 'left' }
  | { kind: 'cleared' }
  | { kind: 'value'; value: unknown; found?: Pick<CellFinding, 'sort' | 'value'>; isSigned?: boolean }
  | { kind: 'wrong'; message: string; code: FieldErrorCode };

export type FileKind = 'csv' | 'workbook';

/** What the column says about its cells, beside the field. */
export type ColumnReading = {
  /** The kind of file; default: CSV, whose texts may have an apostrophe before them, or stand in ="…". */
  of?: FileKind;
  /** For a choice: what Sí and No mean in this column. */
  flag?: FlagMeaning | undefined;
  /** For days; default: the day first. */
  days?: DayReading | undefined;
  /** For amounts: their currency, if the row names it. */
  currency?: Currency | undefined;
};

export const CELL_MESSAGES = {
  sheetError: (text: string) => `La celda contiene un error de la hoja de cálculo (${text})`,
  damaged: 'Excel cambió este valor: da a la columna formato Texto y vuelve a guardarla',
  date: 'Fecha inválida. Usa dd/mm/aaaa o aaaa-mm-dd.',
  otherOrder: (order: ChosenOrder) =>
    order === 'dmy'
      ? 'Esta columna se lee con el día antes del mes, y así no es una fecha'
      : 'Esta columna se lee con el mes antes del día, y así no es una fecha',
  mixed: (dmy: number, mdy: number) =>
    `La columna tiene fechas en dos órdenes: en la fila ${dmy} va primero el día, en la fila ${mdy} el mes. Elige uno.`,
  serial:
    'La hoja de cálculo guardó esta fecha como número. Da a la columna formato de Fecha y guarda otra vez.',
  flag: 'Escribe Sí o No',
  features: 'Escribe las características como en la exportación: {"modulo_nomina":true,"usuarios":25}',
  meters:
    'Escribe los contadores como en la exportación: {"facturas":{"limit":500,"period":"month","overage":"refuse"}}',
  contacts:
    'Escribe los contactos como en la exportación: Luis Pérez <luis@ejemplo.com> +525512345678 [pagos, portal]; Eva Sol <eva@ejemplo.com>',
  choice: (words: string) => `Escribe una de estas opciones: ${words}`,
} as const;

/** ="0012", which people write so that a spreadsheet does not change a text. */
const KEPT_TEXT = /^="((?:[^"]|"")*)"$/;

const NUMBERS: readonly ImportField['form'][] = ['amount', 'percent', 'count'];

/** The text of a cell as people see it, without what only keeps a spreadsheet from changing it. */
export const shownText = (raw: SheetCell, of?: FileKind): string => textIn(cleanText(cellText(raw)), of);

function textIn(clean: string, of: FileKind = 'csv'): string {
  if (of === 'workbook') return readWorkbookText(clean).trim();
  // Before trimming, because an export puts its apostrophe before a tab too.
  const kept = readCsvCell(clean).trim();
  return KEPT_TEXT.exec(kept)?.[1]?.replaceAll('""', '"') ?? kept;
}

/**
 * Reads a cell of a column that is mapped to a field. A number of a workbook is that number: nothing looks for separators
 * in it.
 */
export function readCell(field: ImportField, raw: SheetCell, column: ColumnReading = {}): Cell {
  const isNumber = typeof raw === 'number' && NUMBERS.includes(field.form);
  if (isNumber && !(raw === 0 && field.unlimited !== undefined)) return value(raw);
  const clean = cleanText(cellText(raw));
  const shown = clean.trim();
  if (shown === '') return { kind: 'left' };
  if (shown === '-') return { kind: 'cleared' };
  const text = textIn(clean, column.of);
  if (field.none?.includes(headerKey(text))) return { kind: 'cleared' };
  const isText = field.form === 'line' || field.form === 'paragraph';
  const isDamaged =
    (isText || field.exact) && (isDamage(field, text) || (typeof raw === 'number' && hasLostDigits(raw)));
  if (isDamaged && field.exact) return wrong(CELL_MESSAGES.damaged, 'spreadsheet_damage');
  if (!isText && isSheetError(text)) return wrong(CELL_MESSAGES.sheetError(text));
  const cell = READERS[field.form](text, field, column);
  return isDamaged && isText && cell.kind === 'value'
    ? { ...cell, found: { sort: 'suspicious', value: text } }
    : cell;
}

const isDamage = (field: ImportField, text: string) =>
  spreadsheetDamage(text) !== null || (isPhone(field) && POWER_OF_TEN.test(text));

/** A phone that was a number: 5512345678.0. Where it has more points, they stand between its digits. */
const DECIMALS_OF_PHONE = /^(\+?\d+)[.,]0+$/;

const isPhone = ({ form }: ImportField) => form === 'phone' || form === 'phone_text';
/** No phone holds an E, so one needs no decimal separator to be damaged. */
const POWER_OF_TEN = /^\+?\d+E[+-]?\d+$/i;

const value = (it: unknown): Cell => ({ kind: 'value', value: it });
const wrong = (message: string, code: FieldErrorCode = 'invalid'): Cell => ({ kind: 'wrong', message, code });
/** A value that says the same as the text in the product's own words; counted where that is another text. */
const saidAs = (it: unknown, text: string, stored = String(it)): Cell =>
  stored === text ? value(it) : { kind: 'value', value: it, found: { sort: 'fixed', value: stored } };

const inOneLine = (text: string) => text.replace(/\s+/g, (gap) => (/[\r\n\t]/.test(gap) ? ' ' : gap));

const READERS: Record<
  ImportField['form'],
  (text: string, field: ImportField, column: ColumnReading) => Cell
> = {
  line: (text) => value(inOneLine(text)),
  paragraph: value,
  // Its separators are dropped later, by the reader of phones.
  phone: (text) => value(text.replace(DECIMALS_OF_PHONE, '$1')),
  // Kept as written, because the field takes any text.
  phone_text: value,
  country: (text) => {
    const code = countryCode(text);
    return code === null ? value(inOneLine(text)) : saidAs(countryName(code), text);
  },
  amount: (text, _field, { currency }) => number(text, currency ?? 'amount'),
  percent: (text) => number(text, 'percent'),
  count: (text, { unlimited }) => {
    const isUnlimited =
      unlimited !== undefined && (text === '0' || UNLIMITED_WORDS.includes(headerKey(text)));
    return isUnlimited ? saidAs(unlimited, text) : number(text, 'count');
  },
  day: (text, _field, { days = { order: ASSUMED_ORDER } }) => dayIn(text, days),
  flag: (text) => {
    const flag = readFlag(text);
    return flag === null ? wrong(CELL_MESSAGES.flag) : value(flag);
  },
  features: (text) => readObject(text, CELL_MESSAGES.features),
  meters: (text) => readObject(text, CELL_MESSAGES.meters),
  tags: (text) => value(tagsInCell(text)),
  contacts: (text) => {
    const contacts = readContactsCell(text);
    return contacts === null ? wrong(CELL_MESSAGES.contacts) : value(contacts);
  },
  choice: (text, field, { flag }) => {
    const choice = choiceOf(field, text);
    if (choice !== undefined) return value(choice);
    const said = flag === undefined ? null : readFlag(text);
    if (flag === undefined || said === null) return wrong(CELL_MESSAGES.choice(namedChoices(field)));
    const meant = said ? flag.yes : flag.no;
    return meant === undefined ? { kind: 'left' } : value(meant);
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

/** A number, with a sign that its unit has. A single separator that was read as one of thousands is told. */
function number(text: string, unit: NumberUnit): Cell {
  const read = readNumber(text, unit);
  if ('fault' in read) return wrong(numberMessage(read, unit));
  const found = { sort: 'grouped' as const, value: String(read.value) };
  return {
    ...{ kind: 'value', value: read.value, isSigned: read.sign !== '' },
    ...(read.isGrouped && { found }),
  };
}

/** How the days of a column are read: in one order, or in none because two of its rows prove different ones. */
type DayReading = { order: ChosenOrder } | { dmy: number; mdy: number };

function dayIn(text: string, days: DayReading): Cell {
  const mixed = 'order' in days ? null : days;
  const proven = orderProvenBy(text);
  if (mixed && proven !== null && proven !== 'ymd') return wrong(CELL_MESSAGES.mixed(mixed.dmy, mixed.mdy));
  const order = 'order' in days ? days.order : ASSUMED_ORDER;
  const day = readDay(text, order);
  if (day !== null) return value(day);
  if (proven !== null) return wrong(CELL_MESSAGES.otherOrder(order));
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
