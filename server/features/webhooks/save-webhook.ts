import type { z } from 'zod';
import type { Permission } from '../../../contract/people/permissions.ts';
import {
  missingRights,
  WEBHOOK_MESSAGES,
  WEBHOOK_OVERLAP_HOURS,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookValues,
  type WebhookWithSecret,
  type webhookUpdate,
} from '../../../contract/system/webhooks.ts';
import { lockRows } from '../../db/dialect.ts';
import type { WebhookRow } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { record } from '../../records/record-event.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { createWebhookSecret } from './signature.ts';
import { webhookRecord } from './webhook.record.ts';
import { typesOf, updateWebhook } from './webhooks.queries.ts';

const HOUR_MS = 3_600_000;

/** The purpose for encrypting a secret. */
const purposeOf = (id: number) => `webhook:${id}`;

/** Decrypts a secret; null if it was encrypted with a key that this installation no longer has. */
function openSecret(secrets: SecretBox, id: number, sealed: string): string | null {
  try {
    return secrets.open(sealed, purposeOf(id));
  } catch {
    return null;
  }
}

/** The permissions of the caller who saves. */
type Saver = { permissions: ReadonlySet<Permission> };

/** @throws invalid (400) for event types that the caller may not read */
function requireRights({ permissions }: Saver, types: readonly string[]): void {
  const missing = missingRights(types, permissions);
  if (missing.length > 0) throw invalid({ types: [fault('not_allowed', WEBHOOK_MESSAGES.rights(missing))] });
}

/**
 * Stores a new webhook.
 * @returns also its secret, which is shown only this time (HOOK-01)
 * @throws invalid (400) for events that the caller may not read; AppError (409, conflict) if there are too many
 * webhooks
 */
export async function createWebhook(
  scope: Scope,
  saver: Saver,
  secrets: SecretBox,
  { types, ...values }: WebhookValues,
): Promise<WebhookWithSecret> {
  requireRights(saver, types);
  const { tx, now } = scope;
  // Concurrent calls count one after another, so that they do not exceed the limit together.
  await lockRows(tx, tx.selectFrom('webhooks').select('id').orderBy('id')).execute();
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= WEBHOOKS_MAX) throw new AppError(409, 'conflict', { message: WEBHOOK_MESSAGES.tooMany });
  const row = await tx
    .insertInto('webhooks')
    .values({
      ...values,
      types: JSON.stringify(types),
      disabled_reason: null,
      disabled_at: null,
      secret: '',
      old_secret: null,
      old_secret_until: null,
      failures: 0,
      failing_since: null,
      next_attempt_at: null,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const secret = createWebhookSecret();
  // Encrypted with the webhook's id as purpose, which is known only now.
  const sealed = secrets.seal(secret, purposeOf(row.id));
  await tx.updateTable('webhooks').set({ secret: sealed }).where('id', '=', row.id).execute();
  await record(scope, { type: 'webhook.created', ...webhookRecord.about(row) });
  return { ...(await webhookRecord.complete(scope, row)), secret };
}

/** Waiting messages are tried at once, and failures are counted anew. */
const TRIED_AT_ONCE = { failures: 0, failing_since: null, next_attempt_at: null };

/**
 * Changes a webhook. If it is enabled, or gets another address, its failures are reset and its waiting messages are
 * tried at once.
 * @throws notFound (404); stale (412); invalid (400) for events that the caller may not read
 */
export function changeWebhook(
  scope: Scope,
  saver: Saver,
  id: number,
  { updated_at: _read, types, ...values }: z.output<typeof webhookUpdate>,
): Promise<Webhook> {
  return saveRecord(scope, webhookRecord, id, (row, version) => {
    requireRights(saver, types ?? typesOf(row));
    const { url, is_active } = { ...row, ...values };
    const isAnew = url !== row.url || (is_active && !row.is_active);
    return updateWebhook(scope.tx, id, version, {
      ...values,
      ...(types && { types: JSON.stringify(types) }),
      ...(isAnew && TRIED_AT_ONCE),
      ...(is_active && { disabled_reason: null, disabled_at: null }),
    });
  });
}

/**
 * Makes a new secret. Messages are also signed with the previous one for 24 hours (HOOK-01); an even older one ends
 * at once. One that cannot be read signs nothing. Waiting messages are tried at once, because a receiver may have
 * refused the previous signature.
 * @throws notFound (404)
 */
export async function rotateSecret(scope: Scope, secrets: SecretBox, id: number): Promise<WebhookWithSecret> {
  const secret = createWebhookSecret();
  const changed = await saveRecord(scope, webhookRecord, id, (row, version) => {
    const isReadable = openSecret(secrets, id, row.secret) !== null;
    const until = new Date(scope.now.getTime() + WEBHOOK_OVERLAP_HOURS * HOUR_MS).toISOString();
    return updateWebhook(scope.tx, id, version, {
      secret: secrets.seal(secret, purposeOf(id)),
      old_secret: isReadable ? row.secret : null,
      old_secret_until: isReadable ? until : null,
      ...TRIED_AT_ONCE,
    });
  });
  return { ...changed, secret };
}

/** The secrets with which messages are signed at a moment, newest first; null if the newest cannot be read. */
export function secretsOf(
  secrets: SecretBox,
  { id, secret, old_secret, old_secret_until }: WebhookRow,
  now: Date,
): string[] | null {
  const newest = openSecret(secrets, id, secret);
  if (newest === null) return null;
  const isOldInUse = old_secret !== null && old_secret_until! > now.toISOString();
  const previous = isOldInUse ? openSecret(secrets, id, old_secret) : null;
  return previous === null ? [newest] : [newest, previous];
}
