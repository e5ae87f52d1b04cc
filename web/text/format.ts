import { DEFAULT_CURRENCY } from '../../contract/base/limits.ts';
import { type Currency, decimalsOf, type Locale } from '../../contract/base/money.ts';

/**
 * Formats numbers, money and dates by the vendor's settings; the default is the Mexican format (D106, D107, MONEY-01).
 * Dates and moments are in the business time zone, so that they are the same for every reader (INPUT-17); only how long
 * somebody has to wait is said by the browser's clock.
 */

/** The settings that determine the formats of amounts and numbers. */
export type Formats = { currency: Currency; locale: Locale };
let formats: Formats = { currency: DEFAULT_CURRENCY, locale: 'es-MX' };

export const formatsInUse = (): Formats => formats;

/** The vendor's currency, which new types and figures use. */
export const vendorCurrency = (): Currency => formats.currency;

/**
 * Sets the formats from the vendor's settings.
 * @returns true if they differ from the previous formats
 */
export function setFormats({ currency, locale }: Formats): boolean {
  if (currency === formats.currency && locale === formats.locale) return false;
  formats = { currency, locale };
  return true;
}

/**
 * Creating the first formatter of a page takes 100 ms on a slow machine, so each is created when it is first used, and
 * again after a change of locale.
 */
function whenNeeded<Formatter>(make: (locale: Locale) => Formatter): () => Formatter {
  let made: { locale: Locale; formatter: Formatter } | undefined;
  return () => {
    if (made?.locale !== formats.locale) {
      made = { locale: formats.locale, formatter: make(formats.locale) };
    }
    return made.formatter;
  };
}

/** The default of the business time zone, until the server sends another. */
let businessTimeZone = 'America/Mexico_City';
let dayFormat = whenNeeded((locale) => makeDayFormat(locale, 'America/Mexico_City'));
let dateTimeFormat = whenNeeded((locale) => makeDateTimeFormat(locale, 'America/Mexico_City'));

/** Sets the business time zone from the server. A zone that the browser does not support is ignored. */
export function setBusinessTimeZone(timeZone: string): void {
  if (timeZone === businessTimeZone) return;
  businessTimeZone = timeZone;
  dayFormat = inZone(makeDayFormat, timeZone, dayFormat);
  dateTimeFormat = inZone(makeDateTimeFormat, timeZone, dateTimeFormat);
}

const inZone = (
  make: (locale: Locale, timeZone: string) => Intl.DateTimeFormat,
  timeZone: string,
  before: () => Intl.DateTimeFormat,
) =>
  whenNeeded((locale) => {
    try {
      return make(locale, timeZone);
    } catch {
      return before();
    }
  });

/** The time zone in which dates are shown: the server's, if the browser supports it. */
export const businessTimeZoneInUse = () => dayFormat().resolvedOptions().timeZone;

function makeDayFormat(locale: Locale, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' });
}

function makeDateTimeFormat(locale: Locale, timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    ...(timeZone !== undefined && { timeZone }),
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
const ownDateTimeFormat = whenNeeded((locale) => makeDateTimeFormat(locale, undefined));
/**
 * One formatter for each currency and display. The decimals are set explicitly, because ICU omits those of some
 * currencies, such as COP, that have decimals in ISO 4217.
 */
const moneyFormats = whenNeeded((locale) => {
  const made = new Map<string, Intl.NumberFormat>();
  return (currency: Currency, currencyDisplay: 'symbol' | 'code') => {
    const key = `${currency} ${currencyDisplay}`;
    const decimals = decimalsOf(currency);
    const known = made.get(key);
    if (known !== undefined) return known;
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    made.set(key, format);
    return format;
  };
});
const numberFormat = whenNeeded((locale) => new Intl.NumberFormat(locale));
const timeFormat = whenNeeded(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);
const changeFormat = whenNeeded(
  (locale) => new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }),
);

/** A month has no time zone: its first day is parsed and formatted as UTC. */
const monthFormat = whenNeeded(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }),
);
const shortMonthFormat = whenNeeded(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'short' }),
);

const DAY_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The instant in a text; null if the text is empty or no date. */
export function toDate(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || value === '') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * '21/11/2025' for an instant, or for a day 'AAAA-MM-DD', which is never passed through `new Date` (D106). Text that
 * is no date is returned unchanged; '' for an empty value.
 */
export function formatDate(value: string | null | undefined): string {
  const day = DAY_ONLY.exec(value ?? '');
  if (day) return `${day[3]}/${day[2]}/${day[1]}`;
  const date = toDate(value);
  return date === null ? (value ?? '') : dayFormat().format(date);
}

/** '21/11/2025, 10:30' in the business time zone; '' for an empty value. */
export function formatDateTime(value: string | Date | null | undefined): string {
  const date = value instanceof Date ? value : toDate(value);
  return date === null ? String(value ?? '') : dateTimeFormat().format(date);
}

/** '21/11/2025, 11:30' in the reader's own time zone; undefined where that is the time that {@link formatDateTime} says. */
export function formatOwnDateTime(value: string | Date): string | undefined {
  const own = ownDateTimeFormat().format(value instanceof Date ? value : new Date(value));
  return own === formatDateTime(value) ? undefined : own;
}

/** '10:30' by the browser's clock, for what somebody has to wait for. */
export const formatTime = (instant: Date) => timeFormat().format(instant);

/** 'noviembre de 2026' for '2026-11', or 'nov' with `short`. */
export const formatMonth = (month: string, { short = false } = {}) =>
  (short ? shortMonthFormat() : monthFormat()).format(new Date(`${month}-01T00:00:00Z`));

/** True if amounts shown together are in several currencies. Then each shows its currency code. */
export const areMixed = (priced: readonly { currency?: Currency | undefined }[]): boolean =>
  new Set(priced.map(({ currency }) => currency ?? formats.currency)).size > 1;

/**
 * '$1,234.50' in the vendor's currency, 'USD 1,234.50' in any other, so that currencies cannot be confused. Some
 * servers send decimals as text (D093). '' for an empty value.
 * @param mixed true if amounts of other currencies are shown too: then the vendor's currency also shows its code
 */
export function formatMoney(
  amount: number | string | null | undefined,
  currency: Currency = formats.currency,
  mixed = false,
): string {
  if (amount === null || amount === undefined || amount === '') return '';
  const value = Number(amount);
  if (!Number.isFinite(value)) return String(amount);
  return moneyFormats()(currency, mixed || currency !== formats.currency ? 'code' : 'symbol').format(value);
}

/** '$1,234.50 MXN', 'USD 1,234.50': the amount of a sale always shows its currency code. */
export function formatPrice(amount: number, currency: Currency): string {
  const text = formatMoney(amount, currency);
  return text.includes(currency) ? text : `${text} ${currency}`;
}

/** '1,234'. */
export const formatNumber = (value: number) => numberFormat().format(value);

/** The text with a capital first letter. */
export const capitalized = (text: string) => `${text.charAt(0).toLocaleUpperCase('es')}${text.slice(1)}`;

/** A noun in the singular and the plural. */
export interface Noun {
  one: string;
  many: string;
}

/** The singular or plural of a noun for a count. */
const nounFor = (count: number, { one, many }: Noun) => (count === 1 ? one : many);

/** '1 licencia', '1,234 licencias'. */
export const countOf = (count: number, noun: Noun) => `${formatNumber(count)} ${nounFor(count, noun)}`;

/** '2/10,000': used seats and all seats. */
export const formatSeats = (used: number, all: number) => `${formatNumber(used)}/${formatNumber(all)}`;

/** '12.5%' for a number that is already a percentage. */
export const formatPercent = (percentage: number) => `${formatNumber(percentage)}%`;

/** '+12.5', '-3', '0': a change in percent. */
export const formatChange = (percent: number) => changeFormat().format(percent);

/** '33.3%', '100.0%', and '0%' if the total is 0 (SEED-2.5-16, SEED-2.5-17, D069). */
export function formatRate(part: number, total: number): string {
  return total > 0 ? `${((part / total) * 100).toFixed(1)}%` : '0%';
}

/** Names and last name; one of them may be empty. */
export const fullName = (names: string, lastName: string) => `${names} ${lastName}`.trim();

/** The first letters of names and last name: 'AL' (D043). */
export function initialsOf(...names: readonly (string | undefined)[]): string {
  return names
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toLocaleUpperCase('es');
}
