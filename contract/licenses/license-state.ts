import { HOLDING_STATUSES } from '../base/limits.ts';
import { addDays, endOfLocalDay, isExpired, localDay } from '../base/time.ts';
import type { LicenseStatus } from './licenses.ts';

/** Whether a licence may be used now, and the word for it. Without schemas: every list of licences loads it. */

/** Why a licence may not be used on any machine; the words are those of license-verdict.ts. */
type StateRefusal = 'inactive' | 'suspended' | 'cancelled' | 'expired';

/** What decides whether programs may use a licence. */
export type Usable = { status: LicenseStatus; expiry_date: string | null; grace_days: number };

/**
 * The end of the grace of a licence that is in it: its days are counted like those of a licence, so it ends with a
 * local day (D071). Null before the end, after the grace, and for a status other than 'active' and 'trial' (LIFE-13).
 */
export function graceUntil(state: Usable, now: Date, timeZone: string): string | null {
  const { status, expiry_date, grace_days } = state;
  // First what nearly all validations need: the zone is asked only for a licence that has ended.
  if (grace_days === 0 || expiry_date === null || !isExpired(expiry_date, now)) return null;
  if (!HOLDING_STATUSES.some((holding) => holding === status)) return null;
  const until = usableUntil({ expiry_date, grace_days }, timeZone);
  return isExpired(until, now) ? null : until;
}

/** The last moment of a licence, its grace included; null for one without an end (LIFE-13). */
export function usableUntil(
  { expiry_date, grace_days }: Pick<Usable, 'expiry_date' | 'grace_days'>,
  timeZone: string,
): string | null {
  if (expiry_date === null || grace_days === 0) return expiry_date;
  return endOfLocalDay(addDays(localDay(expiry_date, timeZone), grace_days), timeZone);
}

/**
 * Whether a licence may be used, on any machine. Ordered guards: the first that fails gives the answer. Statuses
 * 'active' and 'trial' are valid until the expiry date (D067) and in the grace after it (LIFE-13); the date wins over
 * an outdated status (D066).
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
 * Whether a build came out after the last day of updates (SELL-02). Older builds stay valid, and so does a program that
 * does not say its day.
 */
export const updatesEnded = (updatesUntil: string | null, releasedOn: string | null | undefined): boolean =>
  updatesUntil !== null && typeof releasedOn === 'string' && releasedOn > updatesUntil;

/** What a badge says of a licence: its stored status, or what the date has made of it. */
export type ShownState = LicenseStatus | 'grace' | 'over';

/**
 * The state that people read: what a program would hear today (D139). The stored status is a person's word; it is shown
 * while the date does not contradict it. Past its date an active licence or a trial is in its grace, or over.
 */
export function shownState(state: Usable, now: Date, timeZone: string): ShownState {
  if (licenseRefusal(state, now, timeZone) === 'expired') {
    return state.status === 'expired' ? 'expired' : 'over';
  }
  return graceUntil(state, now, timeZone) === null ? state.status : 'grace';
}
