import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { rateLimited } from '../errors.ts';
import type { Limited } from './throttle.ts';

/**
 * Counters of uses: a limited number within a window that starts with the first use, also for concurrent calls. In
 * contrast to failures (throttle.ts), a reached limit does not make the next wait longer.
 */

/**
 * Counts a use, or finds the limit reached, in one statement.
 * @param db a transaction, if the use must count only when the work succeeds; other uses of the key then wait for its
 * end
 * @returns false at the limit; then nothing is counted
 */
export async function takeUse(db: Db, { key, limit }: Limited, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const isOver = sql<boolean>`throttles.window_ends_at <= ${at}`;
  const counted = await db
    .insertInto('throttles')
    .values({ key, count: 1, window_ends_at: new Date(now.getTime() + limit.windowMs).toISOString() })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: sql`case when ${isOver} then 1 else throttles.count + 1 end`,
          window_ends_at: sql`case when ${isOver} then excluded.window_ends_at else throttles.window_ends_at end`,
        })
        .where(sql<boolean>`(${isOver} or throttles.count < ${limit.failures})`),
    )
    .returning('key')
    .executeTakeFirst();
  return counted !== undefined;
}

/**
 * Counts a use under all of the keys, or under none.
 * @param db a transaction, which the error rolls back
 * @throws rateLimited (429) with the seconds until the window of the reached limit ends
 */
export async function countUses(db: Db, limited: readonly Limited[], now: Date): Promise<void> {
  for (const one of limited) {
    if (await takeUse(db, one, now)) continue;
    const row = await db
      .selectFrom('throttles')
      .select('window_ends_at')
      .where('key', '=', one.key)
      .executeTakeFirst();
    throw rateLimited(row ? (Date.parse(row.window_ends_at) - now.getTime()) / 1000 : 1);
  }
}

/** Takes back a counted use. */
export async function giveUseBack(db: Db, key: string): Promise<void> {
  await db
    .updateTable('throttles')
    .set({ count: sql`case when count > 0 then count - 1 else 0 end` })
    .where('key', '=', key)
    .execute();
}

/** The keys whose limit is reached. */
export async function reachedOf(
  db: Db,
  limited: readonly Limited[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (limited.length === 0) return new Set();
  const limits = new Map(limited.map(({ key, limit }) => [key, limit.failures]));
  const rows = await db
    .selectFrom('throttles')
    .select(['key', 'count'])
    .where('key', 'in', [...limits.keys()])
    .where('window_ends_at', '>', now.toISOString())
    .execute();
  return new Set(rows.filter(({ key, count }) => count >= limits.get(key)!).map(({ key }) => key));
}
