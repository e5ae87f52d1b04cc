import { SIGN_IN_MESSAGES, type User } from '../../../contract/auth.ts';
import type { AppContext } from '../../context.ts';
import { AppError, unauthorized } from '../../errors.ts';
import { hashPassword, needsRehash, spendVerificationTime, verifyPassword } from '../../lib/password.ts';
import { countTry, type Limit, refundTry } from '../../lib/throttle.ts';
import {
  findUserByUsername,
  openSession,
  type TokenPair,
  toUser,
  updatePasswordHash,
  usernameKey,
} from './auth.queries.ts';

/** Ten failures per user and address in fifteen minutes (D002). */
const SIGN_IN_LIMIT: Limit = { failures: 10, windowMs: 15 * 60_000 };

export type Credentials = { username: string; password: string; address: string };

/**
 * Checks credentials and opens a session.
 * Only failures are counted; an unknown user costs as much time as a wrong password; that an account is inactive is
 * told to nobody but who knows its password (D002).
 * @throws AppError 401 unknown user or wrong password, 403 inactive, 429 too many failures
 */
export async function signIn(
  context: AppContext,
  { username, password, address }: Credentials,
): Promise<TokenPair & { user: User }> {
  const { db, config } = context;
  const now = context.now();
  const throttleKey = `sign-in:${usernameKey(username).slice(0, 100)}:${address}`;
  await countTry(db, throttleKey, SIGN_IN_LIMIT, now);

  const user = await findUserByUsername(db, username);
  if (!user) {
    await spendVerificationTime(password);
    throw unauthorized(
      config.genericAuthErrors ? SIGN_IN_MESSAGES.invalidCredentials : SIGN_IN_MESSAGES.unknownUser,
    );
  }
  if (!(await verifyPassword(user.password_hash, password))) {
    throw unauthorized(
      config.genericAuthErrors ? SIGN_IN_MESSAGES.invalidCredentials : SIGN_IN_MESSAGES.wrongPassword,
    );
  }
  await refundTry(db, throttleKey);
  if (!user.is_active) {
    throw new AppError(403, 'user_inactive', { message: SIGN_IN_MESSAGES.inactiveUser });
  }
  const rehashed = needsRehash(user.password_hash) ? await hashPassword(password) : null;
  const tokens = await db.transaction().execute(async (tx) => {
    if (rehashed !== null) await updatePasswordHash(tx, user.id, rehashed);
    return openSession(tx, user.id, now);
  });
  return { ...tokens, user: toUser(user) };
}
