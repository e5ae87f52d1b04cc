import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db } from './tables.ts';

/** The PostgreSQL types of the columns, with their TypeScript types. */
type Types = { text: string; bigint: number; timestamptz: string };
type Columns = Record<string, keyof Types>;
export type GivenRow<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]] };

/**
 * Rows of the caller as the table `given` in a statement. Many rows are one parameter (SQLite) or one parameter for
 * each column (PostgreSQL), so the text of the statement is the same for any number of rows.
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
  // Materialized, so that each value is parsed from the JSON once, even if the statement uses it several times.
  return sql`(with cells as materialized (select ${sql.join(cells)} from json_each(${values})) select * from cells) as given`;
}

/**
 * The order in which a statement changes rows, by columns of `given`. On PostgreSQL it prevents deadlocks between two
 * processes that change the same rows. A SQLite file has one writer, so it needs no order and saves the cost.
 */
export const lockingOrder = (db: Db, columns: readonly string[]): RawBuilder<unknown> =>
  isPostgres(db) ? sql`order by ${sql.join(columns.map((name) => sql.ref(`given.${name}`)))}` : sql``;
