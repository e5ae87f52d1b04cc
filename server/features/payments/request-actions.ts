import type {
  PaymentRequestPaid,
  PaymentRequestResolution,
} from '../../../contract/payments/payment-requests.ts';
import {
  CLOSED_ONLY,
  PAYMENT_MESSAGES,
  type PaymentRequestState,
} from '../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow, PaymentRow } from '../../db/tables.ts';
import { conflict, fault, invalid, notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutRequest, endRequest, lockRequest, setRequestState } from '../payment-requests/close-request.ts';
import { NO_NOTICE, storeNotice } from '../payment-requests/transfer-notice.ts';
import { applyLines, receivePayment } from './apply-lines.ts';
import { type Held, holdRequest, insertPayment } from './payment-rows.ts';
import { stateAt } from './payments.queries.ts';
import { queueRequestMail } from './request-mail.ts';

/** The actions of people on a payment request (PAY-01, PAY-05). Each is possible in one state only. */

/** @throws notFound (404), AppError 409 conflict if the request is no longer open */
function requireOpen(request: PaymentRequestRow | undefined, { now }: Scope): PaymentRequestRow {
  if (!request) throw notFound(PAYMENT_MESSAGES.notFound);
  if (stateAt(request, now) !== 'open') throw conflict(PAYMENT_MESSAGES.notOpen);
  return request;
}

/**
 * Cancels an open request; its pages at providers are ended.
 * @throws notFound (404), AppError 409 conflict
 */
export async function cancelRequest(scope: Scope, id: number): Promise<PaymentRequestRow> {
  const request = requireOpen(await lockRequest(scope.tx, id), scope);
  return endRequest(scope, request, 'cancelled');
}

/**
 * Queues the mail of an open request again.
 * @throws notFound (404), AppError 409 conflict
 */
export async function sendRequest(scope: Scope, id: number): Promise<PaymentRequestRow> {
  const request = requireOpen(await lockRequest(scope.tx, id), scope);
  await queueRequestMail(scope, request);
  return request;
}

/**
 * Stores a payment that was made in another way, and applies it; the person is the actor (PAY-01).
 * @throws notFound (404), AppError 409 conflict, invalid (400) for a payment date in the future
 */
export async function markPaid(
  scope: Scope,
  id: number,
  { method, reference, paid_at }: PaymentRequestPaid,
): Promise<void> {
  const { now } = scope;
  const held = await holdRequest(scope, id);
  const request = requireOpen(held?.request, scope);
  const at = now.toISOString();
  const paidAt = paid_at === undefined ? at : new Date(paid_at).toISOString();
  if (paidAt > at) throw invalid({ paid_at: [fault('out_of_range', PAYMENT_MESSAGES.paidAt)] });
  const payment = await insertPayment(scope, request, {
    provider: 'manual',
    source: null,
    provider_id: null,
    state: 'approved',
    amount_cents: request.amount_cents,
    refunded_cents: 0,
    withheld_cents: 0,
    currency: request.currency,
    method,
    reference,
    is_test: false,
    dispute: null,
    paid_at: paidAt,
  });
  // Whatever was recorded answers the notice, also a part of the amount (MONEY-11).
  if (request.notice_at !== null) await storeNotice(scope, request, NO_NOTICE);
  await receivePayment(scope, held!, payment, 'apply');
}

/**
 * Ends a review: applies all lines now, or closes the request (PAY-05).
 * @throws notFound (404), AppError 409 conflict, or the code of LIFE-02 if a line cannot be applied
 */
export async function resolveRequest(
  scope: Scope,
  id: number,
  { action, reason }: PaymentRequestResolution,
): Promise<void> {
  const held = await holdRequest(scope, id);
  if (!held) throw notFound(PAYMENT_MESSAGES.notFound);
  const { request } = held;
  if (request.state !== 'review') throw conflict(PAYMENT_MESSAGES.notInReview);
  const state = action === 'apply' ? await applyNow(scope, held) : await close(scope, request);
  await record(scope, {
    type: 'payment_request.resolved',
    ...aboutRequest(request, held.lines),
    changes: { state: { before: 'review', after: state } },
    reason,
  });
}

async function applyNow(scope: Scope, held: Held): Promise<PaymentRequestState> {
  const { request } = held;
  const isClosedOnly = request.review_reason !== null && CLOSED_ONLY.includes(request.review_reason);
  if (isClosedOnly || request.applied_at !== null) throw conflict(PAYMENT_MESSAGES.closedOnly);
  const payment = await paymentToApply(scope, request.id);
  if (!payment) throw conflict(PAYMENT_MESSAGES.closedOnly);
  const refusal = await applyLines(scope, held, payment);
  if (!refusal) return 'paid';
  // Field errors of the renewal are not errors in this call's fields, so they become a conflict.
  if (refusal.status === 409) throw refusal;
  throw conflict(refusal.message);
}

/** The payment that a person accepts: the last one that was received and not refunded. */
const paymentToApply = ({ tx }: Scope, request: number): Promise<PaymentRow | undefined> =>
  tx
    .selectFrom('payments')
    .selectAll()
    .where('request_id', '=', request)
    .where('state', '=', 'approved')
    .orderBy('is_test')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

async function close(scope: Scope, request: PaymentRequestRow): Promise<PaymentRequestState> {
  const state = request.applied_at === null ? 'cancelled' : 'paid';
  await setRequestState(scope, request, state);
  return state;
}
