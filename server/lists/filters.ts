import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasRow } from '../db/row-tests.ts';
import type { Db } from '../db/tables.ts';

export type Moment = { now: Date; timeZone: string };

/** A row of a statement that finds ids. */
export type FoundId = { id: number };

export type Condition = {
  holds: Expression<SqlBool>;
  /** The same for a row that another condition finds, where `holds` would first collect the ids of many. */
  onRow?: Expression<SqlBool>;
  /** The ids that `holds` would collect: a statement without an order, whose one column is `id`. */
  found?: RawBuilder<FoundId>;
  /** True where `found` looks up each id, so that no more of them are read of a larger table. */
  looksUp?: boolean;
  /** What `holds` asks of a row beside being found. */
  also?: Expression<SqlBool>;
  /**
   * Where an index finds the matching rows: 'few' by a value or a range that few rows have, 'many' by a value that any
   * number of rows may share. Beside a condition of few rows those of many are tested on its rows.
   */
  byIndex?: 'few' | 'many';
  /** True where that index has the rows of a value in the default order of the list. */
  inOrder?: boolean;
  /**
   * True where an index has, for each day of the default order, the matching rows together: a page of many matches
   * skips the days that have none.
   */
  byDay?: true;
  /** The arguments for db/kept-counts.ts that count its rows. */
  kept?: { status?: string; kind?: string };
  /** A faster count, used when it is the only filter. */
  count?: (db: Db) => Promise<number>;
};

/** Makes a condition from the value of a query parameter. */
export type Filter<Value> = (value: Value, moment: Moment) => Condition;

/** One filter per parameter of a query; a missing one does not compile. */
export type FiltersOf<Query> = { [Name in keyof Query]-?: Filter<NonNullable<Query[Name]>> };

/** The conditions of the parameters that a query has. */
export const conditionsOf = (filters: object, query: object, moment: Moment): Condition[] =>
  Object.entries(filters).flatMap(([name, filter]) => {
    const value: unknown = query[name as keyof typeof query];
    return value === undefined || value === null ? [] : [(filter as Filter<unknown>)(value, moment)];
  });

type EqualsOptions = Pick<Condition, 'byIndex' | 'inOrder'> & { kept?: 'status' | 'kind' };

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

/** Rows whose instant in a column is this one or later; an index finds them. */
export const since =
  (column: string): Filter<string> =>
  (instant) => ({ holds: sql<SqlBool>`${sql.ref(column)} >= ${instant}`, byIndex: 'few' });

/** Rows that refer, in a column, to a row of another table that matches a filter; for few such rows. */
export function ofFew<Value>(column: string, table: string, filter: Filter<Value>): Filter<Value> {
  return (value, moment) => ({
    holds: sql<SqlBool>`${sql.ref(column)} in (
      select ${sql.ref(`${table}.id`)} from ${sql.table(table)} where ${filter(value, moment).holds})`,
    byIndex: 'few',
  });
}

/**
 * Like {@link ofFew}, for many rows of the other table: where they lead to few rows, these are collected, otherwise the
 * other row is looked up for each.
 */
export function ofMany<Value>(column: string, table: string, filter: Filter<Value>): Filter<Value> {
  const own = column.slice(0, column.indexOf('.'));
  return (value, moment) => {
    const matches = sql<SqlBool>`${sql.ref(`${table}.id`)} = ${sql.ref(column)} and ${filter(value, moment).holds}`;
    // SQLite keeps the order of a cross join: it begins with the other table.
    const found = sql<FoundId>`select ${sql.ref(`${own}.id`)} as id
      from ${sql.table(table)} cross join ${sql.table(own)} where ${matches}`;
    return {
      ...amongFound(`${own}.id`, found, { onRow: hasRow(sql`${sql.table(table)} where ${matches}`) }),
      looksUp: true,
    };
  };
}

/**
 * Rows whose id ('table.id') is among those that a statement finds in another table.
 * @param found a statement without an order, whose one column is `id`
 * @param tests `also` is a further condition of the row; `onRow` the whole on a row that another condition finds
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
