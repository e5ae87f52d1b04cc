import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense, createSoftware } from '../../../test/factories.ts';
import {
  type FakeMercadoPago,
  type FakeStripe,
  mpSignature,
  startMercadoPago,
  startStripe,
  stripeSignature,
} from '../../../test/payment-providers.ts';
import { runJob } from '../../../test/run-job.ts';
import { closeCheckoutsJob, paymentExpiryJob, paymentNoteJob, paymentPollJob } from './payment-jobs.ts';

/** Mercado Pago and Stripe with faults: fake servers on the loopback replace them (PAY-03 to PAY-06). */

const NOW = '2026-11-10T18:00:00.000Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REQUESTS = '/licenses/api/payment-requests/';
const SETTINGS = '/licenses/api/settings/payments/';
const MP_SECRET = 'mp-webhook-secret';
const STRIPE_SECRET = 'whsec_secret';

let t: TestApp;
let mp: FakeMercadoPago;
let stripe: FakeStripe;
let software: number | undefined;
beforeEach(async () => {
  mp = await startMercadoPago();
  stripe = await startStripe();
  software = undefined;
  t = await createTestApp({ now: NOW, env: { MERCADO_PAGO_URL: mp.url, STRIPE_URL: stripe.url } });
  const { status } = await t.call('PUT', SETTINGS, {
    body: {
      mercado_pago: { enabled: true, access_token: mp.token, webhook_secret: MP_SECRET },
      stripe: { enabled: true, secret_key: stripe.token, webhook_secret: STRIPE_SECRET },
    },
  });
  expect(status).toBe(200);
});

const now = () => t.context.now();
async function later(milliseconds: number) {
  t.clock.advance(milliseconds);
  t.token = await signInAs(t, 'admin', 'admin123');
}

type Asked = { id: number; url: string; license: License };

async function newRequest(body: object = {}, values: object = {}): Promise<Asked> {
  software ??= (await createSoftware(t, { name: 'Caja', version: '1' })).id;
  const license = await createLicense(t, { software, price: 1000, expiry_days: 20, ...values });
  const answer = await t.call('POST', REQUESTS, {
    body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false, ...body },
  });
  expect(answer.status).toBe(201);
  return { ...answer.body, license };
}

const pay = (url: string, verb: string, body: object = {}) =>
  t.call('POST', `/licenses/api/pay/${url.split('/').at(-1)}/${verb}/`, { token: null, body });
const press = (asked: Asked, provider: string) => pay(asked.url, 'checkout', { provider });
const check = async (asked: Asked) => {
  t.clock.advance(6000);
  return (await pay(asked.url, 'check')).body;
};
const getRequest = async ({ id }: { id: number }) => (await t.call('GET', `${REQUESTS}${id}/`)).body;
const getLicense = async ({ id }: { id: number }) =>
  (await t.call('GET', `/licenses/api/licenses/${id}/`)).body;
const termsOf = async ({ license }: Asked) =>
  (await t.call('GET', `/licenses/api/licenses/${license.id}/terms/`)).body.results.length;
const eventsOf = async (type: string): Promise<Event[]> =>
  (await t.call('GET', `/licenses/api/events/?type=${type}&limit=100`)).body.results;
const result = ({ status, body }: { status: number; body?: { code?: string } }) => [status, body?.code];

/** Runs the due jobs of a kind, as the runner does. */
async function runDue(job: typeof paymentNoteJob | typeof paymentPollJob | typeof closeCheckoutsJob) {
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
}

let note = 0;
const mpNote = (payment: number | string, { signed = true, id = undefined as number | undefined } = {}) => {
  note += 1;
  return t.call('POST', `/licenses/api/payments/mercado_pago/notify/?data.id=${payment}&type=payment`, {
    token: null,
    body: {
      id: id ?? 1000 + note,
      type: 'payment',
      action: 'payment.updated',
      data: { id: String(payment) },
    },
    headers: signed ? mpSignature(MP_SECRET, payment, now()) : {},
  });
};
function stripeNote(type: string, object: object, { at = now(), secret = STRIPE_SECRET, id = '' } = {}) {
  note += 1;
  const payload = JSON.stringify({ id: id || `evt_${note}`, type, data: { object } });
  return t.call('POST', '/licenses/api/payments/stripe/notify/', {
    token: null,
    payload,
    headers: { 'content-type': 'application/json', ...stripeSignature(secret, payload, at) },
  });
}

describe('settings/payments (PAY-03)', () => {
  test('stores tokens encrypted, shows their last four characters, and its event has no values', async () => {
    const { body, text } = await t.call('GET', SETTINGS);
    expect(body).toMatchObject({
      mercado_pago: {
        enabled: true,
        has_access_token: true,
        last_four: '1234',
        account: '123456789',
        currency: 'MXN',
        test: true,
      },
      stripe: { enabled: true, has_secret_key: true, account: 'acct_1Tienda', currency: 'MXN', test: true },
      on_chargeback: 'notify',
    });
    const stored = JSON.stringify([
      await t.db.selectFrom('payment_accounts').selectAll().execute(),
      await t.db.selectFrom('events').selectAll().execute(),
      text,
    ]);
    for (const secret of [mp.token, stripe.token, MP_SECRET, STRIPE_SECRET])
      expect(stored).not.toContain(secret);
    const [event] = await eventsOf('settings.updated');
    expect(event?.changes.mercado_pago?.after).toBe('enabled, access_token, webhook_secret');
  });

  test('only people who confirmed their identity may change it', async () => {
    const { body: key } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'x', permissions: ['settings:manage'] },
    });
    const put = (token?: string) =>
      t.call('PUT', SETTINGS, { body: { instructions: 'x' }, ...(token && { token }) });
    expect(result(await put(key.key))).toEqual([403, 'forbidden']);
    t.clock.advance(11 * MINUTE);
    expect(result(await put())).toEqual([403, 'step_up_required']);
    expect(result(await t.call('POST', `${SETTINGS}stripe/test/`, { body: {} }))).toEqual([
      403,
      'step_up_required',
    ]);
  });

  test('refuses a token that the provider refuses, answers 503 when it is unavailable, and removes it with an empty text', async () => {
    const put = (body: object) => t.call('PUT', SETTINGS, { body });
    const wrong = await put({ mercado_pago: { access_token: 'otro' } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['mercado_pago']]);
    mp.odd = () => ({ status: 503 });
    expect(result(await put({ mercado_pago: { access_token: mp.token } }))).toEqual([503, 'unavailable']);
    mp.odd = () => undefined;
    expect((await t.call('POST', `${SETTINGS}mercado_pago/test/`, { body: {} })).body).toEqual({
      success: true,
      account: '123456789',
      currency: 'MXN',
      test: true,
    });
    expect((await put({ stripe: { secret_key: '' } })).body.stripe).toMatchObject({
      enabled: false,
      has_secret_key: false,
      last_four: null,
      account: null,
    });
    const off = await put({ stripe: { enabled: true } });
    expect([off.status, Object.keys(off.body.errors)]).toEqual([400, ['stripe']]);
  });
});

describe('a checkout (PAY-02, PAY-03)', () => {
  test('is created when the client presses, with reference, amount, end and addresses, and reused while it is valid', async () => {
    const asked = await newRequest({ tax_rate: 16 });
    expect(mp.preferences).toHaveLength(0);
    const { status, body } = await press(asked, 'mercado_pago');
    expect([status, body.url]).toEqual([200, expect.stringContaining('/checkout/v1/redirect')]);
    const [preference] = mp.preferences;
    const { reference } = await t.db
      .selectFrom('payment_requests')
      .select('reference')
      .executeTakeFirstOrThrow();
    expect(preference).toMatchObject({
      items: [{ quantity: 1, currency_id: 'MXN', unit_price: 1160 }],
      external_reference: reference,
      back_urls: {
        success: `${asked.url}?pago=si`,
        pending: `${asked.url}?pago=si`,
        failure: `${asked.url}?pago=no`,
      },
      notification_url: expect.stringMatching(/\/licenses\/api\/payments\/mercado_pago\/notify\/$/),
      expires: true,
      date_of_expiration: '2026-11-18T05:59:59.000Z',
    });
    expect((await press(asked, 'mercado_pago')).body).toEqual(body);
    expect(mp.preferences).toHaveLength(1);
    const { url } = (await press(asked, 'stripe')).body;
    expect(url).toContain('/c/pay/cs_test_1');
    const form = new URLSearchParams(stripe.callsOf('POST', /sessions$/)[0]?.body);
    expect(Object.fromEntries(form)).toMatchObject({
      mode: 'payment',
      client_reference_id: reference,
      'line_items[0][price_data][unit_amount]': '116000',
      'line_items[0][price_data][currency]': 'mxn',
      'adaptive_pricing[enabled]': 'false',
      success_url: `${asked.url}?pago=si`,
      cancel_url: `${asked.url}?pago=no`,
    });
    expect(stripe.calls.at(-1)?.headers['stripe-version']).toBeTruthy();
  });

  test('twenty concurrent presses create one checkout', async () => {
    const asked = await newRequest();
    stripe.odd = ({ path }) => (path.endsWith('/sessions') ? { delayMs: 200 } : undefined);
    const urls = await Promise.all(
      Array.from({ length: 20 }, async () => (await press(asked, 'stripe')).body.url),
    );
    expect(new Set(urls).size).toBe(1);
    expect(stripe.callsOf('POST', /sessions$/)).toHaveLength(1);
  });

  test('after a lost answer the next press gets the same checkout', async () => {
    const asked = await newRequest();
    stripe.odd = () => ({ cut: true });
    expect(result(await press(asked, 'stripe'))).toEqual([503, 'unavailable']);
    stripe.odd = () => undefined;
    expect((await press(asked, 'stripe')).status).toBe(200);
    expect(stripe.sessions.size).toBe(1);
  });

  test('is refused when the request is not open, the provider is not offered, or unavailable', async () => {
    const asked = await newRequest();
    mp.odd = () => ({ status: 429 });
    expect(result(await press(asked, 'mercado_pago'))).toEqual([503, 'unavailable']);
    const dollars = await newRequest({}, { currency: 'USD', price: 10 });
    const refused = await press(dollars, 'mercado_pago');
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['provider']]);
    await press(asked, 'stripe');
    await t.call('POST', `${REQUESTS}${asked.id}/cancel/`, { body: {} });
    expect(result(await press(asked, 'stripe'))).toEqual([409, 'conflict']);
    // Cancelling the request ends Stripe's page.
    await runDue(closeCheckoutsJob);
    expect(stripe.last.status).toBe('expired');
  });
});

describe('the first approval renews once (PAY-05)', () => {
  test('three copies of a notification, a check and a poll renew once, with one receipt', async () => {
    const asked = await newRequest();
    await press(asked, 'mercado_pago');
    const payment = mp.pay({ at: now() });
    await Promise.all([1, 2, 3].map(() => mpNote(payment.id, { id: 77 })));
    expect(await t.db.selectFrom('payment_notes').select('id').execute()).toHaveLength(1);
    await mpNote(payment.id);
    await Promise.all([runDue(paymentNoteJob), check(asked), check(asked)]);
    await later(HOUR);
    await runDue(paymentPollJob);
    expect(await getRequest(asked)).toMatchObject({
      state: 'paid',
      payments: [
        {
          provider: 'mercado_pago',
          provider_id: String(payment.id),
          state: 'approved',
          amount: 1000,
          method: 'card',
          test: true,
        },
      ],
    });
    expect(await termsOf(asked)).toBe(2);
    expect(await eventsOf('payment.received')).toMatchObject([
      { actor: { kind: 'system', id: null, name: 'Mercado Pago' } },
    ]);
    const receipts = (await t.deliveredMail()).filter(({ subject }) => subject?.startsWith('Recibimos'));
    expect(receipts).toHaveLength(1);
  });

  test('the poll finds a payment whose notifications were all lost, 1, 5, 15 and 60 minutes after the press', async () => {
    const asked = await newRequest();
    await press(asked, 'stripe');
    const at: number[] = [];
    for (let minute = 1; minute <= 61; minute++) {
      t.clock.advance(MINUTE);
      if ((await runDue(paymentPollJob)) > 0) at.push(minute);
    }
    expect(at).toEqual([1, 5, 15, 60]);
    stripe.complete(stripe.last, now());
    await later(6 * HOUR);
    await runDue(paymentPollJob);
    expect(await getRequest(asked)).toMatchObject({ state: 'paid' });
    expect(await termsOf(asked)).toBe(2);
  });

  test('an OXXO voucher is pending and renews nothing until the money has arrived', async () => {
    const asked = await newRequest();
    await press(asked, 'stripe');
    const session = stripe.complete(stripe.last, now(), 'voucher');
    await stripeNote('checkout.session.completed', session);
    await runDue(paymentNoteJob);
    expect(await check(asked)).toMatchObject({ state: 'open', pending: true });
    expect(await termsOf(asked)).toBe(1);
    await later(2 * DAY);
    stripe.complete(session, now());
    await stripeNote('checkout.session.async_payment_succeeded', session);
    await runDue(paymentNoteJob);
    expect(await check(asked)).toMatchObject({ state: 'paid', pending: false });
    expect(await termsOf(asked)).toBe(2);
  });

  test('no payment is lost when the provider is unavailable for an hour', async () => {
    const asked = await newRequest();
    await press(asked, 'mercado_pago');
    const payment = mp.pay({ at: now() });
    mp.odd = () => ({ status: 500 });
    await mpNote(payment.id);
    await expect(runDue(paymentNoteJob)).rejects.toThrow('500');
    expect(await check(asked)).toMatchObject({ state: 'open' });
    await later(HOUR);
    mp.odd = () => undefined;
    await runDue(paymentNoteJob);
    expect(await getRequest(asked)).toMatchObject({ state: 'paid' });
  });

  test('a payment made in time renews even if it is reported after the end, a late payment goes to review', async () => {
    const [inTime, late] = [
      await newRequest({ expires_in_days: 1 }),
      await newRequest({ expires_in_days: 1 }),
    ];
    for (const asked of [inTime, late]) await press(asked, 'mercado_pago');
    const paidAt = new Date(now().getTime() + HOUR);
    await later(3 * DAY);
    await runJob(t.context, paymentExpiryJob);
    const [one, two] = mp.preferences;
    mp.pay({ at: paidAt, external_reference: one!.external_reference });
    mp.pay({ at: now(), external_reference: two!.external_reference });
    expect(await check(inTime)).toMatchObject({ state: 'paid' });
    expect(await check(late)).toMatchObject({ state: 'review' });
    expect(await getRequest(late)).toMatchObject({ state: 'review', review_reason: 'late' });
    expect(await termsOf(late)).toBe(1);
  });
});

describe('an unexpected payment goes to review (PAY-05)', () => {
  const odd: [string, object][] = [
    ['amount', { transaction_amount: 1 }],
    ['currency', { currency_id: 'USD' }],
    ['account', { collector_id: 1 }],
  ];
  test.each(odd)('a payment goes to review when its %s differs from the request', async (reason, values) => {
    const asked = await newRequest();
    await press(asked, 'mercado_pago');
    mp.pay({ at: now(), ...values });
    expect(await check(asked)).toMatchObject({ state: 'review' });
    expect(await getRequest(asked)).toMatchObject({ review_reason: reason });
    expect(await termsOf(asked)).toBe(1);
    const { body } = await t.call('POST', `${REQUESTS}${asked.id}/resolve/`, {
      body: { action: 'close', reason: 'Se devolvió' },
    });
    expect(body).toMatchObject({ state: 'cancelled', review_reason: null });
  });

  test('a test payment outside demo mode renews nothing and can only be closed', async () => {
    const asked = await newRequest();
    await press(asked, 'stripe');
    t.context.config.demo = false;
    stripe.complete(stripe.last, now());
    expect(await check(asked)).toMatchObject({ state: 'review' });
    expect(await getRequest(asked)).toMatchObject({ review_reason: 'test' });
    const resolve = (action: string) =>
      t.call('POST', `${REQUESTS}${asked.id}/resolve/`, { body: { action, reason: 'Prueba' } });
    expect(result(await resolve('apply'))).toEqual([409, 'conflict']);
    expect((await resolve('close')).body.state).toBe('cancelled');
  });

  test('a second approved payment goes to review, and after closing it the request is paid', async () => {
    const asked = await newRequest();
    await press(asked, 'mercado_pago');
    await press(asked, 'stripe');
    const session = stripe.last;
    mp.pay({ at: now() });
    expect(await check(asked)).toMatchObject({ state: 'paid' });
    stripe.complete(session, now());
    await stripeNote('checkout.session.completed', session);
    await runDue(paymentNoteJob);
    expect(await getRequest(asked)).toMatchObject({ state: 'review', review_reason: 'duplicate' });
    expect(await termsOf(asked)).toBe(2);
    const resolve = (action: string) =>
      t.call('POST', `${REQUESTS}${asked.id}/resolve/`, { body: { action, reason: 'Se devuelve' } });
    expect(result(await resolve('apply'))).toEqual([409, 'conflict']);
    expect((await resolve('close')).body.state).toBe('paid');
  });

  test('a payment with an unknown reference, or a failed one, changes nothing', async () => {
    const asked = await newRequest();
    await press(asked, 'mercado_pago');
    const foreign = mp.pay({ at: now(), external_reference: 'otra' });
    await mpNote(foreign.id);
    await runDue(paymentNoteJob);
    mp.pay({ at: now(), status: 'rejected' });
    expect(await check(asked)).toMatchObject({ state: 'open', pending: false });
    expect((await getRequest(asked)).payments).toMatchObject([{ state: 'failed' }]);
  });
});

describe('notifications of providers (PAY-04)', () => {
  test('Stripe: unsigned, wrongly signed and old ones get 400 and are not stored', async () => {
    const asked = await newRequest();
    await press(asked, 'stripe');
    const session = stripe.complete(stripe.last, now());
    const payload = JSON.stringify({
      id: 'evt_x',
      type: 'checkout.session.completed',
      data: { object: session },
    });
    const bare = (headers: object) =>
      t.call('POST', '/licenses/api/payments/stripe/notify/', {
        token: null,
        payload,
        headers: { ...headers },
      });
    expect((await bare({})).status).toBe(400);
    // A header with a wrong signature is refused too.
    expect((await bare({ 'stripe-signature': 't=1,v1=00' })).status).toBe(400);
    expect((await stripeNote('checkout.session.completed', session, { secret: 'whsec_otro' })).status).toBe(
      400,
    );
    const old = new Date(now().getTime() - 301_000);
    expect((await stripeNote('checkout.session.completed', session, { at: old })).status).toBe(400);
    expect(await t.db.selectFrom('payment_notes').select('id').execute()).toEqual([]);
    expect((await stripeNote('checkout.session.completed', session)).status).toBe(200);
  });

  test('Mercado Pago: at most thirty unsigned ones wait, and further ones are dropped', async () => {
    const asked = await newRequest();
    await press(asked, 'mercado_pago');
    const payment = mp.pay({ at: now() });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => mpNote(payment.id, { signed: false })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await t.db.selectFrom('payment_notes').select('id').execute()).toHaveLength(30);
    expect(await runDue(paymentNoteJob)).toBe(0);
    t.clock.advance(MINUTE);
    await runDue(paymentNoteJob);
    expect(await getRequest(asked)).toMatchObject({ state: 'paid' });
    expect(await termsOf(asked)).toBe(2);
    expect((await mpNote(payment.id, { signed: false })).body).toEqual({ success: true });
  });
});

describe('refunds and disputes (PAY-06)', () => {
  const paid = async (body: object = {}) => {
    const asked = await newRequest(body);
    await press(asked, 'mercado_pago');
    const payment = mp.pay({ at: now() });
    await check(asked);
    const [row] = (await getRequest(asked)).payments;
    return { asked, payment, id: row.id as number };
  };
  const refund = (id: number, body: object, key?: string) =>
    t.call('POST', `/licenses/api/payments/${id}/refund/`, {
      body,
      ...(key && { headers: { 'idempotency-key': key } }),
    });

  test('a part and then the rest can be refunded by the provider’s answer, and never more than is left', async () => {
    const { asked, id } = await paid();
    const one = await refund(id, { amount: 400 });
    expect([one.status, one.body]).toMatchObject([202, { state: 'approved', refunded_amount: 400 }]);
    const much = await refund(id, { amount: 601 });
    expect([much.status, Object.keys(much.body.errors)]).toEqual([400, ['amount']]);
    expect((await refund(id, {})).body).toMatchObject({ state: 'refunded', refunded_amount: 1000 });
    expect(result(await refund(id, {}))).toEqual([409, 'conflict']);
    expect(await eventsOf('payment.refunded')).toHaveLength(2);
    // A refund does not suspend the licence.
    expect(await getLicense(asked.license)).toMatchObject({ status: 'active' });
    expect(await getRequest(asked)).toMatchObject({ state: 'paid' });
  });

  test('a refund whose answer was lost is made once, however often it is requested again', async () => {
    const { id, payment } = await paid();
    mp.odd = ({ path }) => (path.endsWith('/refunds') ? { cut: true } : undefined);
    expect(result(await refund(id, { amount: 100 }, 'uno'))).toEqual([503, 'unavailable']);
    mp.odd = () => undefined;
    expect((await refund(id, { amount: 100 }, 'uno')).body).toMatchObject({ refunded_amount: 100 });
    expect((await refund(id, { amount: 100 }, 'uno')).body).toMatchObject({ refunded_amount: 100 });
    expect(payment.transaction_amount_refunded).toBe(100);
    await Promise.all([1, 2, 3].map(() => refund(id, { amount: 100 }, 'dos')));
    expect(payment.transaction_amount_refunded).toBe(200);
  });

  test('a refund needs a confirmed identity, and is possible only for a provider’s payment', async () => {
    const { id } = await paid();
    t.clock.advance(11 * MINUTE);
    expect(result(await refund(id, {}))).toEqual([403, 'step_up_required']);
    await later(0);
    const asked = await newRequest();
    await t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, { body: { method: 'cash' } });
    const [row] = (await getRequest(asked)).payments;
    expect(result(await refund(row.id, {}))).toEqual([409, 'conflict']);
  });

  test('a chargeback suspends the licences of that payment only, and winning it does not reinstate them', async () => {
    await t.call('PUT', SETTINGS, { body: { on_chargeback: 'suspend' } });
    const { asked, payment } = await paid();
    const other = await paid();
    Object.assign(payment, { status: 'charged_back', status_detail: 'in_process' });
    await mpNote(payment.id);
    await runDue(paymentNoteJob);
    expect(await getLicense(asked.license)).toMatchObject({ status: 'suspended' });
    expect(await getLicense(other.asked.license)).toMatchObject({ status: 'active' });
    const [event] = await eventsOf('license.suspended');
    expect(event).toMatchObject({ reason: 'Contracargo', actor: { name: 'Mercado Pago' } });
    Object.assign(payment, { status_detail: 'reimbursed' });
    await mpNote(payment.id);
    await runDue(paymentNoteJob);
    expect((await getRequest(asked)).payments).toMatchObject([{ state: 'charged_back' }]);
    expect(await getLicense(asked.license)).toMatchObject({ status: 'suspended' });
    expect((await eventsOf('payment.disputed')).map(({ changes }) => changes.dispute?.after)).toEqual([
      'won',
      'open',
    ]);
  });

  test('the opening and the end of a Stripe dispute are stored from its notifications', async () => {
    const asked = await newRequest();
    await press(asked, 'stripe');
    const session = stripe.complete(stripe.last, now());
    await check(asked);
    const intent = session.payment_intent!;
    (intent.latest_charge as { disputed: boolean }).disputed = true;
    await stripeNote('charge.dispute.created', { id: 'dp_1', object: 'dispute', payment_intent: intent.id });
    await runDue(paymentNoteJob);
    expect((await getRequest(asked)).payments).toMatchObject([{ state: 'charged_back' }]);
    await stripeNote('charge.dispute.closed', { id: 'dp_1', status: 'lost', payment_intent: intent.id });
    await runDue(paymentNoteJob);
    expect((await eventsOf('payment.disputed')).map(({ changes }) => changes.dispute?.after)).toEqual([
      'lost',
      'open',
    ]);
    expect(await getLicense(asked.license)).toMatchObject({ status: 'active' });
  });

  test('payments can be filtered by local day, and the export has the same rows', async () => {
    const { id } = await paid();
    const list = async (query: string) => (await t.call('GET', `/licenses/api/payments/?${query}`)).body;
    expect(
      (await list('provider=mercado_pago&state=approved&from=2026-11-10&to=2026-11-10')).results,
    ).toMatchObject([{ id, amount: 1000, refunded_amount: 0, test: true }]);
    expect((await list('from=2026-11-11')).count).toBe(0);
    expect((await list('provider=stripe')).count).toBe(0);
    const { text } = await t.call('GET', '/licenses/api/payments/export/?state=approved');
    expect(text.split('\r\n').filter(Boolean)).toHaveLength(2);
  });
});
