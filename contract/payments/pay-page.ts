import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { vendor } from '../licenses/certificate.ts';
import { CHECKOUT_PROVIDERS, DEMO_RESULTS, PAY_MESSAGES, PAYMENT_REQUEST_STATES } from './payment-words.ts';

/**
 * The page on which a client pays, `/pagar/{code}` (PAY-02). Public, under `/licenses/api/pay/{code}/`:
 *
 * - `GET` → 200 {@link payPage}; 404 for an unknown code, 429 after too many calls
 * - `POST checkout/` {@link payCheckout} → 200 {@link payAddress}; 409 `conflict` if the request is not open, 400 on
 *   `provider` if it is not offered, 503 if the provider cannot be reached
 * - `POST check/` → 200 {@link payPage}; queries the provider first, at most every five seconds
 * - `POST demo/` {@link payDemo} → 200 {@link payPage}; 404 outside demo mode
 */

/** Has no licence key, no email address and no id. */
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
    amount: z.number(),
    /** What already came in, and what the client withheld as tax, if it is paid in parts (MONEY-06). */
    paid_amount: z.number(),
    withheld: z.number(),
    /** What is paid here now; 0 if the request is not open. */
    due: z.number(),
    currency: currencyCode,
    note: z.string(),
    expires_at: z.string(),
    /** The time zone in which the dates are shown as days. */
    time_zone: z.string(),
    /** Whether the portal is open, so that the page leads there (DESK-08). */
    portal: z.boolean(),
    /** How to pay by bank transfer; '' if the vendor does not accept transfers. */
    instructions: z.string(),
    /** The providers that can be chosen now. `test`: this one takes no money. */
    providers: z.array(z.object({ id: z.enum(CHECKOUT_PROVIDERS), label: z.string(), test: z.boolean() })),
  })
  .meta({ id: 'PayPage' });
export type PayPage = z.infer<typeof payPage>;

export const payCode = z.object({ code: z.string().max(100) });

export const payCheckout = z
  .object({ provider: z.enum(CHECKOUT_PROVIDERS, PAY_MESSAGES.provider) })
  .meta({ examples: [{ provider: 'mercado_pago' }] });

export const payAddress = z.object({ url: z.string() }).meta({ id: 'PayAddress' });

export const payDemo = z
  .object({ result: z.enum(DEMO_RESULTS, PAY_MESSAGES.result) })
  .meta({ examples: [{ result: 'approve' }] });
