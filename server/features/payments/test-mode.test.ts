import { beforeEach, describe, expect, test } from 'vitest';
import { openPaymentShop, PAYMENT_SETTINGS, type PaymentShop } from '../../../test/payment-shop.ts';
import { paymentNotificationJob } from './take-notification.ts';

/** What the page to pay says about test mode is what the payment counts by (PAY-06). */

let shop: PaymentShop;
beforeEach(async () => {
  shop = await openPaymentShop();
});

type Change = { token: string; account?: number; tags?: string[] };

/** Changes the account at Mercado Pago, as a person does in the settings. */
async function useMercadoPago({ token, account = shop.mp.account, tags = [] }: Change) {
  Object.assign(shop.mp, { token, account, tags });
  const { status, body } = await shop.t.call('PUT', PAYMENT_SETTINGS, {
    body: { mercado_pago: { access_token: token } },
  });
  expect(status).toBe(200);
  return body.mercado_pago.test as boolean;
}

async function useStripe(token: string) {
  Object.assign(shop.stripe, { token, livemode: token.startsWith('sk_live_') });
  const { status } = await shop.t.call('PUT', PAYMENT_SETTINGS, {
    body: { stripe: { secret_key: token } },
  });
  expect(status).toBe(200);
}

const pageOf = async ({ url }: { url: string }) =>
  (await shop.t.call('GET', `/licenses/api/pay/${url.split('/').at(-1)}/`, { token: null })).body;

describe('the mode of an account (PAY-06)', () => {
  test.each(['check', 'note'])(
    "a payment of Mercado Pago's test account, which says live_mode true, renews nothing outside demo mode (%s)",
    async (path) => {
      expect(await useMercadoPago({ token: 'APP_USR-prueba', tags: ['test_user'] })).toBe(true);
      shop.t.context.config.demo = false;
      const asked = await shop.newRequest();
      expect(await pageOf(asked)).toMatchObject({ test: true });
      await shop.press(asked, 'mercado_pago');
      const payment = shop.mp.pay({ at: shop.now(), live_mode: true });
      if (path === 'check') await shop.check(asked);
      else {
        await shop.mpNotification(payment.id);
        await shop.runDue(paymentNotificationJob);
      }
      expect(await shop.getRequest(asked)).toMatchObject({
        state: 'review',
        review_reason: 'test',
        payments: [{ test: true }],
      });
      expect(await shop.termsOf(asked)).toBe(1);
      expect((await shop.resolve(asked, 'apply')).status).toBe(409);
    },
  );

  test('a payment of a real account renews', async () => {
    expect(await useMercadoPago({ token: 'APP_USR-real' })).toBe(false);
    await useStripe('sk_live_1234');
    shop.t.context.config.demo = false;
    const asked = await shop.newRequest();
    expect(await pageOf(asked)).toMatchObject({ test: false });
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now(), live_mode: true });
    expect(await shop.check(asked)).toMatchObject({ state: 'paid', test: false });
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('where one provider is of test mode and the other is not, the page says of which', async () => {
    await useStripe('sk_live_1234');
    shop.t.context.config.demo = false;
    const asked = await shop.newRequest();
    expect(await pageOf(asked)).toMatchObject({
      test: true,
      providers: [
        { id: 'mercado_pago', test: true },
        { id: 'stripe', test: false },
      ],
    });
  });
});

describe('an account that changes its mode between the page and the payment (PAY-06)', () => {
  test('money on a real page renews although the account is of test mode when it is reported', async () => {
    await useMercadoPago({ token: 'APP_USR-real' });
    shop.t.context.config.demo = false;
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    await useMercadoPago({ token: 'TEST-1234' });
    shop.mp.pay({ at: shop.now(), live_mode: true });
    expect(await shop.check(asked)).toMatchObject({ state: 'paid' });
    expect(await shop.getRequest(asked)).toMatchObject({ payments: [{ test: false }] });
  });

  test("a payment on a test account's page renews nothing although the account is real when it is reported", async () => {
    await useMercadoPago({ token: 'APP_USR-prueba', tags: ['test_user'] });
    const test = shop.mp.account;
    shop.t.context.config.demo = false;
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    await useMercadoPago({ token: 'APP_USR-real', account: 987_654_321 });
    shop.mp.pay({ at: shop.now(), live_mode: true, collector_id: test });
    await shop.check(asked);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'review', review_reason: 'test' });
    expect(await shop.termsOf(asked)).toBe(1);
  });

  test.each(['mercado_pago', 'stripe'])(
    'a page of %s that was made in the other mode of the same account is not used again',
    async (provider) => {
      const asked = await shop.newRequest();
      const before = (await shop.press(asked, provider)).body.url;
      await useMercadoPago({ token: 'APP_USR-real' });
      await useStripe('sk_live_1234');
      const live = (await shop.press(asked, provider)).body.url;
      expect(live).not.toBe(before);
      await useMercadoPago({ token: 'TEST-1234' });
      await useStripe('sk_test_1234');
      expect([before, live]).not.toContain((await shop.press(asked, provider)).body.url);
    },
  );

  test.each(['mercado_pago', 'stripe'])(
    'a page of %s that is made while the account changes its mode is not given to the client',
    async (provider) => {
      const asked = await shop.newRequest();
      const fake = provider === 'stripe' ? shop.stripe : shop.mp;
      const isMaking = /(sessions|preferences)$/;
      const changed = Promise.withResolvers<void>();
      fake.alter = ({ path }) => (isMaking.test(path) ? { until: changed.promise } : undefined);
      const pressed = shop.press(asked, provider);
      await expect.poll(() => fake.callsOf('POST', isMaking)).toHaveLength(1);
      await useMercadoPago({ token: 'APP_USR-real' });
      await useStripe('sk_live_1234');
      changed.resolve();
      const { status, body } = await pressed;
      expect(status).toBe(200);
      expect(fake.callsOf('POST', isMaking)).toHaveLength(2);
      expect((await shop.press(asked, provider)).body.url).toBe(body.url);
      expect(
        await shop.t.db
          .selectFrom('payment_checkouts')
          .select('is_test')
          .where('url', '=', body.url)
          .execute(),
      ).toEqual([{ is_test: false }]);
    },
  );
});
