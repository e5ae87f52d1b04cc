import type { Role } from '../../../../contract/people/permissions.ts';
import type { OidcConfig } from '../../../config.ts';
import { record } from '../../../records/record-event.ts';
import { nextVersion } from '../../../records/version.ts';
import type { Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { endSessionsOpenedBy } from '../account/sessions.queries.ts';
import { getUserById, userActor } from '../sign-in/auth.queries.ts';
import { lockAdmins, NO_PASSWORD, updateUser } from '../users/users.queries.ts';

/**
 * Gives a person the role that the issuer says. It is not followed where no administrator would be left. A password that
 * does not do for an administrator is removed, and ends what it opened: the person signs in with the identity
 * (docs/decisions/116, 168).
 * Call it with the person locked as `userRecord.lock` does.
 */
export async function followRole(
  scope: Scope,
  userId: number,
  role: Role,
  { name, only }: Pick<OidcConfig, 'name' | 'only'>,
): Promise<void> {
  const { tx, now } = scope;
  const user = await getUserById(tx, userId);
  if (user.role === role) return;
  const admins = await lockAdmins(tx, { onlyLinked: only });
  if (admins.length === 1 && admins[0] === userId) return;
  await updateUser(tx, userId, { role }, nextVersion(user.updated_at, now));
  await record(scope, {
    type: 'user.updated',
    subject: userActor(user),
    changes: { role: { before: user.role, after: role } },
    reason: `Rol según ${name}`,
  });
  if (role !== 'admin' || !user.weak_for_admin || user.password_hash === NO_PASSWORD) return;
  await tx
    .updateTable('users')
    .set({ password_hash: NO_PASSWORD, weak_for_admin: false })
    .where('id', '=', userId)
    .execute();
  // Whoever guessed the password must not become an administrator with a session that it opened, or half opened.
  await endSessionsOpenedBy(tx, userId, 'password', now, 0);
  await tx
    .deleteFrom('mfa_challenges')
    .where('user_id', '=', userId)
    .where('opened_by', '=', 'password')
    .execute();
  await record(scope, {
    type: 'user.password_changed',
    subject: userActor(user),
    reason: 'Se quitó: no alcanza para un administrador',
  });
  await queueNotice(scope, user, NOTICES.weakPasswordRemoved(name));
}
