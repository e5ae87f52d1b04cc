import type { Passkey } from '../../../../contract/people/passkeys.ts';
import type { Db, PasskeyRow } from '../../../db/tables.ts';

const ANSWERED = ['id', 'name', 'created_at', 'last_used_at', 'rp_id', 'synced'] as const;

export const toPasskey = ({ id, name, created_at, last_used_at, rp_id, synced }: PasskeyRow): Passkey => ({
  id,
  name,
  created_at,
  last_used_at,
  rp_id,
  synced,
});

/** The passkeys of a person, the oldest first; at most PASSKEYS_MAX. */
export const passkeysOf = (db: Db, userId: number): Promise<Passkey[]> =>
  db.selectFrom('passkeys').select(ANSWERED).where('user_id', '=', userId).orderBy('id').execute();

/** How many passkeys some people have, by the id of those who have one. */
export async function passkeyCounts(db: Db, userIds: readonly number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('passkeys')
    .select((eb) => ['user_id', eb.fn.countAll<number | string>().as('count')])
    .where('user_id', 'in', [...userIds])
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]));
}

/** The passkeys that a person has for a host name, as a browser must know them to make no second one on a device. */
export const credentialsOf = (db: Db, userId: number, rpId: string) =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('rp_id', '=', rpId)
    .execute();

/** The passkey with a credential id, if it was made for this host name. */
export const findByCredential = (
  db: Db,
  credentialId: string,
  rpId: string,
): Promise<PasskeyRow | undefined> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('rp_id', '=', rpId)
    .executeTakeFirst();

export const countPasskeys = async (db: Db, userId: number): Promise<number> =>
  (await passkeyCounts(db, [userId])).get(userId) ?? 0;

/** A passkey of a person; undefined for one of somebody else. */
export const findOwnPasskey = (db: Db, id: number, userId: number): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();

/** What a use says of a passkey: what its authenticator counted, and whether it is kept in an account. */
export type Use = { counter: number; synced: boolean };

/**
 * Stores a use. Its counter must be higher than the last one, unless the authenticator does not count: else there are
 * two of it, or somebody sends an old response. Of concurrent uses with one counter one is stored.
 * @returns false for a counter that did not grow, and for a passkey that was removed
 */
export async function storeUse(tx: Db, id: number, { counter, synced }: Use, now: Date): Promise<boolean> {
  const stored = await tx
    .updateTable('passkeys')
    .set({ counter, synced, last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), ...(counter === 0 ? [eb('counter', '=', 0)] : [])]))
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Removes a passkey, and ends the sessions that it opened, except one. */
export async function deletePasskey(
  tx: Db,
  { id, user_id }: Pick<PasskeyRow, 'id' | 'user_id'>,
  now: Date,
  exceptSession: number,
): Promise<void> {
  await tx.deleteFrom('passkeys').where('id', '=', id).execute();
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now.toISOString() })
    .where('user_id', '=', user_id)
    .where('passkey_id', '=', id)
    .where('revoked_at', 'is', null)
    .where('id', '!=', exceptSession)
    .execute();
}

/**
 * Removes all passkeys of a person; the caller ends the sessions.
 * @returns the names of those that there were
 */
export async function deletePasskeysOf(tx: Db, userId: number): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .returning(['id', 'name'])
    .execute();
  return deleted.sort((one, other) => one.id - other.id).map(({ name }) => name);
}
