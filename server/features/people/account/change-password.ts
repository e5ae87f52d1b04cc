import type { z } from 'zod';
import { ACCOUNT_MESSAGES, type passwordChange } from '../../../../contract/people/account.ts';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { fault, invalid, unauthorized } from '../../../errors.ts';
import { verifyPassword } from '../../../lib/password.ts';
import { type Limit, tryOnce } from '../../../limits/throttle.ts';
import { throttleKey } from '../../../limits/throttle-key.ts';
import { inScope } from '../../../scope.ts';
import { getUserById, lockActiveUser, userActor } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { hashNewPassword, storePassword } from './set-password.ts';

/** Limits wrong passwords and passkeys of a signed-in person, so that nobody can use a stolen session to guess the password. */
const CONFIRM_LIMIT: Limit = { failures: 5, windowMs: 15 * 60_000 };

/** The counter of a person's wrong proofs of identity, by password or passkey. */
export const confirmThrottle = ({ db, now }: AppContext, userId: number, signal: AbortSignal) => ({
  db,
  key: throttleKey('confirm', String(userId)),
  limit: CONFIRM_LIMIT,
  now,
  signal,
});

/** A signed-in person who confirms an action with the password. */
type Confirmation = Pick<Person, 'session' | 'signal'> & { password: string; field: string };

/**
 * Checks the password of a signed-in person.
 * @param field the field that gets the error for a wrong password (a 401 would end the session)
 * @returns the user
 * @throws invalid (400) for a wrong password, rateLimited (429)
 */
export async function confirmPassword(
  context: AppContext,
  { session, password, field, signal }: Confirmation,
): Promise<UserRow> {
  const user = await getUserById(context.db, session.userId);
  return tryOnce<UserRow>(confirmThrottle(context, user.id, signal), async () =>
    (await verifyPassword(user.password_hash, password)).matches
      ? { success: user }
      : { failure: invalid({ [field]: [fault('invalid', ACCOUNT_MESSAGES.wrongPassword)] }) },
  );
}

/**
 * Changes the person's own password and ends the person's other sessions (PEOPLE-04).
 * @returns the person's API keys, which stay valid
 * @throws invalid (400) for a wrong present password or a common new one, rateLimited (429)
 */
export async function changePassword(
  context: AppContext,
  { current_password, password }: z.output<typeof passwordChange>,
  { session, origin, signal }: Person,
): Promise<WorkingKey[]> {
  const confirmation = { session, password: current_password, field: 'current_password', signal };
  const user = await confirmPassword(context, confirmation);
  const hashed = await hashNewPassword(password, user);
  return inScope(context, { actor: userActor(user), origin }, async (scope) => {
    if (!(await lockActiveUser(scope.tx, user.id))) throw unauthorized();
    return storePassword(scope, user, hashed, session.sessionId);
  });
}
