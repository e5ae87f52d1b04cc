import { HOLDING_STATUSES } from '../base/limits.ts';
import { addDays, endOfLocalDay, isExpired, localDay } from '../base/time.ts';
import type { LicenseStatus } from './licenses.fields.ts';

/**
 * Whether a licence can be used now, and the state that the console shows. Without schemas, because every list of
 * licences loads this file.
 */

/** Why a licence cannot be used on any machine. license-verdict.ts has the words that programs get. */
type StateRefusal = 'inactive' | 'suspended' | 'cancelled' | 'expired';

/** The fields of a licence that decide whether programs can use it. */
export type Usable = { status: LicenseStatus; expiry_date: string | null; grace_days: number };

/**
 * The end of the grace, if the licence is in it now. Grace days are counted like the days of a licence, so the grace
 * ends with a local day (D071). Null before the end, after the grace, and for a status other than 'active' and 'trial'
 * (LIFE-13).
 */
export function graceUntil(state: Usable, now: Date, timeZone: string): string | null {
  const { status, expiry_date, grace_days } = state;
  // Fast path for nearly all validations: the time zone is needed only for a licence that has ended.
  if (grace_days === 0 || expiry_date === null || !isExpired(expiry_date, now)) return null;
  if (!HOLDING_STATUSES.some((holding) => holding === status)) return null;
  const until = usableUntil({ expiry_date, grace_days }, timeZone);
  return isExpired(until, now) ? null : until;
}

/** The last instant at which a licence can be used, including its grace; null if it has no end (LIFE-13). */
export function usableUntil(
  { expiry_date, grace_days }: Pick<Usable, 'expiry_date' | 'grace_days'>,
  timeZone: string,
): string | null {
  if (expiry_date === null || grace_days === 0) return expiry_date;
  return endOfLocalDay(addDays(localDay(expiry_date, timeZone), grace_days), timeZone);
}

/**
 * Why a licence cannot be used on any machine, or null if it can. The first guard that fails decides. Statuses
 * 'active' and 'trial' are valid until the expiry date (D067) and during the grace after it (LIFE-13). The date takes
 * precedence over an outdated status (D066).
 */
export function licenseRefusal(state: Usable, now: Date, timeZone: string): StateRefusal | null {
  if (state.status === 'inactive') return 'inactive';
  if (state.status === 'suspended') return 'suspended';
  if (state.status === 'cancelled') return 'cancelled';
  if (state.status === 'expired') return 'expired';
  if (isExpired(state.expiry_date, now) && graceUntil(state, now, timeZone) === null) return 'expired';
  return null;
}

/**
 * True if a build was released after the last day of updates (SELL-02). Older builds stay valid, and so do programs
 * that do not send their release day.
 */
export const updatesEnded = (updatesUntil: string | null, releasedOn: string | null | undefined): boolean =>
  updatesUntil !== null && typeof releasedOn === 'string' && releasedOn > updatesUntil;

/** The state that a badge shows: the stored status, or the state that follows from the date. */
export type ShownState = LicenseStatus | 'grace' | 'over';

/**
 * The state that people see: the result that a program would get today (D139). A person sets the stored status; it is
 * shown unless the date contradicts it. An active licence or trial past its date is 'grace' or 'over'.
 */
export function shownState(state: Usable, now: Date, timeZone: string): ShownState {
  if (licenseRefusal(state, now, timeZone) === 'expired') {
    return state.status === 'expired' ? 'expired' : 'over';
  }
  return graceUntil(state, now, timeZone) === null ? state.status : 'grace';
}
