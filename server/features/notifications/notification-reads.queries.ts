import type { Expression } from 'kysely';
import { lateBefore } from '../../../contract/system/backups.ts';
import type { Db } from '../../db/tables.ts';
import type { Item } from './notifications.queries.ts';

/** The ids of those given notifications that a user has read. */
export async function readBy(db: Db, userId: number, items: readonly Item[]): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const rows = await db
    .selectFrom('notification_reads')
    .select('notification')
    .where('user_id', '=', userId)
    .where(
      'notification',
      'in',
      items.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ notification }) => notification));
}

/** Marks notifications as read by a user; marks that exist stay unchanged. */
export async function insertReads(db: Db, userId: number, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  await db
    .insertInto('notification_reads')
    .values(items.map(({ id, kind, ref, ends }) => ({ user_id: userId, notification: id, kind, ref, ends })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the marks of notifications that have ended and cannot return with the same id. */
export async function deletePastReads(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('notification_reads')
    .where((eb) => {
      /** Marks of a kind whose subject no longer exists. */
      const isOver = (kind: Item['kind'], lasting: Expression<unknown>) =>
        eb.and([eb('kind', '=', kind), eb.not(eb.exists(lasting))]);
      const full = eb
        .selectFrom('full_licenses')
        .select('full_licenses.id')
        .whereRef('full_licenses.id', '=', 'notification_reads.ref');
      const failed = eb
        .selectFrom('outbox')
        .select('outbox.id')
        .whereRef('outbox.id', '=', 'notification_reads.ref')
        .where('outbox.status', '=', 'failed');
      const disabled = eb
        .selectFrom('webhooks')
        .select('webhooks.id')
        .whereRef('webhooks.id', '=', 'notification_reads.ref')
        .where('webhooks.disabled_at', 'is not', null);
      const reviewed = eb
        .selectFrom('payment_requests')
        .select('payment_requests.id')
        .whereRef('payment_requests.id', '=', 'notification_reads.ref')
        .where('payment_requests.state', '=', 'review');
      const notified = eb
        .selectFrom('payment_requests')
        .select('payment_requests.id')
        .whereRef('payment_requests.id', '=', 'notification_reads.ref')
        .where('payment_requests.state', '=', 'open')
        .where('payment_requests.notice_at', 'is not', null);
      const late = eb
        .selectFrom('backup_plan')
        .select('backup_plan.id')
        .where((plan) => plan(plan.fn.coalesce('last_tried_at', 'since'), '<=', lateBefore(now)));
      return eb.or([
        eb('ends', '<', now.toISOString()),
        isOver('seats_full', full),
        isOver('mail_failed', failed),
        isOver('webhook_disabled', disabled),
        isOver('payment_review', reviewed),
        isOver('transfer_notified', notified),
        isOver('backup_late', late),
      ]);
    })
    .execute();
}
