import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * A condition that is only tested on rows that another condition has found. With `is true`, neither engine uses an
 * index for it. A SQLite file without statistics (the usual case, nobody runs ANALYZE) treats all indexes as equally
 * selective: for `client_id = ? and status = ?` it may use the index on the status and read most of the table
 * (docs/decisions/052-plans-without-statistics.md).
 */
export const testedOnRow = (condition: Expression<SqlBool>) => sql<SqlBool>`(${condition}) is true`;

/**
 * Whether another table has a row for the tested row, looked up for each tested row. It is a value and not `exists`,
 * for which PostgreSQL may first collect all such rows: a page of twenty licences would then read all machines.
 * @param rows the text after `from`, with the condition that joins it to the tested row
 */
export const hasRow = (rows: Expression<unknown>) =>
  sql<SqlBool>`((select 1 from ${rows} limit 1) is not null)`;
