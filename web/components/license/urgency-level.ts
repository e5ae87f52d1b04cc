import { EXPIRING_SOON_DAYS, EXPIRING_WEEK_DAYS, HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { daysRemaining } from '../../../contract/base/time.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { businessTimeZoneInUse, toDate } from '../../text/format.ts';

/** `now` calls for work today, `soon` for a plan; `none` is quiet. */
export type Urgency = 'now' | 'soon' | 'none';

const HOLDS: readonly string[] = HOLDING_STATUSES;
/** Below this many seats the last one is no news. */
const FEW_SEATS_FROM = 5;

/**
 * How urgent the end of a licence is: `now` when it has ended or ends within seven local days, `soon` within thirty (D136). A licence
 * that nobody can use (suspended, cancelled) has no urgency before its end, and a cancelled one has none at all.
 */
export function expiryUrgency(
  { expiry_date, status }: Pick<LicenseRow, 'expiry_date'> & { status: string },
  now: Date,
): Urgency {
  const end = toDate(expiry_date);
  if (end === null || status === 'cancelled') return 'none';
  if (end.getTime() < now.getTime()) return 'now';
  const left = daysRemaining(end.toISOString(), now, businessTimeZoneInUse()) ?? 0;
  if (!HOLDS.includes(status) || left > EXPIRING_SOON_DAYS) return 'none';
  return left <= EXPIRING_WEEK_DAYS ? 'now' : 'soon';
}

/**
 * `now` when more seats are taken than were sold, `soon` when at most a tenth is left (at least one seat). A licence for
 * one machine is used by that machine as it was sold: it has no urgency (D143).
 */
export function seatsUrgency(left: number, seats: number): Urgency {
  if (left < 0) return 'now';
  if (left === 0) return seats > 1 ? 'soon' : 'none';
  return seats >= FEW_SEATS_FROM && left <= Math.max(1, seats / 10) ? 'soon' : 'none';
}
