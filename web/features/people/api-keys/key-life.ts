/** How long a new key lives: what its form offers (PEOPLE-07). */

const DAY_MS = 24 * 3_600_000;
const LENGTHS = [30, 90, 365] as const;
const USUAL = 365;

/** How long a key lives unless another end is chosen, in days. @param limit the longest life; null is no limit */
export const usualLength = (limit: number | null): number => Math.min(USUAL, limit ?? USUAL);

/** The lengths that the form offers, in days; a limit that is none of them is one more. */
export const lengthsFor = (limit: number | null): number[] => {
  const usual = usualLength(limit);
  return [...LENGTHS.filter((days) => days < usual), usual];
};

/** The last day, by the reader's calendar, whose end is within the limit; undefined without a limit. */
export function lastDay(limit: number | null, now: Date): string | undefined {
  if (limit === null) return undefined;
  const end = new Date(now.getTime() + limit * DAY_MS);
  // The key lives to the end of the day: that of the last one would be too late.
  end.setDate(end.getDate() - 1);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`;
}

/** The end of a key: after some days, or the end of a day of the reader. Null for a missing or past day. */
export function endOf(length: string, day: string, now: Date): string | null {
  if (length !== '') return new Date(now.getTime() + Number(length) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) || end.getTime() <= now.getTime() ? null : end.toISOString();
}
