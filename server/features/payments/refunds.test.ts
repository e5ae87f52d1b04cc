import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../test/factories.ts';
import {
  MINUTE,
  openPaymentShop,
  PAYMENT_SETTINGS,
  type PaymentShop,
  REQUESTS,
  result,
} from '../../../test/payment-shop.ts';
import { paymentNotificationJob } from './take-notification.ts';

/** Money that goes back: refunds by the staff, chargebacks and disputes, and the list of payments (PAY-06). */

let shop: PaymentShop;
beforeEach(async () => {
  shop = await openPaymentShop();
});

describe('refunds and disputes (PAY-06)', () => {
  const paid = async (body: object = {}) => {
    const asked = await shop.newRequest(body);
    await shop.press(asked, 'mercado_pago');
    const payment = shop.mp.pay({ at: shop.now() });
    await shop.check(asked);
    const [row] = (await shop.getRequest(asked)).payments;
    return { asked, payment, id: row.id as number };
  };
  const refund = (id: number, body: object, key?: string) =>
    shop.t.call('POST', `/licenses/api/payments/${id}/refund/`, {
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
    expect(await shop.eventsOf('payment.refunded')).toHaveLength(2);
    // A refund does not suspend the licence.
    expect(await shop.getLicense(asked.license)).toMatchObject({ status: 'active' });
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'paid' });
  });

  test('a refund whose answer was lost is made once, however often it is requested again', async () => {
    const { id, payment } = await paid();
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { cut: true } : undefined);
    expect(result(await refund(id, { amount: 100 }, 'uno'))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    expect((await refund(id, { amount: 100 }, 'uno')).body).toMatchObject({ refunded_amount: 100 });
    expect((await refund(id, { amount: 100 }, 'uno')).body).toMatchObject({ refunded_amount: 100 });
    expect(payment.transaction_amount_refunded).toBe(100);
    await Promise.all([1, 2, 3].map(() => refund(id, { amount: 100 }, 'dos')));
    expect(payment.transaction_amount_refunded).toBe(200);
  });

  /** The next refund is made, but its answer is lost, and the provider forgets its key. */
  const loseRefund = async (id: number, body: object, key?: string) => {
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { cut: true } : undefined);
    expect(result(await refund(id, body, key))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    shop.mp.kept.clear();
  };

  test.each([
    ['with the same key', 'uno'],
    ['with another key', 'dos'],
    ['without a key', undefined],
  ])(
    'a refund whose answer was lost is not made again after the provider forgot it, when repeated %s',
    async (_how, key) => {
      const { id, payment } = await paid();
      await loseRefund(id, { amount: 300 }, 'uno');
      const again = await refund(id, { amount: 300 }, key);
      expect([again.status, again.body]).toMatchObject([202, { refunded_amount: 300 }]);
      // Its answer can be lost too.
      if (key !== undefined) expect((await refund(id, { amount: 300 }, key)).status).toBe(202);
      expect(payment.transaction_amount_refunded).toBe(300);
    },
  );

  test('a refund of the rest completes a refund whose answer was lost, and then refunds what is left', async () => {
    const made = await paid();
    await loseRefund(made.id, { amount: 300 });
    expect((await refund(made.id, {})).body).toMatchObject({ state: 'refunded', refunded_amount: 1000 });
    expect(made.payment.transaction_amount_refunded).toBe(1000);

    const notMade = await paid();
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { status: 500 } : undefined);
    expect(result(await refund(notMade.id, { amount: 300 }))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    expect((await refund(notMade.id, {})).body).toMatchObject({ state: 'refunded', refunded_amount: 1000 });
  });

  test('a lost refund of everything is made once when it is repeated without an amount', async () => {
    const { id } = await paid();
    await loseRefund(id, {});
    const again = await refund(id, {});
    expect([again.status, again.body]).toMatchObject([202, { state: 'refunded', refunded_amount: 1000 }]);
  });

  test('another amount is refunded only after it is known whether the lost refund was made', async () => {
    const { id } = await paid();
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { status: 500 } : undefined);
    expect(result(await refund(id, { amount: 300 }))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    expect(result(await refund(id, { amount: 200 }))).toEqual([409, 'conflict']);
    await loseRefund(id, { amount: 300 });
    expect((await refund(id, { amount: 200 })).body).toMatchObject({ refunded_amount: 500 });
  });

  test('after the payment shows a lost refund, the same amount is another refund', async () => {
    const { asked, id } = await paid();
    await loseRefund(id, { amount: 300 });
    await shop.check(asked);
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ refunded_amount: 300 }]);
    expect((await refund(id, { amount: 300 })).body).toMatchObject({ refunded_amount: 600 });
  });

  test('a refund that was made is not made again when the payment could not be read after it', async () => {
    const { id, payment } = await paid();
    const isMade = () => payment.transaction_amount_refunded === 300;
    shop.mp.alter = () => (isMade() ? { status: 500 } : undefined);
    expect(result(await refund(id, { amount: 300 }))).toEqual([503, 'unavailable']);
    expect(isMade()).toBe(true);
    shop.mp.alter = () => undefined;
    shop.mp.kept.clear();
    expect((await refund(id, { amount: 300 })).body).toMatchObject({ refunded_amount: 300 });
    expect(isMade()).toBe(true);
  });

  test('a key that was used for one amount refunds no other amount, also if its answer was lost', async () => {
    const { id, payment } = await paid();
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { status: 500 } : undefined);
    expect(result(await refund(id, { amount: 300 }, 'uno'))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    for (const body of [{ amount: 200 }, {}]) {
      expect(result(await refund(id, body, 'uno'))).toEqual([409, 'idempotency_conflict']);
    }
    expect(payment.transaction_amount_refunded).toBe(0);
    expect((await refund(id, { amount: 300 }, 'uno')).body).toMatchObject({ refunded_amount: 300 });
    expect(result(await refund(id, { amount: 200 }, 'uno'))).toEqual([409, 'idempotency_conflict']);
  });

  test('a refund of a trial payment that is requested several times at once is one refund', async () => {
    const asked = await shop.newRequest();
    await shop.pay(asked.url, 'demo', { result: 'approve' });
    const [{ id }] = (await shop.getRequest(asked)).payments;
    await Promise.all([1, 2, 3].map(() => refund(id, { amount: 100 }, 'uno')));
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ refunded_amount: 100 }]);
  });

  test('an earlier refund on the provider’s own site is not taken for a refund whose answer was lost', async () => {
    const { id, payment } = await paid();
    Object.assign(payment, { transaction_amount_refunded: 300 });
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { status: 500 } : undefined);
    expect(result(await refund(id, { amount: 300 }))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    expect((await refund(id, { amount: 300 })).body).toMatchObject({ refunded_amount: 600 });
    expect(payment.transaction_amount_refunded).toBe(600);
  });

  test('what is left to refund is what the provider says', async () => {
    const { id, payment } = await paid();
    Object.assign(payment, { transaction_amount_refunded: 300 });
    const much = await refund(id, { amount: 701 });
    expect([much.status, Object.keys(much.body.errors ?? {})]).toEqual([400, ['amount']]);
    expect((await refund(id, {})).body).toMatchObject({ state: 'refunded', refunded_amount: 1000 });
  });

  test('a refund whose key the provider is still working on can be repeated', async () => {
    const { id, payment } = await paid();
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { status: 409 } : undefined);
    expect(result(await refund(id, { amount: 300 }, 'uno'))).toEqual([503, 'unavailable']);
    shop.mp.alter = () => undefined;
    expect((await refund(id, { amount: 300 }, 'uno')).body).toMatchObject({ refunded_amount: 300 });
    expect(payment.transaction_amount_refunded).toBe(300);
  });

  test('a refused refund is refused again when it is repeated with its key', async () => {
    const { id } = await paid();
    shop.mp.alter = ({ path }) => (path.endsWith('/refunds') ? { status: 400 } : undefined);
    expect(result(await refund(id, { amount: 300 }, 'uno'))).toEqual([409, 'conflict']);
    shop.mp.alter = () => undefined;
    expect(result(await refund(id, { amount: 300 }, 'uno'))).toEqual([409, 'conflict']);
    expect((await refund(id, { amount: 300 }, 'dos')).body).toMatchObject({ refunded_amount: 300 });
  });

  test('a refund that the provider answers as failed is refused, and can be requested again', async () => {
    const { id } = await paid();
    for (const status of ['rejected', 'cancelled']) {
      shop.mp.refundFails = status;
      expect(result(await refund(id, { amount: 300 }))).toEqual([409, 'conflict']);
    }
    shop.mp.refundFails = null;
    expect((await refund(id, { amount: 300 })).body).toMatchObject({ refunded_amount: 300 });

    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    shop.stripe.complete(shop.stripe.last, shop.now());
    await shop.check(asked);
    const [row] = (await shop.getRequest(asked)).payments;
    for (const status of ['failed', 'canceled']) {
      shop.stripe.refundFails = status;
      expect(result(await refund(row.id, { amount: 300 }))).toEqual([409, 'conflict']);
    }
    shop.stripe.refundFails = null;
    expect((await refund(row.id, { amount: 300 })).body).toMatchObject({ refunded_amount: 300 });
  });

  test('an amount that the currency cannot express is refused at amount', async () => {
    const asked = await shop.newRequest({}, { currency: 'CLP' });
    await shop.pay(asked.url, 'demo', { result: 'approve' });
    const [{ id }] = (await shop.getRequest(asked)).payments;
    for (const amount of [10.5, 0.4]) {
      const { status, body } = await refund(id, { amount });
      expect([status, body.errors]).toEqual([400, { amount: ['El importe en CLP no lleva decimales'] }]);
    }
    expect((await refund(id, { amount: 11 })).body).toMatchObject({ refunded_amount: 11 });
  });

  test('a refund needs a confirmed identity, and is possible only for a provider’s payment', async () => {
    const { id } = await paid();
    shop.t.clock.advance(11 * MINUTE);
    expect(result(await refund(id, {}))).toEqual([403, 'step_up_required']);
    await shop.later(0);
    const asked = await shop.newRequest();
    await shop.t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, { body: { method: 'cash' } });
    const [row] = (await shop.getRequest(asked)).payments;
    expect(result(await refund(row.id, {}))).toEqual([409, 'conflict']);
  });

  test('a chargeback suspends the licences of that payment only, and winning it does not reinstate them', async () => {
    await shop.t.call('PUT', PAYMENT_SETTINGS, { body: { on_chargeback: 'suspend' } });
    const { asked, payment } = await paid();
    const other = await paid();
    Object.assign(payment, { status: 'charged_back', status_detail: 'in_process' });
    await shop.mpNotification(payment.id);
    await shop.runDue(paymentNotificationJob);
    expect(await shop.getLicense(asked.license)).toMatchObject({ status: 'suspended' });
    expect(await shop.getLicense(other.asked.license)).toMatchObject({ status: 'active' });
    const [event] = await shop.eventsOf('license.suspended');
    expect(event).toMatchObject({ reason: 'Contracargo', actor: { name: 'Mercado Pago' } });
    Object.assign(payment, { status_detail: 'reimbursed' });
    await shop.mpNotification(payment.id);
    await shop.runDue(paymentNotificationJob);
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ state: 'charged_back' }]);
    expect(await shop.getLicense(asked.license)).toMatchObject({ status: 'suspended' });
    expect((await shop.eventsOf('payment.disputed')).map(({ changes }) => changes.dispute?.after)).toEqual([
      'won',
      'open',
    ]);
  });

  test('the opening and the end of a Stripe dispute are stored from its notifications', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    const session = shop.stripe.complete(shop.stripe.last, shop.now());
    await shop.check(asked);
    const intent = session.payment_intent!;
    (intent.latest_charge as { disputed: boolean }).disputed = true;
    await shop.stripeNotification('charge.dispute.created', {
      id: 'dp_1',
      object: 'dispute',
      payment_intent: intent.id,
    });
    await shop.runDue(paymentNotificationJob);
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ state: 'charged_back' }]);
    await shop.stripeNotification('charge.dispute.closed', {
      id: 'dp_1',
      status: 'lost',
      payment_intent: intent.id,
    });
    await shop.runDue(paymentNotificationJob);
    expect((await shop.eventsOf('payment.disputed')).map(({ changes }) => changes.dispute?.after)).toEqual([
      'lost',
      'open',
    ]);
    expect(await shop.getLicense(asked.license)).toMatchObject({ status: 'active' });
  });

  test('payments can be filtered by local day, and the export has the same rows', async () => {
    const { id } = await paid();
    const list = async (query: string) => (await shop.t.call('GET', `/licenses/api/payments/?${query}`)).body;
    expect(
      (await list('provider=mercado_pago&state=approved&from=2026-11-10&to=2026-11-10')).results,
    ).toMatchObject([{ id, amount: 1000, refunded_amount: 0, test: true }]);
    expect((await list('from=2026-11-11')).count).toBe(0);
    expect((await list('provider=stripe')).count).toBe(0);
    const { text } = await shop.t.call('GET', '/licenses/api/payments/export/?state=approved');
    expect(text.split('\r\n').filter(Boolean)).toHaveLength(2);
  });

  /** From now on payments of Mercado Pago are real ones. */
  const goLive = async () => {
    shop.mp.token = 'APP_USR-token-1234';
    const body = { mercado_pago: { access_token: shop.mp.token } };
    expect((await shop.t.call('PUT', PAYMENT_SETTINGS, { body })).status).toBe(200);
  };
  const fiscalRenewal = async () => {
    const { text } = await shop.t.call(
      'GET',
      '/licenses/api/reports/fiscal/export/?from=2026-11-10&to=2026-11-10',
    );
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    return rows.find((row) => row['Clase de Venta'] === 'renewal');
  };

  test('a renewal that was paid is a line of the client who paid, also after the licence was transferred', async () => {
    await goLive();
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now(), live_mode: true });
    expect(await shop.check(asked)).toMatchObject({ state: 'paid' });
    const { client } = asked.license;
    const next = await createClient(shop.t);
    const url = `/licenses/api/licenses/${asked.license.id}/transfer/`;
    expect((await shop.t.call('POST', url, { body: { client: next.id } })).status).toBe(200);
    expect(await fiscalRenewal()).toMatchObject({ 'ID de Cliente': String(client.id), Cliente: client.name });
    const check = await shop.t.call(
      'GET',
      '/licenses/api/reports/fiscal/check/?from=2026-11-10&to=2026-11-10',
    );
    expect(check.body.clients).toMatchObject([{ id: client.id }, { id: next.id }]);
  });

  test('the fiscal export names the payment that renewed the licence, not another one of its request', async () => {
    await goLive();
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    const payBy = (type: string, amount: number) =>
      shop.mp.pay({ at: shop.now(), live_mode: true, payment_type_id: type, transaction_amount: amount });
    payBy('credit_card', 1);
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    const right = payBy('debit_card', 1000);
    await shop.check(asked);
    expect((await shop.resolve(asked, 'apply')).body).toMatchObject({ state: 'paid' });
    expect(await fiscalRenewal()).toMatchObject({
      'Forma de Pago': '28',
      'Referencia de Pago': String(right.id),
    });
  });
});
