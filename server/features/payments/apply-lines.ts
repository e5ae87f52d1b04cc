import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import {
  PAYMENT_MESSAGES,
  type PaymentLineKind,
  type ReviewReason,
} from '../../../contract/payments/payment-words.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import type { Db, PaymentLineRow, PaymentRequestRow, PaymentRow } from '../../db/tables.ts';
import { AppError, conflict } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { addPaidSeats } from '../licenses/add-seats.ts';
import { renewPaid } from '../licenses/renew-license.ts';
import { setRequestState } from '../payment-requests/close-request.ts';
import { aboutPayment, type LockedRequest, licensesOf } from './payment-rows.ts';
import { amountOf } from './payments.queries.ts';
import type { Decision } from './report-outcome.ts';
import { queueReceipt } from './request-mail.ts';

/** Received money renews the licences of its request, once, or waits for a person (PAY-05). */

/** The mail when lines are applied: the receipt, or none where the caller's own mail says what was received. */
export type ReceiptMail = 'receipt' | 'none';

/**
 * Writes the event of a received payment, and does what was decided about it.
 * @param decision `part`: the request stays open, and asks the rest (MONEY-06)
 * @returns the request as it is then
 */
export async function receivePayment(
  scope: Scope,
  locked: LockedRequest,
  payment: PaymentRow,
  decision: Decision | 'part',
  mail: ReceiptMail = 'receipt',
): Promise<PaymentRequestRow> {
  const { withheld_cents, currency } = payment;
  await record(scope, {
    type: 'payment.received',
    ...aboutPayment(payment, locked.lines),
    changes: {
      state: { before: null, after: payment.state },
      amount: { before: null, after: amountOf(payment.amount_cents, payment.currency) },
      ...(withheld_cents > 0 && { withheld: { before: null, after: amountOf(withheld_cents, currency) } }),
      currency: { before: null, after: payment.currency },
    },
  });
  if (decision === null || decision === 'part') return locked.request;
  if (decision !== 'apply') return review(scope, locked, decision);
  const applied = await applyLines(scope, locked, payment, mail);
  return applied instanceof AppError ? review(scope, locked, 'license') : applied;
}

const review = (
  scope: Scope,
  { request }: LockedRequest,
  review_reason: ReviewReason,
): Promise<PaymentRequestRow> => setRequestState(scope, request, 'review', { review_reason });

/**
 * Applies all lines of a locked request at their stored terms, or none, and queues the receipt.
 * @returns the request; the refusal of a line if none was applied
 */
export async function applyLines(
  scope: Scope,
  { request, lines }: LockedRequest,
  payment: PaymentRow,
  mail: ReceiptMail = 'receipt',
): Promise<PaymentRequestRow | AppError> {
  const { tx, now } = scope;
  try {
    return await inSavepoint(tx, async () => {
      // Comes first, so that the renewals find no open request to cancel.
      const paid = await setRequestState(scope, request, 'paid', {
        paid_at: payment.paid_at ?? now.toISOString(),
        applied_at: now.toISOString(),
      });
      // What was sold already stays as it is, whoever has the licence now (MONEY-05).
      const renewing = lines.filter(({ kind }) => kind !== 'sold');
      await refuseTransferred(tx, paid, renewing);
      for (const line of renewing) await applyLine(scope, paid, line, payment.is_test);
      if (mail === 'receipt') await queueReceipt(scope, paid, payment);
      return paid;
    });
  } catch (error) {
    // A renewal was refused. Any other error rolls back the whole transaction, which is then tried again.
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}

/** @throws AppError 409 conflict if a licence belongs to another client now: that client has not paid */
async function refuseTransferred(
  tx: Db,
  { client_id }: PaymentRequestRow,
  lines: readonly PaymentLineRow[],
): Promise<void> {
  const ids = licensesOf(lines);
  if (ids.length === 0) return;
  const transferred = await tx
    .selectFrom('licenses')
    .select('id')
    .where('id', 'in', ids)
    .where('client_id', '<>', client_id)
    .limit(1)
    .executeTakeFirst();
  if (transferred) throw conflict(PAYMENT_MESSAGES.transferred);
}

async function applyLine(
  scope: Scope,
  { currency }: PaymentRequestRow,
  line: PaymentLineRow,
  isTest: boolean,
): Promise<void> {
  const { kind } = line;
  if (line.license_id === null || kind === 'sold') throw new AppError(409, 'conflict');
  const sold = { ...line, kind };
  const stored = await sellLine({ ...scope, expected: null }, line.license_id, sold, { currency, isTest });
  await scope.tx
    .updateTable('payment_lines')
    .set({ term_id: stored.term, starts: stored.starts, ends: stored.ends })
    .where('id', '=', line.id)
    .execute();
}

/** Does what a paid line sells. */
function sellLine(
  scope: Scope,
  license: number,
  line: PaymentLineRow & { kind: Exclude<PaymentLineKind, 'sold'> },
  { currency, isTest }: { currency: Currency; isTest: boolean },
): Promise<{ term: number; starts: string; ends: string | null }> {
  const { price_cents, original_price_cents, discount_percentage, promotion_name, promotion_description } =
    line;
  if (line.kind === 'seats') {
    const quantity = mustExist(line.quantity, `seats of line ${line.id}`);
    return addPaidSeats(scope, license, {
      quantity,
      price: fromMinorUnits(price_cents, currency),
      currency,
      isTest,
    });
  }
  return renewPaid(scope, license, {
    kind: line.kind,
    days: line.days,
    months: line.months,
    type: line.license_type_id,
    price: {
      price_cents,
      original_price_cents,
      discount_percentage,
      promotion_name,
      promotion_description,
      currency,
    },
    isTest,
  });
}
