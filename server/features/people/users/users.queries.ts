import type { StaffUser, UserStatus } from '../../../../contract/people/users.ts';
import { mailShown } from '../../../../contract/reading/mail-addresses.ts';
import { lockRows } from '../../../db/dialect.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { windowsOf } from '../../../limits/throttle.ts';
import { passkeyCounts } from '../passkeys/passkeys.queries.ts';
import { isLocked, signInKeysOf } from '../sign-in/sign-in-limits.ts';

/** The stored hash of a person without a password: invited, or with an identity only. No password matches it. */
export const NO_PASSWORD = '';

export function statusOf({ is_active, password_hash, oidc_subject }: UserRow): UserStatus {
  if (!is_active) return 'inactive';
  return password_hash === NO_PASSWORD && oidc_subject === null ? 'invited' : 'active';
}

/** SQLite refuses a statement in which more than 1,000 conditions are connected. */
const USERS_AT_ONCE = 100;

/**
 * Until when too many failures lock users out, from any address.
 * @returns the time by the id of each user; null for a user who is not locked out
 */
async function locksOf(
  db: Db,
  users: readonly Pick<UserRow, 'id' | 'username'>[],
  now: Date,
): Promise<Map<number, string | null>> {
  if (users.length === 0) return new Map();
  const windows: Awaited<ReturnType<typeof windowsOf>> = [];
  for (let start = 0; start < users.length; start += USERS_AT_ONCE) {
    const some = users.slice(start, start + USERS_AT_ONCE);
    windows.push(
      ...(await windowsOf(
        db,
        some.flatMap(({ username }) => signInKeysOf(username)),
        now,
      )),
    );
  }
  const locked = windows.filter(({ key, count }) => isLocked(key, count));
  return new Map(
    users.map(({ id, username }) => {
      const beginnings = signInKeysOf(username);
      const ends = locked
        .filter(({ key }) => beginnings.some((text) => key.startsWith(text)))
        .map(({ window_ends_at }) => window_ends_at);
      return [id, ends.sort().at(-1) ?? null];
    }),
  );
}

/** Until when a user cannot sign in after too many wrong passwords; null if nothing locks the user. */
export const lockedUntil = async (
  db: Db,
  user: Pick<UserRow, 'id' | 'username'>,
  now: Date,
): Promise<string | null> => (await locksOf(db, [user], now)).get(user.id) ?? null;

/** What of a user stands in other tables. */
type Beside = Pick<StaffUser, 'locked_until' | 'passkeys'>;

/** A user in the form for administrators, without hash and secrets. */
export function toStaffUser(row: UserRow, { locked_until, passkeys }: Beside): StaffUser {
  const { id, username, names, last_name, email, role, is_active, last_sign_in_at, created_at, updated_at } =
    row;
  return {
    id,
    username,
    names,
    last_name,
    email,
    ...mailShown(email),
    role,
    status: statusOf(row),
    is_active,
    mfa_enabled: row.mfa_enabled_at !== null,
    passkeys,
    last_sign_in_at,
    locked_until,
    created_at,
    updated_at,
  };
}

/** Users in the form for administrators, in their order. */
export async function completeUsers(db: Db, users: readonly UserRow[], now: Date): Promise<StaffUser[]> {
  const locks = await locksOf(db, users, now);
  const passkeys = await passkeyCounts(
    db,
    users.map(({ id }) => id),
  );
  return users.map((user) =>
    toStaffUser(user, { locked_until: locks.get(user.id) ?? null, passkeys: passkeys.get(user.id) ?? 0 }),
  );
}

export const completeUser = async (db: Db, user: UserRow, now: Date): Promise<StaffUser> =>
  (await completeUsers(db, [user], now))[0]!;

/** All users; they are few, because they are the vendor's staff. */
export const allUsers = (db: Db): Promise<UserRow[]> =>
  db.selectFrom('users').selectAll().orderBy('username_key').execute();

/** Reads users and locks them until the transaction ends. */
export const lockUsers = (tx: Db, ids: number[]): Promise<UserRow[]> =>
  lockRows(tx, tx.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id')).execute();

/**
 * Locks all active administrators, so that two concurrent calls cannot remove the last two.
 * @param onlyLinked whether to leave out who has a password alone: with OIDC_ONLY it lets nobody in (SIGN-02)
 * @returns their ids
 */
export async function lockAdmins(tx: Db, { onlyLinked = false } = {}): Promise<number[]> {
  const admins = tx
    .selectFrom('users')
    .select(['id', 'oidc_subject'])
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where((eb) => eb.or([eb('password_hash', '!=', NO_PASSWORD), eb('oidc_subject', 'is not', null)]))
    .orderBy('id');
  const locked = await lockRows(tx, admins).execute();
  return locked.filter(({ oidc_subject }) => !onlyLinked || oidc_subject !== null).map(({ id }) => id);
}

/** The active administrators who have an email address. */
export const mailedAdmins = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'names', 'last_name', 'email'])
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('email', '<>', '')
    .orderBy('id')
    .execute();

export async function updateUser(
  db: Db,
  id: number,
  changes: Partial<
    Pick<UserRow, 'names' | 'last_name' | 'email' | 'role' | 'is_active' | 'weekly_digest' | 'digest_week'>
  >,
  version: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...changes, updated_at: version })
    .where('id', '=', id)
    .execute();
}
