import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { line, optionalLine, optionalParagraph, requiredLine } from '../base/text.ts';
import { cleanAccountNumber } from '../reading/bank-accounts.ts';
import { ACCOUNT_PROVIDERS, CHARGEBACK_ACTIONS, PAYMENT_LIMITS, PAYMENT_MESSAGES } from './payment-words.ts';

/**
 * The vendor's accounts with providers (PAY-03), `/licenses/api/settings/payments/`, all with `settings:manage`:
 *
 * - `GET` → 200 {@link paymentSettings}
 * - `PUT`, `PATCH` {@link paymentSettingsUpdate} → 200 {@link paymentSettingsSaved}; only for people, with step-up; 400 on
 *   the field (`mercado_pago`, `stripe`) if the provider refuses a token, 503 if it cannot be reached, 412 `stale`
 * - `POST {provider}/test/` → 200 {@link paymentAccountTest}; only for people, with step-up
 */

const account = {
  enabled: z.boolean(),
  /** The last characters of the token; null if there is no token. */
  last_four: z.string().nullable(),
  has_webhook_secret: z.boolean(),
  /** The provider's name for the account; null if there is no token. */
  account: z.string().nullable(),
  currency: z.string().nullable(),
  /** True if the token is for test mode. */
  test: z.boolean(),
};

/** An account to which clients transfer. `number` is what they copy: a CLABE, a CBU, an alias, an IBAN. */
const bankAccount = z.object({ label: z.string(), number: z.string(), currency: currencyCode });

/** Where clients transfer to (MONEY-11); none without accounts. */
export const transferAccounts = z.object({
  bank: z.string(),
  holder: z.string(),
  accounts: z.array(bankAccount),
});
export type TransferAccounts = z.infer<typeof transferAccounts>;
export const NO_TRANSFER: TransferAccounts = { bank: '', holder: '', accounts: [] };

export const paymentSettings = z
  .object({
    mercado_pago: z.object({ ...account, has_access_token: z.boolean() }),
    stripe: z.object({ ...account, has_secret_key: z.boolean() }),
    /** The text for clients about paying by bank transfer. */
    instructions: z.string(),
    transfer: transferAccounts,
    on_chargeback: z.enum(CHARGEBACK_ACTIONS),
    updated_at: z.string(),
  })
  .meta({ id: 'PaymentSettings' });
export type PaymentSettings = z.infer<typeof paymentSettings>;

/** What was stored, and what is odd about it: a check digit that does not fit. */
export const paymentSettingsSaved = paymentSettings
  .extend({ warnings: z.object({ transfer: z.array(z.string()) }).optional() })
  .meta({ id: 'PaymentSettingsSaved' });
export type PaymentSettingsSaved = z.infer<typeof paymentSettingsSaved>;

/** Absent: unchanged. '': removed. */
const secret = line(PAYMENT_LIMITS.secret).optional();
/** Fields of the answer that a caller may send back. They are ignored (API-05). */
const answered = z.unknown().optional();
const readOnly = {
  last_four: answered,
  has_webhook_secret: answered,
  account: answered,
  currency: answered,
  test: answered,
};
const written = { ...readOnly, enabled: z.boolean().optional(), webhook_secret: secret };

/** The number as it is typed or pasted, stored clean. One whose check digit does not fit is stored too, with a warning. */
const accountNumber = requiredLine(PAYMENT_LIMITS.accountNumber, PAYMENT_MESSAGES.accountNumber)
  .overwrite(cleanAccountNumber)
  .min(1, PAYMENT_MESSAGES.accountNumber);

/** `accounts` are replaced as a whole; the other absent fields stay unchanged. */
const writtenTransfer = z
  .object({
    bank: optionalLine(PAYMENT_LIMITS.bank),
    holder: optionalLine(PAYMENT_LIMITS.bank),
    accounts: z
      .array(
        z.object({
          label: optionalLine(PAYMENT_LIMITS.accountLabel).prefault(''),
          number: accountNumber,
          currency: currencyCode,
        }),
      )
      .max(PAYMENT_LIMITS.accounts, PAYMENT_MESSAGES.tooManyAccounts),
  })
  .partial();

export const paymentSettingsUpdate = z
  .object({
    mercado_pago: z.object({ ...written, access_token: secret, has_access_token: answered }),
    stripe: z.object({ ...written, secret_key: secret, has_secret_key: answered }),
    instructions: optionalParagraph(PAYMENT_LIMITS.instructions),
    transfer: writtenTransfer,
    on_chargeback: z.enum(CHARGEBACK_ACTIONS, PAYMENT_MESSAGES.chargeback),
    updated_at: z.string().max(40),
  })
  .partial()
  .meta({ examples: [{ mercado_pago: { enabled: true, access_token: 'TEST-1234' } }] });
export type PaymentSettingsUpdate = z.output<typeof paymentSettingsUpdate>;

export const accountProviderParams = z.object({ provider: z.enum(ACCOUNT_PROVIDERS) });

/** The result of 'Probar conexión'. */
export const paymentAccountTest = z
  .object({
    success: z.boolean(),
    account: z.string().nullable(),
    currency: z.string().nullable(),
    test: z.boolean(),
  })
  .meta({ id: 'PaymentAccountTest' });
export type PaymentAccountTest = z.infer<typeof paymentAccountTest>;
