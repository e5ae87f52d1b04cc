import { EXPIRING_SOON_DAYS, EXPIRING_WEEK_DAYS, HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { daysRemaining } from '../../../contract/base/time.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { businessTimeZoneInUse, toDate } from '../../text/format.ts';

/** `now` needs work today, `soon` should be planned, `none` needs nothing. */
export type Urgency = 'now' | 'soon' | 'none';

const HOLDS: readonly string[] = HOLDING_STATUSES;
/** With fewer seats than this, it is not worth a hint that only one is left. */
const FEW_SEATS_FROM = 5;

/**
 * How urgent the end of a licence is: `now` if it has ended or ends within seven local days, `soon` within thirty
 * (D136). A licence that nobody can use (suspended, cancelled) is not urgent before its end, and a cancelled one never
 * is.
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
 * `now` if more seats are taken than were sold, `soon` if at most a tenth is free (at least one seat). A licence for
 * one machine is never urgent, because one taken seat is its normal use (D143).
 */
export function seatsUrgency(left: number, seats: number): Urgency {
  if (left < 0) return 'now';
  if (left === 0) return seats > 1 ? 'soon' : 'none';
  return seats >= FEW_SEATS_FROM && left <= Math.max(1, seats / 10) ? 'soon' : 'none';
}
