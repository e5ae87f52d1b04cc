import type { FastifyBaseLogger } from 'fastify';
import { SIGN_IN_MESSAGES, type User } from '../../../contract/auth.ts';
import type { AppContext } from '../../context.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError, unauthorized } from '../../errors.ts';
import { countFailure, type Limit, type Outcome, refuseReached, tryOnce } from '../../http/throttle.ts';
import { hashPassword, needsRehash, spendVerificationTime, verifyPassword } from '../../lib/password.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Origin } from '../../scope.ts';
import {
  findUserByUsername,
  lockActiveUser,
  noteSignIn,
  openSession,
  type TokenPair,
  toUser,
  updatePasswordHash,
  userActor,
  usernameKey,
} from './auth.queries.ts';
import { askForSecondFactor } from './sign-in-challenge.ts';

const WINDOW_MS = 15 * 60_000;
/** Ten failures per user and address in fifteen minutes (D002). */
const SIGN_IN_LIMIT: Limit = { failures: 10, windowMs: WINDOW_MS };
/** Guesses at one account from many addresses. */
const ACCOUNT_LIMIT: Limit = { failures: 50, windowMs: WINDOW_MS };
/** Guesses at many accounts from one address. */
const ADDRESS_LIMIT: Limit = { failures: 200, windowMs: WINDOW_MS };

/** Encoded, so that the colon behind it ends the name: no user's keys begin like those of another. */
const nameOf = (username: string) => encodeURIComponent(usernameKey(username).slice(0, 100).toWellFormed());
const accountKey = (username: string) => `sign-in-account:${nameOf(username)}:`;
const pairKeys = (username: string) => `sign-in:${nameOf(username)}:`;

/** The beginnings of the keys that count the failed sign-ins of a user. */
export const signInKeysOf = (username: string): string[] => [pairKeys(username), accountKey(username)];

/** Whether this many failures under a key keep the user from signing in. */
export const isLocked = (key: string, failures: number): boolean =>
  failures >= (key.startsWith('sign-in-account:') ? ACCOUNT_LIMIT : SIGN_IN_LIMIT).failures;

export type Credentials = {
  username: string;
  password: string;
  origin: Origin;
  userAgent: string | null;
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal;
  log: Pick<FastifyBaseLogger, 'info'>;
};

const inactive = () => new AppError(403, 'user_inactive', { message: SIGN_IN_MESSAGES.inactiveUser });

/**
 * Checks credentials and opens a session. Only failures are counted: per user and address, per user, per address. An unknown user takes as long as a wrong
 * password. The answer says that an account is inactive only when the password is right (D002).
 * @throws AppError 401 unknown user or wrong password, or mfa_required with a token for the second step, 403 inactive, 429 too many failures
 */
export async function signIn(
  context: AppContext,
  { username, password, origin, userAgent, signal, log }: Credentials,
): Promise<TokenPair & { user: User }> {
  const { db, now } = context;
  const wide = [
    { key: accountKey(username), limit: ACCOUNT_LIMIT },
    { key: `sign-in-address:${origin.ip}`, limit: ADDRESS_LIMIT },
  ];
  await refuseReached(db, wide, now());
  const key = `${pairKeys(username)}${origin.ip}`;
  const user = await tryOnce({ db, key, limit: SIGN_IN_LIMIT, now, signal }, () =>
    checkPassword(context, { username, password, origin, log }),
  ).catch(async (error) => {
    if (error instanceof AppError && error.status === 401) {
      for (const { key: wideKey, limit } of wide) await countFailure(db, wideKey, limit, now());
    }
    throw error;
  });
  if (!user.is_active) throw inactive();
  if (user.mfa_enabled_at !== null) return askForSecondFactor(db, user, now());
  const rehashed = needsRehash(user.password_hash) ? await hashPassword(password) : null;
  const tokens = await inScope(context, { actor: userActor(user), origin }, async (scope) => {
    const { tx } = scope;
    if (!(await lockActiveUser(tx, user.id))) throw inactive();
    if (rehashed !== null) await updatePasswordHash(tx, user.id, rehashed);
    await record(scope, { type: 'user.signed_in', subject: userActor(user) });
    await noteSignIn(tx, user.id, scope.now);
    return openSession(tx, user.id, scope.now, { ip: origin.ip, userAgent });
  });
  return { ...tokens, user: toUser(user) };
}

async function checkPassword(
  context: AppContext,
  { username, password, origin, log }: Omit<Credentials, 'signal' | 'userAgent'>,
): Promise<Outcome<UserRow>> {
  const { db, config } = context;
  const refused = (message: string): Outcome<never> => ({
    failure: unauthorized(config.genericAuthErrors ? SIGN_IN_MESSAGES.invalidCredentials : message),
  });
  const user = await findUserByUsername(db, username);
  if (!user) {
    await spendVerificationTime(password);
    // Without the name: people type passwords there. A failure of a known user is an event.
    log.info({ ip: origin.ip }, 'inicio de sesión fallido de un usuario desconocido');
    return refused(SIGN_IN_MESSAGES.unknownUser);
  }
  const isRight = await verifyPassword(user.password_hash, password);
  if (isRight) return { success: user };
  noteFailure(context, user, origin);
  return refused(SIGN_IN_MESSAGES.wrongPassword);
}

/**
 * Writes the event of a wrong password. The answer does not wait for it: a later answer for existing users would
 * reveal that they exist.
 */
function noteFailure(context: AppContext, user: UserRow, origin: Origin): void {
  const actor = userActor(user);
  inScope(context, { actor, origin }, (scope) =>
    record(scope, { type: 'user.sign_in_failed', subject: actor }),
  ).catch(() => {
    // The database is unreachable; the next statement of the sign-in reports it.
  });
}
