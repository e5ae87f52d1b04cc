import { type SqlBool, sql } from 'kysely';
import { HOLDING_STATUSES } from '../../contract/base/limits.ts';

/**
 * Full licences: usable at an instant, and every seat is taken. The dashboard's figure and the list's filter
 * `seats_full` use them. Triggers maintain the table `full_licenses`. Each range below is a range of
 * its index.
 */
const ranges = (at: string) =>
  HOLDING_STATUSES.flatMap((status) => [
    sql`status = ${status} and expiry_date is null`,
    sql`status = ${status} and expiry_date >= ${at}`,
  ]);

/** The number of full licences, as an expression in a larger statement. */
export const countOfFull = (at: string) =>
  sql<number>`(${sql.join(
    ranges(at).map((range) => sql`(select count(*) from full_licenses where ${range})`),
    sql` + `,
  )})`;

/**
 * Whether a row of `licenses` is a full licence, tested by the row's columns. For rows that another condition has
 * found.
 */
export const isFullRow = (at: string) =>
  sql<SqlBool>`(licenses.status in (${sql.join(HOLDING_STATUSES)})
    and licenses.current_installations >= licenses.max_installations
    and (licenses.expiry_date is null or licenses.expiry_date >= ${at}))`;

/** Whether a row of `licenses` is a full licence, by an index of `full_licenses`. */
export const isFull = (at: string) =>
  sql<SqlBool>`licenses.id in (${sql.join(
    ranges(at).map((range) => sql`select license_id from full_licenses where ${range}`),
    sql` union all `,
  )})`;
