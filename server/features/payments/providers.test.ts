import { beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../test/factories.ts';
import {
  type Asked,
  DAY,
  HOUR,
  MINUTE,
  MP_SECRET,
  openPaymentShop,
  PAYMENT_SETTINGS,
  type PaymentShop,
  REQUESTS,
  result,
  STRIPE_SECRET,
} from '../../../test/payment-shop.ts';
import { runJob } from '../../../test/run-job.ts';
import { closeCheckoutsJob, paymentExpiryJob, paymentPollJob } from './payment-jobs.ts';
import { paymentNotificationJob } from './take-notification.ts';

/** Mercado Pago and Stripe with faults: fake servers on the loopback replace them (PAY-03 to PAY-05). */

const licenseUrl = ({ license }: Asked) => `/licenses/api/licenses/${license.id}/`;

let shop: PaymentShop;
beforeEach(async () => {
  shop = await openPaymentShop();
});

describe('settings/payments (PAY-03)', () => {
  test('stores tokens encrypted, shows their last four characters, and its event has no values', async () => {
    const { body, text } = await shop.t.call('GET', PAYMENT_SETTINGS);
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
      await shop.t.db.selectFrom('payment_accounts').selectAll().execute(),
      await shop.t.db.selectFrom('events').selectAll().execute(),
      text,
    ]);
    for (const secret of [shop.mp.token, shop.stripe.token, MP_SECRET, STRIPE_SECRET])
      expect(stored).not.toContain(secret);
    const [event] = await shop.eventsOf('settings.updated');
    expect(event?.changes.mercado_pago?.after).toBe('enabled, access_token, webhook_secret');
  });

  test('only people who confirmed their identity may change it', async () => {
    const { body: key } = await shop.t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'x', permissions: ['settings:manage'] },
    });
    const put = (token?: string) =>
      shop.t.call('PUT', PAYMENT_SETTINGS, { body: { instructions: 'x' }, ...(token && { token }) });
    expect(result(await put(key.key))).toEqual([403, 'forbidden']);
    shop.t.clock.advance(11 * MINUTE);
    expect(result(await put())).toEqual([403, 'step_up_required']);
    expect(result(await shop.t.call('POST', `${PAYMENT_SETTINGS}stripe/test/`, { body: {} }))).toEqual([
      403,
      'step_up_required',
    ]);
  });

  test('refuses a token that the provider refuses, answers 503 when it is unavailable, and removes it with an empty text', async () => {
    const put = (body: object) => shop.t.call('PUT', PAYMENT_SETTINGS, { body });
    const wrong = await put({ mercado_pago: { access_token: 'otro' } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['mercado_pago']]);
    shop.mp.alter = () => ({ status: 503 });
    expect(result(await put({ mercado_pago: { access_token: shop.mp.token } }))).toEqual([
      503,
      'unavailable',
    ]);
    shop.mp.alter = () => undefined;
    expect((await shop.t.call('POST', `${PAYMENT_SETTINGS}mercado_pago/test/`, { body: {} })).body).toEqual({
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
    const asked = await shop.newRequest({ tax_rate: 16 });
    expect(shop.mp.preferences).toHaveLength(0);
    const { status, body } = await shop.press(asked, 'mercado_pago');
    expect([status, body.url]).toEqual([200, expect.stringContaining('/checkout/v1/redirect')]);
    const [preference] = shop.mp.preferences;
    const { reference } = await shop.t.db
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
    expect((await shop.press(asked, 'mercado_pago')).body).toEqual(body);
    expect(shop.mp.preferences).toHaveLength(1);
    const { url } = (await shop.press(asked, 'stripe')).body;
    expect(url).toContain('/c/pay/cs_test_1');
    const form = new URLSearchParams(shop.stripe.callsOf('POST', /sessions$/)[0]?.body);
    expect(Object.fromEntries(form)).toMatchObject({
      mode: 'payment',
      client_reference_id: reference,
      'line_items[0][price_data][unit_amount]': '116000',
      'line_items[0][price_data][currency]': 'mxn',
      'adaptive_pricing[enabled]': 'false',
      success_url: `${asked.url}?pago=si`,
      cancel_url: `${asked.url}?pago=no`,
    });
    expect(shop.stripe.calls.at(-1)?.headers['stripe-version']).toBeTruthy();
  });

  test('twenty concurrent presses create one checkout', async () => {
    const asked = await shop.newRequest();
    shop.stripe.alter = ({ path }) => (path.endsWith('/sessions') ? { delayMs: 200 } : undefined);
    const urls = await Promise.all(
      Array.from({ length: 20 }, async () => (await shop.press(asked, 'stripe')).body.url),
    );
    expect(new Set(urls).size).toBe(1);
    expect(shop.stripe.callsOf('POST', /sessions$/)).toHaveLength(1);
  });

  test('after a lost answer the next press gets the same checkout', async () => {
    const asked = await shop.newRequest();
    shop.stripe.alter = () => ({ cut: true });
    expect(result(await shop.press(asked, 'stripe'))).toEqual([503, 'unavailable']);
    shop.stripe.alter = () => undefined;
    expect((await shop.press(asked, 'stripe')).status).toBe(200);
    expect(shop.stripe.sessions.size).toBe(1);
  });

  test('is refused when the request is not open, the provider is not offered, or unavailable', async () => {
    const asked = await shop.newRequest();
    shop.mp.alter = () => ({ status: 429 });
    expect(result(await shop.press(asked, 'mercado_pago'))).toEqual([503, 'unavailable']);
    const dollars = await shop.newRequest({}, { currency: 'USD', price: 10 });
    const refused = await shop.press(dollars, 'mercado_pago');
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['provider']]);
    await shop.press(asked, 'stripe');
    await shop.t.call('POST', `${REQUESTS}${asked.id}/cancel/`, { body: {} });
    expect(result(await shop.press(asked, 'stripe'))).toEqual([409, 'conflict']);
    // Cancelling the request ends Stripe's page.
    await shop.runDue(closeCheckoutsJob);
    expect(shop.stripe.last.status).toBe('expired');
  });

  test.each(['stripe', 'mercado_pago'])(
    'a page of %s that is created while the request ends is not given to the client',
    async (provider) => {
      const asked = await shop.newRequest();
      const fake = provider === 'stripe' ? shop.stripe : shop.mp;
      const { promise: until, resolve: answer } = Promise.withResolvers<void>();
      fake.alter = () => ({ until });
      const pressed = shop.press(asked, provider);
      await expect.poll(() => fake.callsOf('POST', /(sessions|preferences)$/)).toHaveLength(1);
      await shop.t.call('POST', `${REQUESTS}${asked.id}/cancel/`, { body: {} });
      answer();
      expect(result(await pressed)).toEqual([409, 'conflict']);
      fake.alter = () => undefined;
      await shop.runDue(closeCheckoutsJob);
      if (provider === 'stripe') expect(shop.stripe.last.status).toBe('expired');
    },
  );
});

describe('the first approval renews once (PAY-05)', () => {
  test('three copies of a notification, a check and a poll renew once, with one receipt', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    const payment = shop.mp.pay({ at: shop.now() });
    await Promise.all([1, 2, 3].map(() => shop.mpNotification(payment.id, { id: 77 })));
    expect(await shop.t.db.selectFrom('payment_notifications').select('id').execute()).toHaveLength(1);
    await shop.mpNotification(payment.id);
    await Promise.all([shop.runDue(paymentNotificationJob), shop.check(asked), shop.check(asked)]);
    await shop.later(HOUR);
    await shop.runDue(paymentPollJob);
    expect(await shop.getRequest(asked)).toMatchObject({
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
    expect(await shop.termsOf(asked)).toBe(2);
    expect(await shop.eventsOf('payment.received')).toMatchObject([
      { actor: { kind: 'system', id: null, name: 'Mercado Pago' } },
    ]);
    const receipts = (await shop.t.deliveredMail()).filter(({ subject }) => subject?.startsWith('Recibimos'));
    expect(receipts).toHaveLength(1);
  });

  test('the poll finds a payment whose notifications were all lost, 1, 5, 15 and 60 minutes after the press', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    const at: number[] = [];
    for (let minute = 1; minute <= 61; minute++) {
      shop.t.clock.advance(MINUTE);
      if ((await shop.runDue(paymentPollJob)) > 0) at.push(minute);
    }
    expect(at).toEqual([1, 5, 15, 60]);
    shop.stripe.complete(shop.stripe.last, shop.now());
    await shop.later(6 * HOUR);
    await shop.runDue(paymentPollJob);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'paid' });
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('an OXXO voucher is pending and renews nothing until the money has arrived', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    const session = shop.stripe.complete(shop.stripe.last, shop.now(), 'voucher');
    await shop.stripeNotification('checkout.session.completed', session);
    await shop.runDue(paymentNotificationJob);
    expect(await shop.check(asked)).toMatchObject({ state: 'open', pending: true });
    expect(await shop.termsOf(asked)).toBe(1);
    await shop.later(2 * DAY);
    shop.stripe.complete(session, shop.now());
    await shop.stripeNotification('checkout.session.async_payment_succeeded', session);
    await shop.runDue(paymentNotificationJob);
    expect(await shop.check(asked)).toMatchObject({ state: 'paid', pending: false });
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('no payment is lost when the provider is unavailable for an hour', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    const payment = shop.mp.pay({ at: shop.now() });
    shop.mp.alter = () => ({ status: 500 });
    await shop.mpNotification(payment.id);
    await expect(shop.runDue(paymentNotificationJob)).rejects.toThrow('500');
    expect(await shop.check(asked)).toMatchObject({ state: 'open' });
    await shop.later(HOUR);
    shop.mp.alter = () => undefined;
    await shop.runDue(paymentNotificationJob);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'paid' });
  });

  test('a payment made in time renews even if it is reported after the end, a late payment goes to review', async () => {
    const [inTime, late] = [
      await shop.newRequest({ expires_in_days: 1 }),
      await shop.newRequest({ expires_in_days: 1 }),
    ];
    for (const asked of [inTime, late]) await shop.press(asked, 'mercado_pago');
    const paidAt = new Date(shop.now().getTime() + HOUR);
    await shop.later(3 * DAY);
    await runJob(shop.t.context, paymentExpiryJob);
    const [one, two] = shop.mp.preferences;
    shop.mp.pay({ at: paidAt, external_reference: one!.external_reference });
    shop.mp.pay({ at: shop.now(), external_reference: two!.external_reference });
    expect(await shop.check(inTime)).toMatchObject({ state: 'paid' });
    expect(await shop.check(late)).toMatchObject({ state: 'review' });
    expect(await shop.getRequest(late)).toMatchObject({ state: 'review', review_reason: 'late' });
    expect(await shop.termsOf(late)).toBe(1);
  });
});

describe('a licence that changed after its request (PAY-05)', () => {
  test('a payment made in time but reported after a renewal by hand goes to review, and does not renew again', async () => {
    const asked = await shop.newRequest({ expires_in_days: 1 });
    await shop.press(asked, 'mercado_pago');
    const paidAt = new Date(shop.now().getTime() + HOUR);
    await shop.later(2 * DAY);
    await runJob(shop.t.context, paymentExpiryJob);
    expect((await shop.t.call('POST', `${licenseUrl(asked)}renew/`, { body: {} })).status).toBe(200);
    shop.mp.pay({ at: paidAt });
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    expect(await shop.getRequest(asked)).toMatchObject({ review_reason: 'late' });
    expect(await shop.termsOf(asked)).toBe(2);
    // A person can decide that the client gets both.
    expect((await shop.resolve(asked, 'apply')).body).toMatchObject({ state: 'paid' });
    expect(await shop.termsOf(asked)).toBe(3);
  });

  test('a payment for a licence that now belongs to another client goes to review, and cannot be applied', async () => {
    const asked = await shop.newRequest({ expires_in_days: 1 });
    await shop.press(asked, 'mercado_pago');
    const paidAt = new Date(shop.now().getTime() + HOUR);
    await shop.later(2 * DAY);
    await runJob(shop.t.context, paymentExpiryJob);
    const buyer = await createClient(shop.t);
    const moved = await shop.t.call('POST', `${licenseUrl(asked)}transfer/`, { body: { client: buyer.id } });
    expect(moved.status).toBe(200);
    shop.mp.pay({ at: paidAt });
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    expect(await shop.getRequest(asked)).toMatchObject({ review_reason: 'license' });
    const applied = await shop.resolve(asked, 'apply');
    expect([applied.status, applied.body]).toMatchObject([
      409,
      { code: 'conflict', message: 'La licencia ya es de otro cliente' },
    ]);
    expect(await shop.termsOf(asked)).toBe(1);
    expect((await shop.resolve(asked, 'close')).body).toMatchObject({ state: 'cancelled' });
  });

  test('a licence with a payment in review cannot be charged again until a person has decided', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now(), transaction_amount: 1 });
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    const again = () =>
      shop.t.call('POST', REQUESTS, { body: { lines: [{ license: asked.license.id, kind: 'renewal' }] } });
    const refused = await again();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'conflict',
        message: 'La licencia tiene un cobro en revisión: resuélvelo antes de pedir otro',
        license: asked.license.id,
        payment_request: asked.id,
      },
    ]);
    await shop.resolve(asked, 'close');
    expect((await again()).status).toBe(201);
  });
});

describe('an unexpected payment goes to review (PAY-05)', () => {
  const altered: [string, object][] = [
    ['amount', { transaction_amount: 1 }],
    ['currency', { currency_id: 'USD' }],
    ['account', { collector_id: 1 }],
  ];
  test.each(altered)(
    'a payment goes to review when its %s differs from the request',
    async (reason, values) => {
      const asked = await shop.newRequest();
      await shop.press(asked, 'mercado_pago');
      shop.mp.pay({ at: shop.now(), ...values });
      expect(await shop.check(asked)).toMatchObject({ state: 'review' });
      expect(await shop.getRequest(asked)).toMatchObject({ review_reason: reason });
      expect(await shop.termsOf(asked)).toBe(1);
      const { body } = await shop.t.call('POST', `${REQUESTS}${asked.id}/resolve/`, {
        body: { action: 'close', reason: 'Se devolvió' },
      });
      expect(body).toMatchObject({ state: 'cancelled', review_reason: null });
    },
  );

  test('a test payment outside demo mode renews nothing and can only be closed', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    shop.t.context.config.demo = false;
    shop.stripe.complete(shop.stripe.last, shop.now());
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    expect(await shop.getRequest(asked)).toMatchObject({ review_reason: 'test' });
    const resolve = (action: string) =>
      shop.t.call('POST', `${REQUESTS}${asked.id}/resolve/`, { body: { action, reason: 'Prueba' } });
    expect(result(await resolve('apply'))).toEqual([409, 'conflict']);
    expect((await resolve('close')).body.state).toBe('cancelled');
  });

  test('a second approved payment goes to review, and after closing it the request is paid', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    await shop.press(asked, 'stripe');
    const session = shop.stripe.last;
    shop.mp.pay({ at: shop.now() });
    expect(await shop.check(asked)).toMatchObject({ state: 'paid' });
    shop.stripe.complete(session, shop.now());
    await shop.stripeNotification('checkout.session.completed', session);
    await shop.runDue(paymentNotificationJob);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'review', review_reason: 'duplicate' });
    expect(await shop.termsOf(asked)).toBe(2);
    const resolve = (action: string) =>
      shop.t.call('POST', `${REQUESTS}${asked.id}/resolve/`, { body: { action, reason: 'Se devuelve' } });
    expect(result(await resolve('apply'))).toEqual([409, 'conflict']);
    expect((await resolve('close')).body.state).toBe('paid');
  });

  test('a payment after one that was closed without a renewal is no duplicate, and can be applied', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now(), transaction_amount: 1 });
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    expect((await shop.resolve(asked, 'close')).body.state).toBe('cancelled');
    const right = shop.mp.pay({ at: shop.now() });
    await shop.mpNotification(right.id);
    await shop.runDue(paymentNotificationJob);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'review', review_reason: 'late' });
    expect((await shop.resolve(asked, 'apply')).body.state).toBe('paid');
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('a payment with an unknown reference, or a failed one, changes nothing', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    const foreign = shop.mp.pay({ at: shop.now(), external_reference: 'otra' });
    await shop.mpNotification(foreign.id);
    await shop.runDue(paymentNotificationJob);
    shop.mp.pay({ at: shop.now(), status: 'rejected' });
    expect(await shop.check(asked)).toMatchObject({ state: 'open', pending: false });
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ state: 'failed' }]);
  });
});

describe('notifications of providers (PAY-04)', () => {
  test('Stripe: unsigned, wrongly signed and old ones get 400 and are not stored', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    const session = shop.stripe.complete(shop.stripe.last, shop.now());
    const payload = JSON.stringify({
      id: 'evt_x',
      type: 'checkout.session.completed',
      data: { object: session },
    });
    const bare = (headers: object) =>
      shop.t.call('POST', '/licenses/api/payments/stripe/notify/', {
        token: null,
        payload,
        headers: { ...headers },
      });
    expect((await bare({})).status).toBe(400);
    // A header with a wrong signature is refused too.
    expect((await bare({ 'stripe-signature': 't=1,v1=00' })).status).toBe(400);
    expect(
      (await shop.stripeNotification('checkout.session.completed', session, { secret: 'whsec_otro' })).status,
    ).toBe(400);
    const old = new Date(shop.now().getTime() - 301_000);
    expect((await shop.stripeNotification('checkout.session.completed', session, { at: old })).status).toBe(
      400,
    );
    expect(await shop.t.db.selectFrom('payment_notifications').select('id').execute()).toEqual([]);
    expect((await shop.stripeNotification('checkout.session.completed', session)).status).toBe(200);
  });

  test('Mercado Pago: at most thirty unsigned ones wait, and further ones are dropped', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    const payment = shop.mp.pay({ at: shop.now() });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => shop.mpNotification(payment.id, { signed: false })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shop.t.db.selectFrom('payment_notifications').select('id').execute()).toHaveLength(30);
    expect(await shop.runDue(paymentNotificationJob)).toBe(0);
    shop.t.clock.advance(MINUTE);
    await shop.runDue(paymentNotificationJob);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'paid' });
    expect(await shop.termsOf(asked)).toBe(2);
    expect((await shop.mpNotification(payment.id, { signed: false })).body).toEqual({ success: true });
  });
});
