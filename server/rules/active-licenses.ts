import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** Query conditions for active licences: status 'active' and not past the expiry date (D067). */

/** True for licences that have no end, or whose end is at or after a moment. */
export const hasNotEnded = (at: string, expiryDate = 'licenses.expiry_date') =>
  sql<SqlBool>`(${sql.ref(expiryDate)} is null or ${sql.ref(expiryDate)} >= ${at})`;

/** True for licences that are active at a moment. */
export const whereActive = (at: string) =>
  sql<SqlBool>`(${sql.ref('licenses.status')} = 'active' and ${hasNotEnded(at)})`;

/**
 * Counts the active licences among some licences, as the sum of two counts, each over a range of an index on status
 * and date. With both ranges in one condition SQLite would read the rows.
 */
export function countOfActive<Row>(licenses: SelectQueryBuilder<Tables, 'licenses', Row>, at: string) {
  const active = licenses.clearSelect().where('licenses.status', '=', 'active');
  const endless = active.where('licenses.expiry_date', 'is', null);
  const current = active.where('licenses.expiry_date', '>=', at);
  const counts = [endless, current].map((range) => range.select((eb) => eb.fn.countAll<number>().as('n')));
  return sql<number>`(${sql.join(counts, sql` + `)})`;
}
