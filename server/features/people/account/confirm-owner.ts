import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { fault, invalid } from '../../../errors.ts';
import { requireConfirmed } from '../../../http/request-scope.ts';
import { getUserById } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { NO_PASSWORD } from '../users/users.queries.ts';
import { confirmPassword } from './change-password.ts';

/** Whether a person signs in with a password. */
export const hasPassword = (
  { config }: Pick<AppContext, 'config'>,
  { password_hash }: Pick<UserRow, 'password_hash'>,
): boolean => password_hash !== NO_PASSWORD && !config.oidc?.only;

/**
 * Checks that the person who is signed in owns the account: by the password, or for somebody without one by a proof of
 * identity of the last ten minutes (SIGN-02).
 * @param field the field that gets the error of a missing or wrong password
 * @returns the user
 * @throws invalid (400), rateLimited (429), AppError (403, step_up_required)
 */
export async function confirmOwner(
  context: AppContext,
  {
    session,
    signal,
    password,
    field,
    missing = AUTH_MESSAGES.passwordRequired,
  }: Pick<Person, 'session' | 'signal'> & {
    password: string | undefined;
    field: string;
    missing?: string;
  },
): Promise<UserRow> {
  const user = await getUserById(context.db, session.userId);
  if (!hasPassword(context, user)) {
    requireConfirmed(session, context.now());
    return user;
  }
  if (password === undefined) throw invalid({ [field]: [fault('required', missing)] });
  return confirmPassword(context, { session, password, field, signal });
}
