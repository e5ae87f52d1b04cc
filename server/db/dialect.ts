import {
  type Dialect,
  type Expression,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type SqlBool,
  sql,
} from 'kysely';
import type pg from 'pg';
import { LONG_WORK_TIMEOUTS, openPool, type Timeouts } from './postgres/pool.ts';
import { GroupingSqliteAdapter, sqliteDialect } from './sqlite/driver.ts';
import { indexPending } from './sqlite/search.ts';
import { BOOLEAN_COLUMNS, type Db, type Tables } from './tables.ts';

/**
 * The few places where the two engines differ. No other file asks which one it is
 * (docs/decisions/001-two-engines-one-query-language.md).
 */

type PostgresEngine = {
  kind: 'postgres';
  url: string;
  pool: number;
  /** How long its answers are waited for; as long as a request may wait unless told otherwise. */
  timeouts?: Timeouts;
};
export type Engine = { kind: 'sqlite'; file: string } | PostgresEngine;

/** The same database for work that may take longer than a request: migrations, copies, housekeeping. */
export const forLongWork = (engine: Engine): Engine =>
  engine.kind === 'postgres' ? { ...engine, timeouts: LONG_WORK_TIMEOUTS } : engine;

/**
 * Told of what fails while nobody asks: an idle connection that breaks, which the pool replaces (someone must listen, or
 * it ends the process), and upkeep that is tried again.
 */
export type OnBackgroundError = (error: unknown) => void;

export function createDialect(engine: Engine, onBackgroundError: OnBackgroundError): Dialect {
  if (engine.kind === 'sqlite') {
    const upkeep = { step: indexPending, onError: onBackgroundError };
    return sqliteDialect({ file: engine.file, booleanColumns: BOOLEAN_COLUMNS, upkeep });
  }
  return new PooledPostgresDialect(engine, onBackgroundError);
}

/** Keeps the pool within reach of {@link poolUsage}. */
class PooledPostgresDialect extends PostgresDialect {
  readonly #adapter: PooledPostgresAdapter;

  constructor(engine: PostgresEngine, onBackgroundError: OnBackgroundError) {
    const adapter = new PooledPostgresAdapter();
    super({
      pool: async () => {
        adapter.pool = await openPool(engine, onBackgroundError);
        return adapter.pool;
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
}

/** Connections that are open, those of them that are idle, and callers that wait for one; null where there is no pool. */
export function poolUsage(db: Db): { open: number; idle: number; waiting: number } | null {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof PooledPostgresAdapter) || !adapter.pool) return null;
  const { totalCount, idleCount, waitingCount } = adapter.pool;
  return { open: totalCount, idle: idleCount, waiting: waitingCount };
}

/** For the files beside this one alone; what a feature needs to know of the engine is a function of its own here. */
export function isPostgres(db: Kysely<unknown> | Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The engine by its name, as the files of the migrations have it. */
export const engineKind = (db: Kysely<unknown>): Engine['kind'] => (isPostgres(db) ? 'postgres' : 'sqlite');

/**
 * True where a statement runs in this process and holds up all others while it does: a long one is then better done
 * in steps. A server of its own plans with what it knows of the data, and waits for nobody.
 */
export const readsInProcess = (db: Db): boolean => !isPostgres(db);

/** True for rows whose id is among those given; one parameter, however many they are. */
export function isAmong(db: Db, id: Expression<number>, ids: number[]) {
  return isPostgres(db)
    ? sql<SqlBool>`${id} = any(${ids})`
    : sql<SqlBool>`${id} in (select value from json_each(${ids}))`;
}

/**
 * Takes some room on the disk of the database and gives it back at once: a row that is written into room that a table
 * has already says nothing of the rows after it.
 * @throws what the engine says when there is none
 */
export async function tryRoom(db: Kysely<Tables>): Promise<void> {
  const { adapter } = db.getExecutor();
  if (adapter instanceof GroupingSqliteAdapter) return adapter.tryRoom();
  await db.transaction().execute(async (tx) => {
    // What exceeds the memory of a statement goes to a file beside the tables, for as long as the statement takes.
    await sql`select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`.execute(
      tx,
    );
    await sql`select count(*) from generate_series(1, 10000)`.execute(tx);
  });
}

/** Any numbers will do, as long as nobody else uses them on the same database. */
const START_LOCK = 7_305_113;
const FIRST_ACCOUNT_LOCK = 7_305_114;

/**
 * Runs some work while no other replica runs any; those that come later wait. A SQLite file has one process anyway.
 * The work uses connections of its own: it is not part of the transaction that holds the lock.
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

/**
 * Lets one transaction at a time decide whether it makes the first account; the others wait until it has ended, on
 * every replica. On SQLite a writing transaction has the database to itself anyway.
 */
export async function lockFirstAccount(tx: Db): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(tx);
}

type Lockable<Query> = { forUpdate: () => Query };

/**
 * Holds the rows that a query selects until the transaction ends. On SQLite every writing transaction holds
 * the whole database already (`begin immediate`).
 */
export function lockRows<Query extends Lockable<Query>>(db: Db, query: Query): Query {
  return isPostgres(db) ? query.forUpdate() : query;
}

/** Keeps rows from being deleted until the transaction ends, while others may change them or keep them too. */
export function keepRows<Query extends { forKeyShare: () => Query }>(db: Db, query: Query): Query {
  return isPostgres(db) ? query.forKeyShare() : query;
}

/** Like {@link lockRows}, but rows that another worker holds are passed over instead of waited for. */
export function lockFreeRows<Query extends Lockable<Query> & { skipLocked: () => Query }>(
  db: Db,
  query: Query,
): Query {
  return isPostgres(db) ? query.forUpdate().skipLocked() : query;
}

/** True when a statement failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  const code = errorCode(error);
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** True when a statement failed because a row that it names, or that names it, is in the way. */
export function isForeignKeyViolation(error: unknown): boolean {
  const code = errorCode(error);
  // `on delete restrict` has codes of its own: SQLite refuses it as a trigger would, PostgreSQL 18 as 23001.
  return (
    code === '23503' ||
    code === '23001' ||
    code === 'SQLITE_CONSTRAINT_FOREIGNKEY' ||
    code === 'SQLITE_CONSTRAINT_TRIGGER'
  );
}

/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), a statement or transaction that took too long
 * (57014, 25P03), and the sockets' own words.
 */
const CONNECTION_CODES =
  /^(08...|53...|57P0[1-5]|57014|25P03|40001|40P01|ECONN[A-Z]+|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
const CONNECTION_TEXTS =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|connection error and is not queryable/;

/** True when the whole time that a request may wait was spent on this statement: to ask again would take as long again. */
export function isOutOfTime(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return code === 'ETIMEDOUT' || code === '57014';
  return error instanceof Error && /timeout/.test(error.message);
}

/** True when the database cannot be reached or has no room just now: to be answered with 503, and tried again. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) {
    return (
      CONNECTION_CODES.test(code) ||
      code.startsWith('SQLITE_FULL') ||
      code.startsWith('SQLITE_BUSY') ||
      code.startsWith('SQLITE_IOERR')
    );
  }
  return error instanceof Error && CONNECTION_TEXTS.test(error.message);
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
