import { SIGN_IN_MESSAGES, type User } from '../../../contract/auth.ts';
import type { AppContext } from '../../context.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError, unauthorized } from '../../errors.ts';
import { type Limit, type Outcome, tryOnce } from '../../http/throttle.ts';
import { hashPassword, needsRehash, spendVerificationTime, verifyPassword } from '../../lib/password.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Origin } from '../../scope.ts';
import {
  findUserByUsername,
  lockActiveUser,
  openSession,
  type TokenPair,
  toUser,
  updatePasswordHash,
  userActor,
  usernameKey,
} from './auth.queries.ts';

/** Ten failures per user and address in fifteen minutes (D002). */
const SIGN_IN_LIMIT: Limit = { failures: 10, windowMs: 15 * 60_000 };

export type Credentials = {
  username: string;
  password: string;
  origin: Origin;
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal;
};

const inactive = () => new AppError(403, 'user_inactive', { message: SIGN_IN_MESSAGES.inactiveUser });

/**
 * Checks credentials and opens a session. Only failures are counted. An unknown user takes as long as a wrong
 * password. The answer says that an account is inactive only when the password is right (D002).
 * @throws AppError 401 unknown user or wrong password, 403 inactive, 429 too many failures
 */
export async function signIn(
  context: AppContext,
  { username, password, origin, signal }: Credentials,
): Promise<TokenPair & { user: User }> {
  const { db, now } = context;
  const key = `sign-in:${usernameKey(username).slice(0, 100)}:${origin.ip}`;
  const user = await tryOnce({ db, key, limit: SIGN_IN_LIMIT, now, signal }, () =>
    checkPassword(context, { username, password, origin }),
  );
  if (!user.is_active) throw inactive();
  const rehashed = needsRehash(user.password_hash) ? await hashPassword(password) : null;
  const tokens = await inScope(context, { actor: userActor(user), origin }, async (scope) => {
    const { tx } = scope;
    if (!(await lockActiveUser(tx, user.id))) throw inactive();
    if (rehashed !== null) await updatePasswordHash(tx, user.id, rehashed);
    await record(scope, { type: 'user.signed_in', subject: userActor(user) });
    return openSession(tx, user.id, scope.now);
  });
  return { ...tokens, user: toUser(user) };
}

async function checkPassword(
  context: AppContext,
  { username, password, origin }: Omit<Credentials, 'signal'>,
): Promise<Outcome<UserRow>> {
  const { db, config } = context;
  const refused = (message: string): Outcome<never> => ({
    failure: unauthorized(config.genericAuthErrors ? SIGN_IN_MESSAGES.invalidCredentials : message),
  });
  const user = await findUserByUsername(db, username);
  if (!user) {
    await spendVerificationTime(password);
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
