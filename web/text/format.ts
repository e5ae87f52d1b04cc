/**
 * Numbers, money and dates as people in Mexico read them (D106, D107). A date without a clock time is the business's
 * day: a licence ends on the same day wherever the reader sits. A clock time is the reader's own.
 */

const LOCALE = 'es-MX';

/** The zone whose days the business counts in, unless the server says another. */
let businessTimeZone = 'America/Mexico_City';
let dayFormat = makeDayFormat();

/** Takes the business time zone that the server named; one that the browser does not know is left aside. */
export function setBusinessTimeZone(timeZone: string): void {
  if (timeZone === businessTimeZone) return;
  const before = businessTimeZone;
  try {
    businessTimeZone = timeZone;
    dayFormat = makeDayFormat();
  } catch {
    businessTimeZone = before;
  }
}

function makeDayFormat(): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, {
    timeZone: businessTimeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  });
}

const dateTimeFormat = new Intl.DateTimeFormat(LOCALE, {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const moneyFormat = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'MXN' });
const numberFormat = new Intl.NumberFormat(LOCALE);

const DAY_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The instant of a text, null when there is none or it is no date. */
export function toDate(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || value === '') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * '21/11/2025' of an instant, or of a day 'AAAA-MM-DD', which never passes through `new Date` (D106). What is no
 * date is given back as it came; '' for nothing.
 */
export function formatDate(value: string | null | undefined): string {
  const day = DAY_ONLY.exec(value ?? '');
  if (day) return `${day[3]}/${day[2]}/${day[1]}`;
  const date = toDate(value);
  return date === null ? (value ?? '') : dayFormat.format(date);
}

/** '21/11/2025, 10:30' on the reader's clock; '' for nothing. */
export function formatDateTime(value: string | Date | null | undefined): string {
  const date = value instanceof Date ? value : toDate(value);
  return date === null ? String(value ?? '') : dateTimeFormat.format(date);
}

/** '$1,234.50' in Mexican pesos; numbers may come as text from servers that send decimals so (D093). '' for nothing. */
export function formatMoney(amount: number | string | null | undefined): string {
  if (amount === null || amount === undefined || amount === '') return '';
  const value = Number(amount);
  return Number.isFinite(value) ? moneyFormat.format(value) : String(amount);
}

/** '1,234'. */
export const formatNumber = (value: number) => numberFormat.format(value);

/** '33.3%', '100.0%', and '0%' when there is nothing to divide by (SEED-2.5-16, SEED-2.5-17, D069). */
export function formatRate(part: number, total: number): string {
  return total > 0 ? `${((part / total) * 100).toFixed(1)}%` : '0%';
}

/** First letters of names and last name: 'AL' (D043). */
export function initialsOf(...names: readonly (string | undefined)[]): string {
  return names
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toLocaleUpperCase(LOCALE);
}
