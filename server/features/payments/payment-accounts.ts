import type { Selectable } from 'kysely';
import { NO_TRANSFER, type TransferAccounts } from '../../../contract/payments/payment-settings.ts';
import {
  ACCOUNT_PROVIDERS,
  type AccountProvider,
  type ChargebackAction,
  type CheckoutProvider,
  PAYMENT_PROVIDER_LABELS,
} from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { Db, PaymentAccountsTable } from '../../db/tables.ts';
import type { Actor, Scope } from '../../scope.ts';
import { mercadoPago } from './providers/mercado-pago.ts';
import { type Account, NOWHERE, type Provider } from './providers/provider.ts';
import { stripe } from './providers/stripe.ts';

/** The vendor's accounts at payment providers, and the ways to pay that are available now (PAY-03). */

export const PROVIDERS: Record<AccountProvider, Provider> = { mercado_pago: mercadoPago, stripe };

export type AccountRow = Selectable<PaymentAccountsTable>;
/** What concerns no provider. */
export type General = {
  instructions: string;
  transfer: TransferAccounts;
  on_chargeback: ChargebackAction;
  updated_at: string;
};

/** The version of settings that were never changed. */
const UNCHANGED = '1970-01-01T00:00:00.000Z';

const NO_ACCOUNT: Omit<AccountRow, 'provider'> = {
  is_enabled: false,
  token: null,
  last_four: null,
  webhook_secret: null,
  account: null,
  currency: null,
  is_test: false,
};

export const isAccountProvider = (provider: string): provider is AccountProvider =>
  (ACCOUNT_PROVIDERS as readonly string[]).includes(provider);

export async function readAccounts(db: Db): Promise<Record<AccountProvider, AccountRow>> {
  const rows = await db.selectFrom('payment_accounts').selectAll().execute();
  const of = (provider: AccountProvider): AccountRow =>
    rows.find((row) => row.provider === provider) ?? { provider, ...NO_ACCOUNT };
  return { mercado_pago: of('mercado_pago'), stripe: of('stripe') };
}

/** The accounts of a stored row. */
export const storedTransfer = (transfer: string): TransferAccounts =>
  transfer === '' ? NO_TRANSFER : (JSON.parse(transfer) as TransferAccounts);

export async function readGeneral(db: Db): Promise<General> {
  const row = await db
    .selectFrom('payment_settings')
    .select(['instructions', 'transfer', 'on_chargeback', 'updated_at'])
    .executeTakeFirst();
  if (!row)
    return { instructions: '', transfer: NO_TRANSFER, on_chargeback: 'notify', updated_at: UNCHANGED };
  return { ...row, transfer: storedTransfer(row.transfer) };
}

/** The purpose of a sealed text of an account. */
export const purposeOf = (provider: AccountProvider, part: 'token' | 'webhook_secret') =>
  `payments:${provider}:${part}`;

const URLS: Record<AccountProvider, string> = {
  mercado_pago: 'https://api.mercadopago.com',
  stripe: 'https://api.stripe.com',
};

/** The address of a provider's API. */
export function providerUrl(
  {
    mercadoPagoUrl,
    stripeUrl,
    outbound,
  }: Pick<AppContext['config'], 'mercadoPagoUrl' | 'stripeUrl' | 'outbound'>,
  provider: AccountProvider,
): string {
  if (!outbound) return NOWHERE;
  const replaced: Record<AccountProvider, string | null> = {
    mercado_pago: mercadoPagoUrl,
    stripe: stripeUrl,
  };
  return replaced[provider] ?? URLS[provider];
}

/** An account with its decrypted token, for calls to the provider; null without a token. */
export function openAccount(
  { config, secrets }: Pick<AppContext, 'config' | 'secrets'>,
  row: AccountRow,
): Account | null {
  if (row.token === null) return null;
  const { provider, account, is_test } = row;
  return {
    token: secrets.open(row.token, purposeOf(provider, 'token')),
    url: providerUrl(config, provider),
    account,
    isTest: is_test,
  };
}

/** A way to pay that a client can choose now. */
export type Offer = { id: CheckoutProvider; label: string; isTest: boolean };

/**
 * The ways in which a client can pay an amount online. An account at Mercado Pago accepts only the currency of its
 * country; Stripe accepts every currency.
 */
export async function offersFor(
  db: Db,
  { demo }: Pick<AppContext['config'], 'demo'>,
  currency: string,
): Promise<Offer[]> {
  const accounts = await readAccounts(db);
  const offers: Offer[] = ACCOUNT_PROVIDERS.flatMap((id) => {
    const { is_enabled, token, currency: own, is_test } = accounts[id];
    const takes = id === 'stripe' || own === currency;
    if (!is_enabled || token === null || !takes) return [];
    return { id, label: PAYMENT_PROVIDER_LABELS[id], isTest: is_test };
  });
  if (demo) offers.push({ id: 'demo', label: PAYMENT_PROVIDER_LABELS.demo, isTest: true });
  return offers;
}

/** The accounts to which an amount in a currency is transferred; null without one. */
export function transferIn(
  { accounts, ...named }: TransferAccounts,
  currency: string,
): TransferAccounts | null {
  const own = accounts.filter((account) => account.currency === currency);
  return own.length === 0 ? null : { ...named, accounts: own };
}

/**
 * Whether clients can pay at all: through a provider, or by a transfer for which the vendor has written instructions or
 * named its accounts (PORTAL-05, PAY-07, MONEY-11).
 */
export async function canBePaid(db: Db, { demo }: { demo: boolean }): Promise<boolean> {
  if (demo) return true;
  const accounts = Object.values(await readAccounts(db));
  if (accounts.some(({ is_enabled, token }) => is_enabled && token !== null)) return true;
  const { instructions, transfer } = await readGeneral(db);
  return instructions !== '' || transfer.accounts.length > 0;
}

/** The actor of a payment that a provider reports (PAY-05). */
export const providerActor = (provider: CheckoutProvider): Actor => ({
  kind: 'system',
  id: null,
  name: PAYMENT_PROVIDER_LABELS[provider],
});

/** Whether a client can still pay in a currency with a provider. Called in a transaction. */
export const isOffered = async (
  scope: Pick<Scope, 'tx'>,
  config: Pick<AppContext['config'], 'demo'>,
  provider: CheckoutProvider,
  currency: string,
): Promise<boolean> => (await offersFor(scope.tx, config, currency)).some(({ id }) => id === provider);
