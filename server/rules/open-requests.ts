import { type SqlBool, sql } from 'kysely';
import type { PaymentRequestState } from '../../contract/payments/payment-words.ts';
import type { PaymentRequestRow } from '../db/tables.ts';

/**
 * Whether a payment request can still be paid: until its end, or until a notice of a transfer holds it (MONEY-11); one of
 * which a part came in does not expire at all (MONEY-06). Of a row, and in statements.
 */

/** Whether a part of a request came in. Such a request does not expire, and ends only by a person's word (MONEY-06). */
export const hasPart = ({
  paid_cents,
  withheld_cents,
}: Pick<PaymentRequestRow, 'paid_cents' | 'withheld_cents'>): boolean => paid_cents > 0 || withheld_cents > 0;

/** Until when a request can be paid. */
export const openUntil = ({
  expires_at,
  held_until,
}: Pick<PaymentRequestRow, 'expires_at' | 'held_until'>): string => held_until ?? expires_at;

/** The present state: a request whose time has passed counts as expired even before the job has stored that. */
export const stateAt = (
  request: Pick<PaymentRequestRow, 'state' | 'expires_at' | 'held_until' | 'paid_cents' | 'withheld_cents'>,
  now: Date,
): PaymentRequestState => {
  const isOver =
    request.state === 'open' && !hasPart(request) && Date.parse(openUntil(request)) < now.getTime();
  return isOver ? 'expired' : request.state;
};

/** Whether a request is open, as {@link stateAt} says of a row. The state is a literal for SQLite's partial indexes. */
export const isOpenAt = (now: Date) =>
  sql<SqlBool>`(payment_requests.state = 'open' and (coalesce(payment_requests.held_until, payment_requests.expires_at) >= ${now.toISOString()}
    or payment_requests.paid_cents > 0 or payment_requests.withheld_cents > 0))`;
