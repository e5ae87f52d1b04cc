import type { z } from 'zod';
import type { Permission } from '../../../contract/people/permissions.ts';
import {
  missingRights,
  shownUrl,
  WEBHOOK_MESSAGES,
  WEBHOOK_OVERLAP_HOURS,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookValues,
  type WebhookWithSecret,
  type webhookUpdate,
} from '../../../contract/system/webhooks.ts';
import type { WebhookRow } from '../../db/tables.ts';
import { AppError, fault, invalid, notFound, stale } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { changesBetween, record } from '../../records/record-event.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { createWebhookSecret } from './signature.ts';
import { findWebhook, lockWebhook, typesOf } from './webhooks.queries.ts';

const HOUR_MS = 3_600_000;

/** The purpose under which a secret is encrypted. */
const purposeOf = (id: number) => `webhook:${id}`;

/** Who saves, and what the caller may do. */
type Saver = { permissions: ReadonlySet<Permission> };

export const subjectOf = ({ id, url }: Pick<WebhookRow, 'id' | 'url'>) => ({ id, name: shownUrl(url) });

/** The values of a webhook as its events name them. */
const written = ({ url, types, description, is_active }: WebhookRow) => ({
  url: shownUrl(url),
  types: typesOf({ types }),
  description,
  is_active,
});

/** @throws invalid (400) for events that the caller could not read elsewhere */
function requireRights({ permissions }: Saver, types: readonly string[]): void {
  const missing = missingRights(types, permissions);
  if (missing.length > 0) throw invalid({ types: [fault('not_allowed', WEBHOOK_MESSAGES.rights(missing))] });
}

const answerOf = async ({ tx, now }: Scope, id: number): Promise<Webhook> =>
  mustExist(await findWebhook(tx, id, now), `webhook ${id}`);

/**
 * Stores a new webhook.
 * @returns also its secret, which is shown this once (HOOK-01)
 * @throws invalid (400) for events that the caller may not read; AppError (409, conflict) beyond the most webhooks
 */
export async function createWebhook(
  scope: Scope,
  saver: Saver,
  secrets: SecretBox,
  { types, ...values }: WebhookValues,
): Promise<WebhookWithSecret> {
  requireRights(saver, types);
  const { tx, now } = scope;
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= WEBHOOKS_MAX) throw new AppError(409, 'conflict', { message: WEBHOOK_MESSAGES.tooMany });
  const { id } = await tx
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
    .returning('id')
    .executeTakeFirstOrThrow();
  const secret = createWebhookSecret();
  // Encrypted for this webhook alone, whose id is known only now.
  const sealed = secrets.seal(secret, purposeOf(id));
  await tx.updateTable('webhooks').set({ secret: sealed }).where('id', '=', id).execute();
  await record(scope, { type: 'webhook.created', subject: subjectOf({ id, url: values.url }) });
  return { ...(await answerOf(scope, id)), secret };
}

/** @throws notFound (404), stale (412) with the current webhook */
async function holdWebhook(scope: Scope, id: number): Promise<WebhookRow> {
  const row = await lockWebhook(scope.tx, id);
  if (!row) throw notFound(WEBHOOK_MESSAGES.notFound);
  if (!isExpected(scope, row.updated_at)) throw stale(await answerOf(scope, id));
  return row;
}

/**
 * Changes a webhook. One that is switched on, or gets another address, begins anew: its failures are forgotten, and
 * what waits for it is tried at once.
 * @throws notFound (404); stale (412); invalid (400) for events that the caller may not read
 */
export async function changeWebhook(
  scope: Scope,
  saver: Saver,
  id: number,
  { updated_at: _read, types, ...values }: z.output<typeof webhookUpdate>,
): Promise<Webhook> {
  const { tx, now } = scope;
  const row = await holdWebhook(scope, id);
  requireRights(saver, types ?? typesOf(row));
  const changed: WebhookRow = { ...row, ...values, ...(types && { types: JSON.stringify(types) }) };
  const changes = changesBetween(written(row), written(changed));
  // An event shows the address without its query, which may be all that changed.
  if (Object.keys(changes).length === 0 && changed.url === row.url) return answerOf(scope, id);
  const isAnew = changed.url !== row.url || (changed.is_active && !row.is_active);
  await tx
    .updateTable('webhooks')
    .set({
      ...values,
      types: changed.types,
      ...(isAnew && { failures: 0, failing_since: null, next_attempt_at: null }),
      ...(changed.is_active && { disabled_reason: null, disabled_at: null }),
      updated_at: nextVersion(row.updated_at, now),
    })
    .where('id', '=', id)
    .execute();
  await record(scope, { type: 'webhook.updated', subject: subjectOf(changed), changes });
  return answerOf(scope, id);
}

/** Deletes a webhook; housekeeping deletes its messages, which may be many. @throws notFound (404); stale (412) */
export async function deleteWebhook(scope: Scope, id: number): Promise<void> {
  const { tx } = scope;
  const row = await holdWebhook(scope, id);
  await record(scope, { type: 'webhook.deleted', subject: subjectOf(row) });
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/**
 * Makes a new secret; the one of before signs too for 24 hours (HOOK-01). An older one ends at once.
 * @throws notFound (404)
 */
export async function rotateSecret(scope: Scope, secrets: SecretBox, id: number): Promise<WebhookWithSecret> {
  const { tx, now } = scope;
  const row = await holdWebhook(scope, id);
  const secret = createWebhookSecret();
  const old_secret_until = new Date(now.getTime() + WEBHOOK_OVERLAP_HOURS * HOUR_MS).toISOString();
  await tx
    .updateTable('webhooks')
    .set({
      secret: secrets.seal(secret, purposeOf(id)),
      old_secret: row.secret,
      old_secret_until,
      updated_at: nextVersion(row.updated_at, now),
    })
    .where('id', '=', id)
    .execute();
  await record(scope, {
    type: 'webhook.updated',
    subject: subjectOf(row),
    changes: { old_secret_until: { before: row.old_secret_until, after: old_secret_until } },
  });
  return { ...(await answerOf(scope, id)), secret };
}

/** The secrets that sign at a moment, the newest first. */
export function secretsOf(
  secrets: SecretBox,
  { id, secret, old_secret, old_secret_until }: WebhookRow,
  now: Date,
): string[] {
  const isOldInUse = old_secret !== null && old_secret_until! > now.toISOString();
  return [secret, ...(isOldInUse ? [old_secret] : [])].map((sealed) => secrets.open(sealed, purposeOf(id)));
}
