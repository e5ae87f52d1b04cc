import type { TermPaymentState } from '../../contract/payments/payment-words.ts';
import { isAmong } from '../db/dialect.ts';
import type { Db, PaymentRequestRow, PaymentRow } from '../db/tables.ts';
import { stateAt } from './open-requests.ts';

/** What became of the money for sold terms (MONEY-05). */

export type TermPayment = { state: TermPaymentState; request: number | null };

const UNKNOWN: TermPayment = { state: 'none', request: null };

type Known = Pick<PaymentRequestRow, 'id' | 'applied_at'> & Parameters<typeof stateAt>[0];
type Money = Pick<PaymentRow, 'state' | 'amount_cents' | 'refunded_cents' | 'withheld_cents' | 'dispute'>;

/** Whether a payment came in and was not given back whole; a chargeback that the vendor won is money again. */
const isKept = ({ state, amount_cents, refunded_cents, withheld_cents, dispute }: Money): boolean =>
  state === 'approved'
    ? refunded_cents < amount_cents || withheld_cents > 0
    : state === 'charged_back' && dispute === 'won';

/** The state of a term from its request; undefined for a request that ended without money. */
function stateOf(request: Known, money: readonly Money[], now: Date): TermPaymentState | undefined {
  const kept = money.some(isKept);
  if (request.applied_at !== null) return kept ? 'paid' : 'refunded';
  if (kept) return 'partial';
  const state = stateAt(request, now);
  return state === 'open' || state === 'review' ? 'open' : undefined;
}

/** Whether each of some terms was paid: by the request that sold it, or that was made when it was sold. */
export async function paymentsOfTerms(
  db: Db,
  terms: number[],
  now: Date,
): Promise<(term: number) => TermPayment> {
  const found = new Map<number, TermPayment>();
  const lines = await db
    .selectFrom('payment_lines')
    .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    .select(['payment_lines.term_id', 'payment_requests.id', 'payment_requests.state'])
    .select(['payment_requests.applied_at', 'payment_requests.expires_at', 'payment_requests.held_until'])
    .select(['payment_requests.paid_cents', 'payment_requests.withheld_cents'])
    .where((eb) => isAmong(db, eb.ref('payment_lines.term_id').$castTo<number>(), terms))
    .orderBy('payment_requests.id')
    .execute();
  const money = await moneyOf(db, [...new Set(lines.map(({ id }) => id))]);
  for (const { term_id, ...request } of lines) {
    const state = stateOf(request, money.get(request.id) ?? [], now);
    if (term_id !== null && state) found.set(term_id, { state, request: request.id });
  }
  return (term) => found.get(term) ?? UNKNOWN;
}

async function moneyOf(db: Db, requests: number[]): Promise<Map<number, Money[]>> {
  if (requests.length === 0) return new Map();
  const rows = await db
    .selectFrom('payments')
    .select(['request_id', 'state', 'amount_cents', 'refunded_cents', 'withheld_cents', 'dispute'])
    .where((eb) => isAmong(db, eb.ref('payments.request_id'), requests))
    .where('state', 'in', ['approved', 'charged_back'])
    .execute();
  return Map.groupBy(rows, ({ request_id }) => request_id);
}

/**
 * Whether the vendor has money for a term that was paid at its sale, so that the sale cannot be undone (MONEY-05). Tests
 * do not count.
 */
export async function isPaidSale(db: Db, term: number): Promise<boolean> {
  const rows = await db
    .selectFrom('payment_lines')
    .innerJoin('payments', 'payments.request_id', 'payment_lines.request_id')
    .select(['payments.state', 'amount_cents', 'refunded_cents', 'withheld_cents', 'dispute'])
    .where('payment_lines.term_id', '=', term)
    .where('payment_lines.kind', '=', 'sold')
    .where('payments.is_test', '=', false)
    .execute();
  return rows.some(isKept);
}
