import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * A condition that is tested on each row which another condition finds. As `is true` no index answers it, on either
 * engine. A SQLite file without statistics, which is every one where nobody ran ANALYZE, holds each index for equally
 * narrow: of `client_id = ? and status = ?` it may read the index of the status, so most of the table
 * (docs/decisions/052-plans-without-statistics.md).
 */
export const testedOnRow = (condition: Expression<SqlBool>) => sql<SqlBool>`(${condition}) is true`;
