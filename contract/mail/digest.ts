import { addDays, localDay, localHour, mondayOf } from '../base/time.ts';

/** The weekly digest is sent on Mondays at this local hour (LIFE-09). */
const DIGEST_HOUR = 8;

/**
 * The digest lists renewals due within this number of days, and machines without a heartbeat for this number of days.
 */
export const DIGEST_RENEWAL_DAYS = 30;
export const DIGEST_SILENT_DAYS = 7;
/** A licence counts as nearly full when more than this fraction of its seats is taken. */
export const DIGEST_FULL_PART = 0.9;

/** The Monday of the last week whose digest is due at `now`. */
export function digestWeek(now: Date, timeZone: string): string {
  const monday = mondayOf(localDay(now, timeZone));
  return now.toISOString() >= localHour(monday, DIGEST_HOUR, timeZone) ? monday : addDays(monday, -7);
}
