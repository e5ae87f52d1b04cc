import type { FieldFault } from '../../../../contract/base/field-errors.ts';
import { ADMIN_PASSWORD_MIN } from '../../../../contract/base/limits.ts';
import { ACCOUNT_MESSAGES } from '../../../../contract/people/account.ts';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { readPassword } from '../../../../contract/reading/passwords.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { fault, invalid } from '../../../errors.ts';
import { isCommonPassword } from '../../../lib/common-passwords.ts';
import { hashPassword } from '../../../lib/password.ts';
import { isWeakForAdmin } from '../../../lib/weak-secret.ts';
import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { passkeysOf } from '../passkeys/passkeys.queries.ts';
import { dropChallengesOf } from '../second-factor/sign-in-challenge.ts';
import { workingKeysOf } from '../sign-in/api-key-principal.ts';
import { userActor } from '../sign-in/auth.queries.ts';
import { forgetAddresses, knowAddress } from '../sign-in/sign-in-limits.ts';
import { endSessionsOf } from './sessions.queries.ts';
import { voidLinks } from './user-links.ts';

/** The words that an attacker tries first for this person (ASVS 5.0, 6.2.11). */
const ownWords = ({ username, email }: Pick<UserRow, 'username' | 'email'>) =>
  [username, email, email.split('@', 1)[0]!].map((word) => word.toLowerCase());

/** A hashed password. `weak_for_admin`: whether it does not do for an administrator. */
export type NewPassword = Pick<UserRow, 'password_hash' | 'weak_for_admin'>;

/**
 * Refuses a password that is easy to guess, and hashes it. Call it before a transaction, because hashing takes long.
 * @param user the owner of the password
 * @throws invalid (400) on the field; for an administrator also for one that {@link isWeakForAdmin}
 */
export async function hashNewPassword(
  typed: string,
  user: Pick<UserRow, 'username' | 'email' | 'role'>,
): Promise<NewPassword> {
  const password = readPassword(typed);
  if (ownWords(user).includes(password.toLowerCase()) || isCommonPassword(password))
    throw invalid({ password: [fault('not_allowed', ACCOUNT_MESSAGES.commonPassword)] });
  const weak_for_admin = isWeakForAdmin(password, user.username);
  if (weak_for_admin && user.role === 'admin') throw invalid({ password: [faultForAdmin(password)] });
  return { password_hash: await hashPassword(password), weak_for_admin };
}

const faultForAdmin = (password: string): FieldFault =>
  password.length < ADMIN_PASSWORD_MIN
    ? fault('too_short', AUTH_MESSAGES.adminPasswordTooShort)
    : fault('not_allowed', AUTH_MESSAGES.adminPasswordGuessable);

/**
 * Writes a password.
 * @throws invalid (400) if the person became an administrator while it was hashed, and it is not good enough
 */
export async function writePassword(tx: Db, userId: number, password: NewPassword): Promise<void> {
  const { role } = await tx
    .updateTable('users')
    .set(password)
    .where('id', '=', userId)
    .returning('role')
    .executeTakeFirstOrThrow();
  if (role === 'admin' && password.weak_for_admin)
    throw invalid({ password: [fault('not_allowed', AUTH_MESSAGES.adminPasswordGuessable)] });
}

/**
 * Stores a new password, ends the user's sessions and the unfinished sign-ins with the old password, and notifies the
 * person by mail; the mail lists the API keys and the passkeys, which stay valid.
 * @param exceptSession a session that stays open: the one in which the person changes the password
 * @returns those keys
 */
export async function storePassword(
  scope: Scope,
  user: UserRow,
  password: NewPassword,
  exceptSession: number | null = null,
): Promise<WorkingKey[]> {
  await writePassword(scope.tx, user.id, password);
  await dropChallengesOf(scope.tx, user.id);
  await endSessionsOf(scope.tx, user.id, scope.now, exceptSession);
  await forgetAddresses(scope.tx, user.username);
  if (exceptSession !== null) await knowAddress(scope.tx, user.username, scope.origin, scope.now);
  // Unused links from before the change; there may be several.
  await voidLinks(scope.tx, 'password_reset', user.id);
  await record(scope, { type: 'user.password_changed', subject: userActor(user) });
  const keys = await workingKeysOf(scope.tx, user.id, scope.now);
  await queueNotice(scope, user, NOTICES.password(keys, await passkeysOf(scope.tx, user.id)));
  return keys;
}
