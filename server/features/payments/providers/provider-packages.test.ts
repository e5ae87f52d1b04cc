import { InvalidWebhookSignatureError, WebhookSignatureValidator } from 'mercadopago';
import type { PaymentResponse } from 'mercadopago/dist/clients/payment/commonTypes.d.ts';
import type { PreferenceRequest } from 'mercadopago/dist/clients/preference/commonTypes.d.ts';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  mpSignature,
  startMercadoPago,
  startStripe,
  stripeSignature,
} from '../../../../test/payment-providers.ts';
import { mercadoPago } from './mercado-pago.ts';
import type { Order } from './provider.ts';
import { STRIPE_VERSION, stripe } from './stripe.ts';

/**
 * Compares the requests, signatures and names in the providers' own packages with those in our code (PAY-03). The
 * packages are used only in this file, and their types for the answers of the fake providers
 * (test/payment-providers.ts).
 */

const NOW = new Date('2026-11-26T18:00:00.000Z');
const SECRET = 'whsec_de_prueba';

const ORDER: Order = {
  reference: 'LM-referencia',
  title: 'Tienda: Renovación: Caja Fácil 4.2.0 (Anual)',
  amount: 139_200,
  currency: 'MXN',
  pageEnds: new Date('2026-11-27T17:00:00.000Z'),
  ends: new Date('2026-12-04T05:59:59.000Z'),
  now: NOW,
  returnUrl: 'https://licencias.example.com/pagar/codigo',
  failedUrl: 'https://licencias.example.com/pagar/codigo?error=1',
  notifyUrl: 'https://licencias.example.com/licenses/api/payments/mercado_pago/notify/',
  key: 'LM-referencia-1',
};

const notificationOf = (
  text: string,
  headers: Record<string, string>,
  query: Record<string, string> = {},
) => ({
  text,
  headers,
  query,
});

/** The package, connected to the fake provider. */
function stripePackage(token: string, url: string) {
  const { hostname, port } = new URL(url);
  return new Stripe(token, { host: hostname, port: Number(port), protocol: 'http', telemetry: false });
}

test("a Stripe session is created with the same parameters as by Stripe's package (PAY-03)", async () => {
  const fake = await startStripe();
  await stripe.create({ token: fake.token, url: fake.url, account: null, isTest: true }, ORDER);
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    client_reference_id: ORDER.reference,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'mxn',
          unit_amount: ORDER.amount,
          product_data: { name: ORDER.title },
        },
      },
    ],
    adaptive_pricing: { enabled: false },
    payment_method_options: { oxxo: { expires_after_days: 7 } },
    locale: 'es-419',
    success_url: ORDER.returnUrl,
    cancel_url: ORDER.failedUrl,
    expires_at: ORDER.pageEnds.getTime() / 1000,
  };
  await stripePackage(fake.token, fake.url).checkout.sessions.create(params, { idempotencyKey: 'other-key' });
  const [ours, theirs] = fake.callsOf('POST', /^\/v1\/checkout\/sessions$/);
  const fields = (body = '') => Object.fromEntries([...new URLSearchParams(body)].sort());
  expect(fields(ours?.body)).toEqual(fields(theirs?.body));
  expect(ours?.headers['stripe-version']).toBe(STRIPE_VERSION);
  expect(ours?.headers.authorization).toBe(theirs?.headers.authorization);
  expect(ours?.headers['content-type']).toBe(theirs?.headers['content-type']);
});

test("a Stripe session is read, ended and refunded at the same addresses as by Stripe's package (PAY-03)", async () => {
  const fake = await startStripe();
  const account = { token: fake.token, url: fake.url, account: null, isTest: true };
  const { session } = await stripe.create(account, ORDER);
  const own = stripePackage(fake.token, fake.url);
  await stripe.fetch(account, session);
  await own.checkout.sessions.retrieve(session, { expand: ['payment_intent.latest_charge'] });
  await stripe.close?.(account, session);
  await own.checkout.sessions.expire(session).catch(() => {});
  const paid = fake.complete(fake.last, NOW);
  const payment = { source: session, providerId: String(paid.payment_intent?.id), currency: 'MXN' };
  await stripe.refund(account, payment, 100, 'k1');
  await own.refunds.create({ payment_intent: payment.providerId, amount: 100 });
  const paths = fake.calls.slice(1).map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
  for (let position = 0; position < paths.length; position += 2) {
    expect(paths[position]?.replace('expand[]', 'expand[0]')).toBe(paths[position + 1]);
  }
  expect(paths).toHaveLength(6);
});

test("a notification signed by Stripe's package is accepted, and the package accepts the signatures of these tests", () => {
  const payload = JSON.stringify({
    id: 'evt_1',
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1' } },
  });
  const own = new Stripe('sk_test_x');
  const header = own.webhooks.generateTestHeaderString({
    payload,
    secret: SECRET,
    timestamp: NOW.getTime() / 1000,
  });
  expect(
    stripe.readNotification(notificationOf(payload, { 'stripe-signature': header }), SECRET, NOW),
  ).toMatchObject({
    id: 'evt_1',
    subject: 'cs_1',
    isSigned: true,
  });
  const forged = payload.replace('cs_1', 'cs_2');
  expect(stripe.readNotification(notificationOf(forged, { 'stripe-signature': header }), SECRET, NOW)).toBe(
    'refused',
  );
  const now = new Date();
  const signature = stripeSignature(SECRET, payload, now)['stripe-signature'];
  expect(own.webhooks.constructEvent(payload, signature, SECRET).id).toBe('evt_1');
  expect(() => own.webhooks.constructEvent(forged, signature, SECRET)).toThrow();
});

test("a notification is accepted here exactly when Mercado Pago's package accepts its signature (PAY-04)", () => {
  const text = JSON.stringify({ id: 12_345, type: 'payment', data: { id: '9000000001' } });
  const query = { 'data.id': '9000000001', type: 'payment' };
  const headers = mpSignature(SECRET, '9000000001', NOW);
  const takenByPackage = (secret: string) => {
    try {
      WebhookSignatureValidator.validate({
        xSignature: headers['x-signature'],
        xRequestId: headers['x-request-id'],
        dataId: query['data.id'],
        secret,
      });
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidWebhookSignatureError);
      return false;
    }
  };
  const takenHere = (secret: string) => {
    const notification = mercadoPago.readNotification(notificationOf(text, headers, query), secret, NOW);
    return notification !== null && notification !== 'refused' && notification.isSigned;
  };
  for (const secret of [SECRET, 'otro-secreto']) {
    expect([secret, takenHere(secret)]).toEqual([secret, takenByPackage(secret)]);
  }
  expect(takenHere(SECRET)).toBe(true);
});

test("a preference has the fields and types of Mercado Pago's package (PAY-03)", async () => {
  const fake = await startMercadoPago();
  await mercadoPago.create({ token: fake.token, url: fake.url, account: null, isTest: true }, ORDER);
  const expected: PreferenceRequest = {
    items: [{ id: ORDER.reference, title: ORDER.title, quantity: 1, currency_id: 'MXN', unit_price: 1392 }],
    external_reference: ORDER.reference,
    back_urls: { success: ORDER.returnUrl, pending: ORDER.returnUrl, failure: ORDER.failedUrl },
    auto_return: 'approved',
    notification_url: ORDER.notifyUrl,
    expires: true,
    expiration_date_to: ORDER.pageEnds.toISOString(),
    date_of_expiration: ORDER.ends.toISOString(),
  };
  expect(JSON.parse(fake.callsOf('POST', /preferences/)[0]?.body ?? '')).toEqual(expected);
});

test("a payment of the fake provider has the type of Mercado Pago's package (PAY-03)", async () => {
  const fake = await startMercadoPago();
  fake.token = 'APP_USR-de-verdad';
  const account = { token: fake.token, url: fake.url, account: String(fake.account), isTest: false };
  await mercadoPago.create(account, ORDER);
  const payment: Omit<PaymentResponse, 'api_response'> = {
    status: 'approved',
    status_detail: 'accredited',
    external_reference: ORDER.reference,
    transaction_amount: 1392,
    transaction_amount_refunded: 0,
    currency_id: 'MXN',
    collector_id: fake.account,
    live_mode: true,
    payment_type_id: 'ticket',
    date_created: NOW.toISOString(),
    date_approved: NOW.toISOString(),
  };
  const { id } = fake.pay({ ...payment, at: NOW } as Parameters<typeof fake.pay>[0]);
  const { reported } = await mercadoPago.fetch(account, String(id));
  expect(reported).toMatchObject({
    reference: ORDER.reference,
    account: String(fake.account),
    state: 'approved',
    amount: ORDER.amount,
    refunded: 0,
    currency: 'MXN',
    method: 'cash',
    isTest: false,
    dispute: null,
  });
});
