import type { NotNull } from 'kysely';
import type { Db } from '../db/tables.ts';
import { isOpenAt } from './open-requests.ts';

/**
 * The notices of transfers that wait for an answer, with their open requests: for 'Para hoy' and the bell (MONEY-11).
 */
export const openNotices = (db: Db, now: Date) =>
  db
    .selectFrom('payment_requests')
    .where(isOpenAt(now))
    .where('notice_at', 'is not', null)
    .select(['id', 'client_id', 'client_name', 'notice_at', 'notice_reference', 'notice_paid_on'])
    .select(['state', 'amount_cents', 'paid_cents', 'withheld_cents', 'currency', 'held_until'])
    .$narrowType<{ notice_at: NotNull }>();
