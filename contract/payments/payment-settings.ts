import { z } from 'zod';
import { line, optionalParagraph } from '../base/text.ts';
import { ACCOUNT_PROVIDERS, CHARGEBACK_ACTIONS, PAYMENT_LIMITS, PAYMENT_MESSAGES } from './payment-words.ts';

/**
 * The vendor's accounts with providers (PAY-03), `/licenses/api/settings/payments/`, all with `settings:manage`:
 *
 * - `GET` → 200 {@link paymentSettings}
 * - `PUT`, `PATCH` {@link paymentSettingsUpdate} → 200 {@link paymentSettings}; people only, with step-up; 400 on the field
 *   (`mercado_pago`, `stripe`) when the provider refuses a token, 503 when it is away, 412 `stale`
 * - `POST {provider}/test/` → 200 {@link paymentAccountTest}; people only, with step-up
 */

const account = {
  enabled: z.boolean(),
  /** The last characters of the token; null without one. */
  last_four: z.string().nullable(),
  has_webhook_secret: z.boolean(),
  /** What the provider calls the account; null without a token. */
  account: z.string().nullable(),
  currency: z.string().nullable(),
  /** Whether its token is one for tests. */
  test: z.boolean(),
};

export const paymentSettings = z
  .object({
    mercado_pago: z.object({ ...account, has_access_token: z.boolean() }),
    stripe: z.object({ ...account, has_secret_key: z.boolean() }),
    /** How to pay by transfer, as clients read it. */
    instructions: z.string(),
    on_chargeback: z.enum(CHARGEBACK_ACTIONS),
    updated_at: z.string(),
  })
  .meta({ id: 'PaymentSettings' });
export type PaymentSettings = z.infer<typeof paymentSettings>;

/** Absent: it stays. '': it is removed. */
const secret = line(PAYMENT_LIMITS.secret).optional();
/** Parts of an answer that a call may send back with it; they are not written (API-05). */
const answered = z.unknown().optional();
const readOnly = {
  last_four: answered,
  has_webhook_secret: answered,
  account: answered,
  currency: answered,
  test: answered,
};
const written = { ...readOnly, enabled: z.boolean().optional(), webhook_secret: secret };

export const paymentSettingsUpdate = z
  .object({
    mercado_pago: z.object({ ...written, access_token: secret, has_access_token: answered }),
    stripe: z.object({ ...written, secret_key: secret, has_secret_key: answered }),
    instructions: optionalParagraph(PAYMENT_LIMITS.instructions),
    on_chargeback: z.enum(CHARGEBACK_ACTIONS, PAYMENT_MESSAGES.chargeback),
    updated_at: z.string().max(40),
  })
  .partial()
  .meta({ examples: [{ mercado_pago: { enabled: true, access_token: 'TEST-1234' } }] });
export type PaymentSettingsUpdate = z.output<typeof paymentSettingsUpdate>;

export const accountProviderParams = z.object({ provider: z.enum(ACCOUNT_PROVIDERS) });

/** 'Probar conexión' */
export const paymentAccountTest = z
  .object({
    success: z.boolean(),
    account: z.string().nullable(),
    currency: z.string().nullable(),
    test: z.boolean(),
  })
  .meta({ id: 'PaymentAccountTest' });
export type PaymentAccountTest = z.infer<typeof paymentAccountTest>;
