import { amountErrors, type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import type { PaymentRequestPaid } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow } from '../../db/tables.ts';
import { fault, faultsOf, invalid } from '../../errors.ts';
import { nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { closePages, leftOf } from '../payment-requests/close-request.ts';
import { NO_NOTICE } from '../payment-requests/transfer-notice.ts';
import { type ReceiptMail, receivePayment } from './apply-lines.ts';
import { insertPayment, type LockedRequest } from './payment-rows.ts';

/** Payments that a person recorded, whole or in parts (PAY-01, MONEY-06; decision 154). */

/**
 * Records a payment that was made in another way on a locked, open request. When nothing is due after it, it applies
 * the lines of the request; else the request stays open and asks the rest.
 * @param mail which mail the client gets when the lines are applied
 * @returns the request as it is then
 * @throws invalid (400) on `amount`, `withheld` or `paid_at`
 */
export async function recordManualPayment(
  scope: Scope,
  locked: LockedRequest,
  { method, reference, ...input }: PaymentRequestPaid,
  mail: ReceiptMail = 'receipt',
): Promise<PaymentRequestRow> {
  const { currency } = locked.request;
  const paid_at = paidAtOf(input.paid_at, scope.now);
  const payment = await insertPayment(scope, locked.request, {
    ...partOf(locked.request, input),
    provider: 'manual',
    source: null,
    provider_id: null,
    state: 'approved',
    refunded_cents: 0,
    currency,
    method,
    reference,
    is_test: false,
    dispute: null,
    paid_at,
  });
  const request = await countParts(scope, locked.request);
  const isWhole = leftOf(request) === 0;
  if (!isWhole) await endOffers(scope, request.id);
  return receivePayment(scope, { ...locked, request }, payment, isWhole ? 'apply' : 'part', mail);
}

function paidAtOf(said: string | undefined, now: Date): string {
  const at = now.toISOString();
  const paidAt = said === undefined ? at : new Date(said).toISOString();
  if (paidAt > at) throw invalid({ paid_at: [fault('out_of_range', PAYMENT_MESSAGES.paidAt)] });
  return paidAt;
}

/** What came in and what was withheld, in minor units: together more than nothing, and at most what is due. */
function partOf(
  request: PaymentRequestRow,
  { amount, withheld = 0 }: Pick<PaymentRequestPaid, 'amount' | 'withheld'>,
): { amount_cents: number; withheld_cents: number } {
  const { currency } = request;
  const errors = amountErrors(currency, { amount, withheld });
  if (Object.keys(errors).length > 0) throw invalid(faultsOf('invalid', errors));
  const due = leftOf(request);
  const withheld_cents = toMinorUnits(withheld, currency);
  if (withheld_cents > due) {
    throw invalid({ withheld: [fault('out_of_range', tooMuch('moreThanDue', due, currency))] });
  }
  const amount_cents = amount === undefined ? due - withheld_cents : toMinorUnits(amount, currency);
  if (amount_cents + withheld_cents > due) {
    const message = withheld_cents > 0 ? 'moreThanDueWithTax' : 'moreThanDue';
    throw invalid({ amount: [fault('out_of_range', tooMuch(message, due, currency))] });
  }
  if (amount_cents + withheld_cents === 0) {
    throw invalid({ amount: [fault('out_of_range', PAYMENT_MESSAGES.nothingPaid)] });
  }
  return { amount_cents, withheld_cents };
}

/** The refusal, with what is due. */
const tooMuch = (message: 'moreThanDue' | 'moreThanDueWithTax', due: number, currency: Currency): string =>
  `${PAYMENT_MESSAGES[message]}: ${fromMinorUnits(due, currency)} ${currency}`;

/** Counts again what came in for a locked, open request, from its payments: money that went back is due again. */
async function countParts(scope: Scope, request: PaymentRequestRow): Promise<PaymentRequestRow> {
  const { tx, now } = scope;
  const sums = await tx
    .selectFrom('payments')
    .select((eb) => [
      eb.fn.sum<number>(eb('amount_cents', '-', eb.ref('refunded_cents'))).as('paid'),
      eb.fn.sum<number>('withheld_cents').as('withheld'),
    ])
    .where('request_id', '=', request.id)
    .where('state', '=', 'approved')
    .where('currency', '=', request.currency)
    .where('is_test', '=', false)
    .executeTakeFirstOrThrow();
  const counted = {
    paid_cents: Number(sums.paid ?? 0),
    withheld_cents: Number(sums.withheld ?? 0),
    // Whatever was recorded answers a notice of a transfer, also a part of the amount (MONEY-11).
    ...NO_NOTICE,
    updated_at: nextVersion(request.updated_at, now),
  };
  await tx.updateTable('payment_requests').set(counted).where('id', '=', request.id).execute();
  return { ...request, ...counted };
}

/**
 * The pages of providers ask the earlier amount: they are offered no more, and ended where the provider can. A payment
 * that comes from one all the same is another amount than what is due, so a person looks at it.
 */
async function endOffers(scope: Scope, request: number): Promise<void> {
  await scope.tx
    .updateTable('payment_checkouts')
    .set((eb) => ({ expires_at: eb.ref('created_at') }))
    .where('request_id', '=', request)
    .where('closed_at', 'is', null)
    .execute();
  await closePages(scope, request);
}
