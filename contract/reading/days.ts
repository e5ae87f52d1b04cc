import { isCalendarDay } from '../base/text.ts';

/**
 * Days as people and spreadsheets write them (INPUT-05). The order of day and month is never guessed for a single day:
 * the reader is told it, and a column's order is found from all its days (docs/decisions/129-imports-read-what-others-write.md).
 */

/** Day, month and year in the order in which they are written. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** The orders between which somebody must choose; a year of four digits in front is seen at once. */
export const CHOSEN_ORDERS = ['dmy', 'mdy'] as const;
export type ChosenOrder = (typeof CHOSEN_ORDERS)[number];

/** The order where nothing proves one: that of Latin America. */
export const ASSUMED_ORDER = 'dmy';

const MONTHS = [
  ['enero', 'january'],
  ['febrero', 'february'],
  ['marzo', 'march'],
  ['abril', 'april'],
  ['mayo', 'may'],
  ['junio', 'june'],
  ['julio', 'july'],
  ['agosto', 'august'],
  ['septiembre', 'setiembre', 'september'],
  ['octubre', 'october'],
  ['noviembre', 'november'],
  ['diciembre', 'december'],
] as const;

/** A time after a day; a spreadsheet adds one if the cell once had a time. */
const TIME = /[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]\.? ?m\.?)?$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;
/** Two-digit years up to this one are in this century. */
const CENTURY_ENDS = 79;

/** The number of a month from its name in Spanish or English, or from at least three letters of it; 0 for no month. */
const monthNamed = (word: string): number =>
  word.length < 3 ? 0 : MONTHS.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;

/** A year as written with two or four digits, as four digits; null for any other text. */
function fullYear(text: string): string | null {
  if (/^\d{4}$/.test(text)) return text;
  if (!/^\d{2}$/.test(text)) return null;
  return `${Number(text) <= CENTURY_ENDS ? '20' : '19'}${text}`;
}

/** The day of its parts as AAAA-MM-DD; null if there is no such day. */
function dayOf(yearText: string, month: number, date: string): string | null {
  const year = fullYear(yearText);
  if (year === null || !/^\d{1,2}$/.test(date)) return null;
  const day = `${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isCalendarDay(day) ? day : null;
}

const numberIn = (text: string): number => (/^\d{1,2}$/.test(text) ? Number(text) : 0);

/** The day that a text is in each order; null where it is none. */
type Readings = Record<DayOrder, string | null>;
const NO_DAY: Readings = { dmy: null, mdy: null, ymd: null };

function readingsOf(text: string): Readings {
  const parts = text
    .toLowerCase()
    .replace(TIME, '')
    .replaceAll(' de ', ' ')
    .trim()
    .split(/[/.,\- ]+/);
  if (parts.length !== 3) return NO_DAY;
  const [first, second, third] = parts as [string, string, string];
  if (/^\d{4}$/.test(first)) {
    const month = numberIn(second) || monthNamed(second);
    return { ...NO_DAY, ymd: dayOf(first, month, third) };
  }
  const named = monthNamed(second) ? [monthNamed(second), first] : [monthNamed(first), second];
  const [month, date] = named as [number, string];
  if (month > 0) {
    const day = dayOf(third, month, date);
    return { ...NO_DAY, dmy: day, mdy: day };
  }
  return {
    dmy: dayOf(third, numberIn(second), first),
    mdy: dayOf(third, numberIn(first), second),
    ymd: null,
  };
}

/**
 * Reads a day: in digits or with the month's name, with a year of two or four digits, and with a time behind it that is
 * ignored.
 * @param order which of day and month comes first, where both are digits and the year stands behind
 * @returns the day as AAAA-MM-DD; an instant of an export unchanged; null for a text that is no day in this order
 */
export function readDay(text: string, order: ChosenOrder = ASSUMED_ORDER): string | null {
  if (INSTANT.test(text)) return Number.isNaN(Date.parse(text)) ? null : text;
  const days = readingsOf(text);
  return days.ymd ?? days[order];
}

/**
 * What one text says of the order of its column.
 * @returns the only order in which it is a day; 'either' if day first and month first make different days; null if it
 * is no day, or the same one in both orders
 */
export function orderProvenBy(text: string): DayOrder | 'either' | null {
  if (INSTANT.test(text)) return 'ymd';
  const { dmy, mdy, ymd } = readingsOf(text);
  if (ymd !== null) return 'ymd';
  if (dmy === mdy) return null;
  if (dmy !== null && mdy !== null) return 'either';
  return dmy === null ? 'mdy' : 'dmy';
}

/** What the days of a column prove about its order: for each order the number of the first row that proves it. */
export type OrderProofs = {
  dmy: number | null;
  mdy: number | null;
  ymd: number | null;
  /** The first row whose day depends on the order. */
  either: number | null;
  /** Whether the column has a day at all. */
  hasDays: boolean;
};

export const NO_PROOFS: Readonly<OrderProofs> = {
  dmy: null,
  mdy: null,
  ymd: null,
  either: null,
  hasDays: false,
};

/** Adds what the day of a row proves. */
export function addProof(proofs: OrderProofs, row: number, text: string): void {
  const proven = orderProvenBy(text);
  if (proven !== null) proofs[proven] ??= row;
  proofs.hasDays ||= proven !== null || readDay(text) !== null;
}

/**
 * The order of a column.
 * - `found`: its days prove `order`, or need none (then it is the assumed one).
 * - `assumed`: no day proves an order.
 * - `mixed`: its rows `dmy` and `mdy` prove two orders, so it has none.
 * - `none`: it has no day.
 */
export type ColumnOrder =
  | { kind: 'found' | 'assumed'; order: DayOrder }
  | { kind: 'mixed'; dmy: number; mdy: number }
  | { kind: 'none' };

export function orderOfColumn({ dmy, mdy, ymd, either, hasDays }: OrderProofs): ColumnOrder {
  if (dmy !== null && mdy !== null) return { kind: 'mixed', dmy, mdy };
  if (dmy !== null) return { kind: 'found', order: 'dmy' };
  if (mdy !== null) return { kind: 'found', order: 'mdy' };
  if (either !== null) return { kind: 'assumed', order: ASSUMED_ORDER };
  // Days with a year in front prove nothing about day and month, but they are an order of their own.
  if (ymd !== null) return { kind: 'found', order: 'ymd' };
  return hasDays ? { kind: 'found', order: ASSUMED_ORDER } : { kind: 'none' };
}
