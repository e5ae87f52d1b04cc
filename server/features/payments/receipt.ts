import { fromMinorUnits } from '../../../contract/base/money.ts';
import { erasedName } from '../../../contract/clients/privacy.ts';
import { maskName } from '../../../contract/licenses/certificate.ts';
import { type PayReceipt, RECEIPT_STATES } from '../../../contract/payments/pay-page.ts';
import { PAY_MESSAGES, receiptNumber, requestConcept } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { Db, PaymentRequestRow } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { vendorOf } from '../licenses/license-certificate.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { amountOf, answersOf } from './payments.queries.ts';

/** The receipt of a payment (MONEY-12, docs/decisions/157-a-receipt-for-each-payment.md). */

/** The payments of a request that were approved, also those whose money went back since, from the first. */
const approvedOf = (db: Db, request: number) =>
  db
    .selectFrom('payments')
    .where('request_id', '=', request)
    .where('state', 'in', RECEIPT_STATES)
    .orderBy('id');

/** How many receipts a request has. */
export async function countReceipts(db: Db, request: number): Promise<number> {
  const rows = await approvedOf(db, request).select('id').execute();
  return rows.length;
}

type Named = { client_name: string; tax_id: string | null; erased: boolean };

/** The client as its reader may see it: a stranger with the code sees the initials. */
async function clientOf(
  db: Db,
  { client_id, client_name }: PaymentRequestRow,
  isNamed: boolean,
): Promise<Named> {
  if (client_name === erasedName(client_id)) return { client_name, tax_id: null, erased: true };
  if (!isNamed) return { client_name: maskName(client_name), tax_id: null, erased: false };
  const client = await db
    .selectFrom('clients')
    .select('tax_id')
    .where('id', '=', client_id)
    .executeTakeFirst();
  return { client_name, tax_id: client?.tax_id || null, erased: false };
}

/**
 * The receipt of a request's n-th approved payment.
 * @param asked `payment`: n, from 1; the last one without it. `isNamed`: whether its reader may know whose it is
 * @throws notFound (404)
 */
export async function receiptOf(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  request: PaymentRequestRow,
  { payment: n, isNamed }: { payment: number | undefined; isNamed: boolean },
): Promise<PayReceipt> {
  const { timeZone } = config;
  const payments = await approvedOf(db, request.id).selectAll().execute();
  const place = n ?? payments.length;
  const payment = payments[place - 1];
  if (!payment) throw notFound(PAY_MESSAGES.noReceipt);
  const [found] = await answersOf(db, [request], { now: now(), timeZone });
  const { lines, subtotal, tax_rate, tax } = mustExist(found, `payment request ${request.id}`);
  const { legal_name, tax_id, address } = await readSettings(db);
  const { currency } = payment;
  return {
    success: true,
    number: receiptNumber(payment.id),
    payment: place,
    // The query reads no other states.
    state: payment.state as PayReceipt['state'],
    test: payment.is_test,
    paid_at: payment.paid_at ?? payment.created_at,
    vendor: { ...(await vendorOf(db)), legal_name, tax_id, address },
    ...(await clientOf(db, request, isNamed)),
    concept: requestConcept(request.id),
    lines: lines.map(({ description, starts, ends, amount }) => ({ description, starts, ends, amount })),
    subtotal,
    tax_rate,
    tax,
    total: fromMinorUnits(request.amount_cents, request.currency),
    request_currency: request.currency,
    amount: amountOf(payment.amount_cents, currency),
    withheld: amountOf(payment.withheld_cents, currency),
    currency,
    provider: payment.provider,
    method: payment.method,
    reference: payment.reference || payment.provider_id || '',
    refunded_amount: amountOf(payment.refunded_cents, currency),
    time_zone: timeZone,
  };
}
