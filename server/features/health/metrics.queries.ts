import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

export type OutboxState = { queued: number; failed: number; oldestQueuedAt: string | null };

/**
 * How many messages wait and how many were refused for good, and since when the oldest one waits.
 * The states are written out, not bound: only so does either engine see that its partial index will do.
 */
export async function outboxState(db: Db): Promise<OutboxState> {
  const queued = await db
    .selectFrom('outbox')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest')])
    .where(sql<boolean>`status = 'queued'`)
    .executeTakeFirstOrThrow();
  const failed = await db
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`status = 'failed'`)
    .executeTakeFirstOrThrow();
  return { queued: queued.count, failed: failed.count, oldestQueuedAt: queued.oldest };
}
