import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import { USER_MESSAGES } from '../../../../contract/people/users.ts';
import { AppError, notFound } from '../../../errors.ts';
import type { Scope } from '../../../scope.ts';
import { mailResetLink } from '../account/mail-link.ts';
import { createLink } from '../account/user-links.ts';
import { workingKeysOf } from '../sign-in/api-key-principal.ts';
import { refuseOwn } from './change-user.ts';
import { lockUsers, statusOf } from './users.queries.ts';

/**
 * Mails a person the link that sets a new password, as if the person had requested it; earlier links become invalid.
 * @returns its path, which the caller shows only if mails cannot be delivered, and the person's API keys, which stay
 * valid
 * @throws notFound (404); AppError (409, conflict) for a person who has no password yet or is inactive, and for the
 * caller's own account
 */
export async function sendResetLink(
  scope: Scope,
  id: number,
): Promise<{ path: string; api_keys: WorkingKey[] }> {
  const [user] = await lockUsers(scope.tx, [id]);
  if (!user) throw notFound(USER_MESSAGES.notFound);
  refuseOwn(scope, id, USER_MESSAGES.ownLink);
  const status = statusOf(user);
  if (status !== 'active') {
    const message = status === 'invited' ? USER_MESSAGES.notJoined : USER_MESSAGES.inactive;
    throw new AppError(409, 'conflict', { message });
  }
  const path = await createLink(scope, 'password_reset', id);
  await mailResetLink(scope, user, path);
  return { path, api_keys: await workingKeysOf(scope.tx, id, scope.now) };
}
