import type { z } from 'zod';
import { USER_MESSAGES, type userUpdate } from '../../../contract/users.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError, fault, invalid, notFound, stale } from '../../errors.ts';
import { forgetFailures } from '../../http/throttle.ts';
import { isCurrentVersion, nextVersion } from '../../http/version.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { changesBetween, record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { endSessionsOf } from '../account/sessions.queries.ts';
import { voidLinks } from '../account/user-links.ts';
import { isEmailTaken, userActor } from '../auth/auth.queries.ts';
import { codeKey } from '../auth/sign-in-challenge.ts';
import { signInKeysOf } from '../auth/sign-in-limits.ts';
import { findUser, lockAdmins, lockedUntil, lockUsers, toStaffUser, updateUser } from './users.queries.ts';

const writtenOf = ({ names, last_name, email, role }: UserRow) => ({ names, last_name, email, role });

/**
 * Locks a user, after all administrators, so that calls at the same time take their locks in one order.
 * @returns the user and the active administrators
 * @throws notFound (404)
 */
async function hold({ tx }: Scope, id: number): Promise<{ user: UserRow; admins: number[] }> {
  const admins = await lockAdmins(tx);
  const [user] = await lockUsers(tx, [id]);
  if (!user) throw notFound(USER_MESSAGES.notFound);
  return { user, admins };
}

/** @throws AppError (409, last_admin) where this user is the only active administrator */
function refuseLastAdmin(user: UserRow, admins: number[]): void {
  if (admins.length === 1 && admins[0] === user.id) throw new AppError(409, 'last_admin');
}

const reread = async ({ tx }: Scope, id: number): Promise<UserRow> =>
  mustExist(await findUser(tx, id), `user ${id}`);

/**
 * Changes the given fields of a user and keeps the others. A changed role counts at the user's next call.
 * @throws notFound (404), stale (412), invalid (400) for a taken address, AppError (409, last_admin)
 */
export async function changeUser(
  scope: Scope,
  id: number,
  { updated_at: updatedAt, ...changes }: z.output<typeof userUpdate>,
  ifMatch: string | undefined,
): Promise<UserRow> {
  const { user, admins } = await hold(scope, id);
  if (!isCurrentVersion(user.updated_at, { updatedAt, ifMatch })) throw stale(toStaffUser(user));
  if (changes.role !== undefined && changes.role !== 'admin') refuseLastAdmin(user, admins);
  if (changes.email !== undefined && changes.email.toLowerCase() !== user.email.toLowerCase()) {
    if (await isEmailTaken(scope.tx, changes.email, id))
      throw invalid({ email: [fault('taken', USER_MESSAGES.emailTaken)] });
    // A link goes to the address that the person had.
    await voidLinks(scope.tx, 'password_reset', id);
  }
  await updateUser(scope.tx, id, changes, nextVersion(user.updated_at, scope.now));
  const saved = await reread(scope, id);
  const differences = changesBetween(writtenOf(user), writtenOf(saved));
  if (Object.keys(differences).length > 0) {
    await record(scope, { type: 'user.updated', subject: userActor(saved), changes: differences });
  }
  return saved;
}

/**
 * Deactivates a user and ends the sessions at once.
 * @throws notFound (404), AppError (409, last_admin)
 */
export async function deactivateUser(scope: Scope, id: number): Promise<UserRow> {
  const { user, admins } = await hold(scope, id);
  if (!user.is_active) return user;
  refuseLastAdmin(user, admins);
  await updateUser(scope.tx, id, { is_active: false }, nextVersion(user.updated_at, scope.now));
  await endSessionsOf(scope.tx, id, scope.now);
  await voidLinks(scope.tx, 'invitation', id);
  await voidLinks(scope.tx, 'password_reset', id);
  await record(scope, { type: 'user.deactivated', subject: userActor(user) });
  return reread(scope, id);
}

/** Lets a user in again. @throws notFound (404) */
export async function reactivateUser(scope: Scope, id: number): Promise<UserRow> {
  const { user } = await hold(scope, id);
  if (user.is_active) return user;
  await updateUser(scope.tx, id, { is_active: true }, nextVersion(user.updated_at, scope.now));
  await record(scope, { type: 'user.reactivated', subject: userActor(user) });
  return reread(scope, id);
}

/** Forgets the failed sign-ins and codes of a user, who may try again at once. @throws notFound (404) */
export async function unlockUser(scope: Scope, id: number): Promise<UserRow> {
  const { user } = await hold(scope, id);
  const until = await lockedUntil(scope.tx, user, scope.now);
  await forgetFailures(scope.tx, [...signInKeysOf(user.username), codeKey(id)]);
  if (until !== null) {
    const changes = { locked_until: { before: until, after: null } };
    await record(scope, { type: 'user.updated', subject: userActor(user), changes });
  }
  return user;
}
