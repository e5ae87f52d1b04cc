import { UNPAGED_ROWS } from '../../../../contract/base/limits.ts';
import type { ApiKey } from '../../../../contract/people/api-keys.ts';
import type { Permission } from '../../../../contract/people/permissions.ts';
import { lockRows } from '../../../db/dialect.ts';
import type { ApiKeyRow, Db, UserRow } from '../../../db/tables.ts';
import { mustExist } from '../../../lib/must-exist.ts';
import { userActor } from '../sign-in/auth.queries.ts';

type Maker = Pick<UserRow, 'username' | 'names' | 'last_name'>;

const withMaker = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['users.username', 'users.names', 'users.last_name']);

/** A key as listed: without its text and its hash. */
function toApiKey(row: ApiKeyRow & Maker): ApiKey {
  const { id, name, last_four, user_id, created_at, expires_at, last_used_at, revoked_at } = row;
  return {
    id,
    name,
    last_four,
    permissions: JSON.parse(row.permissions) as Permission[],
    created_by: { id: user_id, name: userActor({ ...row, id: user_id }).name },
    created_at,
    expires_at,
    last_used_at,
    revoked_at,
  };
}

/** The newest keys, newest first. Ended keys are included, so that a person can see what had access. */
export const listApiKeys = async (db: Db): Promise<ApiKey[]> =>
  (await withMaker(db).orderBy('api_keys.id', 'desc').limit(UNPAGED_ROWS).execute()).map(toApiKey);

export async function findApiKey(db: Db, id: number): Promise<ApiKey | undefined> {
  const row = await withMaker(db).where('api_keys.id', '=', id).executeTakeFirst();
  return row && toApiKey(row);
}

export const getApiKey = async (db: Db, id: number): Promise<ApiKey> =>
  mustExist(await findApiKey(db, id), `API key ${id}`);

/** Reads a key and locks it until the transaction ends. */
export const lockApiKey = (tx: Db, id: number): Promise<ApiKeyRow | undefined> =>
  lockRows(tx, tx.selectFrom('api_keys').selectAll().where('id', '=', id)).executeTakeFirst();

export async function insertApiKey(
  db: Db,
  values: Pick<
    ApiKeyRow,
    'name' | 'hash' | 'last_four' | 'permissions' | 'user_id' | 'created_at' | 'expires_at'
  >,
): Promise<number> {
  const row = await db
    .insertInto('api_keys')
    .values({ ...values, last_used_at: null, revoked_at: null, warned_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
