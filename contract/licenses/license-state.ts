import { HOLDING_STATUSES } from '../base/limits.ts';
import { addDays, endOfLocalDay, isExpired, localDay } from '../base/time.ts';
import type { LicenseStatus } from './licenses.fields.ts';

/**
 * Whether a licence can be used now, why not, and the state that the console shows. Without schemas, because every list
 * of licences loads this file.
 */

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
 * True if a build was released after the last day of updates (SELL-02). Older builds stay valid, and so do programs
 * that do not send their release day.
 */
export const updatesEnded = (updatesUntil: string | null, releasedOn: string | null | undefined): boolean =>
  updatesUntil !== null && typeof releasedOn === 'string' && releasedOn > updatesUntil;

/**
 * What a guard is asked about. Each call gives what it asks; a guard that needs an absent fact does not refuse.
 */
export type Asked = {
  /** Null if no licence has the key. Absent for calls that work whatever its state. */
  license?: (Usable & { updates_until?: string | null }) | null;
  /** True if the program belongs to another software. */
  isOther?: boolean;
  /** The release day of the program's build. */
  released_on?: string | null | undefined;
  /** How many seats the licence has, and how many of them are taken. */
  seats?: { taken: number; max: number };
  /** True if the machine holds one of them. */
  hasSeat?: boolean;
  /** True if the machine must hold one (API-03). */
  require_seat?: boolean;
};

type Guard<Reason = string> = readonly [
  reason: Reason,
  refuses: (asked: Asked, now: Date, timeZone: string) => boolean,
];

/** Past the date and the grace after it (D067, LIFE-13). The date takes precedence over an outdated status (D066). */
const isOver = (license: Usable, now: Date, timeZone: string): boolean =>
  license.status === 'expired' ||
  (isExpired(license.expiry_date, now) && graceUntil(license, now, timeZone) === null);

/** The guards about the licence alone, which refuse it on every machine. */
const OF_LICENSE = [
  ['inactive', ({ license }) => license?.status === 'inactive'],
  ['suspended', ({ license }) => license?.status === 'suspended'],
  ['cancelled', ({ license }) => license?.status === 'cancelled'],
  ['expired', ({ license }, now, timeZone) => !!license && isOver(license, now, timeZone)],
] as const satisfies readonly Guard[];

/**
 * Why a licence is not valid for a program, in the order in which it is asked: the first that refuses is the answer.
 * Every call of a program and '¿Por qué?' ask these (docs/decisions/122-one-list-of-guards.md). license-verdict.ts has
 * the words.
 */
const GUARDS = [
  ['not_found', ({ license }) => license === null],
  ['wrong_software', ({ isOther = false }) => isOther],
  ...OF_LICENSE,
  ['updates_ended', ({ license, released_on }) => updatesEnded(license?.updates_until ?? null, released_on)],
  ['installation_limit', ({ seats, hasSeat = false }) => !hasSeat && !!seats && seats.taken >= seats.max],
  ['not_activated', ({ require_seat = false, hasSeat = false }) => require_seat && !hasSeat],
] as const satisfies readonly Guard[];

export type Refusal = (typeof GUARDS)[number][0];
export const REFUSALS: readonly Refusal[] = GUARDS.map(([reason]) => reason);

export type StateRefusal = (typeof OF_LICENSE)[number][0];
export const STATE_REFUSALS: readonly StateRefusal[] = OF_LICENSE.map(([reason]) => reason);

function firstOf<Reason>(
  guards: readonly Guard<Reason>[],
  asked: Asked,
  now: Date,
  timeZone: string,
): Reason | null {
  for (const [reason, refuses] of guards) if (refuses(asked, now, timeZone)) return reason;
  return null;
}

/** Why a call is refused, by the first guard of all that refuses it; null if it is not. */
export const refusalOf = (asked: Asked, now: Date, timeZone: string): Refusal | null =>
  firstOf(GUARDS, asked, now, timeZone);

/** Why a licence cannot be used on any machine; null if it can. */
export const licenseRefusal = (license: Usable, now: Date, timeZone: string): StateRefusal | null =>
  firstOf(OF_LICENSE, { license }, now, timeZone);

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
