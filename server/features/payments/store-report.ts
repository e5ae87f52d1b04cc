import type { AccountProvider, CheckoutProvider } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, PaymentRow } from '../../db/tables.ts';
import { nextVersion } from '../../records/version.ts';
import { inScope, type Scope } from '../../scope.ts';
import { receivePayment } from './apply-lines.ts';
import { recordDispute, recordRefund } from './disputes.ts';
import { providerActor } from './payment-accounts.ts';
import {
  closeSessions,
  insertPayment,
  type LockedRequest,
  licensesOf,
  lockRequestWithLines,
} from './payment-rows.ts';
import type { Account, ProviderPayment } from './providers/provider.ts';
import { decisionOn, type Effect, readReport } from './report-outcome.ts';

/**
 * Processes a reported payment, however it was reported and how often (PAY-04, PAY-05). Each report is one
 * transaction that locks the licences, then the request. If several report the same payment, the first applies it and
 * the others find it applied.
 */

/** Stores what a provider with an account answered about a payment, in a transaction of its own. */
export async function storeAnswer(
  context: AppContext,
  request: { id: number },
  provider: AccountProvider,
  account: Account,
  reported: ProviderPayment,
): Promise<void> {
  const settings = { demo: context.config.demo, account: account.account };
  await inScope(context, { actor: providerActor(provider) }, async (scope) => {
    const isTest = await isOfTest(scope.tx, request.id, provider, account, reported);
    await storeReport(scope, request.id, provider, { ...reported, isTest }, settings);
  });
}

/**
 * Whether a payment takes no money: the provider says so of the payment, or the page on which it was made was one of
 * test mode, as the client read there (PAY-06). Mercado Pago's payments do not name their page, so all pages of their
 * account count; if these differ, it is by the kind of token, and then the payment itself says of which it is.
 */
async function isOfTest(
  tx: Db,
  request: number,
  provider: AccountProvider,
  account: Account,
  reported: ProviderPayment,
): Promise<boolean> {
  if (reported.isTest) return true;
  const pages = await tx
    .selectFrom('payment_checkouts')
    .select(['session_id', 'account', 'is_test'])
    .where('request_id', '=', request)
    .where('provider', '=', provider)
    .execute();
  const own = pages.filter((page) =>
    reported.account === null ? page.session_id === reported.source : page.account === reported.account,
  );
  return own.length === 0 ? account.isTest : own.every(({ is_test }) => is_test ?? account.isTest);
}

/** The settings that decide what a payment counts as. */
type CheckSettings = {
  /** Whether test payments without money are applied like others. */
  demo: boolean;
  /** The vendor's account at the provider; null if a token always belongs to one account. */
  account: string | null;
};

/** Stores what was reported about a payment of a request, and does what follows from it (report-outcome.ts). */
export async function storeReport(
  scope: Scope,
  requestId: number,
  provider: CheckoutProvider,
  reported: ProviderPayment,
  { demo, account: ownAccount }: CheckSettings,
): Promise<void> {
  const { tx, now } = scope;
  const locked = await lockRequestWithLines(scope, requestId);
  // A payment with the reference of another request is ignored.
  if (!locked || reported.reference !== locked.request.reference) return;
  const { request } = locked;
  const before = await lockReported(tx, provider, reported.source);
  // A payment stays with the request for which it was first reported.
  if (before && before.request_id !== requestId) return;
  const { effects, ...report } = readReport(before, reported);
  const after = await storePayment(scope, locked, provider, reported, before, report);
  // Nobody can pay on a session that the client has completed, so its page is closed.
  if (provider === 'stripe') await closeSessions(tx, 'stripe', [reported.source], now);
  const does: Record<Effect, () => Promise<void>> = {
    receive: async () => {
      const isRenewed = await wasRenewedSince(tx, locked);
      const received = { payment: after, request, account: reported.account, ownAccount, demo, isRenewed };
      await receivePayment(scope, locked, after, decisionOn(received));
    },
    refund: () => recordRefund(scope, locked, { before, after }),
    dispute: () => recordDispute(scope, locked, { before, after }),
  };
  for (const effect of effects) await does[effect]();
}

const lockReported = (tx: Db, provider: CheckoutProvider, source: string): Promise<PaymentRow | undefined> =>
  lockRows(
    tx,
    tx.selectFrom('payments').selectAll().where('provider', '=', provider).where('source', '=', source),
  ).executeTakeFirst();

/** Stores a reported payment; a report that is older than the stored state changes nothing. */
async function storePayment(
  scope: Scope,
  { request }: LockedRequest,
  provider: CheckoutProvider,
  reported: ProviderPayment,
  before: PaymentRow | undefined,
  { stored, isForward }: Omit<ReturnType<typeof readReport>, 'effects'>,
): Promise<PaymentRow> {
  const { tx, now } = scope;
  const isPaid = stored.state !== 'pending' && stored.state !== 'failed';
  const paid_at = before?.paid_at ?? (isPaid ? (reported.paidAt ?? now.toISOString()) : null);
  // Amount and currency are those of the received money: a voucher may be paid with less.
  const money = { amount_cents: reported.amount, currency: reported.currency, is_test: reported.isTest };
  const known = { ...stored, provider_id: reported.providerId, paid_at };
  if (!before) {
    const { source, method } = reported;
    return insertPayment(scope, request, {
      ...known,
      ...money,
      provider,
      source,
      method,
      reference: '',
      withheld_cents: 0,
    });
  }
  const changed = {
    ...known,
    ...(isForward && money),
    ...(isForward && reported.method !== null && { method: reported.method }),
  };
  if (stored.refunded_cents > before.refunded_cents) await endRefunds(tx, before.id, stored.refunded_cents);
  const isSame = Object.entries(changed).every(([name, value]) => before[name as keyof PaymentRow] === value);
  if (isSame) return before;
  const updated_at = nextVersion(before.updated_at, now);
  await tx
    .updateTable('payments')
    .set({ ...changed, updated_at })
    .where('id', '=', before.id)
    .execute();
  return { ...before, ...changed, updated_at };
}

/** Refunds whose answer was lost are done when the provider reports their amount. */
async function endRefunds(tx: Db, payment: number, refunded: number): Promise<void> {
  await tx
    .updateTable('payment_refunds')
    .set({ state: 'done' })
    .where('payment_id', '=', payment)
    .where('state', '=', 'asked')
    .where((eb) => eb(eb('refunded_before', '+', eb.ref('amount_cents')), '<=', refunded))
    .execute();
}

/**
 * Whether a licence was renewed after the request was made. While the request is open a renewal cancels it. After its
 * end a renewal does not change it, but a payment that is reported then must not renew the licence again. What was sold
 * already is paid whatever was sold after it (MONEY-05).
 */
async function wasRenewedSince(tx: Db, { request, lines }: LockedRequest): Promise<boolean> {
  const ids = licensesOf(lines.filter(({ kind }) => kind !== 'sold'));
  if (request.state !== 'expired' || ids.length === 0) return false;
  const term = await tx
    .selectFrom('license_terms')
    .select('id')
    .where('license_id', 'in', ids)
    .where('created_at', '>', request.created_at)
    .limit(1)
    .executeTakeFirst();
  return term !== undefined;
}
