import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { VALIDITY_DAYS_MAX } from '../base/limits.ts';
import {
  currencyCode,
  discount,
  moneyOrNothing,
  monthCount,
  positiveCount,
  positiveMoney,
  recordId,
  wholeNumber,
  writtenId,
} from '../base/numbers.ts';
import { listQuery, pageOf, summed } from '../base/page.ts';
import { REASON_REQUIRED } from '../base/required.ts';
import { answeredDay, optionalLine, optionalParagraph, requiredLine } from '../base/text.ts';
import { LICENSE_MESSAGES } from '../licenses/licenses.fields.ts';
import { hasTwoLengths } from '../licenses/one-length.ts';
import { paidInstant } from './paid-instant.ts';
import {
  LINE_KINDS,
  MANUAL_METHODS,
  PAYMENT_LIMITS,
  PAYMENT_LINE_KINDS,
  PAYMENT_MESSAGES,
  PAYMENT_REQUEST_STATES,
  REVIEW_REASONS,
} from './payment-words.ts';
import { payment } from './payments.ts';

/**
 * Payment requests to clients (PAY-01, PAY-05). All under `/licenses/api/payment-requests/`:
 *
 * - `POST` {@link paymentRequestCreate} → 201 {@link paymentRequest}; 400 on `lines`; 409 with the code of the refused
 *   renewal, `already_requested`, or `conflict` while a payment for the licence is in review. A 409 has `license`; the
 *   last two also have `payment_request`
 * - `GET ?search=&state=&client=&license=` → 200 {@link paymentRequestPage}, the newest first. A search finds the
 *   client, the key of a licence, the concept and the reference of a payment
 * - `GET {id}/` → 200 {@link paymentRequestDetails}
 * - `POST {id}/cancel/` {@link paymentRequestCancel} → 200 {@link paymentRequest}; 400 on `reason` if a part came in and
 *   nothing says why
 * - `POST {id}/send/` → 200 {@link paymentRequest}: sends the mail `payment_request` again
 * - `POST {id}/mark_paid/` {@link paymentRequestPaid} → 200 {@link paymentRequest} in state `paid`, or `review` if a
 *   licence cannot be renewed now; still `open` if it was a part, and `due` is the rest (MONEY-06)
 * - `POST {id}/resolve/` {@link paymentRequestResolution} → 200 {@link paymentRequest}
 * - `POST {id}/dismiss_notice/` {@link noticeDismissal} → 200 {@link paymentRequest}: the transfer of which the client
 *   gave notice did not arrive (MONEY-11)
 *
 * The last five answer 409 `conflict` if the state of the request does not allow them. Reading needs `payments:read`,
 * everything else `payments:write`. `mark_paid`, `resolve` with `apply`, and a line that asks for less money or sells
 * more time than the preview of its renewal also need `licenses:renew` (403 `forbidden`), as does each `maintenance`,
 * whose price nothing finds. Each POST accepts an Idempotency-Key.
 */

/** A licence in a payment request, and what is sold. Absent terms are determined as in a renewal (LIFE-02). */
const paymentLineInput = z.object({
  license: recordId,
  kind: z.enum(PAYMENT_LINE_KINDS, PAYMENT_MESSAGES.kind),
  license_type_config: recordId.optional(),
  expiry_days: positiveCount(PAYMENT_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).optional(),
  /** The term ends on the same day of the month, so many months on (MONEY-10). */
  expiry_months: monthCount.nullable().optional(),
  updates_days: positiveCount(PAYMENT_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).optional(),
  /** Only for `seats`, which need it (MONEY-08). */
  quantity: positiveCount(PAYMENT_MESSAGES.quantity).optional(),
  /** Without tax, in the currency of the given type, else of the licence. */
  price: positiveMoney(PAYMENT_MESSAGES.price).optional(),
});
export type PaymentLineInput = z.output<typeof paymentLineInput>;

const lines = z
  .array(
    paymentLineInput
      .refine(({ kind, license_type_config }) => kind !== 'upgrade' || license_type_config !== undefined, {
        ...coded('required', PAYMENT_MESSAGES.typeForUpgrade),
      })
      .refine(({ kind, price }) => kind !== 'maintenance' || price !== undefined, {
        ...coded('required', PAYMENT_MESSAGES.priceForMaintenance),
      })
      .refine(({ kind, quantity }) => kind !== 'seats' || quantity !== undefined, {
        ...coded('required', PAYMENT_MESSAGES.quantity),
      })
      .refine((line) => !hasTwoLengths(line), coded('not_allowed', LICENSE_MESSAGES.monthsOrDays)),
  )
  .min(1, PAYMENT_MESSAGES.lines)
  .max(PAYMENT_LIMITS.lines, PAYMENT_MESSAGES.tooManyLines)
  .refine(
    (all) => new Set(all.map(({ license }) => license)).size === all.length,
    coded('not_allowed', PAYMENT_MESSAGES.twice),
  );

export const paymentRequestCreate = z
  .object({
    lines,
    /** Percent. Default: the setting `tax_rate`. */
    tax_rate: discount.optional(),
    /** The request expires at the end of this local day. */
    expires_in_days: wholeNumber(
      PAYMENT_LIMITS.daysMin,
      PAYMENT_LIMITS.daysMax,
      PAYMENT_MESSAGES.days,
    ).default(PAYMENT_LIMITS.daysDefault),
    notify: z.boolean().default(true),
    /** A note that the client sees. */
    note: optionalParagraph(PAYMENT_LIMITS.note).prefault(''),
  })
  .meta({ examples: [{ lines: [{ license: 1, kind: 'renewal' }], expires_in_days: 7 }] });
export type PaymentRequestInput = z.output<typeof paymentRequestCreate>;

/**
 * A payment that a person recorded. `amount` is what came in; `withheld` is the tax that the client withheld: it settles
 * the request too, and is not cash. Without `amount` everything that is due came in, or was withheld (MONEY-06).
 */
export const paymentRequestPaid = z
  .object({
    method: z.enum(MANUAL_METHODS, PAYMENT_MESSAGES.method),
    reference: optionalLine(PAYMENT_LIMITS.reference).prefault(''),
    /** Default: now. */
    paid_at: paidInstant.optional(),
    amount: moneyOrNothing(PAYMENT_MESSAGES.amount).optional(),
    withheld: moneyOrNothing(PAYMENT_MESSAGES.withheld).optional(),
  })
  .meta({ examples: [{ method: 'transfer', reference: 'SPEI 0042', amount: 1000, withheld: 0 }] });
export type PaymentRequestPaid = z.output<typeof paymentRequestPaid>;

/** Why the request is cancelled: required once a part of it came in. */
export const paymentRequestCancel = z
  .object({ reason: optionalLine(PAYMENT_LIMITS.reason).prefault('') })
  .meta({ examples: [{ reason: 'El cliente desistió' }] });
export type PaymentRequestCancel = z.output<typeof paymentRequestCancel>;

/**
 * `apply` executes all lines now. `close` ends the review: the state becomes `paid` if the lines were executed, else
 * `cancelled`.
 */
export const paymentRequestResolution = z
  .object({
    action: z.enum(['apply', 'close'], PAYMENT_MESSAGES.action),
    reason: requiredLine(PAYMENT_LIMITS.reason, REASON_REQUIRED),
  })
  .meta({ examples: [{ action: 'apply', reason: 'Confirmado con el banco' }] });
export type PaymentRequestResolution = z.output<typeof paymentRequestResolution>;

/** 'No llegó': answers a notice of a transfer. */
export const noticeDismissal = z
  .object({ reason: optionalLine(PAYMENT_LIMITS.reason).prefault('') })
  .meta({ examples: [{ reason: 'No está en el estado de cuenta' }] });
export type NoticeDismissal = z.output<typeof noticeDismissal>;

/**
 * What a client said on the payment page about a transfer, while nobody has answered it. It proves nothing (MONEY-11).
 * `paid_on`: a local day.
 */
export const transferNotice = z.object({ at: z.string(), reference: z.string(), paid_on: answeredDay });

const reference = writtenId.optional();
export const paymentRequestListQuery = z.object({
  ...listQuery.pick({ page: true, page_size: true, after: true, search: true }).shape,
  state: z.enum(PAYMENT_REQUEST_STATES).optional(),
  client: reference,
  license: reference,
});

/**
 * A line of a request. Price, type and length were fixed when the request was made. `starts` and `ends` are computed
 * for a payment now; once the request is paid, they are the actual dates. Both are null if the licence was deleted or
 * has no end.
 */
const paymentLine = z.object({
  license: z.object({ id: z.number().int(), license_key: z.string() }).nullable(),
  kind: z.enum(LINE_KINDS),
  description: z.string(),
  starts: z.string().nullable(),
  ends: z.string().nullable(),
  /** Without tax. */
  amount: z.number(),
});
export type PaymentLine = z.infer<typeof paymentLine>;

const shape = {
  id: z.number().int(),
  /** What the client writes as the concept of a transfer: 'COBRO-' and the id (MONEY-11). */
  concept: z.string(),
  /** The address of the payment page. Only the client should get it. */
  url: z.string(),
  state: z.enum(PAYMENT_REQUEST_STATES),
  client: z.object({ id: z.number().int(), name: z.string() }),
  lines: z.array(paymentLine),
  subtotal: z.number(),
  tax_rate: z.number(),
  tax: z.number(),
  /** The amount to pay. */
  amount: z.number(),
  /** What came in for it, less what went back. */
  paid_amount: z.number(),
  /** What its link still asks, with tax; 0 if it is not open (MONEY-06). */
  due: z.number(),
  currency: currencyCode,
  note: z.string(),
  /** True while a payment was started but its money has not arrived: OXXO, SPEI, cash. */
  pending: z.boolean(),
  /** True if one of its payments is a test, without money. */
  test: z.boolean(),
  review_reason: z.enum(REVIEW_REASONS).nullable(),
  /** The client's notice of a transfer that nobody has answered; null without one. */
  transfer_notice: transferNotice.nullable(),
  expires_at: z.string(),
  paid_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  actor: z.object({ kind: z.string(), id: z.number().int().nullable(), name: z.string() }),
};

export const paymentRequest = z.object(shape).meta({ id: 'RequestedPayment' });
export type PaymentRequest = z.infer<typeof paymentRequest>;

/** What was asked for in a currency, and what is still due of it; the vendor's currency is the first (MONEY-13). */
const requestedSum = z
  .object({ currency: currencyCode, count: z.number().int(), amount: z.number(), due: z.number() })
  .meta({ id: 'RequestedPaymentSum' });
export type RequestedPaymentSum = z.infer<typeof requestedSum>;

export const paymentRequestPage = pageOf(paymentRequest)
  .extend({ sums: summed(requestedSum) })
  .meta({ id: 'RequestedPaymentPage' });

/** A request with its payments, newest first. */
export const paymentRequestDetails = z
  .object({ ...shape, payments: z.array(payment) })
  .meta({ id: 'RequestedPaymentDetails' });
export type PaymentRequestDetails = z.infer<typeof paymentRequestDetails>;
