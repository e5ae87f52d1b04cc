import { createHmac, timingSafeEqual } from 'node:crypto';
import { CURRENCIES, type Currency, fromMinorUnits, toMinorUnits } from '../../../../contract/base/money.ts';
import type { PaymentMethod, PaymentState } from '../../../../contract/payments/payment-words.ts';
import {
  addressIn,
  callProvider,
  idIn,
  instantIn,
  isObject,
  type Json,
  mustBeRefunded,
  numberIn,
  partOf,
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

/**
 * Mercado Pago Checkout Pro through its Preferences API (PAY-03). Its amounts are decimals. A token belongs to one
 * country with one currency.
 */

const CURRENCY_OF_SITE: Readonly<Record<string, Currency>> = {
  MLM: 'MXN',
  MLA: 'ARS',
  MCO: 'COP',
  MLC: 'CLP',
  MPE: 'PEN',
  MLB: 'BRL',
  MLU: 'UYU',
};

const STATES: Readonly<Record<string, PaymentState>> = {
  pending: 'pending',
  in_process: 'pending',
  authorized: 'pending',
  approved: 'approved',
  in_mediation: 'approved',
  rejected: 'failed',
  cancelled: 'failed',
  refunded: 'refunded',
  charged_back: 'charged_back',
};

const METHODS: Readonly<Record<string, PaymentMethod>> = {
  credit_card: 'card',
  prepaid_card: 'card',
  debit_card: 'debit_card',
  ticket: 'cash',
  atm: 'cash',
  bank_transfer: 'transfer',
  account_money: 'wallet',
  digital_wallet: 'wallet',
  digital_currency: 'wallet',
};

/** The most payments of one request that are read. */
const PAYMENTS_MAX = 20;

/** Whether a token is for tests, by its prefix. */
const isTestToken = (token: string): boolean => token.startsWith('TEST-');

const headersOf = ({ token }: Pick<Account, 'token'>) => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json',
});

const post = (account: Account, path: string, key: string, body: object): Promise<Json> =>
  callProvider(`${account.url}${path}`, {
    method: 'POST',
    headers: { ...headersOf(account), 'content-type': 'application/json', 'x-idempotency-key': key },
    body: JSON.stringify(body),
  });

const get = (account: Pick<Account, 'token' | 'url'>, path: string): Promise<Json> =>
  callProvider(`${account.url}${path}`, { method: 'GET', headers: headersOf(account) });

async function create(account: Account, order: Order): Promise<Page> {
  const { returnUrl, failedUrl } = order;
  const preference = await post(account, '/checkout/preferences', order.key, {
    items: [
      {
        id: order.reference,
        title: order.title,
        quantity: 1,
        currency_id: order.currency,
        unit_price: fromMinorUnits(order.amount, order.currency),
      },
    ],
    external_reference: order.reference,
    back_urls: { success: returnUrl, pending: returnUrl, failure: failedUrl },
    // Mercado Pago does not redirect automatically to an address without https.
    ...(returnUrl.startsWith('https:') && { auto_return: 'approved' }),
    notification_url: order.notifyUrl,
    expires: true,
    expiration_date_to: order.pageEnds.toISOString(),
    // The end of payment vouchers.
    date_of_expiration: order.ends.toISOString(),
  });
  const session = idIn(preference.id);
  if (session === null) throw new ProviderRefused(200, 'la respuesta no tiene id');
  const isTest = isTestToken(account.token) && textIn(preference.sandbox_init_point);
  return { session, url: addressIn(isTest ? preference.sandbox_init_point : preference.init_point) };
}

const isKnown = (currency: string): currency is Currency =>
  (CURRENCIES as readonly string[]).includes(currency);
const inMinorUnits = (amount: number, currency: string): number =>
  isKnown(currency) ? toMinorUnits(amount, currency) : Math.round(amount * 100);

/** The state of a chargeback. `reimbursed`: the money was returned to the vendor. */
function disputeOf(state: PaymentState, detail: string | null): ProviderPayment['dispute'] {
  if (state !== 'charged_back') return null;
  if (detail === 'reimbursed') return 'won';
  return detail === 'settled' ? 'lost' : 'open';
}

/** A payment in an answer; null if it is not one. */
function toProviderPayment(payment: Json): ProviderPayment | null {
  const id = idIn(payment.id);
  const state = STATES[textIn(payment.status) ?? ''];
  const amount = numberIn(payment.transaction_amount);
  const currency = textIn(payment.currency_id);
  if (id === null || state === undefined || amount === null || currency === null) return null;
  return {
    source: id,
    providerId: id,
    reference: textIn(payment.external_reference),
    account: idIn(payment.collector_id) ?? idIn(partOf(payment, 'collector').id),
    state,
    amount: inMinorUnits(amount, currency),
    refunded: inMinorUnits(numberIn(payment.transaction_amount_refunded) ?? 0, currency),
    currency,
    method: METHODS[textIn(payment.payment_type_id) ?? ''] ?? 'other',
    isTest: payment.live_mode === false,
    createdAt: instantIn(payment.date_created),
    paidAt: instantIn(payment.date_approved),
    dispute: disputeOf(state, textIn(payment.status_detail)),
  };
}

async function fetchPayment(account: Account, source: string) {
  if (!/^\d{1,30}$/.test(source)) return { reported: null, over: false };
  try {
    return { reported: toProviderPayment(await get(account, `/v1/payments/${source}`)), over: false };
  } catch (error) {
    if (error instanceof ProviderRefused && error.status === 404) return { reported: null, over: false };
    throw error;
  }
}

/** The search may return outdated data, so each payment that it finds is fetched again by its id. */
async function search(account: Account, { reference }: { reference: string }) {
  const path = `/v1/payments/search?external_reference=${encodeURIComponent(reference)}`;
  const { results } = await get(account, path);
  const found = Array.isArray(results) ? results.filter(isObject).slice(0, PAYMENTS_MAX) : [];
  const reported: ProviderPayment[] = [];
  for (const row of found) {
    const id = idIn(row.id);
    const one = id === null ? null : (await fetchPayment(account, id)).reported;
    const known = one ?? toProviderPayment(row);
    if (known) reported.push(known);
  }
  return { reported, over: [] };
}

async function refund(
  account: Account,
  { source, currency }: { source: string; currency: string },
  amount: number,
  key: string,
): Promise<void> {
  const decimal = isKnown(currency) ? fromMinorUnits(amount, currency) : amount / 100;
  mustBeRefunded(await post(account, `/v1/payments/${source}/refunds`, key, { amount: decimal }));
}

const one = (value: unknown): string | null => textIn(Array.isArray(value) ? value[0] : value);

/** Whether a notification has a valid signature with the secret of the account's application. */
function isSignedBy(secret: string | null, { headers, query }: ProviderNotification): boolean {
  const given = one(headers['x-signature']);
  if (secret === null || given === null) return false;
  const parts = new Map(
    given.split(',').map((part) => {
      const [name = '', ...value] = part.trim().split('=');
      return [name, value.join('=')];
    }),
  );
  const [ts, v1] = [parts.get('ts'), parts.get('v1')];
  if (!ts || !v1) return false;
  const id = one(query['data.id'])?.toLowerCase();
  const request = one(headers['x-request-id']);
  // Parts that are missing are omitted from the signed text.
  const manifest = `${id ? `id:${id};` : ''}${request ? `request-id:${request};` : ''}ts:${ts};`;
  const right = createHmac('sha256', secret).update(manifest).digest();
  const got = Buffer.from(v1, 'hex');
  return got.length === right.length && timingSafeEqual(got, right);
}

/** Only notifications about payments are processed: everything else follows from the payment itself. */
function readNotification(
  notification: ProviderNotification,
  secret: string | null,
): NotificationSubject | null {
  const body = parsed(notification.text);
  const type =
    textIn(body.type) ?? one(notification.query.type) ?? textIn(body.topic) ?? one(notification.query.topic);
  const subject =
    one(notification.query['data.id']) ?? idIn(partOf(body, 'data').id) ?? one(notification.query.id);
  if (type !== 'payment' || subject === null || !/^\d{1,30}$/.test(subject)) return null;
  const kind = textIn(body.action) ?? type;
  const id = idIn(body.id) ?? `${kind}:${subject}`;
  return {
    id: id.slice(0, 200),
    subject,
    kind: kind.slice(0, 100),
    isSigned: isSignedBy(secret, notification),
    of: 'source',
    dispute: null,
  };
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
  const me = await get(account, '/users/me');
  const id = idIn(me.id);
  const currency = CURRENCY_OF_SITE[textIn(me.site_id) ?? ''];
  if (id === null || currency === undefined)
    throw new ProviderRefused(200, 'no es una cuenta de un país conocido');
  // The tokens of a test user are those of a real account, and its payments say live_mode true.
  const isTestUser = Array.isArray(me.tags) && me.tags.includes('test_user');
  return { account: id, currency, isTest: isTestToken(account.token) || isTestUser };
}

export const mercadoPago: Provider = {
  create,
  fetch: fetchPayment,
  search,
  refund,
  readNotification,
  identify,
};
