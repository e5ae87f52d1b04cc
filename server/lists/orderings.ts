import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

/** An order of a list: a column ('table.column'), or an expression per row. */
export type OrderBy = {
  by: string | ((db: Db) => Expression<unknown>);
  /** True where the value can be null. Rows without a value come last, and first when descending, on both engines. */
  nullable?: boolean;
  /** The column that orders equal values before the id does, in the other direction: as an index has them. */
  ties?: string;
  /**
   * Where the order is that of the rows of another table: it, its key (`id` without it), its column with the order, and
   * the column that leads to it.
   */
  through?: { table: keyof Tables; key?: string; by: string; column: string };
  /** A column whose values are ordered first, because only rows that are equal in it can be compared. */
  within?: string;
};

export type Ordering = OrderBy & { descending: boolean };

/** Reads `-created_at` and the like; an unknown name gives the fallback (D057). */
export function readOrdering<Name extends string>(
  text: string | undefined,
  names: readonly Name[],
  fallback: { name: Name; descending: boolean },
): { name: Name; descending: boolean } {
  const descending = text?.startsWith('-') ?? false;
  const wanted = descending ? text?.slice(1) : text;
  const name = names.find((known) => known === wanted);
  return name === undefined ? fallback : { name, descending };
}

/**
 * The terms of `order by`. Ties are ordered by id, so that pages neither repeat nor omit a row.
 * @param isWalk true where the statement reads the rows in the order of the table that an order goes through
 */
export function orderTerms(
  db: Db,
  table: string,
  isWalk: boolean,
  { by, nullable, within, ties, through, descending }: Ordering,
): RawBuilder<unknown> {
  const column = isWalk && through ? through.by : by;
  const value = typeof column === 'string' ? sql.ref(column) : column(db);
  const direction = descending ? sql`desc` : sql`asc`;
  const first = within === undefined ? sql`` : sql`${sql.ref(within)} ${direction}, `;
  const nulls = nullable ? (descending ? sql` nulls first` : sql` nulls last`) : sql``;
  const id = isWalk && through?.key ? sql.ref(`${through.table}.${through.key}`) : sql.ref(`${table}.id`);
  if (ties === undefined) return sql`${first}${value} ${direction}${nulls}, ${id} ${direction}`;
  const owner = through
    ? sql`${sql.ref(isWalk ? `${through.table}.id` : through.column)} ${direction}, `
    : sql``;
  const back = descending ? sql`asc` : sql`desc`;
  return sql`${first}${value} ${direction}${nulls}, ${owner}${sql.ref(ties)} ${back}, ${id} ${back}`;
}
