import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

/** What the values of an order are; the value in an `after` must be of that kind (after.ts). */
type OrderedKind = 'text' | 'number' | 'instant';

/** An order of a list, by a column ('table.column') or by an expression on each row. */
export type OrderBy = {
  by: string | ((db: Db) => Expression<unknown>);
  of: OrderedKind;
  /** True if the value can be null. On both engines, rows without a value come last, and in descending order first. */
  nullable?: boolean;
  /**
   * A column with an instant that orders rows with equal values, in the opposite direction, as in the index. After it
   * the id decides.
   */
  ties?: string;
  /**
   * Present if the order comes from another table: its name, its key (default: `id`), its column with the order, and
   * the list's column that refers to it.
   */
  through?: { table: keyof Tables; key?: string; by: string; column: string };
  /**
   * A column with a text that is ordered first, because only rows with an equal value in it can be compared: a
   * currency, for amounts.
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
  const requested = descending ? text?.slice(1) : text;
  const name = names.find((known) => known === requested);
  return name === undefined ? fallback : { name, descending };
}

/** One value by which rows are ordered. Rows with equal values are ordered by the next term; the last one is the id. */
export type OrderTerm = {
  value: RawBuilder<unknown> | Expression<unknown>;
  of: OrderedKind;
  nullable: boolean;
  descending: boolean;
};

/**
 * The terms of an order. The id orders ties, so that pages neither repeat nor omit a row.
 * @param isWalk true if the statement reads rows in the order of another table (see inOrder in statements.ts)
 */
export function termsOf(
  db: Db,
  table: string,
  isWalk: boolean,
  { by, of, nullable = false, within, ties, through, descending }: Ordering,
): OrderTerm[] {
  const column = isWalk && through ? through.by : by;
  const value = typeof column === 'string' ? sql.ref(column) : column(db);
  const id = isWalk && through?.key ? sql.ref(`${through.table}.${through.key}`) : sql.ref(`${table}.id`);
  const plain = (value: OrderTerm['value'], of: OrderedKind, descending: boolean): OrderTerm => ({
    ...{ value, of, descending, nullable: false },
  });
  const first = within === undefined ? [] : [plain(sql.ref(within), 'text', descending)];
  const main: OrderTerm[] = [...first, { value, of, nullable, descending }];
  if (ties === undefined) return [...main, plain(id, 'number', descending)];
  const owner = through && sql.ref(isWalk ? `${through.table}.id` : through.column);
  return [
    ...main,
    ...(owner ? [plain(owner, 'number', descending)] : []),
    plain(sql.ref(ties), 'instant', !descending),
    plain(id, 'number', !descending),
  ];
}

/** The terms as `order by` names them. */
export const orderBy = (terms: readonly OrderTerm[]): RawBuilder<unknown> =>
  sql.join(
    terms.map(({ value, nullable, descending }) => {
      const nulls = nullable ? (descending ? sql` nulls first` : sql` nulls last`) : sql``;
      return sql`${value} ${descending ? sql`desc` : sql`asc`}${nulls}`;
    }),
  );
