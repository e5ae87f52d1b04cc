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
import { preparedName } from './prepared.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { indexPending } from './sqlite-search.ts';
import { BOOLEAN_COLUMNS, type Db, type Tables } from './tables.ts';

/**
 * The few places where the two engines differ. No other file asks which one it is
 * (docs/decisions/001-two-engines-one-query-language.md).
 */

type PostgresEngine = { kind: 'postgres'; url: string; pool: number };
export type Engine = { kind: 'sqlite'; file: string } | PostgresEngine;

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

async function openPool(engine: PostgresEngine, onBackgroundError: OnBackgroundError): Promise<pg.Pool> {
  // Loaded only where it is used: a server on SQLite neither waits for it nor holds it in memory.
  const { default: postgres } = await import('pg');
  const pool = new postgres.Pool({
    connectionString: engine.url,
    max: engine.pool,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'license-manager',
    types: { getTypeParser: typeParsersOn(postgres.types) },
  });
  pool.on('error', onBackgroundError);
  // The pool hears only of idle connections. One that breaks between two statements of a transaction would end the
  // process. With a listener it does not, and the next statement on it fails with an answer of its own (isUnavailable).
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', keepPlans);
  return pool;
}

/** Connections that are open, those of them that are idle, and callers that wait for one; null where there is no pool. */
export function poolUsage(db: Db): { open: number; idle: number; waiting: number } | null {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof PooledPostgresAdapter) || !adapter.pool) return null;
  const { totalCount, idleCount, waitingCount } = adapter.pool;
  return { open: totalCount, idle: idleCount, waiting: waitingCount };
}

/** Queries that are prepared (prepared.ts) are parsed and planned once on each connection, not at each run. */
function keepPlans(client: pg.PoolClient): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const named = (text: string, values: unknown, ...rest: unknown[]) => {
    const name = preparedName(text);
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
  Object.assign(client, { query: named });
}

const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Counts and sums arrive as numbers, instants as ISO 8601 texts, as on the other engine. */
function typeParsersOn(types: typeof pg.types): typeof pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
    return types.getTypeParser(oid, format as 'text');
  };
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

/** Any number will do, as long as nobody else uses it on the same database. */
const START_LOCK = 7_305_113;

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

/**
 * Orders by a normalised text (`search_text`, whose case and accents are gone) letter by letter, so that a list has
 * the same order on both engines and whatever locale the database was made with.
 */
export function inTextOrder(db: Db, expression: Expression<string>): RawBuilder<string> {
  return isPostgres(db) ? sql<string>`${expression} collate "C"` : sql<string>`${expression}`;
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

/** PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), and the sockets' own words. */
const CONNECTION_CODES =
  /^(08...|53...|57P0[1-5]|40001|40P01|ECONN[A-Z]+|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
const CONNECTION_TEXTS =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|connection error and is not queryable/;

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
