import { z } from 'zod';
import { type PaymentSettings, paymentSettingsUpdate } from '../../../contract/payments/payment-settings.ts';
import type { AccountProvider } from '../../../contract/payments/payment-words.ts';
import {
  checkbox,
  formOf,
  paragraph,
  select,
  text,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import {
  CHARGEBACK_LABELS,
  PROVIDER_FIELDS,
  paymentSettingsTexts as texts,
} from '../../text/es-payment-settings.ts';
import { onOrOff } from '../../text/es-settings.ts';
import { accountTexts } from '../../text/es-transfers.ts';
import { hasFaults, readTransfer, transferIn } from './account-lines.ts';

/** A stored secret is never shown: its field is blank. A blank field does not change it. */
const secret = (label: string, help: string) =>
  text(label, {
    help,
    read: () => '',
    words: () => '•••',
    props: { type: 'password', autoComplete: 'new-password', spellCheck: false },
  });

const enabled = (provider: AccountProvider) =>
  checkbox(texts.enabled, {
    input: 'switch',
    help: texts.enabledHelp,
    words: onOrOff,
    read: (stored: PaymentSettings) => stored[provider].enabled,
  });

const forget = () => checkbox(texts.forget, { help: texts.forgetHelp, read: () => false });

/**
 * The field of a token has the name of its provider, because the server reports a refused token, and a provider that
 * cannot be offered, with this field name.
 */
export const ACCOUNT_FIELDS = {
  mercado_pago: {
    mercado_pago_enabled: enabled('mercado_pago'),
    mercado_pago: secret(PROVIDER_FIELDS.mercado_pago.token, PROVIDER_FIELDS.mercado_pago.tokenHelp),
    mercado_pago_secret: secret(texts.webhookSecret, PROVIDER_FIELDS.mercado_pago.secretHelp),
    mercado_pago_forget: forget(),
  },
  stripe: {
    stripe_enabled: enabled('stripe'),
    stripe: secret(PROVIDER_FIELDS.stripe.token, PROVIDER_FIELDS.stripe.tokenHelp),
    stripe_secret: secret(texts.webhookSecret, PROVIDER_FIELDS.stripe.secretHelp),
    stripe_forget: forget(),
  },
};

const ACCOUNTS_FIELDS = { transfer: transferIn(accountTexts.accounts) };
export const TRANSFER_FIELDS = {
  instructions: paragraph(texts.instructions, { help: texts.instructionsHelp, wide: true }),
};
export const CHARGEBACK_FIELDS = {
  on_chargeback: select(texts.chargeback, CHARGEBACK_LABELS, { blank: 'notify', help: texts.chargebackHelp }),
};

const FIELDS = {
  ...ACCOUNT_FIELDS.mercado_pago,
  ...ACCOUNT_FIELDS.stripe,
  ...ACCOUNTS_FIELDS,
  ...TRANSFER_FIELDS,
  ...CHARGEBACK_FIELDS,
};

export const PAYMENT_FORM = formOf(FIELDS);
export type PaymentForm = ValuesOf<typeof FIELDS>;

interface Account {
  enabled: boolean;
  token: string;
  secret: string;
  isForgotten: boolean;
}

/** '' removes a secret; an absent field leaves it unchanged. */
function accountOf<Token extends string>(
  name: Token,
  { enabled: isOn, token, secret: note, isForgotten }: Account,
) {
  if (isForgotten) return { enabled: false, [name]: '', webhook_secret: '' };
  return {
    enabled: isOn,
    ...(token.trim() !== '' && { [name]: token.trim() }),
    ...(note.trim() !== '' && { webhook_secret: note.trim() }),
  };
}

/** The schema: form values in, request body out, checked with the contract's schema. */
export const paymentSchema = z
  .custom<PaymentForm>()
  .refine(({ transfer }) => !hasFaults(readTransfer(transfer).accounts), {
    path: ['transfer'],
    message: accountTexts.fix,
  })
  .transform((form): unknown => ({
    mercado_pago: accountOf('access_token', {
      enabled: form.mercado_pago_enabled,
      token: form.mercado_pago,
      secret: form.mercado_pago_secret,
      isForgotten: form.mercado_pago_forget,
    }),
    stripe: accountOf('secret_key', {
      enabled: form.stripe_enabled,
      token: form.stripe,
      secret: form.stripe_secret,
      isForgotten: form.stripe_forget,
    }),
    transfer: readTransfer(form.transfer),
    instructions: form.instructions,
    on_chargeback: form.on_chargeback,
  }))
  .pipe(paymentSettingsUpdate);
export type PaymentPayload = z.output<typeof paymentSchema>;
