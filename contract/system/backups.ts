import { addDays, localDay, localMoment, mondayOf } from '../base/time.ts';

/** When the program makes its copies, which it keeps, and when they are late (OPS-03). Pure rules. */

/** One copy for each of so many days, weeks and months that have any: the newest of each. */
export const KEPT_COPIES = { days: 7, weeks: 4, months: 6 } as const;

/** So long after the last copy that was tried the bell says it. */
export const BACKUP_LATE_HOURS = 26;
const HOUR_MS = 3_600_000;

/** Where no server with BACKUP_DIR has been seen for so long, copies count as switched off. */
const FORGOTTEN_DAYS = 14;

/** The latest moment of a local time, 'HH:MM', up to now: what a copy is due for. */
export function lastSlot(now: Date, at: string, timeZone: string): string {
  const today = localDay(now, timeZone);
  const slot = localMoment(today, at, timeZone);
  return slot <= now.toISOString() ? slot : localMoment(addDays(today, -1), at, timeZone);
}

/** The next moment of a local time after now. */
export function nextSlot(now: Date, at: string, timeZone: string): string {
  const today = localDay(now, timeZone);
  const slot = localMoment(today, at, timeZone);
  return slot > now.toISOString() ? slot : localMoment(addDays(today, 1), at, timeZone);
}

type Dated = { name: string; at: string };

/**
 * The copies to keep: the newest of each of the last days, weeks (from Monday) and months of the business that have one.
 * Time without copies ages none.
 * @param copies of one installation, in any order
 */
export function copiesToKeep(copies: readonly Dated[], timeZone: string): Set<string> {
  const newestFirst = [...copies].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const kept = new Set<string>();
  const keepNewestOf = (count: number, partOf: (day: string) => string) => {
    const seen = new Set<string>();
    for (const { name, at } of newestFirst) {
      const part = partOf(localDay(at, timeZone));
      if (seen.has(part)) continue;
      if (seen.size === count) return;
      seen.add(part);
      kept.add(name);
    }
  };
  keepNewestOf(KEPT_COPIES.days, (day) => day);
  keepNewestOf(KEPT_COPIES.weeks, mondayOf);
  keepNewestOf(KEPT_COPIES.months, (day) => day.slice(0, 7));
  return kept;
}

export type BackupState = {
  since: string;
  seen_at: string;
  last_tried_at: string | null;
  skipped_rows: number | null;
};

/** Whether copies are made at all: somewhere a server that makes them was seen lately. */
export const makesCopies = ({ seen_at }: Pick<BackupState, 'seen_at'>, now: Date): boolean =>
  now.getTime() - Date.parse(seen_at) < FORGOTTEN_DAYS * 24 * HOUR_MS;

/** A last copy of before this moment is late. */
export const lateBefore = (now: Date): string =>
  new Date(now.getTime() - BACKUP_LATE_HOURS * HOUR_MS).toISOString();

/** Since when a copy is late; null where none is, or where the database is too large for one. */
export function backupLateSince(state: BackupState, now: Date): string | null {
  if (!makesCopies(state, now) || state.skipped_rows !== null) return null;
  const late = Date.parse(state.last_tried_at ?? state.since) + BACKUP_LATE_HOURS * HOUR_MS;
  return late <= now.getTime() ? new Date(late).toISOString() : null;
}
