import { expect } from 'vitest';
import type { License } from '../contract/licenses/licenses.ts';
import type { Event } from '../contract/system/events.ts';
import type { closeCheckoutsJob, paymentPollJob } from '../server/features/payments/payment-jobs.ts';
import type { paymentNotificationJob } from '../server/features/payments/take-notification.ts';
import { createTestApp, signInAs } from './app.ts';
import { createLicense, createSoftware } from './factories.ts';
import { mpSignature, startMercadoPago, startStripe, stripeSignature } from './payment-providers.ts';
import { runJob } from './run-job.ts';

/** A vendor with accounts at both providers, whose clients pay. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const REQUESTS = '/licenses/api/payment-requests/';
export const PAYMENT_SETTINGS = '/licenses/api/settings/payments/';
const NOW = '2026-11-10T18:00:00.000Z';
export const MP_SECRET = 'mp-webhook-secret';
export const STRIPE_SECRET = 'whsec_secret';

/** A payment request with the licence that it renews. */
export type Asked = { id: number; url: string; license: License };

export type PaymentShop = Awaited<ReturnType<typeof openPaymentShop>>;

/** Status and code of an answer. */
export const result = ({ status, body }: { status: number; body?: { code?: string } }) => [
  status,
  body?.code,
];

/** Starts an application in demo mode on 2026-11-10, with fake providers on the loopback interface. */
export async function openPaymentShop() {
  const mp = await startMercadoPago();
  const stripe = await startStripe();
  const t = await createTestApp({ now: NOW, env: { MERCADO_PAGO_URL: mp.url, STRIPE_URL: stripe.url } });
  const { status } = await t.call('PUT', PAYMENT_SETTINGS, {
    body: {
      mercado_pago: { enabled: true, access_token: mp.token, webhook_secret: MP_SECRET },
      stripe: { enabled: true, secret_key: stripe.token, webhook_secret: STRIPE_SECRET },
    },
  });
  expect(status).toBe(200);
  const software = (await createSoftware(t, { name: 'Caja', version: '1' })).id;

  const now = () => t.context.now();
  const pay = (url: string, verb: string, body: object = {}) =>
    t.call('POST', `/licenses/api/pay/${url.split('/').at(-1)}/${verb}/`, { token: null, body });
  let notifications = 0;

  return {
    t,
    mp,
    stripe,
    now,
    /** Lets time pass, and signs in again. */
    later: async (milliseconds: number) => {
      t.clock.advance(milliseconds);
      t.token = await signInAs(t, 'admin', 'admin123');
    },
    newRequest: async (body: object = {}, values: object = {}): Promise<Asked> => {
      const license = await createLicense(t, { software, price: 1000, expiry_days: 20, ...values });
      const answer = await t.call('POST', REQUESTS, {
        body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false, ...body },
      });
      expect(answer.status).toBe(201);
      return { ...answer.body, license };
    },
    pay,
    press: (asked: Asked, provider: string) => pay(asked.url, 'checkout', { provider }),
    /** The page's look-up of the payment, six seconds after the last one. */
    check: async (asked: Asked) => {
      t.clock.advance(6000);
      return (await pay(asked.url, 'check')).body;
    },
    getRequest: async ({ id }: { id: number }) => (await t.call('GET', `${REQUESTS}${id}/`)).body,
    getLicense: async ({ id }: { id: number }) => (await t.call('GET', `/licenses/api/licenses/${id}/`)).body,
    resolve: ({ id }: { id: number }, action: 'apply' | 'close') =>
      t.call('POST', `${REQUESTS}${id}/resolve/`, { body: { action, reason: 'Se revisó' } }),
    /** The number of terms that a licence has: one when it is issued. */
    termsOf: async ({ license }: Pick<Asked, 'license'>): Promise<number> =>
      (await t.call('GET', `/licenses/api/licenses/${license.id}/terms/`)).body.results.length,
    eventsOf: async (type: string): Promise<Event[]> =>
      (await t.call('GET', `/licenses/api/events/?type=${type}&limit=100`)).body.results,
    /** Runs the due jobs of a kind, as the runner does. */
    runDue: async (job: typeof paymentNotificationJob | typeof paymentPollJob | typeof closeCheckoutsJob) => {
      const due = await t.db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', job.kind)
        .where('run_at', '<=', now().toISOString())
        .orderBy('run_at')
        .execute();
      for (const { id, payload } of due) {
        await runJob(t.context, job as typeof closeCheckoutsJob, undefined, payload);
        await t.db.deleteFrom('jobs').where('id', '=', id).execute();
      }
      return due.length;
    },
    mpNotification: (
      payment: number | string,
      { signed = true, id = undefined as number | undefined } = {},
    ) => {
      notifications += 1;
      return t.call('POST', `/licenses/api/payments/mercado_pago/notify/?data.id=${payment}&type=payment`, {
        token: null,
        body: {
          id: id ?? 1000 + notifications,
          type: 'payment',
          action: 'payment.updated',
          data: { id: String(payment) },
        },
        headers: signed ? mpSignature(MP_SECRET, payment, now()) : {},
      });
    },
    stripeNotification: (type: string, object: object, { at = now(), secret = STRIPE_SECRET } = {}) => {
      notifications += 1;
      const payload = JSON.stringify({ id: `evt_${notifications}`, type, data: { object } });
      return t.call('POST', '/licenses/api/payments/stripe/notify/', {
        token: null,
        payload,
        headers: { 'content-type': 'application/json', ...stripeSignature(secret, payload, at) },
      });
    },
  };
}
