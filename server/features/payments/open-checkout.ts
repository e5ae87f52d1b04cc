import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import {
  type AccountProvider,
  type CheckoutProvider,
  DEMO_PATH,
  PAY_MESSAGES,
  PAYMENTS_PATH,
} from '../../../contract/payments/payment-words.ts';
import { PAY_RETURN } from '../../../contract/portal/portal-words.ts';
import type { AppContext } from '../../context.ts';
import type { PaymentCheckoutsTable, PaymentRequestRow } from '../../db/tables.ts';
import { AppError, conflict, fault, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { payUrl } from '../../rules/pay-address.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { closePages, dueOf, linesOf, lockRequest } from '../payment-requests/close-request.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { offerEnd } from './ask-providers.ts';
import { claimColumns, claimsOf, isClaimed, UNCLAIMED, whileClaimed } from './checkout-claims.ts';
import { isOffered, openAccount, PROVIDERS, readAccounts } from './payment-accounts.ts';
import { planPoll } from './payment-jobs.ts';
import { type Account, type Order, type Page, type Provider, ProviderRefused } from './providers/provider.ts';

/**
 * A client chooses 'Pagar con …' (PAY-02): the provider's page is created then, once, and is used again while it is
 * valid. One call claims the creation (checkout-claims.ts) and calls the provider outside of any transaction; concurrent
 * callers wait for its answer. If an answer was lost, the same idempotency key prevents a second page at the provider. A
 * page that is made all the same, or too late, is given to nobody, and ended where the provider can.
 */

type Checkout = Selectable<PaymentCheckoutsTable>;

const MINUTE_MS = 60_000;
/** How often, and how many times, a caller checks for the answer to another caller's claim. */
const LOOK_MS = 100;
const LOOKS_MAX = 95;
/** A page with less remaining time is not used again. */
const LEAST_LEFT_MS = 2 * MINUTE_MS;
/** The next look-up is planned again at most this often, so that a client who clicks repeatedly causes no work. */
const PRESS_MS = 5000;

/** Stripe's pages are valid for at least half an hour and at most a day. */
const STRIPE_MS = { least: 31 * MINUTE_MS, most: 24 * 60 * MINUTE_MS - MINUTE_MS };

const away = () =>
  new AppError(503, 'unavailable', { message: PAY_MESSAGES.away, headers: { 'retry-after': '30' } });

const notOpen = () => conflict(PAY_MESSAGES.notOpen);

/**
 * Opens a provider's page for a request.
 * @param code the code of the request's own page, to which the client returns
 * @returns the address of the provider's page
 * @throws AppError 409 conflict when the request is not open, 400 on `provider`, 503 when the provider cannot be
 * reached
 */
export async function openCheckout(
  context: AppContext,
  request: Pick<PaymentRequestRow, 'id'>,
  code: string,
  provider: CheckoutProvider,
): Promise<string> {
  const pageUrl = payUrl(context.config.clientUrl, code);
  const { clock, claimed } = claimsOf(context);
  const own = randomUUID();
  claimed.add(own);
  try {
    for (let look = 0; look < LOOKS_MAX; look++) {
      const at = await clock();
      const claim = await inScope(context, { actor: SYSTEM }, (scope) =>
        claimCheckout(scope, context, { id: request.id, provider, own, at }),
      );
      if (claim.is === 'free') return `${pageUrl}/${DEMO_PATH}`;
      if (claim.is === 'there') return claim.url;
      const url = claim.is === 'mine' ? await makePage(context, claim, pageUrl) : null;
      if (url !== null) return url;
      await delay(LOOK_MS);
    }
  } finally {
    claimed.delete(own);
  }
  throw away();
}

type Claim =
  | { is: 'free' }
  | { is: 'there'; url: string }
  | { is: 'wait' }
  | { is: 'mine'; own: string; request: PaymentRequestRow; checkout: Checkout; provider: AccountProvider };

/** A call that asks for the page of a request: its name in claims, and the moment by the clock of claims. */
type Caller = { id: number; provider: CheckoutProvider; own: string; at: Date };

/** Finds the valid page, or claims the creation of one. */
async function claimCheckout(
  scope: Scope,
  context: AppContext,
  { id, provider, own, at }: Caller,
): Promise<Claim> {
  const { tx, now } = scope;
  const request = mustExist(await lockRequest(tx, id), `payment request ${id}`);
  if (stateAt(request, now) !== 'open') {
    throw notOpen();
  }
  if (!(await isOffered(scope, context.config, provider, request.currency))) {
    throw invalid({ provider: [fault('not_allowed', PAY_MESSAGES.notOffered)] });
  }
  // 'Pago de prueba' has its page in this program, and there is nothing to look up later.
  if (provider === 'demo') return { is: 'free' };
  await storePress(scope, request);
  const { account, is_test } = (await readAccounts(tx))[provider];
  const last = await tx
    .selectFrom('payment_checkouts')
    .selectAll()
    .where('request_id', '=', id)
    .where('provider', '=', provider)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isUsable =
    last !== undefined &&
    last.closed_at === null &&
    last.account === account &&
    (last.is_test ?? is_test) === is_test &&
    Date.parse(last.expires_at) - now.getTime() > LEAST_LEFT_MS;
  if (isUsable && last.url !== null) return { is: 'there', url: last.url };
  if (isUsable && isClaimed(tx, last, { ...claimsOf(context), at })) return { is: 'wait' };
  const claimed = claimColumns(own, at);
  if (isUsable && canRepeat(provider, last, now)) {
    await tx.updateTable('payment_checkouts').set(claimed).where('id', '=', last.id).execute();
    return { is: 'mine', own, request, checkout: { ...last, ...claimed }, provider };
  }
  // The call of a claim that has ended may still be answered. Its page must not be payable beside the new one.
  if (last?.url === null) {
    const closed = { ...UNCLAIMED, closed_at: now.toISOString() };
    await tx.updateTable('payment_checkouts').set(closed).where('id', '=', last.id).execute();
  }
  const row = {
    request_id: id,
    provider,
    attempt: (last?.attempt ?? 0) + 1,
    session_id: null,
    url: null,
    ...claimed,
    account,
    is_test,
    expires_at: pageEndOf(provider, request, now).toISOString(),
    created_at: now.toISOString(),
    closed_at: null,
  };
  const stored = await tx
    .insertInto('payment_checkouts')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return { is: 'mine', own, request, checkout: { ...row, id: stored.id }, provider };
}

/** Whether a creation whose answer was lost can be repeated with its key: Stripe refuses a page that ends too soon. */
const canRepeat = (provider: CheckoutProvider, { expires_at }: Checkout, now: Date): boolean =>
  provider !== 'stripe' || Date.parse(expires_at) - now.getTime() >= STRIPE_MS.least;

function pageEndOf(provider: CheckoutProvider, request: PaymentRequestRow, now: Date): Date {
  const end = offerEnd(request, now).getTime();
  if (provider !== 'stripe') return new Date(end);
  const from = now.getTime();
  return new Date(Math.min(Math.max(end, from + STRIPE_MS.least), from + STRIPE_MS.most));
}

/** Stores that the client chose a provider, so that the providers are asked soon and repeatedly. */
async function storePress(scope: Scope, request: PaymentRequestRow): Promise<void> {
  const { tx, now } = scope;
  const last = request.pressed_at === null ? 0 : Date.parse(request.pressed_at);
  if (now.getTime() - last < PRESS_MS) return;
  const pressed_at = now.toISOString();
  await tx.updateTable('payment_requests').set({ pressed_at }).where('id', '=', request.id).execute();
  await planPoll(scope, { ...request, pressed_at });
}

/**
 * Creates the claimed page at the provider.
 * @returns its address, or that of the page that took its place; null if another page must be looked for, because the
 * account or the amount was changed meanwhile, or another call has claimed the creation
 * @throws AppError 409 conflict if the request ended meanwhile, 503 when the provider cannot be reached
 */
async function makePage(
  context: AppContext,
  { own, request, checkout, provider }: Extract<Claim, { is: 'mine' }>,
  pageUrl: string,
): Promise<string | null> {
  const { db, config } = context;
  try {
    const account = openAccount(context, (await readAccounts(db))[provider]);
    if (!account) throw away();
    const isOfPage =
      account.account === checkout.account && account.isTest === (checkout.is_test ?? account.isTest);
    if (!isOfPage) return null;
    const { vendor_name } = await readSettings(db);
    const order: Order = {
      reference: request.reference,
      title: titleOf(vendor_name, await linesOf(db, request.id)),
      amount: dueOf(request),
      currency: request.currency,
      pageEnds: new Date(checkout.expires_at),
      ends: offerEnd(request, new Date(checkout.created_at)),
      now: new Date(checkout.created_at),
      returnUrl: `${pageUrl}?${PAY_RETURN.parameter}=${PAY_RETURN.done}`,
      failedUrl: `${pageUrl}?${PAY_RETURN.parameter}=${PAY_RETURN.failed}`,
      notifyUrl: `${config.publicUrl}${PAYMENTS_PATH}${provider}/notify/`,
      key: `${request.reference}-${checkout.attempt}`,
    };
    const { id } = checkout;
    const page = await whileClaimed(context, { id, claim: own }, () =>
      PROVIDERS[provider].create(account, order),
    );
    const stored = await inScope(context, { actor: SYSTEM }, (scope) =>
      storePage(scope, checkout, page, order.amount),
    );
    if (stored.isExtra) await endPage(PROVIDERS[provider], account, page);
    if (!stored.isOpen) throw notOpen();
    return stored.url;
  } catch (error) {
    // A refusal may concern the key, whose first call was another one, for example before the vendor's name changed.
    const isRefused = error instanceof ProviderRefused;
    await db
      .updateTable('payment_checkouts')
      .set({ ...UNCLAIMED, ...(isRefused && { attempt: checkout.attempt + 1 }) })
      .where('id', '=', checkout.id)
      .where('claimed_by', '=', own)
      .execute();
    throw isOfProvider(error) ? away() : error;
  }
}

type Stored = {
  /** Whether the request is open. */
  isOpen: boolean;
  /** The address to which the client is sent; null if that must be looked for. */
  url: string | null;
  /** True if the created page is not the one on which the request is paid. */
  isExtra: boolean;
};

/**
 * Stores a created page, unless another call has stored one before. If the request has ended meanwhile, or asks another
 * amount because a part came in, the page is ended too, because nobody may pay there.
 */
async function storePage(
  scope: Scope,
  { id, request_id }: Checkout,
  { session, url }: Page,
  amount: number,
): Promise<Stored> {
  const { tx, now } = scope;
  const request = mustExist(await lockRequest(tx, request_id), `payment request ${request_id}`);
  const row = await tx
    .selectFrom('payment_checkouts')
    .select(['session_id', 'url', 'closed_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (row.url === null) {
    const page = { session_id: session, url, ...UNCLAIMED };
    await tx.updateTable('payment_checkouts').set(page).where('id', '=', id).execute();
  }
  const isRight = request.state === 'open' && dueOf(request) === amount;
  if (!isRight) await closePages(scope, request_id);
  const isOpen = stateAt(request, now) === 'open';
  const isOther = row.closed_at !== null || (row.session_id !== null && row.session_id !== session);
  const isOffered = row.closed_at === null && isRight;
  return { isOpen, url: isOffered ? (row.url ?? url) : null, isExtra: isOther || (isOpen && !isRight) };
}

/** Ends a page whose address nobody has. If that fails, nothing is lost: nobody can pay there. */
async function endPage(provider: Provider, account: Account, { session }: Page): Promise<void> {
  try {
    await provider.close?.(account, session);
  } catch (error) {
    if (!isOfProvider(error)) throw error;
  }
}

const isOfProvider = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ProviderAway' || error.name === 'ProviderRefused');

/** The title that the client reads on the provider's page. */
function titleOf(vendor: string, lines: { description: string }[]): string {
  const [first, ...others] = lines;
  const more = others.length === 0 ? '' : ` y ${others.length} más`;
  return `${vendor}: ${first?.description ?? 'Pago'}${more}`.slice(0, 250);
}
