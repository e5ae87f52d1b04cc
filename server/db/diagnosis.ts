import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db, Tables } from './tables.ts';

/** Facts about the database for its operators (OPS-01). Nothing here writes. */

export type DatabaseFacts = { engine: 'sqlite' | 'postgres'; version: string };

const one = async <Row>(db: Db, statement: ReturnType<typeof sql<Row>>): Promise<Row> =>
  (await statement.execute(db)).rows[0]!;

/** @returns the engine and its version: '3.50.4', '16.3' */
export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  if (!isPostgres(db)) {
    const { version } = await one(db, sql<{ version: string }>`select sqlite_version() as version`);
    return { engine: 'sqlite', version };
  }
  const { version } = await one(
    db,
    sql<{ version: string }>`select split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  return { engine: 'postgres', version };
}

/** The file of a SQLite database; null for PostgreSQL. */
export async function databaseFile(db: Db): Promise<string | null> {
  if (isPostgres(db)) return null;
  const { file } = await one(
    db,
    sql<{ file: string }>`select file from pragma_database_list where name = 'main'`,
  );
  return file;
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Sizes in bytes. The write-ahead log is null for PostgreSQL, where all databases of the server share one. */
export async function databaseSizes(db: Db): Promise<{ database: number; writeAheadLog: number | null }> {
  const file = await databaseFile(db);
  if (file !== null) {
    const { n } = await one(
      db,
      // Includes pages that are so far only in the write-ahead log.
      sql<{ n: number }>`select page_count * page_size as n from pragma_page_count, pragma_page_size`,
    );
    return { database: n, writeAheadLog: bytesOf(`${file}-wal`) };
  }
  const { n } = await one(db, sql<{ n: number }>`select pg_database_size(current_database())::bigint as n`);
  return { database: n, writeAheadLog: null };
}

/** How often the clock is asked: one answer of several waits neither for a connection nor for the processor. */
const CLOCK_ASKED = 3;

/**
 * How far the database's clock is ahead of this process's clock, in milliseconds, by the quickest of some answers; null
 * for a SQLite file, which has no clock.
 */
export async function clockAhead(db: Db): Promise<number | null> {
  if (!isPostgres(db)) return null;
  let quickest = { ahead: 0, took: Number.POSITIVE_INFINITY };
  for (let asked = 0; asked < CLOCK_ASKED; asked += 1) {
    const before = Date.now();
    const { at } = await one(db, sql<{ at: string }>`select clock_timestamp() as at`);
    const took = Date.now() - before;
    if (took < quickest.took) quickest = { ahead: Date.parse(at) - before - took / 2, took };
  }
  return quickest.ahead;
}

/**
 * Reads every page of a SQLite file, also while other processes use it.
 * @returns the first lines about faults; empty for a sound file
 * @throws the error of a file that cannot be read at all
 */
export function quickCheck(file: string): string[] {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    const lines = database.pragma('quick_check(5)') as { quick_check: string }[];
    return lines.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok');
  } finally {
    database.close();
  }
}

/** Whether PostgreSQL has the extension that searches need (pg_trgm); null for SQLite, which needs none. */
export async function hasTrigrams(db: Db): Promise<boolean | null> {
  if (!isPostgres(db)) return null;
  const { found } = await one(
    db,
    sql<{ found: boolean }>`select exists (select 1 from pg_extension where extname = 'pg_trgm') as found`,
  );
  return found;
}

/**
 * The rights that the role of DATABASE_URL lacks, and whether the database is read-only; null for SQLite, which has
 * no roles.
 */
export async function missingRights(
  db: Db,
): Promise<{ tables: string[]; mayCreate: boolean; onlyReads: boolean } | null> {
  if (!isPostgres(db)) return null;
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = quote_ident(current_schema())::regnamespace
      and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    order by 1`.execute(db);
  const { create, reads } = await one(
    db,
    sql<{ create: boolean; reads: boolean }>`
      select has_schema_privilege(current_schema(), 'create') as "create",
        pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "reads"`,
  );
  return { tables: rows.map(({ name }) => name), mayCreate: create, onlyReads: reads };
}

export type Replication = {
  /** The number of connected standbys, and how far the slowest one is behind; null where unknown. */
  standbys: number;
  bytesBehind: number | null;
  secondsBehind: number | null;
  /** The most write-ahead log that the slot of a disconnected standby retains, in bytes. */
  slotWalBytes: number;
};

/** The replication of a PostgreSQL database; null for SQLite, and if the database is itself a standby. */
export async function replication(db: Db): Promise<Replication | null> {
  if (!isPostgres(db)) return null;
  const { recovers } = await one(db, sql<{ recovers: boolean }>`select pg_is_in_recovery() as recovers`);
  if (recovers) return null;
  const found = await one(
    db,
    sql<{ standbys: number; bytes: number | null; seconds: number | null; held: number }>`
      select count(*) as standbys,
        max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint as bytes,
        max(extract(epoch from replay_lag))::bigint as seconds,
        (select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::bigint
          from pg_replication_slots where not active) as held
      from pg_stat_replication`,
  );
  return {
    standbys: found.standbys,
    bytesBehind: found.bytes,
    secondsBehind: found.seconds,
    slotWalBytes: found.held,
  };
}

/** Locks tables against writers until the transaction ends. SQLite has only one writer anyway. */
export async function lockTables(tx: Db, tables: readonly (keyof Tables)[]): Promise<void> {
  if (!isPostgres(tx)) return;
  await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share row exclusive mode`.execute(
    tx,
  );
}

/** The number of rows of each table: the size of an installation, without its content. */
export async function rowCounts(db: Kysely<Tables>): Promise<[table: string, rows: number][]> {
  const tables = await db.introspection.getTables();
  const counts: [string, number][] = [];
  // Without SQLite's search index, whose content comes from other tables.
  for (const { name } of tables.filter((table) => !table.isView && !/_search(_|$)/.test(table.name))) {
    const { n } = await one(db, sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`);
    counts.push([name, n]);
  }
  return counts.sort(([a], [b]) => (a < b ? -1 : 1));
}
