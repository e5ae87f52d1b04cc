import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { rateLimited } from '../errors.ts';

/** How many failures are borne within a window of time. */
export type Limit = { failures: number; windowMs: number };

/**
 * Counts one try against a limit before its outcome is known, in one statement, so that many tries at once cannot
 * slip past a check; a success gives it back with {@link refundTry}. Counted in the database: replicas share it.
 * @throws rateLimited (429) with the seconds until the window ends
 */
export async function countTry(db: Db, key: string, limit: Limit, now: Date): Promise<void> {
  const nowText = now.toISOString();
  const windowEnd = new Date(now.getTime() + limit.windowMs).toISOString();
  const row = await db
    .insertInto('throttles')
    .values({ key, count: 1, window_ends_at: windowEnd })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when throttles.window_ends_at <= ${nowText} then 1 else throttles.count + 1 end`,
        window_ends_at: sql`case when throttles.window_ends_at <= ${nowText} then excluded.window_ends_at else throttles.window_ends_at end`,
      }),
    )
    .returning(['count', 'window_ends_at'])
    .executeTakeFirstOrThrow();
  if (row.count > limit.failures) {
    throw rateLimited((Date.parse(row.window_ends_at) - now.getTime()) / 1000);
  }
}

/** A try that turned out well does not count (D002). */
export async function refundTry(db: Db, key: string): Promise<void> {
  await db
    .updateTable('throttles')
    .set({ count: sql`case when count > 0 then count - 1 else 0 end` })
    .where('key', '=', key)
    .execute();
}

/** Windows that are over hold nothing anyone needs. */
export async function deletePastWindows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('throttles').where('window_ends_at', '<=', now.toISOString()).execute();
}
