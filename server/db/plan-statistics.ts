import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db } from './tables.ts';

/** The most rows of an index that are read, so that a table of any size takes only some milliseconds. */
const ANALYSIS_LIMIT = 100;

/**
 * Flags of `pragma optimize`: all tables, also those that this connection has not read; return the statements without
 * running them.
 */
const WHAT_IS_DUE = 0x10000 | 0x02 | 0x01;

/**
 * Refreshes SQLite's statistics of tables that have grown or shrunk much. It does what `pragma optimize` does, but
 * for one table at a time, because each statement blocks other writes and this process. No query plan depends on the
 * statistics (docs/decisions/052-plans-without-statistics.md). With a limit they contain no values of rows.
 * PostgreSQL refreshes its statistics by itself.
 * @returns the number of analyzed tables
 */
export async function refreshStatistics(db: Db): Promise<number> {
  if (isPostgres(db)) return 0;
  const { rows } = await sql<{ optimize: string }>`pragma optimize(${sql.lit(WHAT_IS_DUE)})`.execute(db);
  let analyzed = 0;
  for (const { optimize } of rows) {
    const table = /^ANALYZE "main"\."(\w+)"$/.exec(optimize)?.[1];
    // An empty table never gets statistics, so SQLite would always list it as due.
    if (table === undefined || !(await hasRows(db, table))) continue;
    await letOthersRun();
    // In a transaction both statements run on the writing connection.
    await db.transaction().execute(async (tx) => {
      await sql`pragma analysis_limit = ${sql.lit(ANALYSIS_LIMIT)}`.execute(tx);
      await sql`analyze ${sql.table(table)}`.execute(tx);
    });
    analyzed += 1;
  }
  return analyzed;
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}
