import type { FastifyBaseLogger } from 'fastify';
import { SIGN_IN_MESSAGES } from '../../../../contract/people/auth.ts';
import { readPassword } from '../../../../contract/reading/passwords.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { unauthorized } from '../../../errors.ts';
import { hashPassword, spendVerificationTime, verifyPassword } from '../../../lib/password.ts';
import { isWeakForAdmin } from '../../../lib/weak-secret.ts';
import { type Limited, type Outcome, refuseReached, tryOnce } from '../../../limits/throttle.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Origin } from '../../../scope.ts';
import { askForSecondFactor } from '../second-factor/sign-in-challenge.ts';
import {
  findUserByUsername,
  lockActiveUser,
  replacePasswordHash,
  type SignedIn,
  signInWith,
  storeSignIn,
  storeWeakness,
  userActor,
} from './auth.queries.ts';
import type { Visitor } from './callers.ts';
import { inactiveUser } from './inactive-user.ts';
import { knowAddress, pairKey, SIGN_IN_LIMIT, throughQueues, wideLimits } from './sign-in-limits.ts';

type Credentials = Visitor & {
  username: string;
  password: string;
  log: Pick<FastifyBaseLogger, 'info'>;
};

/**
 * Checks credentials and opens a session. Only failures are counted: per user and address, per user, and per address.
 * An unknown user takes as long as a wrong password. Only a correct password gets the answer that an account is
 * inactive (D002).
 * @throws AppError 401 unknown user or wrong password, or mfa_required with a token for the second step, 403
 * inactive, 429 too many failures, 503 with Retry-After if too many wait
 */
export async function signIn(
  context: AppContext,
  { username, password, origin, userAgent, signal, log }: Credentials,
): Promise<SignedIn> {
  const { db, now } = context;
  let wide: readonly Limited[] = [];
  const enter = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
    throughQueues(db, origin, signal, async () => {
      wide = await wideLimits(db, username, origin, now());
      await refuseReached(db, wide, now());
      return attempt();
    });
  const key = pairKey(username, origin);
  const throttle = { db, key, limit: SIGN_IN_LIMIT, now, signal, enter, also: () => wide };
  const { user, isOutdated } = await tryOnce(throttle, () =>
    checkPassword(context, { username, password, origin, log }),
  );
  if (!user.is_active) throw inactiveUser();
  await storeWeakness(db, user, isWeakForAdmin(readPassword(password), user.username));
  if (isOutdated) await replacePasswordHash(db, user, await hashPassword(password));
  if (user.mfa_enabled_at !== null) return askForSecondFactor(db, user, now());
  return finishSignIn(context, user, { origin, userAgent });
}

/**
 * Signs in a user whose password was checked: opens the session, writes the event and remembers the address.
 * @throws AppError 403 if the user was deactivated meanwhile
 */
export async function finishSignIn(
  context: AppContext,
  user: UserRow,
  { origin, userAgent }: Pick<Visitor, 'origin' | 'userAgent'>,
): Promise<SignedIn> {
  const signedIn = await inScope(context, { actor: userActor(user), origin }, async (scope) => {
    const { tx } = scope;
    if (!(await lockActiveUser(tx, user.id))) throw inactiveUser();
    await record(scope, { type: 'user.signed_in', subject: userActor(user) });
    await storeSignIn(tx, user.id, scope.now);
    return signInWith(scope, user, userAgent);
  });
  await knowAddress(context.db, user.username, origin, context.now());
  return signedIn;
}

async function checkPassword(
  context: AppContext,
  { username, password, origin, log }: Omit<Credentials, 'signal' | 'userAgent'>,
): Promise<Outcome<{ user: UserRow; isOutdated: boolean }>> {
  const { db, config } = context;
  const refused = (message: string): Outcome<never> => ({
    failure: unauthorized(config.genericAuthErrors ? SIGN_IN_MESSAGES.invalidCredentials : message),
  });
  const user = await findUserByUsername(db, username);
  if (!user) {
    await spendVerificationTime(password);
    // The log line omits the name, because people sometimes type a password there. A failure of a known user is an
    // event.
    log.info({ ip: origin.ip }, 'inicio de sesión fallido de un usuario desconocido');
    return refused(SIGN_IN_MESSAGES.unknownUser);
  }
  const { matches, isOutdated } = await verifyPassword(user.password_hash, password);
  if (matches) return { success: { user, isOutdated } };
  recordFailure(context, user, origin);
  return refused(SIGN_IN_MESSAGES.wrongPassword);
}

/**
 * Writes the event of a wrong password. The answer does not wait for it, because a slower answer for existing users
 * would reveal that they exist.
 */
function recordFailure(context: AppContext, user: UserRow, origin: Origin): void {
  const actor = userActor(user);
  inScope(context, { actor, origin }, (scope) =>
    record(scope, { type: 'user.sign_in_failed', subject: actor }),
  ).catch(() => {
    // The database cannot be reached; the next statement of the sign-in reports this.
  });
}
