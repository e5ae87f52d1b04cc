import type { z } from 'zod';
import {
  API_KEY_DAYS,
  API_KEY_MESSAGES,
  API_KEY_OVERLAP_HOURS,
  type ApiKey,
  type apiKeyCreate,
} from '../../../../contract/people/api-keys.ts';
import type { Permission } from '../../../../contract/people/permissions.ts';
import type { ApiKeyRow } from '../../../db/tables.ts';
import { AppError, fault, invalid, notFound } from '../../../errors.ts';
import { createApiKeyText } from '../../../lib/api-key-text.ts';
import { hashToken } from '../../../lib/secret.ts';
import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { readSettings } from '../../settings/settings.queries.ts';
import { getUserById } from '../sign-in/auth.queries.ts';
import { getApiKey, insertApiKey, lockApiKey } from './api-keys.queries.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** The user who makes a key, and that user's permissions. */
export type Maker = { userId: number; permissions: ReadonlySet<Permission> };

const subjectOf = ({ id, name, last_four }: Pick<ApiKeyRow, 'id' | 'name' | 'last_four'>) => ({
  id,
  name: `${name} (…${last_four})`,
});

/**
 * Stores a new key.
 * @returns the key as listed, and its text, which is stored nowhere
 */
async function insert(
  { tx, now }: Scope,
  values: Pick<ApiKeyRow, 'name' | 'permissions' | 'user_id' | 'expires_at'>,
): Promise<ApiKey & { key: string }> {
  const key = createApiKeyText();
  const id = await insertApiKey(tx, {
    ...values,
    hash: hashToken(key),
    last_four: key.slice(-4),
    created_at: now.toISOString(),
  });
  return { ...(await getApiKey(tx, id)), key };
}

/**
 * Makes a key. If no end is given, it is valid for one year (PEOPLE-07), or for the maximum in the settings if that
 * is shorter.
 * @throws invalid (400) for a permission that the maker does not have, and for an end that has passed or is too far
 */
export async function createApiKey(
  scope: Scope,
  { userId, permissions }: Maker,
  values: z.output<typeof apiKeyCreate>,
): Promise<ApiKey & { key: string }> {
  if (values.permissions.some((name) => !permissions.has(name))) {
    throw invalid({ permissions: [fault('not_allowed', API_KEY_MESSAGES.notYours)] });
  }
  const { api_key_days_max: days } = await readSettings(scope.tx);
  const inDays = (count: number) => new Date(scope.now.getTime() + count * DAY_MS).toISOString();
  const end = values.expires_at ?? inDays(Math.min(API_KEY_DAYS, days ?? API_KEY_DAYS));
  const expires_at = new Date(end).toISOString();
  if (expires_at <= scope.now.toISOString())
    throw invalid({ expires_at: [fault('out_of_range', API_KEY_MESSAGES.expiry)] });
  if (days !== null && expires_at > inDays(days))
    throw invalid({ expires_at: [fault('out_of_range', API_KEY_MESSAGES.tooLong(days))] });
  const created = await insert(scope, {
    name: values.name,
    permissions: JSON.stringify(values.permissions),
    user_id: userId,
    expires_at,
  });
  await record(scope, { type: 'api_key.created', subject: subjectOf(created) });
  await queueNotice(scope, await getUserById(scope.tx, userId), NOTICES.key(created.name, created.last_four));
  return created;
}

/**
 * Replaces a key by a new one with the same name, permissions and lifetime; the old key stays valid for another 24
 * hours. The person who does this becomes the maker of the new key.
 * @throws notFound (404); AppError (409, conflict) for a key that has ended; invalid (400) as {@link createApiKey}
 */
export async function rotateApiKey(
  scope: Scope,
  maker: Maker,
  id: number,
): Promise<ApiKey & { key: string }> {
  const { tx, now } = scope;
  const old = await lockApiKey(tx, id);
  if (!old) throw notFound(API_KEY_MESSAGES.notFound);
  if (old.revoked_at !== null || old.expires_at <= now.toISOString()) {
    throw new AppError(409, 'conflict', { message: API_KEY_MESSAGES.ended });
  }
  const { api_key_days_max: days } = await readSettings(tx);
  const longest = days === null ? Number.POSITIVE_INFINITY : days * DAY_MS;
  const length = Date.parse(old.expires_at) - Date.parse(old.created_at);
  const created = await createApiKey(scope, maker, {
    name: old.name,
    permissions: JSON.parse(old.permissions),
    expires_at: new Date(now.getTime() + Math.min(length, longest)).toISOString(),
  });
  const overlap = new Date(now.getTime() + API_KEY_OVERLAP_HOURS * HOUR_MS).toISOString();
  const expires_at = overlap < old.expires_at ? overlap : old.expires_at;
  // The end of the old key is known, so no mail must announce it.
  const warned_at = old.warned_at ?? now.toISOString();
  await tx.updateTable('api_keys').set({ expires_at, warned_at }).where('id', '=', id).execute();
  await record(scope, {
    type: 'api_key.revoked',
    subject: subjectOf(old),
    changes: { expires_at: { before: old.expires_at, after: expires_at } },
    reason: `La reemplaza la clave …${created.last_four}`,
  });
  return created;
}

/**
 * Ends a key at once; a key that has ended stays unchanged.
 * @throws notFound (404)
 */
export async function revokeApiKey(scope: Scope, id: number): Promise<void> {
  const key = await lockApiKey(scope.tx, id);
  if (!key) throw notFound(API_KEY_MESSAGES.notFound);
  if (key.revoked_at !== null) return;
  const revoked_at = scope.now.toISOString();
  await scope.tx.updateTable('api_keys').set({ revoked_at }).where('id', '=', id).execute();
  await record(scope, { type: 'api_key.revoked', subject: subjectOf(key) });
}
