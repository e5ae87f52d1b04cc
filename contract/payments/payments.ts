import { z } from 'zod';
import { positiveMoney, writtenId } from '../base/numbers.ts';
import { exportForm, exportIds, listQuery, pageOf, summed } from '../base/page.ts';
import { day } from '../base/text.ts';
import { PAYMENT_MESSAGES, PAYMENT_METHODS, PAYMENT_PROVIDERS, PAYMENT_STATES } from './payment-words.ts';

/**
 * Payments, from providers or recorded by a person (PAY-06). Under `/licenses/api/payments/`:
 *
 * - `GET ?provider=&state=&client=&from=&to=` → 200 {@link paymentPage}, the newest first; `export/` the same as CSV
 * - `POST {id}/refund/` {@link paymentRefund} → 202 {@link payment}; only for people, with step-up and
 *   Idempotency-Key; 400 on `amount` above the amount that is not refunded yet, 409 `conflict` if the payment is not
 *   approved or not from a provider, 409 `idempotency_conflict` if the key was used for another amount, 503
 *   `unavailable` if the provider cannot be reached
 *
 * `GET /licenses/api/clients/{id}/money/` → 200 {@link clientMoneyAnswer}; 404 for an unknown client
 */

export const payment = z
  .object({
    id: z.number().int(),
    provider: z.enum(PAYMENT_PROVIDERS),
    /** The provider's id of the payment; null if a person recorded it. */
    provider_id: z.string().nullable(),
    /** The id of the payment request. */
    payment_request: z.number().int(),
    client: z.object({ id: z.number().int(), name: z.string() }),
    state: z.enum(PAYMENT_STATES),
    amount: z.number(),
    refunded_amount: z.number(),
    /** What the client withheld as tax: it settles the request, and is not cash (MONEY-06). */
    withheld: z.number(),
    /** The currency of the payment. It can differ from the requested one. */
    currency: z.string(),
    method: z.enum(PAYMENT_METHODS).nullable(),
    reference: z.string(),
    /** True if no money was transferred. */
    test: z.boolean(),
    created_at: z.string(),
    paid_at: z.string().nullable(),
  })
  .meta({ id: 'Payment' });
export type Payment = z.infer<typeof payment>;

/** The payments in a currency, whatever their state, and what went back of them (MONEY-13). */
const paymentSum = z
  .object({
    currency: z.string(),
    count: z.number().int(),
    amount: z.number(),
    refunded_amount: z.number(),
  })
  .meta({ id: 'PaymentSum' });
export type PaymentSum = z.infer<typeof paymentSum>;

export const paymentPage = pageOf(payment)
  .extend({ sums: summed(paymentSum) })
  .meta({ id: 'PaymentPage' });

/**
 * A client's money in a currency (MONEY-13): what was sold to it, net; what came in, less what went back, and what its
 * open requests still ask, both with tax; and its last payment. Tests are not in it.
 */
const clientMoney = z
  .object({
    currency: z.string(),
    sold: z.number(),
    collected: z.number(),
    receivable: z.number(),
    receivable_count: z.number().int(),
    last_payment: z
      .object({
        payment_request: z.number().int(),
        amount: z.number(),
        paid_at: z.string(),
        method: z.enum(PAYMENT_METHODS).nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'ClientMoney' });
export type ClientMoney = z.infer<typeof clientMoney>;

/** `GET clients/{id}/money/`; the vendor's currency is the first, and one without any money is left out. */
export const clientMoneyAnswer = z
  .object({ results: z.array(clientMoney) })
  .meta({ id: 'ClientMoneyAnswer' });
export type ClientMoneyAnswer = z.infer<typeof clientMoneyAnswer>;

const filters = {
  provider: z.enum(PAYMENT_PROVIDERS).optional(),
  state: z.enum(PAYMENT_STATES).optional(),
  client: writtenId.optional(),
  /** The range of local days of `created_at`, both included. */
  from: day.optional(),
  to: day.optional(),
};
export const paymentListQuery = z.object({
  ...listQuery.pick({ page: true, page_size: true, after: true }).shape,
  ...filters,
});
export const paymentExportQuery = z.object({ ...filters, ids: exportIds.optional(), ...exportForm });

/** Without an amount, everything that is not refunded yet is refunded. */
export const paymentRefund = z
  .object({ amount: positiveMoney(PAYMENT_MESSAGES.refundAmount).optional() })
  .meta({ examples: [{ amount: 100 }] });
export type PaymentRefund = z.output<typeof paymentRefund>;

/** The answer to a provider's notification. */
export const notificationAnswer = z.object({ success: z.literal(true) }).meta({ id: 'Noted' });
