import { DEFAULT_CURRENCY } from '../../contract/limits.ts';

/**
 * Numbers, money and dates in Mexican format (D106, D107). A date without a time is in the business time zone: a
 * licence ends on the same day for every reader. A time of day is in the reader's time zone.
 */

const LOCALE = 'es-MX';

/** The first formatter of a page takes a slow machine 100 ms: each is created on first use. */
function whenNeeded<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The business time zone, unless the server sends another one. */
let businessTimeZone = 'America/Mexico_City';
let dayFormat = whenNeeded(() => makeDayFormat('America/Mexico_City'));

/** Sets the business time zone from the server; one that the browser does not know is ignored. */
export function setBusinessTimeZone(timeZone: string): void {
  if (timeZone === businessTimeZone) return;
  const before = dayFormat;
  businessTimeZone = timeZone;
  dayFormat = whenNeeded(() => {
    try {
      return makeDayFormat(timeZone);
    } catch {
      return before();
    }
  });
}

/** The time zone of the dates shown: the server's, if the browser knows it. */
export const businessTimeZoneInUse = () => dayFormat().resolvedOptions().timeZone;

function makeDayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' });
}

const dateTimeFormat = whenNeeded(
  () =>
    new Intl.DateTimeFormat(LOCALE, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);
/** The currency of all amounts, beside the amounts that are typed. */
export const CURRENCY = DEFAULT_CURRENCY;
const moneyFormat = whenNeeded(
  () => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: CURRENCY }),
);
const numberFormat = whenNeeded(() => new Intl.NumberFormat(LOCALE));
const changeFormat = whenNeeded(
  () => new Intl.NumberFormat(LOCALE, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }),
);

/** A month has no zone: its first day is read and shown as UTC. */
const monthFormat = whenNeeded(
  () => new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', month: 'long', year: 'numeric' }),
);
const shortMonthFormat = whenNeeded(
  () => new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', month: 'short' }),
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

/** 'noviembre de 2026' of '2026-11', or 'nov' in short. */
export const formatMonth = (month: string, { short = false } = {}) =>
  (short ? shortMonthFormat() : monthFormat()).format(new Date(`${month}-01T00:00:00Z`));

/** '$1,234.50' in Mexican pesos; some servers send decimals as text (D093). '' for an empty value. */
export function formatMoney(amount: number | string | null | undefined): string {
  if (amount === null || amount === undefined || amount === '') return '';
  const value = Number(amount);
  return Number.isFinite(value) ? moneyFormat().format(value) : String(amount);
}

/** '1,234'. */
export const formatNumber = (value: number) => numberFormat().format(value);

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
    .toLocaleUpperCase(LOCALE);
}
