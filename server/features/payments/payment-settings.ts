import type {
  PaymentSettings,
  PaymentSettingsSaved,
  PaymentSettingsUpdate,
} from '../../../contract/payments/payment-settings.ts';
import {
  ACCOUNT_PROVIDERS,
  type AccountProvider,
  PAYMENT_MESSAGES,
} from '../../../contract/payments/payment-words.ts';
import { accountWarning } from '../../../contract/reading/bank-accounts.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, fault, invalid, stale } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import {
  type AccountRow,
  openAccount,
  PROVIDERS,
  providerUrl,
  purposeOf,
  readAccounts,
  readGeneral,
  storedTransfer,
} from './payment-accounts.ts';
import { type Identity, ProviderAway, ProviderRefused } from './providers/provider.ts';

/** The vendor's accounts in Configuración › 'Pagos' (PAY-03). No answer and no event contains a token or a secret. */

const UNCHANGED = '1970-01-01T00:00:00.000Z';

/** Inserts the row of the payment settings if there is none yet. */
export async function ensureGeneral(tx: Db): Promise<void> {
  await tx
    .insertInto('payment_settings')
    .values({ id: 1, instructions: '', transfer: '', on_chargeback: 'notify', updated_at: UNCHANGED })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

const shown = ({ is_enabled, last_four, webhook_secret, account, currency, is_test }: AccountRow) => ({
  enabled: is_enabled,
  last_four,
  has_webhook_secret: webhook_secret !== null,
  account,
  currency,
  test: is_test,
});

export async function paymentSettingsOf(db: Db): Promise<PaymentSettings> {
  const { mercado_pago, stripe } = await readAccounts(db);
  return {
    mercado_pago: { ...shown(mercado_pago), has_access_token: mercado_pago.token !== null },
    stripe: { ...shown(stripe), has_secret_key: stripe.token !== null },
    ...(await readGeneral(db)),
  };
}

/** The field of each provider's token, named as at the provider. */
const TOKEN_FIELDS: Record<AccountProvider, string> = { mercado_pago: 'access_token', stripe: 'secret_key' };

/** The fields for an account in a PUT, with the same name for the token of every provider. */
type Sent = {
  enabled?: boolean | undefined;
  webhook_secret?: string | undefined;
  token?: string | undefined;
};

function sentOf(body: PaymentSettingsUpdate, provider: AccountProvider): Sent | undefined {
  const tokens: Record<AccountProvider, string | undefined> = {
    mercado_pago: body.mercado_pago?.access_token,
    stripe: body.stripe?.secret_key,
  };
  return body[provider] && { ...body[provider], token: tokens[provider] };
}

export type Identities = Partial<Record<AccountProvider, Identity>>;

/**
 * For each new token, asks its provider to which account it belongs, before anything is stored.
 * @throws invalid (400) on a token that the provider refuses, AppError 503 when the provider cannot be reached
 */
export async function identifyTokens(
  { config }: Pick<AppContext, 'config'>,
  body: PaymentSettingsUpdate,
): Promise<Identities> {
  const found: Identities = {};
  for (const provider of ACCOUNT_PROVIDERS) {
    const token = sentOf(body, provider)?.token;
    if (!token) continue;
    found[provider] = await identify(provider, { token, url: providerUrl(config, provider) });
  }
  return found;
}

async function identify(provider: AccountProvider, asked: { token: string; url: string }): Promise<Identity> {
  try {
    return await PROVIDERS[provider].identify(asked);
  } catch (error) {
    if (error instanceof ProviderAway) throw awayError();
    if (!(error instanceof ProviderRefused)) throw error;
    throw invalid({ [provider]: [fault('invalid', PAYMENT_MESSAGES.tokenRefused)] });
  }
}

export const awayError = () =>
  new AppError(503, 'unavailable', {
    message: PAYMENT_MESSAGES.providerAway,
    headers: { 'retry-after': '30' },
  });

/**
 * Changes the given values and leaves the others unchanged; '' removes a token or a secret. Removing a token also
 * disables its provider.
 * @throws stale (412); invalid (400) for an account that cannot be enabled
 */
export async function changePaymentSettings(
  scope: Scope,
  { demo, publicUrl }: Pick<AppContext['config'], 'demo' | 'publicUrl'>,
  body: PaymentSettingsUpdate,
  identities: Identities,
): Promise<PaymentSettingsSaved> {
  const { tx, now } = scope;
  await ensureGeneral(tx);
  const general = mustExist(
    await lockRows(tx, tx.selectFrom('payment_settings').selectAll()).executeTakeFirst(),
    'payment settings',
  );
  if (!isExpected(scope, general.updated_at)) throw stale(await paymentSettingsOf(tx));
  const changes: Changes = {};
  const before = await readAccounts(tx);
  for (const provider of ACCOUNT_PROVIDERS) {
    const sent = sentOf(body, provider);
    if (!sent) continue;
    const after = accountAfter(scope, before[provider], sent, identities[provider]);
    requireUsable(after, sent, demo || publicUrl.startsWith('https:'));
    const names = await storeAccount(scope, before[provider], after, sent);
    if (names.length > 0) changes[provider] = { before: null, after: names.join(', ') };
  }
  const { instructions = general.instructions, on_chargeback = general.on_chargeback } = body;
  // The event contains the names of changed fields, never their values (PAY-03).
  if (instructions !== general.instructions) changes.instructions = { before: null, after: MASK };
  const transfer = transferAfter(general.transfer, body.transfer);
  if (transfer !== general.transfer) changes.transfer = { before: null, after: MASK };
  if (on_chargeback !== general.on_chargeback) changes.on_chargeback = { before: null, after: MASK };
  if (Object.keys(changes).length > 0) {
    const updated_at = nextVersion(general.updated_at, now);
    await tx
      .updateTable('payment_settings')
      .set({ instructions, transfer, on_chargeback, updated_at })
      .execute();
    const subject = { id: null, name: 'Configuración' };
    await record(scope, { type: 'settings.updated', subject, changes });
  }
  const stored = await paymentSettingsOf(tx);
  const accountWarnings = body.transfer
    ? stored.transfer.accounts.flatMap((one) => accountWarning(one) ?? [])
    : [];
  return { ...stored, ...(accountWarnings.length > 0 && { warnings: { transfer: accountWarnings } }) };
}

/** The stored accounts after a change: absent parts stay, and the accounts are replaced as a whole (MONEY-11). */
function transferAfter(stored: string, sent: PaymentSettingsUpdate['transfer']): string {
  if (sent === undefined) return stored;
  const before = storedTransfer(stored);
  const { bank = before.bank, holder = before.holder, accounts = before.accounts } = sent;
  const after = JSON.stringify({ bank, holder, accounts });
  return after === JSON.stringify(before) ? stored : after;
}

const MASK = '•••';
const SHOWN = 4;

/** The account after the change. */
function accountAfter(
  { secrets }: Scope,
  before: AccountRow,
  { enabled, webhook_secret, token }: Sent,
  identity: Identity | undefined,
): AccountRow {
  const { provider } = before;
  const after = { ...before };
  if (token === '') {
    Object.assign(after, { token: null, last_four: null, account: null, currency: null, is_test: false });
    after.is_enabled = false;
  } else if (token !== undefined && identity) {
    after.token = secrets.seal(token, purposeOf(provider, 'token'));
    after.last_four = token.slice(-SHOWN);
    after.account = identity.account;
    after.currency = identity.currency;
    after.is_test = identity.isTest;
  }
  if (webhook_secret !== undefined) {
    const sealed = () => secrets.seal(webhook_secret, purposeOf(provider, 'webhook_secret'));
    after.webhook_secret = webhook_secret === '' ? null : sealed();
  }
  if (enabled !== undefined) after.is_enabled = enabled;
  return after;
}

/**
 * @throws invalid (400) for an account that is enabled without a token, or when its notifications cannot reach this
 * server
 */
function requireUsable(
  { provider, is_enabled, token }: AccountRow,
  { enabled }: Sent,
  isReached: boolean,
): void {
  if (!is_enabled || enabled !== true) return;
  if (token === null) throw invalid({ [provider]: [fault('required', PAYMENT_MESSAGES.tokenNeeded)] });
  if (!isReached) throw invalid({ [provider]: [fault('not_allowed', PAYMENT_MESSAGES.httpsNeeded)] });
}

/**
 * Stores an account.
 * @returns the names of the fields that changed
 */
async function storeAccount(
  { tx, now }: Scope,
  before: AccountRow,
  after: AccountRow,
  sent: Sent,
): Promise<string[]> {
  const names = [
    ...(after.is_enabled === before.is_enabled ? [] : ['enabled']),
    // Stored secrets cannot be compared without decrypting them, so each sent secret counts as changed.
    ...(sent.token === undefined || (sent.token === '' && before.token === null)
      ? []
      : [TOKEN_FIELDS[after.provider]]),
    ...(sent.webhook_secret === undefined || (sent.webhook_secret === '' && before.webhook_secret === null)
      ? []
      : ['webhook_secret']),
  ];
  if (names.length === 0) return names;
  await tx
    .insertInto('payment_accounts')
    .values(after)
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(after))
    .execute();
  // Pages of a former account, or of its other mode, are not used any more, because nobody would notice a payment on them.
  if (before.account !== after.account || before.is_test !== after.is_test) {
    await tx
      .updateTable('payment_checkouts')
      .set({ closed_at: now.toISOString() })
      .where('provider', '=', after.provider)
      .where('closed_at', 'is', null)
      .execute();
  }
  return names;
}

/**
 * 'Probar conexión': asks the provider to which account the stored token belongs. A refusal by the provider is a
 * normal answer.
 * @throws AppError 503, 400
 */
export async function testAccount(
  context: Pick<AppContext, 'db' | 'config' | 'secrets'>,
  provider: AccountProvider,
) {
  const account = openAccount(context, (await readAccounts(context.db))[provider]);
  if (!account) throw invalid({ [provider]: [fault('required', PAYMENT_MESSAGES.tokenNeeded)] });
  try {
    const { account: name, currency, isTest } = await PROVIDERS[provider].identify(account);
    return { success: true, account: name, currency, test: isTest };
  } catch (error) {
    if (error instanceof ProviderAway) throw awayError();
    if (!(error instanceof ProviderRefused)) throw error;
    return { success: false, account: null, currency: null, test: false };
  }
}
