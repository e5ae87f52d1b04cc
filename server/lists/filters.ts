import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/tables.ts';

/** When a list is asked for, and where a day begins. */
export type Moment = { now: Date; timeZone: string };

/** What a filter asks of each row of a list. */
export type Condition = {
  holds: Expression<SqlBool>;
  /** True where an index leads to the rows for which it holds. */
  byIndex?: boolean;
  /** What db/kept-counts.ts knows of its rows. */
  kept?: { status?: string; kind?: string };
  /** How to count its rows sooner than by looking at each, where no other filter is sent. */
  count?: (db: Db) => Promise<number>;
};

/** Makes a condition of the value that a query has for a filter. */
export type Filter<Value> = (value: Value, moment: Moment) => Condition;

type EqualsOptions = { byIndex?: boolean; kept?: 'status' | 'kind' };

/** Rows that have exactly this value in a column ('table.column'). */
export function equals<Value extends string | number | boolean>(
  column: string,
  { byIndex = false, kept }: EqualsOptions = {},
): Filter<Value> {
  return (value) => ({
    holds: sql<SqlBool>`${sql.ref(column)} = ${value}`,
    byIndex,
    ...(kept !== undefined && { kept: { [kept]: String(value) } }),
  });
}

/** Rows that name, in a column, one of the few rows of another table for which a filter holds. */
export function ofFew<Value>(column: string, table: string, filter: Filter<Value>): Filter<Value> {
  return (value, moment) => ({
    holds: sql<SqlBool>`${sql.ref(column)} in (
      select ${sql.ref(`${table}.id`)} from ${sql.table(table)} where ${filter(value, moment).holds})`,
    byIndex: true,
  });
}

/** The same where the rows of the other table may be many: it is looked up for each row. */
export function ofMany<Value>(column: string, table: string, filter: Filter<Value>): Filter<Value> {
  return (value, moment) => ({
    holds: sql<SqlBool>`exists (select 1 from ${sql.table(table)}
      where ${sql.ref(`${table}.id`)} = ${sql.ref(column)} and ${filter(value, moment).holds})`,
  });
}

/** Every condition as one. */
export const allOf = (conditions: Expression<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
