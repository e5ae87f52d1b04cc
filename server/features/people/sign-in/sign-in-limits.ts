import { perDatabase } from '../../../db/per-database.ts';
import type { Db } from '../../../db/tables.ts';
import { unavailable } from '../../../errors.ts';
import { addressLimits } from '../../../http/address-limits.ts';
import { callerOf, networkOf } from '../../../http/caller-address.ts';
import {
  forgetFailures,
  isRemembered,
  type Limit,
  type Limited,
  remember,
} from '../../../limits/throttle.ts';
import { throttleKey } from '../../../limits/throttle-key.ts';
import { Turns } from '../../../limits/turns.ts';
import type { Origin } from '../../../scope.ts';
import { usernameKey } from './auth.queries.ts';

/** The limits of sign-ins: counters of failures, and queues (docs/decisions/026 and 058). */

const WINDOW_MS = 15 * 60_000;
/** Ten failures per user and address in fifteen minutes (D002). */
export const SIGN_IN_LIMIT: Limit = { failures: 10, windowMs: WINDOW_MS };
/** Limits guesses at one account from many addresses. */
const ACCOUNT_LIMIT: Limit = { failures: 50, windowMs: WINDOW_MS };
/** Limits guesses at many accounts from one address. */
const ADDRESS_LIMIT: Limit = { failures: 200, windowMs: WINDOW_MS };
/** For how long after a sign-in the account treats its address as known. */
const DAY_MS = 24 * 60 * 60_000;
const KNOWN_MS = 30 * DAY_MS;

const nameOf = (username: string) => usernameKey(username).slice(0, 100);
const ACCOUNT = 'sign-in-account';
const accountKey = (username: string) => throttleKey(ACCOUNT, nameOf(username));
const knownKeys = (username: string) => throttleKey('sign-in-known', nameOf(username));
const knownKey = (username: string, { ip }: Origin) =>
  throttleKey('sign-in-known', nameOf(username), callerOf(ip));

/** The counter of a user's failures from one address. */
export const pairKey = (username: string, { ip }: Origin): string =>
  throttleKey('sign-in', nameOf(username), callerOf(ip));

const PASSKEY = 'sign-in-passkey';
/**
 * The counter of a user's wrong passkeys from one address. It is not that of passwords: whoever guesses passwords
 * locks no passkey out.
 * @param username '' for passkeys that nobody has
 */
export const passkeyKey = (username: string, { ip }: Origin): string =>
  throttleKey(PASSKEY, nameOf(username), callerOf(ip));

/** The beginnings of the keys of all counters of a user's failed sign-ins. */
export const signInKeysOf = (username: string): string[] => [
  throttleKey('sign-in', nameOf(username)),
  throttleKey(PASSKEY, nameOf(username)),
  accountKey(username),
];

/** Whether this number of failures in a counter locks the user out. */
export const isLocked = (key: string, failures: number): boolean =>
  failures >= (key.startsWith(`${ACCOUNT}:`) ? ACCOUNT_LIMIT : SIGN_IN_LIMIT).failures;

/** The limits of all sign-ins from an address. */
export const limitsOfAddress = ({ ip }: Origin): Limited[] =>
  addressLimits('sign-in-address', ip, ADDRESS_LIMIT);

/**
 * The limits of a sign-in in addition to the limit for the user and address together. From an address where the
 * account signed in recently, the account's own limit does not apply and failures are not counted in it. So strangers
 * who guess a name lock out only strangers.
 */
export async function wideLimits(db: Db, username: string, origin: Origin, now: Date): Promise<Limited[]> {
  const ofAddress = limitsOfAddress(origin);
  if (await isRemembered(db, knownKey(username, origin), now)) return ofAddress;
  return [{ key: accountKey(username), limit: ACCOUNT_LIMIT }, ...ofAddress];
}

/** Stores that an account signed in from an address; at most once a day, because it is a write. */
export async function knowAddress(db: Db, username: string, origin: Origin, now: Date): Promise<void> {
  const key = knownKey(username, origin);
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  if (!(await isRemembered(db, key, after(KNOWN_MS - DAY_MS)))) await remember(db, key, after(KNOWN_MS));
}

/** Deletes the known addresses of an account: somebody else who had its password may have signed in from them. */
export const forgetAddresses = (tx: Db, username: string): Promise<void> =>
  forgetFailures(tx, [knownKeys(username)]);

/**
 * How many sign-ins may run at once from one address and in one process. The queue of each user comes before these,
 * and at most two passwords are hashed at once.
 */
const FROM_ADDRESS = 4;
const IN_PROCESS = 16;
/** How many sign-ins may wait at once: about the staff of an office. Further callers are told to retry later. */
const WAITING_MAX = 120;
const WAIT_MS = 10_000;

const PATIENCE = { waitMs: WAIT_MS, busy: unavailable };

const queuesOf = perDatabase(() => ({
  addresses: new Turns(FROM_ADDRESS, WAITING_MAX, PATIENCE),
  process: new Turns(IN_PROCESS, WAITING_MAX, PATIENCE),
}));

/**
 * Waits in memory for a place of the address and of the process, so that waiting uses neither a database connection
 * nor a thread.
 * @throws unavailable (503) when too many wait, or one waits too long; what the attempt throws
 */
export const throughQueues = <Result>(
  db: Db,
  { ip }: Origin,
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> => {
  const { addresses, process } = queuesOf(db);
  return addresses.run(networkOf(ip), signal, () => process.run('', signal, attempt));
};
