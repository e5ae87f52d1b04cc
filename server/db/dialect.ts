import { setTimeout } from 'node:timers/promises';
import {
  type Dialect,
  type Expression,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type pg from 'pg';
import { BOOLEAN_COLUMNS } from './columns.ts';
import { boundedByCall } from './postgres/bounded-by-call.ts';
import { openPool, type Pooler } from './postgres/pool.ts';
import { lendsByTransaction } from './postgres/pooler-probe.ts';
import { LONG_WORK_TIMEOUTS, REQUEST_TIMEOUTS, type Timeouts } from './postgres/timeouts.ts';
import { GroupingSqliteAdapter, sqliteDialect } from './sqlite/driver.ts';
import { indexPending } from './sqlite/search.ts';
import type { Db, Tables } from './tables.ts';
import { type Trouble, troubleOf } from './trouble.ts';

/**
 * All differences between the two engines. No file outside of server/db checks the engine
 * (docs/decisions/001-two-engines-one-query-language.md).
 */

type PostgresEngine = {
  kind: 'postgres';
  url: string;
  pool: number;
  /** The pooler between this process and PostgreSQL. Default: none. */
  pooler?: Pooler | null;
  /** Default: the timeouts for requests. */
  timeouts?: Timeouts;
};
export type Engine = { kind: 'sqlite'; file: string } | PostgresEngine;

/** The same database with the timeouts for long work: migrations, copies, housekeeping. */
export const forLongWork = (engine: Engine): Engine =>
  engine.kind === 'postgres' ? { ...engine, timeouts: LONG_WORK_TIMEOUTS } : engine;

/**
 * Called with errors that belong to no query: a broken idle connection, which the pool replaces (without a listener
 * it would end the process), and failed upkeep, which is retried.
 */
export type OnBackgroundError = (error: unknown) => void;

export function createDialect(engine: Engine, onBackgroundError: OnBackgroundError): Dialect {
  if (engine.kind === 'sqlite') {
    const upkeep = { step: indexPending, onError: onBackgroundError };
    return sqliteDialect({ file: engine.file, booleanColumns: BOOLEAN_COLUMNS, upkeep });
  }
  return new PooledPostgresDialect(engine, onBackgroundError);
}

/** Stores the pool for {@link poolUsage}. */
class PooledPostgresDialect extends PostgresDialect {
  readonly #adapter: PooledPostgresAdapter;

  constructor(engine: PostgresEngine, onBackgroundError: OnBackgroundError) {
    const adapter = new PooledPostgresAdapter();
    super({
      pool: async () => {
        adapter.pool = await openPool(engine, onBackgroundError);
        return boundedByCall(adapter.pool, (engine.timeouts ?? REQUEST_TIMEOUTS).connectMs);
      },
    });
    this.#adapter = adapter;
  }

  override createAdapter(): PooledPostgresAdapter {
    return this.#adapter;
  }
}

class PooledPostgresAdapter extends PostgresAdapter {
  /** Null until the first query. */
  pool: pg.Pool | null = null;

  // Does nothing, because {@link lockMigrations} takes a lock in the transaction. Kysely's own lock belongs to a
  // session, and a pooler in transaction mode can give one session to two replicas.
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** The number of open connections, of idle ones among them, and of callers that wait for one; null without a pool. */
export function poolUsage(db: Db): { open: number; idle: number; waiting: number } | null {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof PooledPostgresAdapter) || !adapter.pool) return null;
  const { totalCount, idleCount, waitingCount } = adapter.pool;
  return { open: totalCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Whether PostgreSQL ends a statement that takes too long. A pooler may ignore the timeout that was set at the start
 * of the connection. Always true for a SQLite file, which has no pooler.
 */
export async function keepsTimeouts(db: Kysely<Tables>): Promise<boolean> {
  if (!isPostgres(db)) return true;
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
  return rows[0]?.statement_timeout !== '0';
}

/** The address leads to a pooler in transaction mode, and the program was not told so. */
class UnnamedPoolerError extends Error {
  override name = 'UnnamedPoolerError';
}

/**
 * Whether a pooler in transaction mode is at an engine's address although the engine names none. False for a SQLite
 * file.
 * @throws the error of a database that cannot be reached
 */
export const hasUnnamedPooler = async (engine: Engine): Promise<boolean> =>
  engine.kind === 'postgres' && !engine.pooler && lendsByTransaction(engine.url);

/**
 * Refuses a pooler of {@link hasUnnamedPooler}: settings and prepared statements would be lost or be those of others.
 * @throws an error of {@link isRefusedByPooler}; the error of a database that cannot be reached
 */
export async function refuseUnnamedPooler(engine: Engine): Promise<void> {
  if (await hasUnnamedPooler(engine)) throw new UnnamedPoolerError('a pooler in transaction mode');
}

/**
 * True for {@link refuseUnnamedPooler}, and for the error of a pooler that refuses settings at the start of a
 * connection.
 */
export const isRefusedByPooler = (error: unknown): boolean =>
  error instanceof UnnamedPoolerError ||
  (errorCode(error) === '08P01' && /startup parameter/.test((error as Error).message));

/**
 * Only for the files in this folder. A difference between the engines that a feature needs is a function in this
 * file.
 */
export function isPostgres(db: Kysely<unknown> | Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * A table after `from`, read by this index on SQLite. Without statistics SQLite prefers any index with an equal value to a
 * partial one, however many rows have the value (docs/decisions/052-plans-without-statistics.md).
 */
export const readBy = (db: Db, table: keyof Tables, index: string): RawBuilder<unknown> =>
  isPostgres(db) ? sql`${sql.table(table)}` : sql`${sql.table(table)} indexed by ${sql.id(index)}`;

/** The name of the engine, as in the file names of the migrations. */
export const engineKind = (db: Kysely<unknown>): Engine['kind'] => (isPostgres(db) ? 'postgres' : 'sqlite');

/** Whether only one process works on the database at a time (SQLite, whose folder a process locks). */
export const hasOneProcess = (db: Db): boolean => !isPostgres(db);

/**
 * True if a statement runs in this process and blocks everything else, so that long statements are split into steps
 * (SQLite). PostgreSQL runs statements in its own processes.
 */
export const readsInProcess = (db: Db): boolean => !isPostgres(db);

/**
 * Whether the engine can combine two indexes to find rows, and estimates when that is faster. SQLite uses one index,
 * and without statistics perhaps the one that finds more rows.
 */
export const joinsIndexes = (db: Db): boolean => isPostgres(db);

/** An instant as a value in a statement, with the type of a timestamp column. */
export const instant = (db: Db, at: string) =>
  isPostgres(db) ? sql<string>`${at}::timestamptz` : sql<string>`${at}`;

/** The day of an instant in UTC, 'AAAA-MM-DD'. */
export const utcDay = (db: Db, at: Expression<unknown>) =>
  isPostgres(db)
    ? sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD')`
    : sql<string>`substr(${at}, 1, 10)`;

/** The day of UTC of an instant, as an index may have it: PostgreSQL indexes no value that depends on a setting. */
export const indexedDay = (db: Db, at: Expression<unknown>) =>
  isPostgres(db) ? sql`(${at} at time zone 'UTC')::date` : sql`substr(${at}, 1, 10)`;

/**
 * A table whose rows must be looked up by id. Without statistics SQLite might read a long range of another index
 * instead. PostgreSQL decides well without help.
 */
export const foundById = (db: Db, table: keyof Tables, name: string) =>
  isPostgres(db)
    ? sql`${sql.table(table)} as ${sql.ref(name)}`
    : sql`${sql.table(table)} as ${sql.ref(name)} not indexed`;

/** A smaller difference counts as none, because the query itself takes time. */
const SAME_CLOCK_MS = 1000;

/**
 * How far the database's clock is ahead of this process's clock, in milliseconds; 0 for a SQLite file, which has no
 * clock.
 */
export async function clockOffset(db: Db): Promise<number> {
  if (!isPostgres(db)) return 0;
  const before = Date.now();
  const { rows } = await sql<{ at: string }>`select clock_timestamp() as at`.execute(db);
  const after = Date.now();
  const offset = Date.parse(rows[0]!.at) - (before + after) / 2;
  return Math.abs(offset) < Math.max(SAME_CLOCK_MS, after - before) ? 0 : offset;
}

/** Runs a transaction whose statements all see the same rows. */
export const inOneSnapshot = <Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> => {
  const transaction = db.transaction();
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(work);
};

/**
 * Runs several reads that see the same rows. On SQLite `work` must use one statement: it gets the database itself,
 * because a transaction would wait for other writers. In a transaction that runs, the reads see what its statements see.
 */
export const readInOneSnapshot = <Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> =>
  isPostgres(db) && !db.isTransaction ? inOneSnapshot(db, work) : work(db);

/** For each row of a small table, the matching rows of another table. `inner` may refer to the columns of `outer`. */
export function forEachOf(
  db: Db,
  outer: RawBuilder<unknown>,
  inner: { columns: RawBuilder<unknown>; from: RawBuilder<unknown>; where: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { columns, from, where } = inner;
  // PostgreSQL would join the tables in another way, without the range of the index.
  return isPostgres(db)
    ? sql`select * from ${outer} cross join lateral (select ${columns} from ${from} where ${where} offset 0) as found`
    : sql`select ${outer}.*, ${columns} from ${outer} cross join ${from} where ${where}`;
}

/**
 * Remembers the transactions that are writing now.
 * @returns a function that tells, when it is called later, whether all of them have ended
 */
export async function writersOfNow(db: Db): Promise<() => Promise<boolean>> {
  // SQLite has one writer at a time.
  if (!isPostgres(db)) return async () => true;
  const ask = async (bound: 'xmin' | 'xmax') => {
    const { rows } = await sql<{ n: number }>`
      select ${sql.raw(`pg_snapshot_${bound}`)}(pg_current_snapshot())::text::numeric as n`.execute(db);
    return rows[0]!.n;
  };
  const next = await ask('xmax');
  return async () => (await ask('xmin')) >= next;
}

/** The interval at which {@link earlierEnded} checks. */
const SETTLE_LOOK_MS = 20;

/**
 * Waits until all transactions that are open now have ended. A read after that sees every row with a smaller id than
 * a row that was already seen: on PostgreSQL a transaction can take an id and commit after a transaction with a later
 * id. A SQLite file has one writer, so rows appear in the order of their ids.
 * @param limitMs the longest wait, so that a transaction that hangs does not delay the caller for ever
 */
export async function earlierEnded(db: Db, limitMs: number): Promise<void> {
  const from = performance.now();
  const haveEnded = await writersOfNow(db);
  while (!(await haveEnded()) && performance.now() - from < limitMs) await setTimeout(SETTLE_LOOK_MS);
}

/** All values of a group as one JSON text. */
export const jsonList = (db: Db, value: Expression<unknown>) =>
  isPostgres(db)
    ? sql<string>`coalesce(json_agg(${value}), '[]')::text`
    : sql<string>`json_group_array(${value})`;

/** A condition for rows whose id is in a list; the list is one parameter. */
export function isAmong(db: Db, id: Expression<number>, ids: number[]) {
  return isPostgres(db)
    ? sql<SqlBool>`${id} = any(${ids})`
    : sql<SqlBool>`${id} in (select value from json_each(${ids}))`;
}

/**
 * Writes some data to the database's disk and removes it at once. Inserting a row would not be a sufficient check,
 * because the row may fit into free space of a table.
 * @throws the database's error when the disk is full
 */
export async function tryRoom(db: Kysely<Tables>): Promise<void> {
  const { adapter } = db.getExecutor();
  if (adapter instanceof GroupingSqliteAdapter) return adapter.tryRoom();
  await db.transaction().execute(async (tx) => {
    // Data that exceed the memory of a statement go to a temporary file on the disk of the tables.
    await sql`select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`.execute(
      tx,
    );
    await sql`select count(*) from generate_series(1, 10000)`.execute(tx);
  });
}

/** The damage of a SQLite file that was found while using it; null for none. */
export function damageOf(db: Db): Trouble | null {
  const { adapter } = db.getExecutor();
  return adapter instanceof GroupingSqliteAdapter ? troubleOf(adapter.damage) : null;
}

/** Why a SQLite file cannot be used, if the error tells it; null for PostgreSQL, whose operator runs the doctor. */
export const fileTrouble = (db: Db, error: unknown): Trouble | null =>
  isPostgres(db) ? null : troubleOf(error);

/** Arbitrary numbers for advisory locks; nothing else on the same database uses them. */
const START_LOCK = 7_305_113;
const FIRST_ACCOUNT_LOCK = 7_305_114;
const SOFTWARE_CODES_LOCK = 7_305_115;
const TRIALS_LOCK = 7_305_116;
const MIGRATIONS_LOCK = 7_305_117;

/**
 * Runs work on one replica at a time; other replicas wait. A SQLite file has only one process anyway. The work uses
 * other connections than the lock, so it is not part of the transaction that holds the lock.
 */
export async function oneReplicaAtATime<Result>(
  db: Kysely<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(db)) return work();
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${START_LOCK})`.execute(tx);
    return work();
  });
}

/** Only one transaction at a time, on all replicas, may change the schema. */
export async function lockMigrations(tx: Db): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${MIGRATIONS_LOCK})`.execute(tx);
}

/**
 * Only one transaction at a time, on all replicas, may decide whether to create the first account. On SQLite there is
 * only one writing transaction anyway.
 */
export async function lockFirstAccount(tx: Db): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(tx);
}

/**
 * Only one transaction at a time, on all replicas, may choose the code of a new software. So versions of one name get
 * the same code, and different names get different codes.
 */
export async function lockSoftwareCodes(tx: Db): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${SOFTWARE_CODES_LOCK})`.execute(tx);
}

/** Only one transaction at a time, on all replicas, may look for the trial key of a developer and issue one. */
export async function lockTrials(tx: Db): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${TRIALS_LOCK})`.execute(tx);
}

type Lockable<Query> = { forUpdate: () => Query };

/**
 * Locks the rows that a query selects until the transaction ends. On SQLite every writing transaction already locks
 * the whole database (`begin immediate`).
 */
export function lockRows<Query extends Lockable<Query>>(db: Db, query: Query): Query {
  return isPostgres(db) ? query.forUpdate() : query;
}

/** Locks the rows of one table that a query of several tables selects. */
export function lockRowsOf<Table extends string, Query extends { forUpdate: (of: Table) => Query }>(
  db: Db,
  query: Query,
  table: Table,
): Query {
  return isPostgres(db) ? query.forUpdate(table) : query;
}

/**
 * Prevents the deletion of rows until the transaction ends. Other transactions may still change them, or prevent the
 * deletion too.
 */
export function keepRows<Query extends { forKeyShare: () => Query }>(db: Db, query: Query): Query {
  return isPostgres(db) ? query.forKeyShare() : query;
}

/** Like {@link lockRows}, but skips rows that another worker has locked. */
export function lockFreeRows<Query extends Lockable<Query> & { skipLocked: () => Query }>(
  db: Db,
  query: Query,
): Query {
  return isPostgres(db) ? query.forUpdate().skipLocked() : query;
}

/**
 * True when a statement failed because a row with the same unique value of a column exists. PostgreSQL's error
 * contains the name of the index, SQLite's the name of the column; the name of each index contains its columns.
 */
export const isUniqueViolationOf = (error: unknown, column: string): boolean =>
  isUniqueViolation(error) &&
  `${(error as { constraint?: string }).constraint ?? (error as Error).message}`.includes(column);

/** True when a statement failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  const code = errorCode(error);
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown); timeouts of a statement or transaction
 * (57014, 25P03); a read-only database (25006: a standby, or an old primary after a failover); and the error codes of
 * sockets.
 */
const CONNECTION_CODES =
  /^(08...|53...|57P0[1-5]|57014|25006|25P03|40001|40P01|ECONN[A-Z]+|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
const CONNECTION_TEXTS =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|connection error and is not queryable/;

/** True when a statement used up the time of its request; a retry would take as long again. */
export function isOutOfTime(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return code === 'ETIMEDOUT' || code === '57014';
  return error instanceof Error && /timeout/.test(error.message);
}

/** True when the database cannot be reached or accepts no changes: the answer is 503, and the caller retries. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) {
    return CONNECTION_CODES.test(code) || /^SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)/.test(code);
  }
  return error instanceof Error && CONNECTION_TEXTS.test(error.message);
}

/**
 * True when a transaction of PostgreSQL failed because another one used the same rows or tables: a lock that was not
 * free in time, a deadlock, a serialization failure. Repeated, it can succeed.
 */
export const isLostRace = (error: unknown): boolean =>
  ['55P03', '40P01', '40001'].includes(errorCode(error) ?? '');

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
