import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { EMBEDDED_ROWS } from '../../../contract/base/limits.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryRow,
  type DeliveryStatus,
  WEBHOOK_DELIVERY_DAYS,
} from '../../../contract/system/webhooks.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, DeliveryRecord, Tables } from '../../db/tables.ts';
import { defineCursorList } from '../../lists/cursor-list.ts';
import { equals } from '../../lists/filters.ts';
import type { Outcome } from './post-message.ts';
import { oldestToTry } from './webhooks.queries.ts';

const DAY_MS = 24 * 3_600_000;
/** The number of rows that one statement deletes. */
const BATCH = 1000;

type NewDelivery = Pick<
  DeliveryRecord,
  'webhook_id' | 'message_id' | 'event_id' | 'type' | 'body' | 'created_at'
>;

const insertRow = prepared((db, values: Omit<DeliveryRecord, 'id'>) =>
  db.insertInto('webhook_deliveries').values(values).returning('id'),
);

/**
 * Stores a waiting message, or a test, which is finished when it is stored.
 * @returns its id
 */
export async function insertDelivery(
  db: Db,
  delivery: NewDelivery,
  { status = 'waiting', finishedAt = null }: { status?: DeliveryStatus; finishedAt?: string | null } = {},
): Promise<number> {
  const [row] = await insertRow(db, {
    ...delivery,
    status,
    tries: 0,
    due_at: null,
    finished_at: finishedAt,
  });
  return row!.id;
}

/**
 * The waiting messages of a webhook that may be tried now, in the order of their events. The condition on `event_id`
 * is always true; with it SQLite reads the index of waiting messages and not all messages of the webhook.
 */
const due = (db: Db, webhookId: number, now: Date) =>
  db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('status', '=', sql.lit('waiting'))
    .where('event_id', '>', 0)
    .where((eb) => eb.or([eb('due_at', 'is', null), eb('due_at', '<=', now.toISOString())]));

/** The next message, for events up to `upTo`. */
export const nextDelivery = (
  db: Db,
  webhookId: number,
  upTo: number,
  now: Date,
): Promise<DeliveryRecord | undefined> =>
  due(db, webhookId, now)
    .selectAll()
    .where('event_id', '<=', upTo)
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst();

/** The message that follows a given one, without those that were set aside, for events up to `upTo`. */
export const deliveryAfter = (
  db: Db,
  { webhook_id, event_id }: DeliveryRecord,
  upTo: number,
  now: Date,
): Promise<DeliveryRecord | undefined> =>
  due(db, webhook_id, now)
    .selectAll()
    .where('due_at', 'is', null)
    .where('event_id', '>', event_id)
    .where('event_id', '<=', upTo)
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst();

/** The latest event whose message may be tried now; null if there is none. */
export async function latestDue(db: Db, webhookId: number, now: Date): Promise<number | null> {
  const latest = due(db, webhookId, now).select((eb) => eb.fn.max('event_id').as('event'));
  return (await latest.executeTakeFirstOrThrow()).event;
}

/** Stores the outcome of an attempt. */
export async function insertAttempt(
  db: Db,
  deliveryId: number,
  { at, durationMs, byHand, outcome }: { at: Date; durationMs: number; byHand: boolean; outcome: Outcome },
): Promise<void> {
  await db
    .insertInto('webhook_attempts')
    .values({
      delivery_id: deliveryId,
      at: at.toISOString(),
      duration_ms: durationMs,
      ...outcome,
      by_hand: byHand,
    })
    .execute();
}

/** Changes a waiting message; if it was delivered by hand meanwhile, it stays unchanged. */
export async function updateWaiting(
  db: Db,
  id: number,
  changes: Partial<Pick<DeliveryRecord, 'tries' | 'due_at'>>,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', sql.lit('waiting'))
    .execute();
}

/** Marks a message as delivered, whatever its state was. */
export async function markDelivered(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', finished_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

/**
 * Gives up waiting messages whose events are too old to be tried again.
 * @param webhookId only of this webhook; absent for all
 */
export async function giveUpOld(db: Db, now: Date, webhookId?: number): Promise<void> {
  let old = db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', finished_at: now.toISOString() })
    .where('status', '=', sql.lit('waiting'))
    .where('created_at', '<=', oldestToTry(now));
  if (webhookId !== undefined) old = old.where('webhook_id', '=', webhookId).where('event_id', '>', 0);
  await old.execute();
}

/** The newest attempts of messages, by the messages' ids, newest first. */
async function attemptsOf(db: Db, ids: number[]): Promise<Map<number, DeliveryAttempt[]>> {
  if (ids.length === 0) return new Map();
  const placed = db
    .selectFrom('webhook_attempts')
    .selectAll()
    .select(sql<number>`row_number() over (partition by delivery_id order by id desc)`.as('place'))
    .where('delivery_id', 'in', ids)
    .as('placed');
  const rows = await db
    .selectFrom(placed)
    .selectAll()
    .where('place', '<=', EMBEDDED_ROWS)
    .orderBy('id', 'desc')
    .execute();
  const attempts = new Map<number, DeliveryAttempt[]>(ids.map((id) => [id, []]));
  for (const { delivery_id, place: _place, ...attempt } of rows) attempts.get(delivery_id)!.push(attempt);
  return attempts;
}

const toRow = (row: Omit<DeliveryRecord, 'body'>, attempts: DeliveryAttempt[]): DeliveryRow => ({
  id: row.id,
  message_id: row.message_id,
  type: row.type,
  event: row.event_id,
  status: row.status,
  created_at: row.created_at,
  finished_at: row.finished_at,
  attempts,
});

const LISTED = [
  'id',
  'webhook_id',
  'message_id',
  'event_id',
  'type',
  'status',
  'tries',
  'due_at',
  'created_at',
  'finished_at',
] as const;

/** The messages of a webhook, the newest first. */
export const deliveryList = defineCursorList<
  { webhook: number; status?: DeliveryStatus | undefined },
  'webhook_deliveries',
  (typeof LISTED)[number],
  DeliveryRow
>({
  table: 'webhook_deliveries',
  columns: LISTED,
  filters: {
    webhook: equals('webhook_deliveries.webhook_id'),
    // A literal, because SQLite uses the partial index only then.
    status: (status) => ({ holds: sql<SqlBool>`webhook_deliveries.status = ${sql.lit(status)}` }),
  },
  rows: async (db, found) => {
    const attempts = await attemptsOf(
      db,
      found.map(({ id }) => id),
    );
    return found.map((row) => toRow(row, attempts.get(row.id)!));
  },
});

/** A message of a webhook with its body. */
export const findDeliveryRecord = (
  db: Db,
  webhookId: number,
  id: number,
): Promise<DeliveryRecord | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A message in an answer. */
export async function toDelivery(db: Db, row: DeliveryRecord): Promise<Delivery> {
  const attempts = await attemptsOf(db, [row.id]);
  return { ...toRow(row, attempts.get(row.id)!), body: row.body };
}

/**
 * Deletes finished messages after 30 days, and messages of deleted webhooks. (An event does not wait for the deletion
 * of a webhook, so a message may be stored after it.) Also gives up old messages that wait for an inactive webhook.
 */
export async function tidyDeliveries(db: Db, now: Date): Promise<void> {
  await giveUpOld(db, now);
  const before = new Date(now.getTime() - WEBHOOK_DELIVERY_DAYS * DAY_MS).toISOString();
  const past = () =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('finished_at', 'is not', null)
      .where('finished_at', '<', before)
      .limit(BATCH);
  await deleteInBatches(db, past);
  for (const gone of await deletedWebhooks(db)) {
    await deleteInBatches(db, () =>
      db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', gone).limit(BATCH),
    );
  }
}

async function deleteInBatches(
  db: Db,
  ids: () => SelectQueryBuilder<Tables, 'webhook_deliveries', { id: number }>,
): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH; ) {
    const { numDeletedRows } = await db
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', ids())
      .executeTakeFirst();
    deleted = Number(numDeletedRows);
  }
}

/** The deleted webhooks that still have messages. The index is read once for each webhook, not for each message. */
async function deletedWebhooks(db: Db): Promise<number[]> {
  const known = await db.selectFrom('webhooks').select('id').execute();
  const existing = new Set(known.map(({ id }) => id));
  const gone: number[] = [];
  const after = async (last: number) => {
    const next = db
      .selectFrom('webhook_deliveries')
      .where('webhook_id', '>', last)
      .select((eb) => eb.fn.min('webhook_id').as('id'));
    return (await next.executeTakeFirstOrThrow()).id as number | null;
  };
  for (let id = await after(0); id !== null; id = await after(id)) if (!existing.has(id)) gone.push(id);
  return gone;
}
