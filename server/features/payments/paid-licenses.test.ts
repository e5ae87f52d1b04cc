import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { createLicense, createSoftware } from '../../../test/factories.ts';
import {
  type Asked,
  openPaymentShop,
  PAYMENT_SETTINGS,
  type PaymentShop,
  REQUESTS,
  result,
} from '../../../test/payment-shop.ts';
import { paymentNotificationJob } from './take-notification.ts';

/** A licence that somebody paid is not deleted (INPUT-18). */

const LICENSES = '/licenses/api/licenses/';
const REFUSED = 'Tiene pagos registrados: cancélala';

let shop: PaymentShop;
beforeEach(async () => {
  shop = await openPaymentShop();
});

const remove = ({ id }: { id: number }) => shop.t.call('DELETE', `${LICENSES}${id}/`);
const markPaid = ({ id }: { id: number }) =>
  shop.t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body: { method: 'cash' } });

/** From now on payments of Mercado Pago are real ones. */
async function goLive() {
  shop.mp.token = 'APP_USR-token-1234';
  const body = { mercado_pago: { access_token: shop.mp.token } };
  expect((await shop.t.call('PUT', PAYMENT_SETTINGS, { body })).status).toBe(200);
}

/** A request that its client paid with real money at Mercado Pago. */
async function paidLive(values: object = {}) {
  await goLive();
  const asked = await shop.newRequest();
  await shop.press(asked, 'mercado_pago');
  const payment = shop.mp.pay({ at: shop.now(), live_mode: true, ...values });
  await shop.check(asked);
  return { asked, payment };
}

/** The provider tells of a change of the payment. */
async function tell(payment: { id: number }, change: object) {
  Object.assign(payment, change);
  await shop.mpNotification(payment.id);
  await shop.runDue(paymentNotificationJob);
}

const refund = async (asked: Asked, body: object) => {
  const [{ id }] = (await shop.getRequest(asked)).payments;
  const { status } = await shop.t.call('POST', `/licenses/api/payments/${id}/refund/`, { body });
  expect(status).toBe(202);
};

const mayDelete = async (license: License) => {
  const { can } = await shop.getLicense(license);
  const { body } = await shop.t.call('GET', `${LICENSES}?search=${license.license_key}`);
  expect(body.results[0].can).toEqual(can);
  return can.includes('delete');
};

describe('DELETE of a licence that was paid (INPUT-18)', () => {
  test('is 409 has_payments, and the licence stays with its payment, its income and its history', async () => {
    const { asked } = await paidLive();
    expect(await mayDelete(asked.license)).toBe(false);
    const answer = await remove(asked.license);
    expect([...result(answer), answer.body.message]).toEqual([409, 'has_payments', REFUSED]);
    expect(await shop.termsOf(asked)).toBe(2);
    expect(await shop.eventsOf('license.deleted')).toEqual([]);
    const cancelled = await shop.t.call('POST', `${LICENSES}${asked.license.id}/cancel/`, { body: {} });
    expect(cancelled.status).toBe(200);
    expect(result(await remove(asked.license))).toEqual([409, 'has_payments']);
  });

  test('is refused too for a payment that a person registered, and for each licence of its request', async () => {
    const first = await createLicense(shop.t);
    const second = await createLicense(shop.t, { client: first.client.id });
    const lines = [first, second].map(({ id }) => ({ license: id, kind: 'renewal' }));
    const asked = (await shop.t.call('POST', REQUESTS, { body: { lines, notify: false } })).body;
    expect(await mayDelete(first)).toBe(true);
    expect((await markPaid(asked)).status).toBe(200);
    for (const license of [first, second]) {
      expect(await mayDelete(license)).toBe(false);
      expect(result(await remove(license))).toEqual([409, 'has_payments']);
    }
  });

  test('is refused while a payment that waits for a person is on it, and after a part was refunded', async () => {
    const less = await paidLive({ transaction_amount: 900 });
    expect(await shop.getRequest(less.asked)).toMatchObject({ state: 'review' });
    expect(result(await remove(less.asked.license))).toEqual([409, 'has_payments']);
    const part = await paidLive();
    await refund(part.asked, { amount: 400 });
    expect(result(await remove(part.asked.license))).toEqual([409, 'has_payments']);
  });

  test('deletes as before without money: no payment, a test, one that failed or waits, refunded whole, charged back', async () => {
    await goLive();
    const unpaid = await shop.newRequest();
    const trial = await shop.newRequest();
    await shop.pay(trial.url, 'demo', { result: 'approve' });
    expect(await shop.getRequest(trial)).toMatchObject({ state: 'paid' });
    const refused = await paidLive({ status: 'rejected' });
    const waiting = await paidLive({ status: 'pending' });
    const refunded = await paidLive();
    await refund(refunded.asked, {});
    const back = await paidLive();
    await tell(back.payment, { status: 'charged_back', status_detail: 'in_process' });
    for (const { license } of [unpaid, trial, refused.asked, waiting.asked, refunded.asked, back.asked]) {
      expect(await mayDelete(license)).toBe(true);
      expect((await remove(license)).status).toBe(200);
    }
  });

  test('is refused again after the vendor won the dispute of a chargeback', async () => {
    const { asked, payment } = await paidLive();
    await tell(payment, { status: 'charged_back', status_detail: 'in_process' });
    await tell(payment, { status_detail: 'reimbursed' });
    expect(result(await remove(asked.license))).toEqual([409, 'has_payments']);
  });

  test('in bulk is in failed with its code, and the others are deleted', async () => {
    const { asked } = await paidLive();
    const free = await createLicense(shop.t);
    const ids = [asked.license.id, free.id];
    const { status, body } = await shop.t.call('POST', `${LICENSES}bulk_action/`, {
      body: { action: 'delete', ids },
    });
    expect([status, body.done]).toEqual([200, [free.id]]);
    expect(body.failed).toEqual([{ id: asked.license.id, code: 'has_payments', message: REFUSED }]);
    expect((await shop.t.call('GET', `${LICENSES}${free.id}/`)).status).toBe(404);
  });

  test('a client whose licences were paid is erased as before, and licence and payment stay', async () => {
    const { asked } = await paidLive();
    await shop.t.call('POST', `${LICENSES}${asked.license.id}/cancel/`, { body: {} });
    const url = `/licenses/api/clients/${asked.license.client.id}/erase/`;
    const { status } = await shop.t.call('POST', url, {
      body: { confirm: asked.license.client.name, reason: 'Lo pidió' },
    });
    expect(status).toBe(200);
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ state: 'approved' }]);
    expect(await shop.termsOf(asked)).toBe(2);
  });
});

test('of a deletion and a payment at once only one happens, and no paid licence is lost (INPUT-18)', async () => {
  await goLive();
  const software = (await createSoftware(shop.t)).id;
  const ended = { deleted: 0, kept: 0 };
  for (let round = 0; round < 12; round += 1) {
    const asked = await shop.newRequest({}, { software });
    await shop.press(asked, 'mercado_pago');
    const payment = shop.mp.pay({ at: shop.now(), live_mode: true });
    await shop.mpNotification(payment.id);
    const both = [() => shop.runDue(paymentNotificationJob), () => remove(asked.license)];
    const [first, second] = round % 2 === 0 ? both : both.reverse();
    const answers = await Promise.all([first!(), second!()]);
    const answer = answers.find((one) => typeof one === 'object') as {
      status: number;
      body: { code: string };
    };
    const request = await shop.getRequest(asked);
    expect(request.payments).toMatchObject([{ state: 'approved' }]);
    if (answer.status === 200) {
      // The money came for a licence that was gone: nothing is renewed, and a person decides.
      expect(request).toMatchObject({ state: 'review', review_reason: 'late' });
      ended.deleted += 1;
    } else {
      expect(result(answer)).toEqual([409, 'has_payments']);
      expect(request).toMatchObject({ state: 'paid' });
      ended.kept += 1;
    }
  }
  expect(ended.deleted + ended.kept).toBe(12);
});
