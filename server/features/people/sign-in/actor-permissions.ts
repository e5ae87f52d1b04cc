import {
  KEY_PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
} from '../../../../contract/people/permissions.ts';
import type { Db } from '../../../db/tables.ts';
import type { Actor } from '../../../scope.ts';

const NONE: ReadonlySet<Permission> = new Set();

/**
 * The present permissions of the actor for whom a job works: none after the user was deactivated, or after the API
 * key was revoked or has ended.
 */
export async function permissionsOf(
  db: Db,
  { kind, id }: Pick<Actor, 'kind' | 'id'>,
  now: Date,
): Promise<ReadonlySet<Permission>> {
  if (id === null) return NONE;
  if (kind === 'user') {
    const user = await db
      .selectFrom('users')
      .select('role')
      .where('id', '=', id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    return user ? ROLE_PERMISSIONS[user.role] : NONE;
  }
  if (kind !== 'api_key') return NONE;
  const key = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.permissions', 'users.role'])
    .where('api_keys.id', '=', id)
    .where('api_keys.revoked_at', 'is', null)
    .where('api_keys.expires_at', '>', now.toISOString())
    .where('users.is_active', '=', true)
    .executeTakeFirst();
  if (!key) return NONE;
  const owned = ROLE_PERMISSIONS[key.role];
  const granted: Permission[] = JSON.parse(key.permissions);
  return new Set(granted.filter((name) => owned.has(name) && KEY_PERMISSIONS.has(name)));
}
