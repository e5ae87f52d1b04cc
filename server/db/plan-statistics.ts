import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db } from './tables.ts';

/** Rows of an index that are read at most, so that a table takes some milliseconds whatever its size. */
const ANALYSIS_LIMIT = 100;

/** All tables, also those that no statement of this connection has read, and only say what would be done. */
const WHAT_IS_DUE = 0x10000 | 0x02 | 0x01;

/**
 * Refreshes SQLite's statistics of the tables that grew or shrank much, as `pragma optimize` does, but one table at a
 * time: each statement holds the writer and this process. No plan depends on them
 * (docs/decisions/052-plans-without-statistics.md). With a limit no values of rows are stored in them. PostgreSQL does
 * the same by itself.
 * @returns how many tables were analyzed
 */
export async function refreshStatistics(db: Db): Promise<number> {
  if (isPostgres(db)) return 0;
  const { rows } = await sql<{ optimize: string }>`pragma optimize(${sql.lit(WHAT_IS_DUE)})`.execute(db);
  let analyzed = 0;
  for (const { optimize } of rows) {
    const table = /^ANALYZE "main"\."(\w+)"$/.exec(optimize)?.[1];
    // An empty table has no statistics, so it is always due.
    if (table === undefined || !(await hasRows(db, table))) continue;
    await letOthersRun();
    // In a transaction both statements run on the connection that writes.
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
