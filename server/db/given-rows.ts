import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db } from './tables.ts';

/** The PostgreSQL types of given columns, and their types here. */
type Types = { text: string; bigint: number; timestamptz: string };
type Columns = Record<string, keyof Types>;
export type GivenRow<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]] };

/**
 * Rows that the caller has, as the table `given` of a statement: many rows are one parameter (SQLite), or one for each
 * column (PostgreSQL), and the text of the statement is the same for any number.
 */
export function givenRows<const Of extends Columns>(
  db: Db,
  columns: Of,
  rows: readonly GivenRow<Of>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  if (isPostgres(db)) {
    const lists = names.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(`${columns[name]}[]`)}`);
    return sql`unnest(${sql.join(lists)}) as given (${sql.join(names.map((name) => sql.id(name)))})`;
  }
  const cells = names.map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.id(name)}`);
  const values = rows.map((row) => names.map((name) => row[name]));
  // Materialized: each value is taken out of its text once, however often the statement names it.
  return sql`(with cells as materialized (select ${sql.join(cells)} from json_each(${values})) select * from cells) as given`;
}

/**
 * The order in which a statement changes the rows of some columns of `given`: on PostgreSQL, so that two processes that
 * change the same rows wait for each other and never in a circle. A SQLite file has one writer, and ordering costs.
 */
export const lockingOrder = (db: Db, columns: readonly string[]): RawBuilder<unknown> =>
  isPostgres(db) ? sql`order by ${sql.join(columns.map((name) => sql.ref(`given.${name}`)))}` : sql``;
