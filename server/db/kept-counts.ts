import { prepared } from './prepared.ts';
import type { CountsName, Db } from './tables.ts';

/**
 * How many rows a table has, kept beside it: counting a million rows takes longer than all else that a list does, and
 * `count` is exact (D045). Triggers add and take away in the transaction that adds or deletes, so that the count is
 * that of the rows whoever writes them, and whoever reads sees as many as there are rows for him.
 *
 * On PostgreSQL each connection counts in a slot of its own: those who write at the same time do not wait for one
 * another, and the sum over the slots is the count.
 */

/** What is counted: all rows of a table, or those with a status, a kind (category, type of client), or both. */
export type Counted = { table: CountsName; status?: string | undefined; kind?: string | undefined };

/** The count as a part of a larger statement. */
export function keptCount(db: Db, { table, status, kind }: Counted) {
  let counts = db.selectFrom('row_counts').where('table_name', '=', table);
  if (status !== undefined) counts = counts.where('status', '=', status);
  if (kind !== undefined) counts = counts.where('kind', '=', kind);
  return counts.select((eb) => eb.fn.coalesce(eb.fn.sum<number>('n'), eb.lit(0)).as('n'));
}

const count = prepared((db, counted: Counted) => keptCount(db, counted));

/** How many rows there are, without looking at them. */
export async function countKept(db: Db, counted: Counted): Promise<number> {
  const [row] = await count(db, counted);
  return row!.n;
}

/** The same by kind, where kinds are many: one row for each that there is. */
export function keptCountsByKind(db: Db, table: CountsName) {
  return db
    .selectFrom('row_counts')
    .where('table_name', '=', table)
    .groupBy('kind')
    .select((eb) => ['kind', eb.fn.sum<number>('n').as('count')])
    .execute();
}
