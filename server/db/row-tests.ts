import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * A condition that is tested on each row which another condition finds. As `is true` no index answers it, on either
 * engine. A SQLite file without statistics, which is every one where nobody ran ANALYZE, holds each index for equally
 * narrow: of `client_id = ? and status = ?` it may read the index of the status, so most of the table
 * (docs/decisions/052-plans-without-statistics.md).
 */
export const testedOnRow = (condition: Expression<SqlBool>) => sql<SqlBool>`(${condition}) is true`;

/**
 * Whether another table has a row for the tested one, looked up for each. As a value, since for `exists` PostgreSQL may
 * collect all such rows first: a page of twenty licences then costs a walk over all machines.
 * @param rows what follows `from`, with the condition that ties it to the tested row
 */
export const hasRow = (rows: Expression<unknown>) =>
  sql<SqlBool>`((select 1 from ${rows} limit 1) is not null)`;
