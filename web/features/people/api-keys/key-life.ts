/** The validity of a new API key: the choices of its form (PEOPLE-07). */

const DAY_MS = 24 * 3_600_000;
const LENGTHS = [30, 90, 365] as const;
const USUAL = 365;

/**
 * The default validity of a key in days.
 * @param limit the longest allowed validity; null means no limit
 */
export const usualLength = (limit: number | null): number => Math.min(USUAL, limit ?? USUAL);

/** The validities that the form offers, in days. A limit below the default becomes the last choice. */
export const lengthsFor = (limit: number | null): number[] => {
  const usual = usualLength(limit);
  return [...LENGTHS.filter((days) => days < usual), usual];
};

/** The last day, in the browser's time zone, that the limit allows as the end of a key; undefined without a limit. */
export function lastDay(limit: number | null, now: Date): string | undefined {
  if (limit === null) return undefined;
  const end = new Date(now.getTime() + limit * DAY_MS);
  // One day less, because the key is valid until the end of the chosen day, which would exceed the limit.
  end.setDate(end.getDate() - 1);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`;
}

/**
 * The end of a key: after some days, or at the end of a day in the browser's time zone. Null for a missing or past
 * day.
 */
export function endOf(length: string, day: string, now: Date): string | null {
  if (length !== '') return new Date(now.getTime() + Number(length) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) || end.getTime() <= now.getTime() ? null : end.toISOString();
}
