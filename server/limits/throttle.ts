import { setTimeout } from 'node:timers/promises';
import { type ExpressionBuilder, sql } from 'kysely';
import { perDatabase } from '../db/per-database.ts';
import type { Db, Tables } from '../db/tables.ts';
import { type AppError, rateLimited } from '../errors.ts';
import { Turns } from './turns.ts';

/**
 * Counters of failures, in the database, so that replicas share them. A window starts with its first failure
 * (docs/decisions/026-tries-that-wait.md).
 */

/** How many failures are allowed within a window. */
export type Limit = { failures: number; windowMs: number };

/** How long a reached limit makes the next wait longer. */
const LEVEL_MS = 24 * 60 * 60_000;
/** How often the wait can double: fifteen minutes become eight hours. */
const LEVEL_MAX = 5;

/** A counter and its limit. */
export type Limited = { key: string; limit: Limit };

/**
 * Counts a failure under one or more keys, with one commit, and releases the slot of its attempt, if there is one. When
 * a limit is reached again within a day, the wait doubles, up to 32 times its first length.
 * @throws rateLimited (429) with the seconds until the window ends, when a limit was reached before
 */
export async function countFailures(db: Db, limited: readonly Limited[], now: Date): Promise<void> {
  const windows: string[] = [];
  const countAll = async (tx: Db) => {
    for (const { key, limit } of limited) {
      const row = await addFailure(tx, key, limit, now);
      if (row.count > limit.failures) windows.push(row.window_ends_at);
    }
  };
  if (limited.length === 1) await countAll(db);
  else await db.transaction().execute(countAll);
  const [reached] = windows.sort().reverse();
  if (reached !== undefined) throw limitReached(reached, now);
}

async function addFailure(db: Db, key: string, limit: Limit, now: Date) {
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  const nowText = now.toISOString();
  const windowEnd = after(limit.windowMs);
  const isNewWindow = sql`(throttles.count = 0 or throttles.window_ends_at <= ${nowText})`;
  const level = sql`case when throttles.level_until > ${nowText} then throttles.level else 0 end`;
  const isReached = sql`(case when ${isNewWindow} then 1 else throttles.count + 1 end = ${limit.failures})`;
  const longer = sql.join(
    Array.from(
      { length: LEVEL_MAX },
      (_, index) =>
        sql`when ${isReached} and ${level} = ${index + 1} then ${after(limit.windowMs * 2 ** (index + 1))}`,
    ),
    sql` `,
  );
  return db
    .insertInto('throttles')
    .values({ key, count: 1, window_ends_at: windowEnd })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${isNewWindow} then 1 else throttles.count + 1 end`,
        window_ends_at: sql`case ${longer} when ${isNewWindow} then excluded.window_ends_at else throttles.window_ends_at end`,
        under_way: ONE_LESS,
        level: sql`case when ${isReached} and ${level} < ${LEVEL_MAX} then ${level} + 1 else ${level} end`,
        level_until: sql`case when ${isReached} then ${after(LEVEL_MS)} else throttles.level_until end`,
      }),
    )
    .returning(['count', 'window_ends_at'])
    .executeTakeFirstOrThrow();
}

const ONE_LESS = sql<number>`case when throttles.under_way > 0 then throttles.under_way - 1 else 0 end`;

const limitReached = (windowEnd: string, now: Date) =>
  rateLimited((Date.parse(windowEnd) - now.getTime()) / 1000);

/** What {@link tryOnce} needs: the counter, its limit, and how to wait. */
type Throttle = {
  db: Db;
  key: string;
  limit: Limit;
  now: () => Date;
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal;
  /** Further counters that a failure increments; called only after a failure. */
  also?: () => readonly Limited[];
  /** Further queues in which the attempt waits after the queue of its key, before its first query. */
  enter?: (<Result>(attempt: () => Promise<Result>) => Promise<Result>) | undefined;
};

/** The outcome of an attempt; a failure is the error of the answer. */
export type Outcome<Result> = { success: Result } | { failure: AppError };

/** How many attempts of one key may run at once in one process. */
const AT_ONCE = 3;
const WAITING_MAX = 1000;
/** After this time the slots of a dead process count as free. An attempt takes less than a second. */
const UNDER_WAY_MS = 30_000;
/** The interval at which a waiting attempt looks for a free slot. */
const ASK_AGAIN_MS = 40;

const turnsOf = perDatabase(() => new Turns(AT_ONCE, WAITING_MAX));

/**
 * Runs an attempt of which only a limited number may fail. If the attempts in progress could reach the limit by
 * failing, a new one waits; it is not refused. So successes never count against the limit. On any number of replicas,
 * no more attempts are in progress than failures are allowed.
 * @param work the attempt; if it throws, it does not count
 * @throws the failure; rateLimited (429) with the seconds until the window ends once the limit is reached
 */
export function tryOnce<Result>(throttle: Throttle, work: () => Promise<Outcome<Result>>): Promise<Result> {
  const { db, key, limit, now, signal, also = () => [], enter = (attempt) => attempt() } = throttle;
  const turns = turnsOf(db);
  const attempt = async () => {
    const refusal = await takeSlot(throttle);
    if (refusal) {
      turns.refuseWaiting(key, refusal);
      throw refusal;
    }
    let outcome: Outcome<Result>;
    try {
      outcome = await work();
    } catch (error) {
      // If this also fails, the slot becomes free after {@link UNDER_WAY_MS}.
      await releaseSlot(db, key).catch(() => undefined);
      throw error;
    }
    if ('failure' in outcome) {
      await countFailures(db, [{ key, limit }, ...also()], now());
      throw outcome.failure;
    }
    await releaseSlot(db, key);
    return outcome.success;
  };
  return turns.run(key, signal, () => enter(attempt));
}

/**
 * Waits for a slot.
 * @returns null with a slot, or the error when the limit is reached
 */
async function takeSlot({ db, key, limit, now, signal }: Throttle): Promise<AppError | null> {
  for (;;) {
    if (signal.aborted) throw rateLimited(1);
    const moment = now();
    // Reads first, so that calls above the limit write nothing.
    const row = await db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst();
    const failures = row && row.window_ends_at > moment.toISOString() ? row.count : 0;
    if (row && failures >= limit.failures) return limitReached(row.window_ends_at, moment);
    if (await claimSlot(db, key, limit, moment)) return null;
    await setTimeout(ASK_AGAIN_MS);
  }
}

/**
 * Takes a slot in one statement, so that no two attempts take the same slot.
 * @returns false if no slot is free
 */
async function claimSlot(db: Db, key: string, limit: Limit, now: Date): Promise<boolean> {
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
          // A row without failures has no window; its window_ends_at only sets when housekeeping may delete it.
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

async function releaseSlot(db: Db, key: string): Promise<void> {
  await db.updateTable('throttles').set({ under_way: ONE_LESS }).where('key', '=', key).execute();
}

/**
 * Refuses a call when one of several limits is reached. It takes no slot, so calls at the same moment may all pass.
 * @throws rateLimited (429) with the seconds until the window ends
 */
export async function refuseReached(db: Db, limits: readonly Limited[], now: Date): Promise<void> {
  const rows = await db
    .selectFrom('throttles')
    .select(['key', 'count', 'window_ends_at'])
    .where(
      'key',
      'in',
      limits.map(({ key }) => key),
    )
    .where('window_ends_at', '>', now.toISOString())
    .execute();
  for (const row of rows) {
    const reached = limits.some(({ key, limit }) => key === row.key && row.count >= limit.failures);
    if (reached) throw limitReached(row.window_ends_at, now);
  }
}

/** The current windows of all keys that begin with one of the given texts. */
export const windowsOf = (db: Db, beginnings: readonly string[], now: Date) =>
  db
    .selectFrom('throttles')
    .select(['key', 'count', 'window_ends_at'])
    .where((eb) => eb.or(beginnings.map((text) => beginsWith(eb, text))))
    .where('window_ends_at', '>', now.toISOString())
    .execute();

/** Deletes the counters of all keys that begin with one of the given texts. */
export async function forgetFailures(db: Db, beginnings: readonly string[]): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where((eb) => eb.or(beginnings.map((text) => beginsWith(eb, text))))
    .execute();
}

/**
 * "Begins with" as a range of the index, in byte order. A key's beginning ends with ':', and the next character is
 * ';'.
 */
const beginsWith = (eb: ExpressionBuilder<Tables, 'throttles'>, text: string) =>
  eb.and([eb('key', '>=', text), eb('key', '<', `${text.slice(0, -1)};`)]);

/**
 * Stores a mark that is valid until a time. It counts no failure.
 * @param key see throttleKey
 */
export async function remember(db: Db, key: string, until: Date): Promise<void> {
  await db
    .insertInto('throttles')
    .values({ key, count: 0, window_ends_at: until.toISOString() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ window_ends_at: eb.ref('excluded.window_ends_at') })),
    )
    .execute();
}

/** Whether the mark is stored and still valid. */
export async function isRemembered(db: Db, key: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('throttles')
    .select('key')
    .where('key', '=', key)
    .where('window_ends_at', '>', now.toISOString())
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes windows that have ended and that no longer make a next wait longer. */
export async function deletePastWindows(db: Db, now: Date): Promise<void> {
  const nowText = now.toISOString();
  await db
    .deleteFrom('throttles')
    .where('window_ends_at', '<=', nowText)
    .where((eb) => eb.or([eb('level_until', 'is', null), eb('level_until', '<=', nowText)]))
    .execute();
}
