import type { z } from 'zod';
import type { Permission } from '../../../contract/people/permissions.ts';
import {
  missingRights,
  subscribesToStaff,
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

/** The caller who saves. */
export type Saver = {
  permissions: ReadonlySet<Permission>;
  /**
   * Requires a person who entered a password or a code within the last minutes.
   * @throws AppError (403, step_up_required); forbidden (403) for an API key
   */
  confirm: () => void;
};

/**
 * Who gets the events of a webhook, or the secret that its receiver trusts, could have chosen its events. So each change
 * needs what a subscription needs: the permissions that read its events, and for events about staff a confirmed person,
 * because a webhook outlives the session or the key that made it.
 * @throws invalid (400) for event types that the caller may not read; as {@link Saver.confirm}
 */
function requireRights({ permissions, confirm }: Saver, types: readonly string[]): void {
  const missing = missingRights(types, permissions);
  if (missing.length > 0) throw invalid({ types: [fault('not_allowed', WEBHOOK_MESSAGES.rights(missing))] });
  if (subscribesToStaff(types)) confirm();
}

/**
 * Stores a new webhook.
 * @returns also its secret, which is shown only this time (HOOK-01)
 * @throws as {@link requireRights}; AppError (409, conflict) if there are too many webhooks
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
 * @throws notFound (404); stale (412); as {@link requireRights} for its present events and the new ones
 */
export function changeWebhook(
  scope: Scope,
  saver: Saver,
  id: number,
  { updated_at: _read, types, ...values }: z.output<typeof webhookUpdate>,
): Promise<Webhook> {
  return saveRecord(scope, webhookRecord, id, (row, version) => {
    requireRights(saver, [...typesOf(row), ...(types ?? [])]);
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
 * @throws notFound (404); as {@link requireRights}
 */
export async function rotateSecret(
  scope: Scope,
  saver: Saver,
  secrets: SecretBox,
  id: number,
): Promise<WebhookWithSecret> {
  const secret = createWebhookSecret();
  const changed = await saveRecord(scope, webhookRecord, id, (row, version) => {
    requireRights(saver, typesOf(row));
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

/**
 * Whoever may not choose the events of a webhook may not end them either.
 * @throws as {@link requireRights}
 */
export async function checkDeletion({ tx }: Scope, saver: Saver, id: number): Promise<void> {
  const [row] = await webhookRecord.lock(tx, [id]);
  if (row) requireRights(saver, typesOf(row));
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
