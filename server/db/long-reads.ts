import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db, Tables } from './tables.ts';

/**
 * Reads over many rows. SQLite answers in this process and blocks all requests meanwhile, so a long read is split
 * into steps. PostgreSQL runs in its own processes, so one or two statements are enough.
 */

/** The most ids that one statement reads. */
const STRIDE = 10_000;

/** Ids above `after`, up to and including `upTo`. */
type IdRange = { after: number; upTo: number };

type IdRangeOptions = {
  /** The number of ids in one range; smaller where reading a row costs more. */
  stride?: number;
  /** The ranges cover only this many of the highest ids. */
  newest?: number | undefined;
};

/** The highest id of a table, 0 for an empty table: an upper estimate of its number of rows. */
export async function highestId(db: Db, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ highest: number | null }>`
    select max(id) as highest from ${sql.table(table)}`.execute(db);
  return rows[0]?.highest ?? 0;
}

/**
 * Ranges that together cover every id of a table. On SQLite there are many, and other requests run between them. On
 * PostgreSQL there are two: a short one, in which the caller may already find enough rows, and the rest.
 */
export async function* idRanges(
  db: Db,
  table: keyof Tables,
  { stride = STRIDE, newest }: IdRangeOptions = {},
): AsyncGenerator<IdRange> {
  const highest = await highestId(db, table);
  const start = newest === undefined ? 0 : Math.max(0, highest - newest);
  for (let after = start; after < highest; ) {
    const upTo = isPostgres(db) && after > start ? highest : after + stride;
    await yieldToRequests();
    yield { after, upTo };
    after = upTo;
  }
}
