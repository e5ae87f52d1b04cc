import { type SqlBool, sql } from 'kysely';
import { HOLDING_STATUSES } from '../../contract/base/limits.ts';

/**
 * Licences that may be used at an instant and have a machine on each seat: the dashboard's figure and the list's filter
 * `seats_full`. Triggers keep the table `full_licenses` (migration 013). Each range is one of its index.
 */
const ranges = (at: string) =>
  HOLDING_STATUSES.flatMap((status) => [
    sql`status = ${status} and expiry_date is null`,
    sql`status = ${status} and expiry_date >= ${at}`,
  ]);

/** Their number, as an expression in a larger statement. */
export const countOfFull = (at: string) =>
  sql<number>`(${sql.join(
    ranges(at).map((range) => sql`(select count(*) from full_licenses where ${range})`),
    sql` + `,
  )})`;

/** The same for a row of `licenses` that another condition finds, by its own columns. */
export const isFullRow = (at: string) =>
  sql<SqlBool>`(licenses.status in (${sql.join(HOLDING_STATUSES)})
    and licenses.current_installations >= licenses.max_installations
    and (licenses.expiry_date is null or licenses.expiry_date >= ${at}))`;

/** True for a row of `licenses` that is one of them; an index finds them. */
export const isFull = (at: string) =>
  sql<SqlBool>`licenses.id in (${sql.join(
    ranges(at).map((range) => sql`select license_id from full_licenses where ${range}`),
    sql` union all `,
  )})`;
