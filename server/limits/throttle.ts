import { setTimeout } from 'node:timers/promises';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import { type AppError, rateLimited } from '../errors.ts';
import { Turns } from './turns.ts';

/**
 * Failure counters in the database, shared by replicas. A window begins with its first failure
 * (docs/decisions/026-tries-that-wait.md).
 */

/** How many failures are allowed within a window. */
export type Limit = { failures: number; windowMs: number };

/** How long it counts that a limit was reached. */
const LEVEL_MS = 24 * 60 * 60_000;
/** The wait doubles this often: of fifteen minutes it becomes eight hours. */
const LEVEL_MAX = 5;

/**
 * Counts a failure and releases the slot of its attempt, if any. Reaching the limit again within a day doubles the
 * wait, up to 32 times.
 * @throws rateLimited (429) with the seconds until the window ends, when the limit was reached before
 */
export function countFailure(db: Db, key: string, limit: Limit, now: Date): Promise<void> {
  return countFailures(db, [{ key, limit }], now);
}

/** What is limited and how far. */
export type Limited = { key: string; limit: Limit };

/** Counts one failure under several keys, with one commit. */
async function countFailures(db: Db, limited: readonly Limited[], now: Date): Promise<void> {
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

/** What is limited: a key with its limit. */
type Throttle = {
  db: Db;
  key: string;
  limit: Limit;
  now: () => Date;
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal;
  /** Further counters of a failure; asked for once it is one. */
  also?: () => readonly Limited[];
  /** Further queues that an attempt passes after that of its key, before it asks the database for anything. */
  enter?: (<Result>(attempt: () => Promise<Result>) => Promise<Result>) | undefined;
};

/** The outcome of an attempt; a failure is the error of the answer. */
export type Outcome<Result> = { success: Result } | { failure: AppError };

/** Concurrent attempts of one key in one process. */
const AT_ONCE = 3;
const WAITING_MAX = 1000;
/** The slots of a dead process are free after this time. An attempt takes a fraction of a second. */
const UNDER_WAY_MS = 30_000;
/** How often a waiting attempt checks for a free slot. */
const ASK_AGAIN_MS = 40;

const turns = new WeakMap<Db, Turns>();

/**
 * Makes an attempt that may fail only a limited number of times. While running attempts could reach the limit if all
 * of them failed, a new one waits instead of being refused. So successes never count against the limit, and on any
 * number of replicas there are never more attempts in progress than failures are allowed.
 * @param work the attempt; when it throws, it counts as no attempt
 * @throws the failure; rateLimited (429) with the seconds until the window ends once the limit is reached
 */
export function tryOnce<Result>(throttle: Throttle, work: () => Promise<Outcome<Result>>): Promise<Result> {
  const { db, key, limit, now, signal, also = () => [], enter = (attempt) => attempt() } = throttle;
  const turnsHere = turns.get(db) ?? new Turns(AT_ONCE, WAITING_MAX);
  turns.set(db, turnsHere);
  const attempt = async () => {
    const refusal = await takeSlot(throttle);
    if (refusal) {
      turnsHere.refuseWaiting(key, refusal);
      throw refusal;
    }
    let outcome: Outcome<Result>;
    try {
      outcome = await work();
    } catch (error) {
      // If this fails too, the slot is free after {@link UNDER_WAY_MS}.
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
  return turnsHere.run(key, signal, () => enter(attempt));
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
 * Takes a slot in one statement, so that no two attempts take the same.
 * @returns false without a free slot
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
          // A row without failures has no window; this only sets how long it is kept.
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
 * Refuses a call where one of some limits is reached. It takes no slot, so calls at the same time may pass it together.
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

/** The windows whose key begins with one of some keys, and that are not over: key, failures and end. */
export const windowsOf = (db: Db, beginnings: readonly string[], now: Date) =>
  db
    .selectFrom('throttles')
    .select(['key', 'count', 'window_ends_at'])
    .where((eb) => eb.or(beginnings.map((text) => beginsWith(eb, text))))
    .where('window_ends_at', '>', now.toISOString())
    .execute();

/** Forgets the failures of all keys that begin with one of some keys. */
export async function forgetFailures(db: Db, beginnings: readonly string[]): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where((eb) => eb.or(beginnings.map((text) => beginsWith(eb, text))))
    .execute();
}

/** A range of the index, by the order of bytes. The last character of a beginning is ':', and ';' follows it. */
const beginsWith = (eb: ExpressionBuilder<Tables, 'throttles'>, text: string) =>
  eb.and([eb('key', '>=', text), eb('key', '<', `${text.slice(0, -1)};`)]);

/** Notes something that is no failure until a time. @param key see throttleKey */
export async function remember(db: Db, key: string, until: Date): Promise<void> {
  await db
    .insertInto('throttles')
    .values({ key, count: 0, window_ends_at: until.toISOString() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ window_ends_at: eb.ref('excluded.window_ends_at') })),
    )
    .execute();
}

/** Whether something is noted, and still counts. */
export async function isRemembered(db: Db, key: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('throttles')
    .select('key')
    .where('key', '=', key)
    .where('window_ends_at', '>', now.toISOString())
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes windows that are over, once they no longer make a wait longer. */
export async function deletePastWindows(db: Db, now: Date): Promise<void> {
  const nowText = now.toISOString();
  await db
    .deleteFrom('throttles')
    .where('window_ends_at', '<=', nowText)
    .where((eb) => eb.or([eb('level_until', 'is', null), eb('level_until', '<=', nowText)]))
    .execute();
}
