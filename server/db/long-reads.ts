import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db, Tables } from './tables.ts';

/**
 * Reads over many rows. SQLite answers in this process and blocks all requests meanwhile, so a long read goes in
 * steps. PostgreSQL has its own processes and reads in one or two statements.
 */

/** Ids that one statement reads, at most. */
const STRIDE = 10_000;

/** Ids above `after`, up to and including `upTo`. */
export type IdRange = { after: number; upTo: number };

/**
 * Ranges that together cover every id of a table. On SQLite there are many, and other requests run between them. On
 * PostgreSQL there are two: a short one, in which a reader may already find enough rows, and the rest.
 * @param stride ids in one range; smaller where each row costs more
 */
export async function* idRanges(db: Db, table: keyof Tables, stride = STRIDE): AsyncGenerator<IdRange> {
  const { rows } = await sql<{ highest: number | null }>`
    select max(id) as highest from ${sql.table(table)}`.execute(db);
  const highest = rows[0]?.highest ?? 0;
  for (let after = 0; after < highest; ) {
    const upTo = isPostgres(db) && after > 0 ? highest : after + stride;
    await yieldToRequests();
    yield { after, upTo };
    after = upTo;
  }
}
