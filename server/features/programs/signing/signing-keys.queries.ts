import { type SqlBool, sql } from 'kysely';
import { OFFLINE_DAYS_MAX, UNPAGED_ROWS } from '../../../../contract/base/limits.ts';
import type { SigningKeyState } from '../../../../contract/programs/license-token.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Db, SigningKeyRow } from '../../../db/tables.ts';
import { askTogether } from '../../../db/together.ts';

const keyInState = askTogether({ state: 'text' }, (db, asked) =>
  db
    .selectFrom('signing_keys')
    .select(['kid', 'private_key'])
    .where(sql<SqlBool>`signing_keys.state = ${asked.state}`),
);

/** The current signing key. It is read for each token, so that every replica uses a new key at once. */
export const findCurrentKey = (db: Db) => keyInState(db, { state: 'current' });

/** The keys in use, then the newest retired ones. */
const newestKeys = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .orderBy(sql`case when state = 'retired' then 1 else 0 end`)
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .limit(UNPAGED_ROWS);

const publicKeys = prepared((db, _none: object) => newestKeys(db).select(['kid', 'public_key']));

/** The public keys of the keys in use, then of the newest retired ones. */
export const listPublicKeys = (db: Db) => publicKeys(db, {});

/** The keys in use, then the newest retired ones. */
export const listSigningKeys = (db: Db): Promise<SigningKeyRow[]> => newestKeys(db).selectAll().execute();

/** Stores a key, unless another replica stored one with the same state first. */
export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Retires all keys, when nobody can read their private halves any more. What they signed can still be checked. */
export async function retireSigningKeys(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('signing_keys')
    .set({ state: 'retired', retired_at: now.toISOString() })
    .where('state', '!=', 'retired')
    .execute();
}

export async function setKeyState(
  db: Db,
  kid: string,
  change: { state: SigningKeyState; current_since?: string; retired_at?: string },
): Promise<void> {
  await db.updateTable('signing_keys').set(change).where('kid', '=', kid).execute();
}

/** Keeps a key at least until the end of a file that it signed. */
export async function keepForFile(tx: Db, kid: string, end: string): Promise<void> {
  await tx
    .updateTable('signing_keys')
    .set({ files_end: end })
    .where('kid', '=', kid)
    .where((eb) => eb.or([eb('files_end', 'is', null), eb('files_end', '<', end)]))
    .execute();
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest time without connection, plus a day for answers that were being sent at the rotation. */
const KEPT_MS = (OFFLINE_DAYS_MAX + 1) * DAY_MS;

/** When everything that a retired key signed has ended; null for a key in use. */
export function keptUntil({
  retired_at,
  files_end,
}: Pick<SigningKeyRow, 'retired_at' | 'files_end'>): string | null {
  if (retired_at === null) return null;
  const answersEnd = new Date(Date.parse(retired_at) + KEPT_MS).toISOString();
  return files_end !== null && files_end > answersEnd ? files_end : answersEnd;
}

/** Deletes retired keys once everything that they signed has ended. */
export async function deletePastSigningKeys(db: Db, now: Date): Promise<void> {
  const retired = await db
    .selectFrom('signing_keys')
    .select(['kid', 'retired_at', 'files_end'])
    .where('state', '=', 'retired')
    .execute();
  const past = retired.filter((key) => {
    const until = keptUntil(key);
    return until !== null && until < now.toISOString();
  });
  if (past.length === 0) return;
  await db
    .deleteFrom('signing_keys')
    .where(
      'kid',
      'in',
      past.map(({ kid }) => kid),
    )
    .execute();
}
