import type { z } from 'zod';
import { type StaffUser, USER_MESSAGES, type userUpdate } from '../../../../contract/people/users.ts';
import { mailKey } from '../../../../contract/reading/mail-addresses.ts';
import type { UserRow } from '../../../db/tables.ts';
import { AppError, fault, invalid, notFound } from '../../../errors.ts';
import { mustExist } from '../../../lib/must-exist.ts';
import { forgetFailures } from '../../../limits/throttle.ts';
import { record } from '../../../records/record-event.ts';
import { saveRecord } from '../../../records/save-record.ts';
import { nextVersion } from '../../../records/version.ts';
import type { Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { endSessionsOf } from '../account/sessions.queries.ts';
import { voidLinks } from '../account/user-links.ts';
import { codeKey } from '../second-factor/codes.ts';
import { findUserById, isEmailTaken, userActor } from '../sign-in/auth.queries.ts';
import { signInKeysOf } from '../sign-in/sign-in-limits.ts';
import { userRecord } from './user.record.ts';
import { lockAdmins, lockedUntil, NO_PASSWORD, updateUser } from './users.queries.ts';

/**
 * Locks a user.
 * @throws notFound (404)
 */
async function lockUser({ tx }: Scope, id: number): Promise<UserRow> {
  const [user] = await userRecord.lock(tx, [id]);
  if (!user) throw notFound(USER_MESSAGES.notFound);
  return user;
}

/** @throws AppError (409, last_admin) if this user is the only active administrator */
async function refuseLastAdmin({ tx }: Scope, user: UserRow): Promise<void> {
  const admins = await lockAdmins(tx);
  if (admins.length === 1 && admins[0] === user.id) throw new AppError(409, 'last_admin');
}

/**
 * Only a hash is stored, so what is known of the password was noted when it was last typed. An invited person sets it
 * under the rule of the new role.
 * @throws invalid (400) on `role`
 */
function refuseWeakPassword(user: UserRow): void {
  if (user.role !== 'admin' && user.password_hash !== NO_PASSWORD && user.weak_for_admin)
    throw invalid({ role: [fault('not_allowed', USER_MESSAGES.weakForAdmin)] });
}

const reread = async ({ tx }: Scope, id: number): Promise<UserRow> =>
  mustExist(await findUserById(tx, id), `user ${id}`);

/**
 * Requires that a password or a code was entered within the last minutes.
 * @throws AppError (403, step_up_required); forbidden (403)
 */
type Confirm = () => void;

/** @throws AppError (409, conflict) if the caller acts on the caller's own account, which only 'Mi cuenta' changes */
export function refuseOwn({ actor }: Scope, id: number, message: string): void {
  if (actor.kind === 'user' && actor.id === id) throw new AppError(409, 'conflict', { message });
}

/**
 * Changes the given fields of a user and leaves the others unchanged. A changed role is effective at the user's next
 * call. Whoever changes an address or a role could take over the account, so this requires a confirmed identity. The
 * caller's own address is changed in 'Mi cuenta', with the password.
 * @throws notFound (404), stale (412), invalid (400) for a taken address or the caller's own, and for a new administrator
 * whose password is known not to do, AppError (409,
 * last_admin; 403, step_up_required)
 */
export async function changeUser(
  scope: Scope,
  id: number,
  { updated_at: _read, ...changes }: z.output<typeof userUpdate>,
  confirm: Confirm,
): Promise<StaffUser> {
  const { tx, actor } = scope;
  let before: string | undefined;
  const saved = await saveRecord(scope, userRecord, id, async (user, version) => {
    const email = mailKey(changes.email ?? '') === mailKey(user.email) ? undefined : changes.email;
    if (email !== undefined && actor.kind === 'user' && actor.id === id)
      throw invalid({ email: [fault('not_allowed', USER_MESSAGES.ownEmail)] });
    if (email !== undefined || (changes.role !== undefined && changes.role !== user.role)) confirm();
    if (changes.role !== undefined && changes.role !== 'admin') await refuseLastAdmin(scope, user);
    if (changes.role === 'admin') refuseWeakPassword(user);
    if (email !== undefined) {
      if (await isEmailTaken(tx, email, id))
        throw invalid({ email: [fault('taken', USER_MESSAGES.emailTaken)] });
      // Unused links were sent to the earlier address, which may never have been the person's.
      await voidLinks(tx, 'password_reset', id);
      await voidLinks(tx, 'invitation', id);
      before = user.email;
    }
    await updateUser(tx, id, changes, version);
  });
  if (before !== undefined) {
    await queueNotice(scope, saved, NOTICES.email(before, saved.email), {
      addresses: [before, saved.email],
    });
  }
  return saved;
}

/**
 * Deactivates a user and ends all sessions of this user at once.
 * @throws notFound (404), AppError (409, last_admin)
 */
export async function deactivateUser(scope: Scope, id: number): Promise<UserRow> {
  const user = await lockUser(scope, id);
  if (!user.is_active) return user;
  await refuseLastAdmin(scope, user);
  await updateUser(scope.tx, id, { is_active: false }, nextVersion(user.updated_at, scope.now));
  await endSessionsOf(scope.tx, id, scope.now);
  await voidLinks(scope.tx, 'invitation', id);
  await voidLinks(scope.tx, 'password_reset', id);
  await record(scope, { type: 'user.deactivated', subject: userActor(user) });
  return reread(scope, id);
}

/**
 * Reactivates a user.
 * @throws notFound (404); AppError (403, step_up_required) for an administrator
 */
export async function reactivateUser(scope: Scope, id: number, confirm: Confirm): Promise<UserRow> {
  const user = await lockUser(scope, id);
  if (user.is_active) return user;
  if (user.role === 'admin') confirm();
  await updateUser(scope.tx, id, { is_active: true }, nextVersion(user.updated_at, scope.now));
  await record(scope, { type: 'user.reactivated', subject: userActor(user) });
  return reread(scope, id);
}

/**
 * Deletes the counters of a user's failed sign-ins and codes, so that the user can try again at once.
 * @throws notFound (404)
 */
export async function unlockUser(scope: Scope, id: number): Promise<UserRow> {
  const user = await lockUser(scope, id);
  const until = await lockedUntil(scope.tx, user, scope.now);
  await forgetFailures(scope.tx, [...signInKeysOf(user.username), codeKey(id)]);
  if (until !== null) {
    const changes = { locked_until: { before: until, after: null } };
    await record(scope, { type: 'user.updated', subject: userActor(user), changes });
  }
  return user;
}
