import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

/** An order of a list, by a column ('table.column') or by an expression on each row. */
export type OrderBy = {
  by: string | ((db: Db) => Expression<unknown>);
  /** True if the value can be null. On both engines, rows without a value come last, and in descending order first. */
  nullable?: boolean;
  /**
   * A column that orders rows with equal values, in the opposite direction, as in the index. After it the id decides.
   */
  ties?: string;
  /**
   * Present if the order comes from another table: its name, its key (default: `id`), its column with the order, and
   * the list's column that refers to it.
   */
  through?: { table: keyof Tables; key?: string; by: string; column: string };
  /**
   * A column that is ordered first, because only rows with an equal value in it can be compared: a currency, for
   * amounts.
   */
  within?: string;
};

export type Ordering = OrderBy & { descending: boolean };

/** Reads the name of an order, such as `-created_at`; an unknown name gives the fallback (D057). */
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
 * The terms of `order by`. The id orders ties, so that pages neither repeat nor omit a row.
 * @param isWalk true if the statement reads rows in the order of another table (see {@link inOrder})
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
