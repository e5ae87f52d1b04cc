import type { PaymentState, ReviewReason } from '../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow, PaymentRow } from '../../db/tables.ts';
import { hasPart, openUntil } from '../../rules/open-requests.ts';
import { leftOf } from '../payment-requests/close-request.ts';
import type { ProviderPayment } from './providers/provider.ts';

/**
 * What a provider's report about a payment does, decided without the database: by the stored state and the reported one
 * (PAY-04, PAY-06), and for received money, whether it renews or waits for a person (PAY-05).
 */

/** Null: the stored state stays, because it is not older. `move`: the reported one is stored, and does nothing itself. */
type Move = 'move' | 'receive' | 'dispute' | null;

/** By the stored state, `none` before the first report, and then by the reported one. No state moves back. */
const MOVES: Record<'none' | PaymentState, Record<PaymentState, Move>> = {
  none: { pending: 'move', failed: 'move', approved: 'receive', refunded: 'move', charged_back: 'dispute' },
  pending: { pending: null, failed: 'move', approved: 'receive', refunded: 'move', charged_back: 'dispute' },
  failed: { pending: null, failed: null, approved: 'receive', refunded: 'move', charged_back: 'dispute' },
  approved: { pending: null, failed: null, approved: null, refunded: 'move', charged_back: 'dispute' },
  refunded: { pending: null, failed: null, approved: null, refunded: null, charged_back: null },
  charged_back: { pending: null, failed: null, approved: null, refunded: null, charged_back: null },
};

/** What a report does besides being stored. One report can do several, in this order. */
const EFFECTS = ['receive', 'refund', 'dispute'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The fields of a payment that a report moves, and only forward. */
type Stored = Pick<PaymentRow, 'state' | 'refunded_cents' | 'dispute'>;
type Reported = Pick<ProviderPayment, 'state' | 'amount' | 'refunded' | 'dispute'>;

/**
 * Compares a report with the stored payment. A refund is known by its amount, because a payment of which a part is
 * refunded stays approved; a dispute can begin before a chargeback, and ends after it.
 * @param before undefined for the first report
 * @returns what is stored then, whether the reported state is, and what the report does
 */
export function readReport(
  before: Stored | undefined,
  reported: Reported,
): { stored: Stored; isForward: boolean; effects: Effect[] } {
  const move = MOVES[before?.state ?? 'none'][reported.state];
  const { state, refunded_cents, dispute } = before ?? { ...reported, refunded_cents: 0, dispute: null };
  const stored = {
    state: move === null ? state : reported.state,
    refunded_cents: Math.max(refunded_cents, refundedOf(reported)),
    dispute: laterDispute(dispute, reported.dispute),
  };
  const does: Record<Effect, boolean> = {
    receive: move === 'receive',
    // A chargeback takes the money back, and is told as a dispute alone.
    refund: stored.refunded_cents > refunded_cents && move !== 'dispute',
    dispute: stored.dispute !== dispute || move === 'dispute',
  };
  return { stored, isForward: move !== null, effects: EFFECTS.filter((effect) => does[effect]) };
}

/** The refunded amount; the whole amount if the provider reports a refund without an amount. */
const refundedOf = ({ state, amount, refunded }: Reported): number =>
  state === 'refunded' && refunded === 0 ? amount : refunded;

const DISPUTES = [null, 'open', 'lost', 'won'] as const;
/** A dispute that has ended does not become open again. */
export function laterDispute(
  before: PaymentRow['dispute'],
  reported: ProviderPayment['dispute'],
): PaymentRow['dispute'] {
  return DISPUTES.indexOf(reported) > DISPUTES.indexOf(before) ? reported : before;
}

/** A payment that was received, its request, and what it counts by. */
export type Received = {
  payment: Pick<PaymentRow, 'is_test' | 'amount_cents' | 'currency' | 'paid_at'>;
  request: Pick<
    PaymentRequestRow,
    | 'state'
    | 'review_reason'
    | 'applied_at'
    | 'amount_cents'
    | 'paid_cents'
    | 'withheld_cents'
    | 'currency'
    | 'expires_at'
    | 'held_until'
  >;
  /** The account that got the money, and the vendor's; null if a token always belongs to one account. */
  account: string | null;
  ownAccount: string | null;
  /** Whether test payments without money are applied like others. */
  demo: boolean;
  /** Whether a licence was renewed otherwise since the request, which has expired. */
  isRenewed: boolean;
};

/** Why received money needs a person, the most serious reason first. Only applying it shows the reason `license`. */
const REVIEWS: Record<Exclude<ReviewReason, 'license'>, (received: Received) => boolean> = {
  test: ({ payment, demo }) => payment.is_test && !demo,
  duplicate: ({ request }) => request.applied_at !== null,
  account: ({ account, ownAccount }) => account !== null && ownAccount !== null && account !== ownAccount,
  currency: ({ payment, request }) => payment.currency !== request.currency,
  // Of a request that is paid in parts, the rest is asked. Its parts don't have this payment yet.
  amount: ({ payment, request }) => payment.amount_cents !== leftOf(request),
  late: ({ payment, request, isRenewed }) =>
    isRenewed || request.state === 'cancelled' || isAfterEnd(payment, request),
};
// The type of Object.keys loses the names, so a cast restores them.
const REASONS = Object.keys(REVIEWS) as (keyof typeof REVIEWS)[];

/**
 * Whether it was paid after the end of the request, which has none when a part of it came in. A payment made in time but
 * reported later is not late.
 */
const isAfterEnd = ({ paid_at }: Received['payment'], request: Received['request']): boolean =>
  paid_at !== null && !hasPart(request) && Date.parse(paid_at) > Date.parse(openUntil(request));

/** What received money does. Null: its request is in review already, and stays so. */
export type Decision = 'apply' | ReviewReason | null;

/** Decides what received money does (PAY-05). */
export function decisionOn(received: Received): Decision {
  const reason = REASONS.find((one) => REVIEWS[one](received)) ?? null;
  const { state, review_reason } = received.request;
  if (state !== 'review') return reason ?? 'apply';
  // A test payment is not money. When a real payment follows it, a person must be able to apply that one, not only to
  // close the request.
  return review_reason === 'test' && reason !== 'test' ? (reason ?? 'late') : null;
}
