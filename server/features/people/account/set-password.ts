import { ACCOUNT_MESSAGES } from '../../../../contract/people/account.ts';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { UserRow } from '../../../db/tables.ts';
import { fault, invalid } from '../../../errors.ts';
import { isCommonPassword } from '../../../lib/common-passwords.ts';
import { hashPassword } from '../../../lib/password.ts';
import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { dropChallengesOf } from '../second-factor/sign-in-challenge.ts';
import { workingKeysOf } from '../sign-in/api-key-principal.ts';
import { updatePasswordHash, userActor } from '../sign-in/auth.queries.ts';
import { forgetAddresses, knowAddress } from '../sign-in/sign-in-limits.ts';
import { endSessionsOf } from './sessions.queries.ts';
import { voidLinks } from './user-links.ts';

/** The words that an attacker tries first for this person (ASVS 5.0, 6.2.11). */
const ownWords = ({ username, email }: Pick<UserRow, 'username' | 'email'>) =>
  [username, email, email.split('@', 1)[0]!].map((word) => word.toLowerCase());

/**
 * Refuses a password that is easy to guess, and hashes it. Call it before a transaction, because hashing takes long.
 * @param user the owner of the password; null while unknown
 * @throws invalid (400) on the field
 */
export async function hashNewPassword(
  password: string,
  user: Pick<UserRow, 'username' | 'email'> | null,
): Promise<string> {
  refuseGuessable(password, user);
  return hashPassword(password);
}

/** @throws invalid (400) for one of the most common passwords, and for the person's own name or address */
function refuseGuessable(password: string, user: Pick<UserRow, 'username' | 'email'> | null): void {
  const isOwn = user !== null && ownWords(user).includes(password.toLowerCase());
  if (isOwn || isCommonPassword(password))
    throw invalid({ password: [fault('not_allowed', ACCOUNT_MESSAGES.commonPassword)] });
}

/**
 * Stores a new password, ends the user's sessions and the unfinished sign-ins with the old password, and notifies the
 * person by mail; the mail lists the API keys, which stay valid.
 * @param exceptSession a session that stays open: the one in which the person changes the password
 * @returns those keys
 */
export async function storePassword(
  scope: Scope,
  user: UserRow,
  passwordHash: string,
  exceptSession: number | null = null,
): Promise<WorkingKey[]> {
  await updatePasswordHash(scope.tx, user.id, passwordHash);
  await dropChallengesOf(scope.tx, user.id);
  await endSessionsOf(scope.tx, user.id, scope.now, exceptSession);
  await forgetAddresses(scope.tx, user.username);
  if (exceptSession !== null) await knowAddress(scope.tx, user.username, scope.origin, scope.now);
  // Unused links from before the change; there may be several.
  await voidLinks(scope.tx, 'password_reset', user.id);
  await record(scope, { type: 'user.password_changed', subject: userActor(user) });
  const keys = await workingKeysOf(scope.tx, user.id, scope.now);
  await queueNotice(scope, user, NOTICES.password(keys));
  return keys;
}
