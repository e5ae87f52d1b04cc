import {
  API_KEY_CALLS_PER_MINUTE,
  API_KEY_PREFIX,
  type WorkingKey,
} from '../../../../contract/people/api-keys.ts';
import {
  KEY_PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
} from '../../../../contract/people/permissions.ts';
import type { AppContext } from '../../../context.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Db } from '../../../db/tables.ts';
import { AppError, rateLimited } from '../../../errors.ts';
import { isApiKeyText } from '../../../lib/api-key-text.ts';
import { hashToken } from '../../../lib/secret.ts';
import type { Principal } from '../../../principal.ts';
import { requiresMfa } from './auth.queries.ts';

/** Callers with an API key (PEOPLE-07). */

/** `last_used_at` is updated at most once an hour, so that a busy key does not write at each call. */
const STORED_EVERY_MS = 3_600_000;
const MINUTE_MS = 60_000;

export const isApiKey = (token: string): boolean => token.startsWith(API_KEY_PREFIX);

const keyOfHash = prepared((db, { hash, now }: { hash: string; now: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .where('api_keys.hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .where('api_keys.expires_at', '>', now)
    .where('users.is_active', '=', true)
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.permissions',
      'api_keys.last_used_at',
      'users.role',
      'users.mfa_enabled_at',
      (eb) => eb.selectFrom('settings').select('changed').as('settings'),
    ]),
);

/** The valid API keys of a person. */
export const workingKeysOf = (db: Db, userId: number, now: Date): Promise<WorkingKey[]> =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last_four'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .orderBy('id')
    .execute();

/** The number of calls of each key in the present minute, in this process. */
const calls = new Map<number, { minute: number; count: number }>();

/** @throws rateLimited (429) above 600 calls a minute; each process counts separately */
function countCall(id: number, now: Date): void {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const known = calls.get(id);
  if (known?.minute !== minute) {
    calls.set(id, { minute, count: 1 });
    return;
  }
  known.count += 1;
  if (known.count > API_KEY_CALLS_PER_MINUTE) {
    throw rateLimited(((minute + 1) * MINUTE_MS - now.getTime()) / 1000);
  }
}

/**
 * The caller with an API key. Its permissions are those of the key that its maker also has at this moment.
 * @returns null for an unknown, mistyped, expired or revoked key, and for a key of a deactivated maker
 * @throws AppError (403, mfa_setup_required) if its maker must first set up a second factor; rateLimited (429)
 */
export async function findKeyPrincipal(context: AppContext, token: string): Promise<Principal | null> {
  if (!isApiKeyText(token)) return null;
  const now = context.now();
  const [key] = await keyOfHash(context.db, { hash: hashToken(token), now: now.toISOString() });
  if (!key) return null;
  countCall(key.id, now);
  if (key.mfa_enabled_at === null && requiresMfa(key.settings, key.role)) {
    throw new AppError(403, 'mfa_setup_required');
  }
  if (key.last_used_at === null || now.getTime() - Date.parse(key.last_used_at) >= STORED_EVERY_MS) {
    await context.db
      .updateTable('api_keys')
      .set({ last_used_at: now.toISOString() })
      .where('id', '=', key.id)
      .execute();
  }
  const granted: Permission[] = JSON.parse(key.permissions);
  const owned = ROLE_PERMISSIONS[key.role];
  return {
    kind: 'api_key',
    id: key.id,
    name: key.name,
    permissions: new Set(granted.filter((name) => owned.has(name) && KEY_PERMISSIONS.has(name))),
    session: null,
    portal: null,
  };
}
