import type {
  PaymentRequestCancel,
  PaymentRequestPaid,
  PaymentRequestResolution,
} from '../../../contract/payments/payment-requests.ts';
import {
  CLOSED_ONLY,
  PAYMENT_MESSAGES,
  type PaymentRequestState,
} from '../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow, PaymentRow } from '../../db/tables.ts';
import { AppError, conflict, fault, invalid, notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import { hasPart, stateAt } from '../../rules/open-requests.ts';
import type { Scope } from '../../scope.ts';
import { aboutRequest, endRequest, lockRequest, setRequestState } from '../payment-requests/close-request.ts';
import { applyLines } from './apply-lines.ts';
import { recordManualPayment } from './manual-payment.ts';
import { type LockedRequest, lockRequestWithLines } from './payment-rows.ts';
import { queueRequestMail } from './request-mail.ts';

/** The actions of people on a payment request (PAY-01, PAY-05). Each is possible in one state only. */

/** @throws notFound (404), AppError 409 conflict if the request is no longer open */
function requireOpen(request: PaymentRequestRow | undefined, { now }: Scope): PaymentRequestRow {
  if (!request) throw notFound(PAYMENT_MESSAGES.notFound);
  if (stateAt(request, now) !== 'open') throw conflict(PAYMENT_MESSAGES.notOpen);
  return request;
}

/**
 * Cancels an open request; its pages at providers are ended. A part that came in stays as a payment, so somebody says
 * why (MONEY-06).
 * @throws notFound (404), AppError 409 conflict, invalid (400) on `reason`
 */
export async function cancelRequest(
  scope: Scope,
  id: number,
  { reason }: PaymentRequestCancel,
): Promise<PaymentRequestRow> {
  const request = requireOpen(await lockRequest(scope.tx, id), scope);
  if (reason === '' && hasPart(request)) {
    throw invalid({ reason: [fault('required', PAYMENT_MESSAGES.cancelReason)] });
  }
  return endRequest(scope, request, 'cancelled', reason || undefined);
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
 * Stores a payment that was made in another way; the person is the actor (PAY-01).
 * @throws notFound (404), AppError 409 conflict, and as {@link recordManualPayment}
 */
export async function markPaid(
  scope: Scope,
  id: number,
  input: PaymentRequestPaid,
): Promise<PaymentRequestRow> {
  const locked = await lockRequestWithLines(scope, id);
  const request = requireOpen(locked?.request, scope);
  return recordManualPayment(scope, { ...locked!, request }, input);
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
  const locked = await lockRequestWithLines(scope, id);
  if (!locked) throw notFound(PAYMENT_MESSAGES.notFound);
  const { request } = locked;
  if (request.state !== 'review') throw conflict(PAYMENT_MESSAGES.notInReview);
  const state = action === 'apply' ? await applyNow(scope, locked) : await close(scope, request);
  await record(scope, {
    type: 'payment_request.resolved',
    ...aboutRequest(request, locked.lines),
    changes: { state: { before: 'review', after: state } },
    reason,
  });
}

async function applyNow(scope: Scope, locked: LockedRequest): Promise<PaymentRequestState> {
  const { request } = locked;
  const isClosedOnly = request.review_reason !== null && CLOSED_ONLY.includes(request.review_reason);
  if (isClosedOnly || request.applied_at !== null) throw conflict(PAYMENT_MESSAGES.closedOnly);
  const payment = await paymentToApply(scope, request.id);
  if (!payment) throw conflict(PAYMENT_MESSAGES.closedOnly);
  const applied = await applyLines(scope, locked, payment);
  if (!(applied instanceof AppError)) return 'paid';
  // Field errors of the renewal are not errors in this call's fields, so they become a conflict.
  throw applied.status === 409 ? applied : conflict(applied.message);
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
