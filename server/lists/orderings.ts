import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/tables.ts';

/** An order of a list: a column ('table.column'), or an expression per row. */
export type OrderBy = {
  by: string | ((db: Db) => Expression<unknown>);
  /** True where the value can be null. Rows without a value come last, and first when descending, on both engines. */
  nullable?: boolean;
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

/** The terms of `order by`. Ties are ordered by id, so that pages neither repeat nor omit a row. */
export function orderTerms(
  db: Db,
  table: string,
  { by, nullable, within, descending }: Ordering,
): RawBuilder<unknown> {
  const value = typeof by === 'string' ? sql.ref(by) : by(db);
  const direction = descending ? sql`desc` : sql`asc`;
  const first = within === undefined ? sql`` : sql`${sql.ref(within)} ${direction}, `;
  const nulls = nullable ? (descending ? sql` nulls first` : sql` nulls last`) : sql``;
  return sql`${first}${value} ${direction}${nulls}, ${sql.ref(`${table}.id`)} ${direction}`;
}
