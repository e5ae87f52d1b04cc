import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';

type OutboxState = { queued: number; failed: number; oldestQueuedAt: string | null };

/**
 * The number of waiting and of failed mails, and the time of the oldest waiting one. The states are literals, so that
 * both engines use the partial index.
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
