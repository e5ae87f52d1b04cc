import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentMethod, PaymentState } from '../../../../contract/payments/payment-words.ts';
import { PAYMENT_LIMITS } from '../../../../contract/payments/payment-words.ts';
import {
  addressIn,
  callProvider,
  idIn,
  isObject,
  type Json,
  mustBeRefunded,
  numberIn,
  partOf,
  secondsIn,
  textIn,
} from './call-provider.ts';
import {
  type Account,
  type Identity,
  type NotificationSubject,
  type Order,
  type Page,
  type Provider,
  type ProviderNotification,
  type ProviderPayment,
  ProviderRefused,
} from './provider.ts';

/** Stripe Checkout Sessions (PAY-03). Its amounts are in minor units, and a session leads to at most one payment. */

/** The version of Stripe's API for which the answers are parsed; the account's default version may differ. */
export const STRIPE_VERSION = '2025-09-30.clover';

const headersOf = ({ token }: Pick<Account, 'token'>) => ({
  authorization: `Bearer ${token}`,
  'stripe-version': STRIPE_VERSION,
});

const post = (
  account: Account,
  path: string,
  key: string | null,
  form: Record<string, string>,
): Promise<Json> =>
  callProvider(`${account.url}${path}`, {
    method: 'POST',
    headers: {
      ...headersOf(account),
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== null && { 'idempotency-key': key }),
    },
    body: new URLSearchParams(form).toString(),
  });

const get = (account: Pick<Account, 'token' | 'url'>, path: string): Promise<Json> =>
  callProvider(`${account.url}${path}`, { method: 'GET', headers: headersOf(account) });

const DAY_MS = 24 * 60 * 60_000;

async function create(account: Account, order: Order): Promise<Page> {
  // The validity of a voucher in whole days. It never ends after the request, except that a voucher is valid for at
  // least one day.
  const voucherDays = Math.min(
    7,
    Math.max(1, Math.floor((order.ends.getTime() - order.now.getTime()) / DAY_MS)),
  );
  const session = await post(account, '/v1/checkout/sessions', order.key, {
    mode: 'payment',
    client_reference_id: order.reference,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': order.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(order.amount),
    'line_items[0][price_data][product_data][name]': order.title,
    'adaptive_pricing[enabled]': 'false',
    ...(order.currency === 'MXN' && {
      'payment_method_options[oxxo][expires_after_days]': String(voucherDays),
    }),
    locale: 'es-419',
    success_url: order.returnUrl,
    cancel_url: order.failedUrl,
    expires_at: String(Math.floor(order.pageEnds.getTime() / 1000)),
  });
  const id = idIn(session.id);
  if (id === null) throw new ProviderRefused(200, 'la respuesta no tiene id');
  return { session: id, url: addressIn(session.url) };
}

/** The payment state of a completed session. */
function stateOf(session: Json, intent: Json, charge: Json): PaymentState {
  if (session.payment_status !== 'paid') {
    // The voucher was not paid in time.
    const isOver = intent.status === 'requires_payment_method' || intent.status === 'canceled';
    return isOver ? 'failed' : 'pending';
  }
  if (charge.disputed === true) return 'charged_back';
  return charge.refunded === true ? 'refunded' : 'approved';
}

function methodOf(charge: Json): PaymentMethod | null {
  const details = partOf(charge, 'payment_method_details');
  const type = textIn(details.type);
  if (type === null) return null;
  if (type === 'oxxo') return 'cash';
  if (type === 'customer_balance' || type.endsWith('_debit') || type === 'pix') return 'transfer';
  if (type !== 'card') return 'other';
  const card = partOf(details, 'card');
  return card.funding === 'debit' ? 'debit_card' : 'card';
}

/** The payment of a session; null while the client has not completed it. */
function toProviderPayment(session: Json): ProviderPayment | null {
  const id = idIn(session.id);
  const amount = numberIn(session.amount_total);
  const currency = textIn(session.currency)?.toUpperCase();
  if (id === null || amount === null || currency === undefined || session.status !== 'complete') return null;
  const intent = partOf(session, 'payment_intent');
  const charge = partOf(intent, 'latest_charge');
  const state = stateOf(session, intent, charge);
  const received = numberIn(intent.amount_received);
  return {
    source: id,
    providerId: idIn(intent.id) ?? idIn(session.payment_intent) ?? id,
    reference: textIn(session.client_reference_id),
    account: null,
    state,
    // The amount received, if it is less than the amount on the page.
    amount: session.payment_status === 'paid' && received !== null ? Math.min(amount, received) : amount,
    refunded: numberIn(charge.amount_refunded) ?? 0,
    currency,
    method: methodOf(charge),
    isTest: session.livemode !== true,
    createdAt: secondsIn(session.created),
    paidAt: session.payment_status === 'paid' ? secondsIn(charge.created) : null,
    dispute: state === 'charged_back' ? 'open' : null,
  };
}

const isSession = (source: string): boolean => /^[A-Za-z0-9_-]{1,200}$/.test(source);

async function fetchSession(account: Account, source: string) {
  if (!isSession(source)) return { reported: null, over: false };
  try {
    const session = await get(
      account,
      `/v1/checkout/sessions/${source}?expand[]=payment_intent.latest_charge`,
    );
    return { reported: toProviderPayment(session), over: session.status === 'expired' };
  } catch (error) {
    // The session belongs to another account, because the token was changed.
    if (error instanceof ProviderRefused && error.status === 404) return { reported: null, over: false };
    throw error;
  }
}

async function search(account: Account, { sessions }: { sessions: string[] }) {
  const found: ProviderPayment[] = [];
  const over: string[] = [];
  for (const session of sessions) {
    const one = await fetchSession(account, session);
    if (one.reported) found.push(one.reported);
    if (one.over) over.push(session);
  }
  return { reported: found, over };
}

async function refund(
  account: Account,
  { providerId }: { providerId: string },
  amount: number,
  key: string,
): Promise<void> {
  mustBeRefunded(
    await post(account, '/v1/refunds', key, { payment_intent: providerId, amount: String(amount) }),
  );
}

/** Whether a notification was signed with the secret, and recently. */
function isSigned({ text, headers }: ProviderNotification, secret: string, now: Date): boolean {
  const given = headers['stripe-signature'];
  if (typeof given !== 'string') return false;
  const parts = given.split(',').map((part) => part.trim().split('='));
  const at = parts.find(([name]) => name === 't')?.[1];
  if (at === undefined || !/^\d{1,12}$/.test(at)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(at)) > PAYMENT_LIMITS.signatureSeconds) return false;
  const right = createHmac('sha256', secret).update(`${at}.${text}`, 'utf8').digest();
  return parts.some(([name, value = '']) => {
    const got = Buffer.from(value, 'hex');
    return name === 'v1' && got.length === right.length && timingSafeEqual(got, right);
  });
}

function readNotification(
  notification: ProviderNotification,
  secret: string | null,
  now: Date,
): NotificationSubject | 'refused' | null {
  if (secret === null || !isSigned(notification, secret, now)) return 'refused';
  const event = parsed(notification.text);
  const id = idIn(event.id);
  const kind = textIn(event.type);
  if (id === null || kind === null) return null;
  const record = partOf(partOf(event, 'data'), 'object');
  const of = kind.startsWith('checkout.session.') ? 'source' : 'intent';
  const subject = of === 'source' ? idIn(record.id) : intentOf(kind, record);
  if (subject === null || !isSession(subject)) return null;
  const { status } = record;
  const isEnd = kind === 'charge.dispute.closed' && (status === 'won' || status === 'lost');
  return {
    id: id.slice(0, 200),
    subject,
    kind: kind.slice(0, 100),
    isSigned: true,
    of,
    dispute: isEnd ? status : null,
  };
}

/** The payment intent of the charge, refund or dispute in an event. */
function intentOf(kind: string, record: Json): string | null {
  const { payment_intent: intent } = record;
  if (kind.startsWith('payment_intent.')) return idIn(record.id);
  return isObject(intent) ? idIn(intent.id) : idIn(intent);
}

function parsed(text: string): Json {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
}

async function identify(account: Pick<Account, 'token' | 'url'>): Promise<Identity> {
  const own = await get(account, '/v1/account');
  const id = idIn(own.id);
  if (id === null) throw new ProviderRefused(200, 'la respuesta no tiene id');
  const currency = (textIn(own.default_currency) ?? '').toUpperCase();
  return { account: id, currency, isTest: /^[a-z]{2}_test_/.test(account.token) };
}

async function close(account: Account, session: string): Promise<void> {
  try {
    await post(account, `/v1/checkout/sessions/${session}/expire`, null, {});
  } catch (error) {
    // The page has already ended, or was paid; a payment is found by the next look-up.
    if (!(error instanceof ProviderRefused)) throw error;
  }
}

export const stripe: Provider = {
  create,
  fetch: fetchSession,
  search,
  refund,
  readNotification,
  identify,
  close,
};
