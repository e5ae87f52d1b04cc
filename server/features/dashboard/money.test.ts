import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Permission } from '../../../contract/people/permissions.ts';
import { createLicense, createSoftware } from '../../../test/factories.ts';
import {
  DAY,
  HOUR,
  openPaymentShop,
  PAYMENT_SETTINGS,
  type PaymentShop,
  REQUESTS,
} from '../../../test/payment-shop.ts';
import { reportRevenue } from '../reports/revenue-report.ts';

/** Sold, collected and receivable: what each of the three words counts, and when (MONEY-04). */

const TODAY = '/licenses/api/statistics/today/';
const REVENUE = '/licenses/api/reports/revenue/';
const NO_MONEY = { sold: 0, sold_last_month_to_date: 0, collected: 0, receivable: 0, receivable_count: 0 };

let shop: PaymentShop;
beforeEach(async () => {
  // The tenth of November, noon in Mexico.
  shop = await openPaymentShop();
  // An account that takes money: the shop's own is one for tests.
  shop.mp.token = 'APP_USR-token-1234';
  const { status } = await shop.t.call('PUT', PAYMENT_SETTINGS, {
    body: { mercado_pago: { access_token: shop.mp.token } },
  });
  expect(status).toBe(200);
});

const moneyOf = async (token?: string) =>
  (await shop.t.call('GET', TODAY, { ...(token && { token }) })).body.money;
/** What was collected in each month that has a figure, by month. */
const collectedOf = async (query = '') => {
  const { body } = await shop.t.call('GET', `${REVENUE}?from=2026-09-01&to=2027-02-28${query}`);
  const rows = body.months as { month: string; currency: string; collected: number | null }[];
  const figures = rows.filter(({ collected }) => collected !== 0);
  return Object.fromEntries(
    figures.map(({ month, currency, collected }) => [`${month} ${currency}`, collected]),
  );
};
const markPaid = async ({ id }: { id: number }, body: object = {}) => {
  const answer = await shop.t.call('POST', `${REQUESTS}${id}/mark_paid/`, {
    body: { method: 'transfer', ...body },
  });
  expect(answer.status).toBe(200);
};
/** A payment of 1,160 with Mercado Pago, as the provider's books have it. */
const paidByCard = async () => {
  const asked = await shop.newRequest({ tax_rate: 16 });
  await shop.press(asked, 'mercado_pago');
  const book = shop.mp.pay({ at: shop.now(), live_mode: true });
  await shop.check(asked);
  return { asked, book };
};

describe('the three sums', () => {
  test('an open request is receivable with tax; once paid it is collected, and its term is sold, net', async () => {
    expect(await moneyOf()).toEqual([{ currency: 'MXN', ...NO_MONEY }]);
    const asked = await shop.newRequest({ tax_rate: 16 });
    expect(await moneyOf()).toEqual([
      { currency: 'MXN', ...NO_MONEY, sold: 1000, receivable: 1160, receivable_count: 1 },
    ]);
    await markPaid(asked);
    expect(await moneyOf()).toEqual([{ currency: 'MXN', ...NO_MONEY, sold: 2000, collected: 1160 }]);
    // A cancelled licence is sold no more; its money stays collected.
    await shop.t.call('POST', `/licenses/api/licenses/${asked.license.id}/cancel/`, {
      body: { notify: false },
    });
    expect(await moneyOf()).toEqual([{ currency: 'MXN', ...NO_MONEY, collected: 1160 }]);
    await shop.later(DAY * 31);
    expect(await moneyOf()).toEqual([{ currency: 'MXN', ...NO_MONEY }]);
  });

  test('each currency has an entry of its own, the setting’s first, and a request that ended asks nothing', async () => {
    await shop.newRequest({ expires_in_days: 1 }, { currency: 'USD', price: 50 });
    const cancelled = await shop.newRequest({}, { currency: 'CLP', price: 900 });
    await shop.t.call('POST', `${REQUESTS}${cancelled.id}/cancel/`);
    expect(await moneyOf()).toEqual([
      { currency: 'MXN', ...NO_MONEY },
      { currency: 'USD', ...NO_MONEY, sold: 50, receivable: 50, receivable_count: 1 },
      { currency: 'CLP', ...NO_MONEY, sold: 900 },
    ]);
    // Its time is over, and no job has stored that yet.
    await shop.later(2 * DAY);
    const [, usd] = await moneyOf();
    expect(usd).toMatchObject({ receivable: 0, receivable_count: 0 });
    expect((await shop.t.call('GET', `${REQUESTS}?state=open`)).body.count).toBe(0);
  });

  test('what was sold is compared with last month up to the same day', async () => {
    await createLicense(shop.t, { price: 700, expiry_days: 90 });
    await shop.later(DAY * 30 - HOUR);
    expect((await moneyOf())[0]).toMatchObject({ sold: 0, sold_last_month_to_date: 700 });
  });

  test('what is paid and what is asked is null without payments:read, and adds no currency', async () => {
    await shop.newRequest({ tax_rate: 16 });
    await createLicense(shop.t, { price: 300, currency: 'USD', expiry_days: 90 });
    const keyWith = async (permissions: Permission[]): Promise<string> =>
      (
        await shop.t.call('POST', '/licenses/api/api-keys/', {
          body: { name: permissions.join(), permissions },
        })
      ).body.key;
    const read = await keyWith(['statistics:read', 'reports:read']);
    const hidden = { collected: null, receivable: null, receivable_count: null, sold_last_month_to_date: 0 };
    expect(await moneyOf(read)).toEqual([
      { currency: 'MXN', sold: 1000, ...hidden },
      { currency: 'USD', sold: 300, ...hidden },
    ]);
    const report = await shop.t.call('GET', REVENUE, { token: read });
    expect(report.body.totals).toMatchObject([
      { currency: 'MXN', total: 1000, collected: null },
      { currency: 'USD', total: 300, collected: null },
    ]);
    const file = await shop.t.call('GET', `${REVENUE}export/?from=2026-11-01&to=2026-11-30`, { token: read });
    const [header, ...rows] = parse(file.text, { bom: true }) as string[][];
    expect(rows.map((row) => row[header!.indexOf('Cobrado')])).toEqual(['', '']);
    const all = await keyWith(['statistics:read', 'payments:read']);
    expect((await moneyOf(all))[0]).toMatchObject({ collected: 0, receivable: 1160, receivable_count: 1 });
    expect((await shop.t.call('GET', TODAY, { token: null })).status).toBe(401);
  });
});

describe('the day of what came in and went back', () => {
  test('money counts on the local day on which it was paid, also when it is entered later', async () => {
    const asked = await shop.newRequest();
    // The last evening of October in Mexico, already November in UTC.
    await markPaid(asked, { paid_at: '2026-11-01T05:59:00Z' });
    expect(await collectedOf()).toEqual({ '2026-10 MXN': 1000 });
    expect((await moneyOf())[0]).toMatchObject({ collected: 0 });
    // With another time zone of the vendor, the same instants lie in other days.
    const asks = {
      now: shop.now(),
      software: null,
      currency: null,
      first: 'MXN' as const,
      readsPayments: true,
    };
    const range = { start_date: '2026-10-01', end_date: '2026-11-30' };
    const { months } = await reportRevenue(shop.t.db, range, { ...asks, timeZone: 'Pacific/Auckland' });
    expect(months.map(({ month, collected }) => [month, collected])).toEqual([
      ['2026-10', 0],
      ['2026-11', 1000],
    ]);
  });

  test('a refund counts negative on its own day: a part in one month, the rest in another', async () => {
    const { asked } = await paidByCard();
    const [payment] = (await shop.getRequest(asked)).payments;
    const refund = (body: object) =>
      shop.t.call('POST', `/licenses/api/payments/${payment.id}/refund/`, { body });
    expect((await refund({ amount: 160 })).status).toBe(202);
    await shop.later(31 * DAY);
    expect((await refund({ amount: 300 })).status).toBe(202);
    expect(await collectedOf()).toEqual({ '2026-11 MXN': 1000, '2026-12 MXN': -300 });
    await shop.later(31 * DAY);
    expect((await refund({})).status).toBe(202);
    expect(await collectedOf()).toEqual({ '2026-11 MXN': 1000, '2026-12 MXN': -300, '2027-01 MXN': -700 });
    expect((await moneyOf())[0]).toMatchObject({ collected: -700 });
  });

  test('a chargeback counts when it is lost, and comes back when it is won after all', async () => {
    const { asked, book } = await paidByCard();
    const report = async (status_detail: string) => {
      await shop.later(31 * DAY);
      Object.assign(book, { status: 'charged_back', status_detail });
      await shop.check(asked);
    };
    await report('in_process');
    expect(await collectedOf()).toEqual({ '2026-11 MXN': 1160 });
    await report('settled');
    expect(await collectedOf()).toEqual({ '2026-11 MXN': 1160, '2027-01 MXN': -1160 });
    await report('reimbursed');
    expect(await collectedOf()).toEqual({ '2026-11 MXN': 1160, '2027-01 MXN': -1160, '2027-02 MXN': 1160 });
  });

  test('a test payment is no money', async () => {
    const asked = await shop.newRequest();
    await shop.pay(asked.url, 'demo', { result: 'approve' });
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'paid', test: true });
    expect((await moneyOf())[0]).toMatchObject({ sold: 1000, collected: 0 });
    expect(await collectedOf()).toEqual({});
  });
});

describe('by software', () => {
  /** A request for licences of two software: 333.33 and 666.67, 1,160.00 with tax. */
  const askedForTwo = async () => {
    const [one, other] = [(await createSoftware(shop.t)).id, (await createSoftware(shop.t)).id];
    const first = await createLicense(shop.t, { software: one, price: 333.33, expiry_days: 20 });
    const second = await createLicense(shop.t, {
      software: other,
      client: first.client.id,
      price: 666.67,
      expiry_days: 20,
    });
    const lines = [first, second].map(({ id }) => ({ license: id, kind: 'renewal' }));
    const { status, body } = await shop.t.call('POST', REQUESTS, {
      body: { lines, tax_rate: 16, notify: false },
    });
    expect(status).toBe(201);
    return { asked: body as { id: number }, one, other, first, second };
  };

  test('a payment is shared by the prices of its lines, and the last line has the rest', async () => {
    const { asked, one, other } = await askedForTwo();
    await markPaid(asked);
    // 1160 × 333.33 / 1000 = 386.6628.
    expect(await collectedOf(`&software=${one}`)).toEqual({ '2026-11 MXN': 386.66 });
    expect(await collectedOf(`&software=${other}`)).toEqual({ '2026-11 MXN': 773.34 });
    expect(await collectedOf(`&software=${one}&currency=USD`)).toEqual({});
  });

  test('what was collected goes with its licence to another software, and stays when the licence is deleted', async () => {
    const { asked, one, other, first } = await askedForTwo();
    await markPaid(asked);
    const path = `/licenses/api/licenses/${first.id}/`;
    expect((await shop.t.call('PUT', path, { body: { software: other } })).status).toBe(200);
    expect(await collectedOf(`&software=${one}`)).toEqual({});
    expect(await collectedOf(`&software=${other}`)).toEqual({ '2026-11 MXN': 1160 });
    expect((await shop.t.call('PUT', path, { body: { software: one } })).status).toBe(200);
    await shop.t.db.deleteFrom('licenses').where('id', '=', first.id).execute();
    expect(await collectedOf(`&software=${one}`)).toEqual({ '2026-11 MXN': 386.66 });
    // A payment that is reported after the deletion still belongs to the software that was sold.
    await shop.t.db
      .insertInto('payments')
      .values({
        provider: 'manual',
        source: null,
        provider_id: null,
        request_id: asked.id,
        client_id: first.client.id,
        client_name: '',
        state: 'approved',
        amount_cents: 116_000,
        currency: 'MXN',
        method: 'cash',
        is_test: false,
        dispute: null,
        created_at: shop.now().toISOString(),
        paid_at: shop.now().toISOString(),
        updated_at: shop.now().toISOString(),
      })
      .execute();
    expect(await collectedOf(`&software=${one}`)).toEqual({ '2026-11 MXN': 773.32 });
    expect(await collectedOf()).toEqual({ '2026-11 MXN': 2320 });
  });
});

test('the figures stay when the client’s data are erased (PRIV-01)', async () => {
  const asked = await shop.newRequest({ tax_rate: 16 });
  await markPaid(asked);
  const path = `/licenses/api/licenses/${asked.license.id}/cancel/`;
  await shop.t.call('POST', path, { body: { notify: false } });
  const before = await moneyOf();
  expect(before[0]).toMatchObject({ collected: 1160 });
  const erased = await shop.t.call('POST', `/licenses/api/clients/${asked.license.client.id}/erase/`, {
    body: { reason: 'Lo pidió por correo' },
  });
  expect(erased.status).toBe(200);
  expect(await moneyOf()).toEqual(before);
});
