import { CURRENCIES, type Currency, decimalsOf, type Locale, MONEY_MESSAGES } from '../base/money.ts';

/**
 * The only reader of numbers that people type, paste or import (INPUT-01, decision 125). Without schemas, because forms
 * load it in the browser.
 */

/** What a number is: an amount in a currency, an amount whose currency is not known yet, a percentage, or a count. */
export type NumberUnit = Currency | 'amount' | 'percent' | 'count';

/**
 * A number as read. `isGrouped`: its only separator has three digits behind it, which another person could take for
 * decimals. `sign`: the signs and codes of currencies around it, '' if there are none.
 */
type NumberRead = { value: number; isGrouped: boolean; sign: string };

/** Why a text is no number: it is none, it is an amount of another currency, or its currency has no decimals. */
type NumberFault = { fault: 'number' | 'decimals' } | { fault: 'currency'; sign: string };

/** Longer than any number that a currency or a counter can hold, with its signs. */
const LENGTH_MAX = 60;
/** Soft hyphens, marks of direction and spaces without width, which come with a copied text. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** What needs no reading, as most cells of a file that a program wrote. */
const PLAIN = /^\d{1,15}(?:\.\d{1,2})?$/;
/** Digits and what may stand between them. */
const DIGITS = /^[\d., ']*/;
/** Groups of three digits, all behind the same separator. */
const GROUPED = /^[1-9]\d{0,2}([., '])\d{3}(?:\1\d{3})*$/;

/** The currencies that a sign can mean. Those that write '$' alone are not told apart by it. */
const SIGNS: Readonly<Record<string, readonly Currency[]>> = {
  $: ['MXN', 'ARS', 'USD', 'COP', 'CLP', 'UYU'],
  MX$: ['MXN'],
  AR$: ['ARS'],
  US$: ['USD'],
  U$S: ['USD'],
  U$D: ['USD'],
  COL$: ['COP'],
  CL$: ['CLP'],
  $U: ['UYU'],
  UY$: ['UYU'],
  R$: ['BRL'],
  'S/': ['PEN'],
  '€': ['EUR'],
};
/** A sign, or the three letters of a code. */
const SIGN = /US\$|U\$[SD]|MX\$|AR\$|COL\$|CL\$|UY\$|R\$|\$U(?![A-Z])|\$|S\/|€|[A-Z]{3}/g;

/** The currencies that a sign or code can mean; undefined if it is none. */
const currenciesOf = (sign: string): readonly Currency[] | undefined =>
  Object.hasOwn(SIGNS, sign)
    ? SIGNS[sign]
    : CURRENCIES.some((code) => code === sign)
      ? [sign as Currency]
      : undefined;

/**
 * Reads a number. A point or a comma stands before decimals; spaces, apostrophes, and the other of the two, stand between
 * groups of three digits. No number here has three decimals, so one separator with exactly three digits behind it groups
 * ('1.200' is 1200), but after a lone 0. Groups that are not of three digits are a fault, and so is whatever else stands
 * in the text: nothing is dropped.
 * @param unit a currency accepts its own signs and codes and those that it shares with others ('$'); 'percent' accepts '%'
 */
export function readNumber(text: string, unit: NumberUnit): NumberRead | NumberFault {
  if (PLAIN.test(text) && !(isWhole(unit) && text.includes('.'))) {
    return { value: Number(text), isGrouped: false, sign: '' };
  }
  const clean = text
    .replace(INVISIBLE, '')
    .replace(/\s/g, ' ')
    .replaceAll('’', "'")
    .trim()
    .toUpperCase()
    .replace(/S\/\./, 'S/');
  const start = clean.length > LENGTH_MAX ? -1 : clean.search(/[.,]?\d/);
  if (start < 0) return { fault: 'number' };
  const before = clean.slice(0, start);
  const digits = DIGITS.exec(clean.slice(start))![0].trimEnd();
  const after = clean.slice(start + digits.length);
  const read = digitsIn(digits);
  if (read === null) return { fault: 'number' };
  const around = `${before.replace(/[+\-−]/, '')} ${after}`.trim();
  if (unit === 'count' || unit === 'percent') {
    if (around !== '' && !(unit === 'percent' && around === '%')) return { fault: 'number' };
  } else {
    const fault =
      faultOfSigns(around, unit) ?? (hasDecimals(read.value) && isWhole(unit) && { fault: 'decimals' });
    if (fault) return fault as NumberFault;
  }
  return { value: /[-−]/.test(before) ? -read.value : read.value, isGrouped: read.isGrouped, sign: around };
}

const hasDecimals = (value: number) => !Number.isInteger(value);
/** True for a currency without decimals. */
const isWhole = (unit: NumberUnit) => CURRENCIES.some((code) => code === unit && decimalsOf(code) === 0);

/** The value of digits with separators, without a sign; null if they are no number. */
function digitsIn(text: string): { value: number; isGrouped: boolean } | null {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const [whole, rest] = last < 0 ? [text, ''] : [text.slice(0, last), text.slice(last + 1)];
  const isGrouped = last >= 0 && /^\d{3}$/.test(rest) && /^\d+$/.test(whole) && /[1-9]/.test(whole);
  const groups = last < 0 || isGrouped || whole.includes(text[last]!);
  const units = groups ? text : whole;
  const decimals = groups ? '' : rest;
  if (!/^\d*$/.test(decimals)) return null;
  if (!/^\d*$/.test(units) && !GROUPED.test(units)) return null;
  return { value: Number(`${units.replace(/\D/g, '')}.${decimals}0`), isGrouped };
}

/** Why the text around an amount is not that of its currency; undefined if it is. */
function faultOfSigns(around: string, unit: Currency | 'amount'): NumberFault | undefined {
  if (around === '') return undefined;
  const signs = around.match(SIGN) ?? [];
  const known = signs.map(currenciesOf);
  if (around.replace(SIGN, '').trim() !== '' || known.includes(undefined)) return { fault: 'number' };
  const meant = CURRENCIES.filter((currency) => known.every((all) => all?.includes(currency)));
  if (unit === 'amount' ? meant.length > 0 : meant.includes(unit)) return undefined;
  const other = signs.find((sign) => unit === 'amount' || !currenciesOf(sign)?.includes(unit));
  return { fault: 'currency', sign: other ?? around };
}

/** A number as a plain text with a point that reads as the same number: three decimals get a 0, so that they do not group. */
export const plainText = (value: number): string => String(value).replace(/\.\d{3}$/, '$&0');

/** The number of a field for a request: null for a blank text, NaN, which every schema refuses, for one that is no number. */
export function numberOf(text: string, unit: NumberUnit): number | null {
  if (text.trim() === '') return null;
  const read = readNumber(text, unit);
  return 'fault' in read ? Number.NaN : read.value;
}

const EXAMPLES = { 'es-MX': '1,234.50', 'es-AR': '1.234,50' } as const;
const WHOLE_EXAMPLES = { 'es-MX': '1,234', 'es-AR': '1.234' } as const;
const PERCENT_EXAMPLES = { 'es-MX': '12.5', 'es-AR': '12,5' } as const;

/** A number as people of a locale write one of its unit. A count is one of few digits, as most of them are. */
function exampleOf(unit: NumberUnit, locale: Locale): string {
  if (unit === 'count') return '30';
  if (unit === 'percent') return PERCENT_EXAMPLES[locale];
  return (isWhole(unit) ? WHOLE_EXAMPLES : EXAMPLES)[locale];
}

/** What to tell a person about a text that is no number of its unit. */
export function numberMessage(fault: NumberFault, unit: NumberUnit, locale: Locale = 'es-MX'): string {
  if (fault.fault === 'decimals' && unit !== 'amount') return MONEY_MESSAGES.whole(unit as Currency);
  if (fault.fault === 'currency') {
    return unit === 'amount'
      ? `El importe nombra dos monedas (${fault.sign})`
      : `El importe es en ${unit}, no en ${fault.sign}`;
  }
  return `Escribe un número, por ejemplo ${exampleOf(unit, locale)}`;
}
