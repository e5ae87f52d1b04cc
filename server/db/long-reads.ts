import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db, Tables } from './tables.ts';

/**
 * Reads that look at many rows. SQLite answers in this process, and all requests wait while it does: there a long read
 * goes in steps. PostgreSQL has processes of its own, and reads at once.
 */

/** Rows that one statement looks at, at most. */
const STRIDE = 10_000;

/** Ids from `after`, excluded, to `upTo`, included. */
export type IdRange = { after: number; upTo: number };

/**
 * Stretches of ids that together hold every id of a table. On SQLite there are many, and between two of them other
 * requests are served. On PostgreSQL there are two: a short one, in which a reader may find as much as it wants, and
 * the rest.
 * @param stride ids in one stretch; smaller where each row costs more
 */
export async function* idRanges(db: Db, table: keyof Tables, stride = STRIDE): AsyncGenerator<IdRange> {
  const { rows } = await sql<{ highest: number | null }>`
    select max(id) as highest from ${sql.table(table)}`.execute(db);
  const highest = rows[0]?.highest ?? 0;
  for (let after = 0; after < highest; ) {
    const upTo = isPostgres(db) && after > 0 ? highest : after + stride;
    await letOthersRun();
    yield { after, upTo };
    after = upTo;
  }
}
