import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasRow } from '../db/row-tests.ts';
import type { Db } from '../db/tables.ts';

export type Moment = { now: Date; timeZone: string };

/** A row of a statement that finds ids. */
export type FoundId = { id: number };

export type Condition = {
  holds: Expression<SqlBool>;
  /**
   * An equivalent of `holds` to test a single row that another condition found. It is needed where `holds` would
   * first collect many ids.
   */
  onRow?: Expression<SqlBool>;
  /** The statement for the ids that `holds` collects, without an order; its only column is `id`. */
  found?: RawBuilder<FoundId>;
  /** True where `found` looks up each id. Then even for a larger table no more ids are read than for a small one. */
  looksUp?: boolean;
  /** What `holds` requires of a row in addition to its id being in `found`. */
  also?: Expression<SqlBool>;
  /**
   * Present if an index finds the matching rows: 'few' for a value or range that few rows have, 'many' for a value
   * that any number of rows may have. If a query also has a 'few' condition, 'many' conditions are only tested on the
   * rows that it finds.
   */
  byIndex?: 'few' | 'many';
  /** True where that index returns the rows of a value in the default order of the list. */
  inOrder?: boolean;
  /**
   * True if an index groups the matching rows by the day of the default order. A page of many matches then skips the
   * days without a match.
   */
  byDay?: true;
  /** The column of which this is a range. All ranges of a column are one condition (see {@link conditionsOf}). */
  rangeOf?: string;
  /** The column by which the index of this value continues, so that it also finds a range of that column. */
  thenBy?: string;
  /** The arguments for db/kept-counts.ts, whose stored counts then give the number of rows. */
  kept?: { status?: string; kind?: string };
  /** A faster count, used when this is the only filter. */
  count?: (db: Db) => Promise<number>;
};

/** Makes a condition from the value of a query parameter. */
export type Filter<Value> = (value: Value, moment: Moment) => Condition;

/** One filter for each parameter of a query; a missing one is a compile error. */
export type FiltersOf<Query> = { [Name in keyof Query]-?: Filter<NonNullable<Query[Name]>> };

/** The conditions for the parameters that are present in a query. */
export const conditionsOf = (filters: object, query: object, moment: Moment): Condition[] =>
  withRanges(
    Object.entries(filters).flatMap(([name, filter]) => {
      const value: unknown = query[name as keyof typeof query];
      return value === undefined || value === null ? [] : [(filter as Filter<unknown>)(value, moment)];
    }),
  );

/**
 * Joins what one index finds together: the bounds of a range, and a value whose index continues by the column of the
 * range. Apart, each can find most rows of a table, and no index would be used for the few that all of them find.
 */
function withRanges(conditions: Condition[]): Condition[] {
  const bounds = Map.groupBy(conditions, ({ rangeOf }) => rangeOf);
  let joined = bounds.get(undefined) ?? [];
  for (const [column, range] of bounds) {
    if (column === undefined) continue;
    const within = allOf(range.map(({ holds }) => holds));
    const continuesBy = ({ thenBy }: Condition) => thenBy === column;
    joined = joined.some(continuesBy)
      ? joined.map((one) => (continuesBy(one) ? { ...one, holds: allOf([one.holds, within]) } : one))
      : joined.concat({ ...range[0]!, holds: within });
  }
  return joined;
}

type EqualsOptions = Pick<Condition, 'byIndex' | 'inOrder' | 'thenBy'> & { kept?: 'status' | 'kind' };

/** Rows with this value in a column ('table.column'). */
export function equals<Value extends string | number | boolean>(
  column: string,
  { kept, ...found }: EqualsOptions = {},
): Filter<Value> {
  return (value) => ({
    holds: sql<SqlBool>`${sql.ref(column)} = ${value}`,
    ...found,
    ...(kept !== undefined && { kept: { [kept]: String(value) } }),
  });
}

/** Rows whose instant in a column is at this time or later; an index finds them. */
export const since =
  (column: string): Filter<string> =>
  (instant) => ({ holds: sql<SqlBool>`${sql.ref(column)} >= ${instant}`, byIndex: 'few' });

/**
 * Rows that refer, by a column, to a row of another table that matches a filter. For filters that few rows of the
 * other table match.
 */
export function ofFew<Value>(column: string, table: string, filter: Filter<Value>): Filter<Value> {
  return (value, moment) => ({
    holds: sql<SqlBool>`${sql.ref(column)} in (
      select ${sql.ref(`${table}.id`)} from ${sql.table(table)} where ${filter(value, moment).holds})`,
    byIndex: 'few',
  });
}

/**
 * Like {@link ofFew}, for filters that many rows of the other table match. If these lead to few rows, their ids are
 * collected; otherwise the other row is looked up for each row.
 */
export function ofMany<Value>(column: string, table: string, filter: Filter<Value>): Filter<Value> {
  const own = column.slice(0, column.indexOf('.'));
  return (value, moment) => {
    const matches = sql<SqlBool>`${sql.ref(`${table}.id`)} = ${sql.ref(column)} and ${filter(value, moment).holds}`;
    // SQLite keeps the order of a cross join, so it begins with the other table.
    const found = sql<FoundId>`select ${sql.ref(`${own}.id`)} as id
      from ${sql.table(table)} cross join ${sql.table(own)} where ${matches}`;
    return {
      ...amongFound(`${own}.id`, found, { onRow: hasRow(sql`${sql.table(table)} where ${matches}`) }),
      looksUp: true,
    };
  };
}

/**
 * Rows whose id ('table.id') is among the ids that a statement finds through another table.
 * @param found a statement without an order, whose only column is `id`
 * @param tests `also`: a further condition on the row; `onRow`: the equivalent test of a row that another condition
 * found
 */
export const amongFound = (
  id: string,
  found: RawBuilder<FoundId>,
  { also, onRow = also }: Pick<Condition, 'also' | 'onRow'>,
) => ({
  holds: allOf([sql<SqlBool>`${sql.ref(id)} in (${found})`, ...(also ? [also] : [])]),
  found,
  ...(also && { also }),
  ...(onRow && { onRow }),
  byIndex: 'few' as const,
});

/** Joins conditions with `and`. */
export const allOf = (conditions: Expression<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
