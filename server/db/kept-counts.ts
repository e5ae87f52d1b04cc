import { prepared } from './prepared.ts';
import type { CountsName, Db } from './tables.ts';

/**
 * Row counts that triggers maintain, because counting a million rows takes longer than the rest of a list request,
 * and `count` is exact (D045). Triggers update the counts in the transaction that inserts or deletes, so every reader
 * sees the count of the rows that it can see.
 *
 * On PostgreSQL each connection writes to its own slot, so concurrent writers do not block each other; the count is
 * the sum over the slots.
 */

/** What to count: all rows of a table, or those with a status, a kind (category, type of client), or both. */
type Counted = { table: CountsName; status?: string | undefined; kind?: string | undefined };

/** A stored count, as an expression in a larger statement. */
export function keptCount(db: Db, { table, status, kind }: Counted) {
  let counts = db.selectFrom('row_counts').where('table_name', '=', table);
  if (status !== undefined) counts = counts.where('status', '=', status);
  if (kind !== undefined) counts = counts.where('kind', '=', kind);
  return counts.select((eb) => eb.fn.coalesce(eb.fn.sum<number>('n'), eb.lit(0)).as('n'));
}

const count = prepared((db, counted: Counted) => keptCount(db, counted));

/** Reads a stored count, without reading the rows. */
export async function countKept(db: Db, counted: Counted): Promise<number> {
  const [row] = await count(db, counted);
  return row!.n;
}

/** The stored counts by kind, one row for each kind. */
export function keptCountsByKind(db: Db, table: CountsName) {
  return db
    .selectFrom('row_counts')
    .where('table_name', '=', table)
    .groupBy('kind')
    .select((eb) => ['kind', eb.fn.sum<number>('n').as('count')])
    .execute();
}
