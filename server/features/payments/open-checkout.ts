import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import {
  type CheckoutProvider,
  DEMO_PATH,
  PAY_MESSAGES,
  PAYMENTS_PATH,
} from '../../../contract/payments/payment-words.ts';
import { PAY_RETURN } from '../../../contract/portal/portal-words.ts';
import type { AppContext } from '../../context.ts';
import type { PaymentCheckoutsTable } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { payUrl } from '../../rules/pay-address.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { closePages } from '../payment-requests/close-request.ts';
import {
  linesOf,
  lockRequest,
  type PaymentRequestRow,
  stateAt,
} from '../payment-requests/payment-request.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { isOffered, openAccount, PROVIDERS, readAccounts } from './payment-accounts.ts';
import { planPoll } from './payment-jobs.ts';
import type { Order, Page } from './providers/provider.ts';

/**
 * A client chooses 'Pagar con …' (PAY-02): the provider's page is created then, once, and is used again while it is
 * valid. One process claims the creation and calls the provider outside of any transaction; concurrent callers wait
 * for its answer. If an answer was lost, the same idempotency key prevents a second page at the provider.
 */

type Checkout = Selectable<PaymentCheckoutsTable>;

const MINUTE_MS = 60_000;
/** Longer than the timeout of a call to a provider. */
const CLAIM_MS = 20_000;
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

const notOpen = () => new AppError(409, 'conflict', { message: PAY_MESSAGES.notOpen });

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
  for (let look = 0; look < LOOKS_MAX; look++) {
    const claim = await inScope(context, { actor: SYSTEM }, (scope) =>
      claimCheckout(scope, context, request.id, provider),
    );
    if (claim.is === 'free') return `${pageUrl}/${DEMO_PATH}`;
    if (claim.is === 'there') return claim.url;
    const url = claim.is === 'mine' ? await makePage(context, claim, pageUrl) : null;
    if (url !== null) return url;
    await delay(LOOK_MS);
  }
  throw away();
}

type Claim =
  | { is: 'free' }
  | { is: 'there'; url: string }
  | { is: 'wait' }
  | { is: 'mine'; request: PaymentRequestRow; checkout: Checkout; provider: 'mercado_pago' | 'stripe' };

/** Finds the valid page, or claims the creation of one. */
async function claimCheckout(
  scope: Scope,
  context: AppContext,
  id: number,
  provider: CheckoutProvider,
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
  await notePress(scope, request);
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
  if (isUsable && last.claimed_until !== null && last.claimed_until > now.toISOString())
    return { is: 'wait' };
  const claimed_until = new Date(now.getTime() + CLAIM_MS).toISOString();
  if (isUsable && canRepeat(provider, last, now)) {
    await tx.updateTable('payment_checkouts').set({ claimed_until }).where('id', '=', last.id).execute();
    return { is: 'mine', request, checkout: { ...last, claimed_until }, provider };
  }
  const row = {
    request_id: id,
    provider,
    attempt: (last?.attempt ?? 0) + 1,
    session_id: null,
    url: null,
    claimed_until,
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
  return { is: 'mine', request, checkout: { ...row, id: stored.id }, provider };
}

/** Whether a creation whose answer was lost can be repeated with its key: Stripe refuses a page that ends too soon. */
const canRepeat = (provider: CheckoutProvider, { expires_at }: Checkout, now: Date): boolean =>
  provider !== 'stripe' || Date.parse(expires_at) - now.getTime() >= STRIPE_MS.least;

function pageEndOf(provider: CheckoutProvider, { expires_at }: PaymentRequestRow, now: Date): Date {
  const end = Date.parse(expires_at);
  if (provider !== 'stripe') return new Date(end);
  const from = now.getTime();
  return new Date(Math.min(Math.max(end, from + STRIPE_MS.least), from + STRIPE_MS.most));
}

/** Stores that the client chose a provider, so that the providers are asked soon and repeatedly. */
async function notePress(scope: Scope, request: PaymentRequestRow): Promise<void> {
  const { tx, now } = scope;
  const last = request.pressed_at === null ? 0 : Date.parse(request.pressed_at);
  if (now.getTime() - last < PRESS_MS) return;
  const pressed_at = now.toISOString();
  await tx.updateTable('payment_requests').set({ pressed_at }).where('id', '=', request.id).execute();
  await planPoll(scope, { ...request, pressed_at });
}

/**
 * Creates the claimed page at the provider.
 * @returns its address; null if the account was changed meanwhile, so that another page must be made
 * @throws AppError 409 conflict if the request ended meanwhile, 503 when the provider cannot be reached
 */
async function makePage(
  context: AppContext,
  { request, checkout, provider }: Extract<Claim, { is: 'mine' }>,
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
      amount: request.amount_cents,
      currency: request.currency,
      pageEnds: new Date(checkout.expires_at),
      ends: new Date(request.expires_at),
      now: new Date(checkout.created_at),
      returnUrl: `${pageUrl}?${PAY_RETURN.parameter}=${PAY_RETURN.done}`,
      failedUrl: `${pageUrl}?${PAY_RETURN.parameter}=${PAY_RETURN.failed}`,
      notifyUrl: `${config.publicUrl}${PAYMENTS_PATH}${provider}/notify/`,
      key: `${request.reference}-${checkout.attempt}`,
    };
    const { session, url } = await PROVIDERS[provider].create(account, order);
    const stored = await inScope(context, { actor: SYSTEM }, (scope) =>
      storePage(scope, checkout, { session, url }),
    );
    if (stored === 'ended') throw notOpen();
    return stored === 'usable' ? url : null;
  } catch (error) {
    await db
      .updateTable('payment_checkouts')
      .set({ claimed_until: null })
      .where('id', '=', checkout.id)
      .where('url', 'is', null)
      .execute();
    throw isOfProvider(error) ? away() : error;
  }
}

/**
 * Stores a created page. If the request has ended meanwhile, the page is ended too, because nobody may pay there.
 * @returns `ended`: the request has; `closed`: the account was changed meanwhile, and nobody would notice a payment
 */
async function storePage(
  scope: Scope,
  { id, request_id }: Checkout,
  { session, url }: Page,
): Promise<'usable' | 'ended' | 'closed'> {
  const { tx, now } = scope;
  const request = mustExist(await lockRequest(tx, request_id), `payment request ${request_id}`);
  const { closed_at } = await tx
    .updateTable('payment_checkouts')
    .set({ session_id: session, url, claimed_until: null })
    .where('id', '=', id)
    .returning('closed_at')
    .executeTakeFirstOrThrow();
  if (request.state !== 'open') await closePages(scope, request_id);
  if (stateAt(request, now) !== 'open') return 'ended';
  return closed_at === null ? 'usable' : 'closed';
}

const isOfProvider = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ProviderAway' || error.name === 'ProviderRefused');

/** The title that the client reads on the provider's page. */
function titleOf(vendor: string, lines: { description: string }[]): string {
  const [first, ...others] = lines;
  const more = others.length === 0 ? '' : ` y ${others.length} más`;
  return `${vendor}: ${first?.description ?? 'Pago'}${more}`.slice(0, 250);
}
