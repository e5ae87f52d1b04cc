import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, openPaymentShop, type PaymentShop } from '../../../test/payment-shop.ts';
import { paymentNotificationJob } from './take-notification.ts';

/** Notifications of Mercado Pago whose sender is not known: they must not hide those of Mercado Pago (PAY-04). */

let shop: PaymentShop;
beforeEach(async () => {
  shop = await openPaymentShop();
});

/** A request that the client has paid at Mercado Pago. */
async function paidThere() {
  const asked = await shop.newRequest();
  await shop.press(asked, 'mercado_pago');
  return { asked, payment: shop.mp.pay({ at: shop.now() }) };
}

const stateOf = async (asked: { id: number }) => (await shop.getRequest(asked)).state;
const notifications = () =>
  shop.t.db.selectFrom('payment_notifications').select(['is_signed', 'subject']).execute();

describe('an unsigned notification (PAY-04)', () => {
  test('a signed one with the same id is looked at at once', async () => {
    const { asked, payment } = await paidThere();
    await shop.mpNotification(payment.id, { signed: false, id: 77 });
    await shop.mpNotification(payment.id, { id: 77 });
    expect(await shop.runDue(paymentNotificationJob)).toBe(1);
    expect(await stateOf(asked)).toBe('paid');
  });

  test('one that names another payment does not hide the signed one with its id', async () => {
    const { asked, payment } = await paidThere();
    await shop.mpNotification(payment.id + 1, { signed: false, id: 77 });
    await shop.mpNotification(payment.id, { id: 77 });
    await shop.mpNotification(payment.id, { id: 77 });
    expect(await shop.runDue(paymentNotificationJob)).toBe(1);
    expect(await stateOf(asked)).toBe('paid');
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('one that names another payment does not hide an unsigned one with its id', async () => {
    const { asked, payment } = await paidThere();
    await shop.mpNotification(payment.id + 1, { signed: false, id: 77 });
    await shop.mpNotification(payment.id, { signed: false, id: 77 });
    shop.t.clock.advance(MINUTE);
    await shop.runDue(paymentNotificationJob);
    expect(await stateOf(asked)).toBe('paid');
  });

  test('copies count as seen while it waits, and not after it was looked at', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    const payment = shop.mp.pay({ at: shop.now(), status: 'in_process' });
    const notification = () => shop.mpNotification(payment.id, { signed: false, id: 77 });
    await notification();
    await notification();
    shop.t.clock.advance(MINUTE);
    expect(await shop.runDue(paymentNotificationJob)).toBe(1);
    expect(await stateOf(asked)).toBe('open');
    payment.status = 'approved';
    await notification();
    expect(await notifications()).toEqual([{ is_signed: false, subject: String(payment.id) }]);
    shop.t.clock.advance(MINUTE);
    expect(await shop.runDue(paymentNotificationJob)).toBe(1);
    expect(await stateOf(asked)).toBe('paid');
  });

  test('the signed ones are looked at at once while thirty unsigned ones wait', async () => {
    const { asked, payment } = await paidThere();
    for (let id = 1; id <= 31; id++) await shop.mpNotification(payment.id, { signed: false, id });
    for (let id = 1; id <= 31; id++) await shop.mpNotification(payment.id + id, { signed: false, id });
    expect(await notifications()).toHaveLength(30);
    await shop.mpNotification(payment.id, { id: 1 });
    expect(await shop.runDue(paymentNotificationJob)).toBe(1);
    expect(await stateOf(asked)).toBe('paid');
  });
});
