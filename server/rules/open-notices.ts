import { type NotNull, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/tables.ts';

/**
 * The notices of transfers that wait for an answer, with their open requests: for 'Para hoy' and the bell (MONEY-11).
 * The state is a literal, so that SQLite uses the partial index.
 */
export const openNotices = (db: Db, now: Date) =>
  db
    .selectFrom('payment_requests')
    .where('state', '=', sql.lit('open' as const))
    .where('notice_at', 'is not', null)
    .where(
      sql<SqlBool>`(coalesce(held_until, expires_at) >= ${now.toISOString()} or paid_cents > 0 or withheld_cents > 0)`,
    )
    .select(['id', 'client_id', 'client_name', 'notice_at', 'notice_reference', 'notice_paid_on'])
    .select(['state', 'amount_cents', 'paid_cents', 'withheld_cents', 'currency', 'held_until'])
    .$narrowType<{ notice_at: NotNull }>();
