import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { type AppError, rateLimited } from '../errors.ts';
import { Turns } from './turns.ts';

/**
 * Counters of failures, in the database, so that replicas share them. A window of time begins with its first failure
 * (docs/decisions/026-tries-that-wait.md).
 */

/** How many failures are borne within a window of time. */
export type Limit = { failures: number; windowMs: number };

/**
 * Counts a failure, and gives back the place that its try had taken, if any.
 * @throws rateLimited (429) with the seconds until the window ends, when there were as many as are borne before
 */
export async function countFailure(db: Db, key: string, limit: Limit, now: Date): Promise<void> {
  const windowEnd = new Date(now.getTime() + limit.windowMs).toISOString();
  const isNewWindow = sql`(throttles.count = 0 or throttles.window_ends_at <= ${now.toISOString()})`;
  const row = await db
    .insertInto('throttles')
    .values({ key, count: 1, window_ends_at: windowEnd })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${isNewWindow} then 1 else throttles.count + 1 end`,
        window_ends_at: sql`case when ${isNewWindow} then excluded.window_ends_at else throttles.window_ends_at end`,
        under_way: ONE_LESS,
      }),
    )
    .returning(['count', 'window_ends_at'])
    .executeTakeFirstOrThrow();
  if (row.count > limit.failures) throw limitReached(row.window_ends_at, now);
}

const ONE_LESS = sql<number>`case when throttles.under_way > 0 then throttles.under_way - 1 else 0 end`;

const limitReached = (windowEnd: string, now: Date) =>
  rateLimited((Date.parse(windowEnd) - now.getTime()) / 1000);

/** What is limited, and for whom. */
export type Throttle = {
  db: Db;
  key: string;
  limit: Limit;
  now: () => Date;
  /** Aborted when the caller does not wait any longer. */
  signal: AbortSignal;
};

/** What became of a try; a failure is the error that it is answered with. */
export type Outcome<Result> = { success: Result } | { failure: AppError };

/** Of one key in one process. Four threads hash: one of them is left for the tries of others. */
const AT_ONCE = 3;
const WAITING_MAX = 1000;
/** The places of a process that died are free again after this. A try takes a fraction of a second. */
const UNDER_WAY_MS = 30_000;
/** How soon a place that another one holds is asked for again. */
const ASK_AGAIN_MS = 40;

const turns = new WeakMap<Db, Turns>();

/**
 * Tries something that may fail only so often. A try is not refused because others are under way: where these could
 * reach the limit if they all failed, it waits for them. So successes count at no moment, and however many come at once,
 * on however many replicas, no more tries are made than failures are borne.
 * @param work is no try, and counts for nothing, when it throws
 * @throws the failure; rateLimited (429) with the seconds until the window ends once the limit is reached
 */
export function tryOnce<Result>(throttle: Throttle, work: () => Promise<Outcome<Result>>): Promise<Result> {
  const { db, key, limit, now, signal } = throttle;
  const turnsHere = turns.get(db) ?? new Turns(AT_ONCE, WAITING_MAX);
  turns.set(db, turnsHere);
  return turnsHere.run(key, signal, async () => {
    const refusal = await takePlace(throttle);
    if (refusal) {
      turnsHere.refuseWaiting(key, refusal);
      throw refusal;
    }
    let outcome: Outcome<Result>;
    try {
      outcome = await work();
    } catch (error) {
      // If this cannot be stored either, the place is free again after a while.
      await givePlaceBack(db, key).catch(() => undefined);
      throw error;
    }
    if ('failure' in outcome) {
      await countFailure(db, key, limit, now());
      throw outcome.failure;
    }
    await givePlaceBack(db, key);
    return outcome.success;
  });
}

/** Waits for a place among the tries that may still fail. @returns why there is none any more, or null */
async function takePlace({ db, key, limit, now, signal }: Throttle): Promise<AppError | null> {
  for (;;) {
    if (signal.aborted) throw rateLimited(1);
    const moment = now();
    // Read first: a flood that has reached the limit writes nothing.
    const row = await db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst();
    const failures = row && row.window_ends_at > moment.toISOString() ? row.count : 0;
    if (row && failures >= limit.failures) return limitReached(row.window_ends_at, moment);
    if (await claimPlace(db, key, limit, moment)) return null;
    await setTimeout(ASK_AGAIN_MS);
  }
}

/** Takes a place in one statement, so that no two take the same. @returns false when there was none */
async function claimPlace(db: Db, key: string, limit: Limit, now: Date): Promise<boolean> {
  const nowText = now.toISOString();
  const failures = sql<number>`case when throttles.window_ends_at <= ${nowText} then 0 else throttles.count end`;
  const underWay = sql<number>`case when throttles.under_way_until <= ${nowText} then 0 else throttles.under_way end`;
  const claimed = await db
    .insertInto('throttles')
    .values({
      key,
      count: 0,
      window_ends_at: new Date(now.getTime() + limit.windowMs).toISOString(),
      under_way: 1,
      under_way_until: new Date(now.getTime() + UNDER_WAY_MS).toISOString(),
    })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: failures,
          // A row without failures has no window yet; it is only kept as long.
          window_ends_at: sql`case when throttles.count = 0 or throttles.window_ends_at <= ${nowText}
            then excluded.window_ends_at else throttles.window_ends_at end`,
          under_way: sql`${underWay} + 1`,
          under_way_until: sql`excluded.under_way_until`,
        })
        .where(sql<boolean>`${failures} + ${underWay} < ${limit.failures}`),
    )
    .returning('key')
    .executeTakeFirst();
  return claimed !== undefined;
}

async function givePlaceBack(db: Db, key: string): Promise<void> {
  await db.updateTable('throttles').set({ under_way: ONE_LESS }).where('key', '=', key).execute();
}

/** Windows that are over hold nothing anyone needs. */
export async function deletePastWindows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('throttles').where('window_ends_at', '<=', now.toISOString()).execute();
}
