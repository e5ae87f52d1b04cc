import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { vendor } from '../licenses/certificate.ts';
import { CHECKOUT_PROVIDERS, DEMO_RESULTS, PAY_MESSAGES, PAYMENT_REQUEST_STATES } from './payment-words.ts';

/**
 * The page on which a client pays, `/pagar/{code}` (PAY-02). Public, under `/licenses/api/pay/{code}/`:
 *
 * - `GET` → 200 {@link payPage}; 404 for an unknown code, 429 after many
 * - `POST checkout/` {@link payCheckout} → 200 {@link payAddress}; 409 `conflict` when it is not open, 400 on `provider`
 *   when that is not offered, 503 when it is away
 * - `POST check/` → 200 {@link payPage}, after the provider was asked, at most every five seconds
 * - `POST demo/` {@link payDemo} → 200 {@link payPage}; 404 outside demo mode
 */

/** No key, no mail, no id. */
export const payPage = z
  .object({
    success: z.literal(true),
    state: z.enum(PAYMENT_REQUEST_STATES),
    /** Whether a payment waits for its money: OXXO, SPEI, cash. */
    pending: z.boolean(),
    /** No money is taken: a provider is in test mode, or the payment was a test. */
    test: z.boolean(),
    vendor,
    /** Initials only. */
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
    currency: currencyCode,
    note: z.string(),
    expires_at: z.string(),
    /** The zone in which days count. */
    time_zone: z.string(),
    /** How to pay by transfer; '' where the vendor takes none. */
    instructions: z.string(),
    /** Those that can be pressed now. */
    providers: z.array(z.object({ id: z.enum(CHECKOUT_PROVIDERS), label: z.string() })),
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
