import { z } from 'zod';
import { currencyCode, wholeNumber, writtenNumber } from '../base/numbers.ts';
import { day, optionalLine } from '../base/text.ts';
import { vendor } from '../licenses/certificate.ts';
import { transferNotice } from './payment-requests.ts';
import { transferAccounts } from './payment-settings.ts';
import {
  CHECKOUT_PROVIDERS,
  DEMO_RESULTS,
  PAY_MESSAGES,
  PAYMENT_LIMITS,
  PAYMENT_METHODS,
  PAYMENT_PROVIDERS,
  PAYMENT_REQUEST_STATES,
} from './payment-words.ts';

/**
 * The page on which a client pays, `/pagar/{code}` (PAY-02). Public, under `/licenses/api/pay/{code}/`:
 *
 * - `GET` → 200 {@link payPage}; 404 for an unknown code, 429 after too many calls
 * - `POST checkout/` {@link payCheckout} → 200 {@link payAddress}; 409 `conflict` if the request is not open, 400 on
 *   `provider` if it is not offered, 503 if the provider cannot be reached
 * - `POST check/` → 200 {@link payPage}; queries the provider first, at most every five seconds
 * - `POST demo/` {@link payDemo} → 200 {@link payPage}; 404 outside demo mode
 * - `POST notice/` {@link payNotice} → 202 {@link payPage}: the client says that it transferred, which proves nothing and
 *   changes nothing but a line for a person (MONEY-11); 409 `conflict` if the request is not open, 400 on `paid_on`, 429
 *   after three in a day for a request, or twenty in an hour from an address
 * - `GET receipt/?payment=n` → 200 {@link payReceipt} of the n-th approved payment, from 1; the last one without `n`
 *   (MONEY-12); 404 if there is none
 */

/** What the client is charged for: the lines of the request, and their tax. */
const charged = {
  lines: z.array(
    z.object({
      description: z.string(),
      starts: z.string().nullable(),
      ends: z.string().nullable(),
      amount: z.number(),
    }),
  ),
  subtotal: z.number(),
  tax_rate: z.number(),
  tax: z.number(),
};

/** Has no licence key and no email address, and no id but that in `concept`. */
export const payPage = z
  .object({
    success: z.literal(true),
    state: z.enum(PAYMENT_REQUEST_STATES),
    /** True while a payment was started but its money has not arrived: OXXO, SPEI, cash. */
    pending: z.boolean(),
    /** True if a provider that can be chosen is in test mode and takes no money; if none can be, if the payment was a test. */
    test: z.boolean(),
    vendor,
    /** Only the initials of the client. */
    client_name: z.string(),
    ...charged,
    amount: z.number(),
    /** What already came in, and what the client withheld as tax, if it is paid in parts (MONEY-06). */
    paid_amount: z.number(),
    withheld: z.number(),
    /** What is paid here now; 0 if the request is not open. */
    due: z.number(),
    currency: currencyCode,
    /** What to write as the concept of a transfer (MONEY-11). */
    concept: z.string(),
    note: z.string(),
    expires_at: z.string(),
    /** The time zone in which the dates are shown as days. */
    time_zone: z.string(),
    /** Whether the portal is open, so that the page leads there (DESK-08). */
    portal: z.boolean(),
    /** How to pay by bank transfer; '' if the vendor does not accept transfers. */
    instructions: z.string(),
    /** Where to transfer: the accounts in the currency of the request; null without one. */
    transfer: transferAccounts.nullable(),
    /** What was said about a transfer, while nobody has answered it. */
    transfer_notice: transferNotice.nullable(),
    /** How many payments were approved, each of which has a receipt (MONEY-12). */
    receipts: z.number().int(),
    /** The providers that can be chosen now. `test`: this one takes no money. */
    providers: z.array(z.object({ id: z.enum(CHECKOUT_PROVIDERS), label: z.string(), test: z.boolean() })),
  })
  .meta({ id: 'PayPage' });
export type PayPage = z.infer<typeof payPage>;

export const payCode = z.object({ code: z.string().max(100) });

/** 'Ya hice la transferencia'. `paid_on`: a local day, at most 30 days back; today without it. */
export const payNotice = z
  .object({
    reference: optionalLine(PAYMENT_LIMITS.reference).prefault(''),
    paid_on: day.optional(),
  })
  .meta({ examples: [{ reference: 'SPEI 0042', paid_on: '2026-11-20' }] });
export type PayNotice = z.output<typeof payNotice>;

export const payCheckout = z
  .object({ provider: z.enum(CHECKOUT_PROVIDERS, PAY_MESSAGES.provider) })
  .meta({ examples: [{ provider: 'mercado_pago' }] });

export const payAddress = z.object({ url: z.string() }).meta({ id: 'PayAddress' });

export const payDemo = z
  .object({ result: z.enum(DEMO_RESULTS, PAY_MESSAGES.result) })
  .meta({ examples: [{ result: 'approve' }] });

/** The states of a payment that has a receipt: it was approved once. */
export const RECEIPT_STATES = ['approved', 'refunded', 'charged_back'] as const;

export const payReceiptQuery = z.object({
  payment: writtenNumber(wholeNumber(1, 1_000_000, PAY_MESSAGES.receipt))
    .optional()
    .meta({
      description:
        'Cuál de los recibos del cobro, desde 1; el último sin él / Which receipt of the request, from 1; the last one without it',
    }),
});

/**
 * The receipt of a payment, which is no tax document (MONEY-12). Whoever has only the code sees the client's initials;
 * staff with `payments:read`, and that client in the portal, see its name and tax id.
 */
export const payReceipt = z
  .object({
    success: z.literal(true),
    number: z.string(),
    /** Which one it is of those that the request has, from 1. */
    payment: z.number().int(),
    state: z.enum(RECEIPT_STATES),
    /** True if no money was transferred. */
    test: z.boolean(),
    paid_at: z.string(),
    vendor: vendor.extend({ legal_name: z.string(), tax_id: z.string(), address: z.string() }),
    client_name: z.string(),
    tax_id: z.string().nullable(),
    /** True if the client's data were erased: then no reader sees a name. */
    erased: z.boolean(),
    concept: z.string(),
    /** Those of the whole request, of which this payment may be a part. */
    ...charged,
    total: z.number(),
    request_currency: currencyCode,
    /** What came in with this payment, and what the client withheld as tax. */
    amount: z.number(),
    withheld: z.number(),
    /** The currency of the payment, which can differ from the requested one. */
    currency: z.string(),
    provider: z.enum(PAYMENT_PROVIDERS),
    method: z.enum(PAYMENT_METHODS).nullable(),
    reference: z.string(),
    refunded_amount: z.number(),
    /** The time zone in which the dates are shown as days. */
    time_zone: z.string(),
  })
  .meta({ id: 'PayReceipt' });
export type PayReceipt = z.infer<typeof payReceipt>;
