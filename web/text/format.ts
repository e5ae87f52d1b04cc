import { DEFAULT_CURRENCY } from '../../contract/base/limits.ts';
import { type Currency, decimalsOf, type Locale } from '../../contract/base/money.ts';

/**
 * Numbers, money and dates in the format of the vendor's settings, Mexican unless they say otherwise (D106, D107,
 * MONEY-01). A date without a time is in the business time zone: a licence ends on the same day for every reader. A
 * time of day is in the reader's time zone.
 */

/** The settings that decide how amounts and numbers are written. */
export type Formats = { currency: Currency; locale: Locale };
let formats: Formats = { currency: DEFAULT_CURRENCY, locale: 'es-MX' };

export const formatsInUse = (): Formats => formats;

/** The vendor's currency: that of new types, and of the figures themselves. */
export const vendorCurrency = (): Currency => formats.currency;

/** Sets the formats of the vendor's settings. @returns whether they differ from those in use */
export function setFormats({ currency, locale }: Formats): boolean {
  if (currency === formats.currency && locale === formats.locale) return false;
  formats = { currency, locale };
  return true;
}

/** The first formatter of a page takes a slow machine 100 ms: each is created on first use, and again in another locale. */
function whenNeeded<Formatter>(make: (locale: Locale) => Formatter): () => Formatter {
  let made: { locale: Locale; formatter: Formatter } | undefined;
  return () => {
    if (made?.locale !== formats.locale) {
      made = { locale: formats.locale, formatter: make(formats.locale) };
    }
    return made.formatter;
  };
}

/** The business time zone, unless the server sends another one. */
let businessTimeZone = 'America/Mexico_City';
let dayFormat = whenNeeded((locale) => makeDayFormat(locale, 'America/Mexico_City'));

/** Sets the business time zone from the server; one that the browser does not know is ignored. */
export function setBusinessTimeZone(timeZone: string): void {
  if (timeZone === businessTimeZone) return;
  const before = dayFormat;
  businessTimeZone = timeZone;
  dayFormat = whenNeeded((locale) => {
    try {
      return makeDayFormat(locale, timeZone);
    } catch {
      return before();
    }
  });
}

/** The time zone of the dates shown: the server's, if the browser knows it. */
export const businessTimeZoneInUse = () => dayFormat().resolvedOptions().timeZone;

function makeDayFormat(locale: Locale, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' });
}

const dateTimeFormat = whenNeeded(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);
/** One for each currency and display. ICU omits decimals of some currencies that ISO 4217 has, such as COP. */
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

/** A month has no zone: its first day is read and shown as UTC. */
const monthFormat = whenNeeded(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }),
);
const shortMonthFormat = whenNeeded(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'short' }),
);

const DAY_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The instant of a text, null when there is none or it is no date. */
export function toDate(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || value === '') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * '21/11/2025' of an instant, or of a day 'AAAA-MM-DD', which never passes through `new Date` (D106). Text that is no
 * date is returned unchanged; '' for an empty value.
 */
export function formatDate(value: string | null | undefined): string {
  const day = DAY_ONLY.exec(value ?? '');
  if (day) return `${day[3]}/${day[2]}/${day[1]}`;
  const date = toDate(value);
  return date === null ? (value ?? '') : dayFormat().format(date);
}

/** '21/11/2025, 10:30' in the reader's time zone; '' for an empty value. */
export function formatDateTime(value: string | Date | null | undefined): string {
  const date = value instanceof Date ? value : toDate(value);
  return date === null ? String(value ?? '') : dateTimeFormat().format(date);
}

/** '10:30' in the reader's time zone. */
export const formatTime = (instant: Date) => timeFormat().format(instant);

/** 'noviembre de 2026' of '2026-11', or 'nov' in short. */
export const formatMonth = (month: string, { short = false } = {}) =>
  (short ? shortMonthFormat() : monthFormat()).format(new Date(`${month}-01T00:00:00Z`));

/** Whether amounts that stand together are of several currencies, so that each shows its code. */
export const areMixed = (priced: readonly { currency?: Currency | undefined }[]): boolean =>
  new Set(priced.map(({ currency }) => currency ?? formats.currency)).size > 1;

/**
 * '$1,234.50' in the vendor's currency, 'USD 1,234.50' in any other, so that no two currencies look alike. Some servers
 * send decimals as text (D093). '' for an empty value.
 * @param mixed whether amounts of other currencies stand beside it: then the vendor's currency shows its code as well
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

/** '$1,234.50 MXN', 'USD 1,234.50': an amount that is about to be sold always names its currency. */
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

/** The noun that goes with a count. */
const nounFor = (count: number, { one, many }: Noun) => (count === 1 ? one : many);

/** '1 licencia', '1,234 licencias'. */
export const countOf = (count: number, noun: Noun) => `${formatNumber(count)} ${nounFor(count, noun)}`;

/** '2/10,000': seats in use and seats in all. */
export const formatSeats = (used: number, all: number) => `${formatNumber(used)}/${formatNumber(all)}`;

/** '12.5%' of a number that is a percentage already. */
export const formatPercent = (percentage: number) => `${formatNumber(percentage)}%`;

/** '+12.5', '-3', '0': what changed, in percent. */
export const formatChange = (percent: number) => changeFormat().format(percent);

/** '33.3%', '100.0%', and '0%' when there is nothing to divide by (SEED-2.5-16, SEED-2.5-17, D069). */
export function formatRate(part: number, total: number): string {
  return total > 0 ? `${((part / total) * 100).toFixed(1)}%` : '0%';
}

/** Names and last name, either of which may be missing. */
export const fullName = (names: string, lastName: string) => `${names} ${lastName}`.trim();

/** First letters of names and last name: 'AL' (D043). */
export function initialsOf(...names: readonly (string | undefined)[]): string {
  return names
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toLocaleUpperCase('es');
}
