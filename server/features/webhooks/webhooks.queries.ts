import { sql } from 'kysely';
import { WEBHOOK_RETRY_DAYS, type Webhook } from '../../../contract/system/webhooks.ts';
import type { Db, WebhookRow } from '../../db/tables.ts';

const DAY_MS = 24 * 3_600_000;

/** Messages of events before this moment are not tried again. */
export const oldestToTry = (now: Date): string =>
  new Date(now.getTime() - WEBHOOK_RETRY_DAYS * DAY_MS).toISOString();

const withCounts = (db: Db) =>
  db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .select((eb) => [
      eb
        .selectFrom('webhook_deliveries')
        .whereRef('webhook_id', '=', 'webhooks.id')
        .where('webhook_deliveries.status', '=', sql.lit('waiting'))
        .select((waiting) => waiting.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('waiting'),
      eb
        .selectFrom('webhook_deliveries')
        .whereRef('webhook_id', '=', 'webhooks.id')
        .where('webhook_deliveries.status', '=', 'delivered')
        .select('finished_at')
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(1)
        .as('last_delivered_at'),
    ]);

type Counted = Awaited<ReturnType<ReturnType<typeof withCounts>['executeTakeFirstOrThrow']>>;

/** A webhook in an answer, without its secrets. */
const toWebhook = (row: Counted, now: Date): Webhook => ({
  id: row.id,
  url: row.url,
  types: typesOf(row),
  description: row.description,
  is_active: row.is_active,
  disabled_reason: row.disabled_reason,
  disabled_at: row.disabled_at,
  failing_since: row.failing_since,
  next_attempt_at: row.next_attempt_at,
  last_delivered_at: row.last_delivered_at,
  waiting: row.waiting,
  old_secret_until: isOldSecretInUse(row, now) ? row.old_secret_until : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const typesOf = ({ types }: Pick<WebhookRow, 'types'>): string[] => JSON.parse(types);

/** Whether messages are still signed with the previous secret too. */
const isOldSecretInUse = ({ old_secret_until }: Pick<WebhookRow, 'old_secret_until'>, now: Date) =>
  old_secret_until !== null && old_secret_until > now.toISOString();

/** All webhooks, the newest first. */
export const listWebhooks = async (db: Db, now: Date): Promise<Webhook[]> =>
  (await withCounts(db).orderBy('webhooks.id', 'desc').execute()).map((row) => toWebhook(row, now));

export async function findWebhook(db: Db, id: number, now: Date): Promise<Webhook | undefined> {
  const row = await withCounts(db).where('webhooks.id', '=', id).executeTakeFirst();
  return row && toWebhook(row, now);
}

export const findWebhookRow = (db: Db, id: number): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

export const updateWebhook = (
  tx: Db,
  id: number,
  version: string,
  changes: Partial<Omit<WebhookRow, 'id' | 'updated_at'>>,
) =>
  tx
    .updateTable('webhooks')
    .set({ ...changes, updated_at: version })
    .where('id', '=', id)
    .execute();

/**
 * Webhooks whose messages may be tried now. If the receiver of one fails, all its messages wait until its next
 * attempt.
 */
export async function dueWebhooks(db: Db, now: Date): Promise<number[]> {
  const moment = now.toISOString();
  const rows = await db
    .selectFrom('webhooks')
    .where('is_active', '=', true)
    .where((eb) => eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', moment)]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries')
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('status', '=', sql.lit('waiting'))
          .where('event_id', '>', 0)
          .where((due) => due.or([due('due_at', 'is', null), due('due_at', '<=', moment)]))
          .select('webhook_deliveries.id'),
      ),
    )
    .select('webhooks.id')
    .execute();
  return rows.map(({ id }) => id);
}
