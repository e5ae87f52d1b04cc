import { addDays, localDay, localMoment, mondayOf } from '../base/time.ts';

/** When backups are made, which ones are kept, and when one is late (OPS-03). Pure rules. */

/** For how many days, weeks and months a backup is kept: the newest of each. Days without a backup do not count. */
export const KEPT_COPIES = { days: 7, weeks: 4, months: 6 } as const;

/** A notification appears in the bell if the last attempt of a backup is older than this. */
const BACKUP_LATE_HOURS = 26;
const HOUR_MS = 3_600_000;

/** If no server with BACKUP_DIR was seen for this number of days, backups count as switched off. */
const FORGOTTEN_DAYS = 14;

/** The latest moment up to `now` with the local time `at`, 'HH:MM'. A backup was due then. */
export function lastSlot(now: Date, at: string, timeZone: string): string {
  const today = localDay(now, timeZone);
  const slot = localMoment(today, at, timeZone);
  return slot <= now.toISOString() ? slot : localMoment(addDays(today, -1), at, timeZone);
}

/** The next moment after `now` with the local time `at`. */
export function nextSlot(now: Date, at: string, timeZone: string): string {
  const today = localDay(now, timeZone);
  const slot = localMoment(today, at, timeZone);
  return slot > now.toISOString() ? slot : localMoment(addDays(today, 1), at, timeZone);
}

type Dated = { name: string; at: string };

/**
 * The backups to keep: the newest of each of the last days, weeks (from Monday) and local months that have one. Days
 * without a backup do not count, so that backups are not deleted while none are made.
 * @param copies of one installation, in any order
 */
export function copiesToKeep(copies: readonly Dated[], timeZone: string): Set<string> {
  const newestFirst = [...copies].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const kept = new Set<string>();
  const keepNewestOf = (count: number, partOf: (day: string) => string) => {
    const periods = new Set<string>();
    for (const { name, at } of newestFirst) {
      const part = partOf(localDay(at, timeZone));
      if (periods.has(part)) continue;
      if (periods.size === count) return;
      periods.add(part);
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

/** True if backups are switched on: a server that makes them was seen lately. */
export const makesCopies = ({ seen_at }: Pick<BackupState, 'seen_at'>, now: Date): boolean =>
  now.getTime() - Date.parse(seen_at) < FORGOTTEN_DAYS * 24 * HOUR_MS;

/** A last backup from before this moment is late. */
export const lateBefore = (now: Date): string =>
  new Date(now.getTime() - BACKUP_LATE_HOURS * HOUR_MS).toISOString();

/** Since when a backup is late; null if none is late, or if the database is too large for these backups. */
export function backupLateSince(state: BackupState, now: Date): string | null {
  if (!makesCopies(state, now) || state.skipped_rows !== null) return null;
  const late = Date.parse(state.last_tried_at ?? state.since) + BACKUP_LATE_HOURS * HOUR_MS;
  return late <= now.getTime() ? new Date(late).toISOString() : null;
}
