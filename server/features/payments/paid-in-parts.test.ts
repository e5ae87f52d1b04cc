import { beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { createClient } from '../../../test/factories.ts';
import {
  type Asked,
  DAY,
  HOUR,
  openPaymentShop,
  type PaymentShop,
  REQUESTS,
  result,
} from '../../../test/payment-shop.ts';
import { runJob } from '../../../test/run-job.ts';
import { closeCheckoutsJob, demoPaymentJob, paymentExpiryJob, paymentPollJob } from './payment-jobs.ts';

/** A request that is paid in parts, some of it withheld as tax (MONEY-06). */

const LICENSES = '/licenses/api/licenses/';

let shop: PaymentShop;
beforeEach(async () => {
  shop = await openPaymentShop();
});

type Part = { amount?: number; withheld?: number; reference?: string; paid_at?: string };
const markPaid = ({ id }: { id: number }, part: Part = {}) =>
  shop.t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body: { method: 'transfer', ...part } });
const cancel = ({ id }: { id: number }, body: object = {}) =>
  shop.t.call('POST', `${REQUESTS}${id}/cancel/`, { body });
const page = async ({ url }: { url: string }) =>
  (await shop.t.call('GET', `/licenses/api/pay/${url.split('/').at(-1)}/`, { token: null })).body;
const renew = ({ license }: Asked) =>
  shop.t.call('POST', `${LICENSES}${license.id}/renew/`, { body: { notify: false } });
const fields = ({ status, body }: { status: number; body: { errors?: object } }) => [
  status,
  Object.keys(body.errors ?? {}),
];

describe('mark_paid of a part', () => {
  test('leaves the request open with what came in and what is due; the last part renews, with one receipt', async () => {
    const asked = await shop.newRequest({ tax_rate: 16 });
    const first = await markPaid(asked, { amount: 400, reference: 'SPEI 1' });
    expect([first.status, first.body]).toMatchObject([
      200,
      { state: 'open', amount: 1160, paid_amount: 400, due: 760, paid_at: null },
    ]);
    expect(await shop.termsOf(asked)).toBe(1);
    const second = await markPaid(asked, { amount: 600, withheld: 60 });
    expect(second.body).toMatchObject({ state: 'open', paid_amount: 1000, due: 100 });
    expect(await page(asked)).toMatchObject({
      state: 'open',
      amount: 1160,
      paid_amount: 1000,
      withheld: 60,
      due: 100,
    });
    const last = await markPaid(asked);
    expect(last.body).toMatchObject({ state: 'paid', paid_amount: 1100, due: 0, amount: 1160 });
    expect(await shop.termsOf(asked)).toBe(2);
    const { payments } = await shop.getRequest(asked);
    expect(payments).toMatchObject([
      { amount: 100, withheld: 0 },
      { amount: 600, withheld: 60 },
      { amount: 400, withheld: 0, reference: 'SPEI 1' },
    ]);
    const received = await shop.eventsOf('payment.received');
    expect(received.map(({ changes }) => [changes.amount?.after, changes.withheld?.after])).toEqual([
      [100, undefined],
      [600, 60],
      [400, undefined],
    ]);
    expect(await shop.eventsOf('license.renewed')).toHaveLength(1);
    const receipts = (await shop.t.deliveredMail()).filter(({ subject }) => subject?.startsWith('Recibimos'));
    expect(receipts).toHaveLength(1);
    for (const said of ['SPEI 1', '$400.00 MXN', '$600.00 MXN', '$100.00 MXN', 'Retención', '$60.00 MXN']) {
      expect(receipts[0]!.text).toContain(said);
    }
  });

  test('takes at most what is due, and something; errors name the field', async () => {
    const asked = await shop.newRequest();
    for (const [part, field] of [
      [{ amount: 1000.01 }, 'amount'],
      [{ amount: 999, withheld: 1.01 }, 'amount'],
      [{ withheld: 1000.01 }, 'withheld'],
      [{ amount: 0, withheld: 1001 }, 'withheld'],
      [{ amount: 0 }, 'amount'],
      [{ amount: 0, withheld: 0 }, 'amount'],
      [{ amount: -1 }, 'amount'],
      [{ amount: 10, withheld: -1 }, 'withheld'],
      [{ amount: 1.001 }, 'amount'],
      [{ amount: '500' }, 'amount'],
      [{ amount: 1e300 }, 'amount'],
      [{ withheld: true }, 'withheld'],
      [{ amount: 10, paid_at: '2026-11-11T18:00:00.000Z' }, 'paid_at'],
    ] as [Part, string][]) {
      expect([part, ...fields(await markPaid(asked, part))]).toEqual([part, 400, [field]]);
    }
    expect((await shop.getRequest(asked)).payments).toEqual([]);
    expect(await shop.eventsOf('payment.received')).toEqual([]);
    // What is missing came in: all of it, less what was withheld.
    expect((await markPaid(asked, { withheld: 100 })).body).toMatchObject({
      state: 'paid',
      paid_amount: 900,
      due: 0,
    });
    expect(result(await markPaid(asked, { amount: 1 }))).toEqual([409, 'conflict']);
  });

  test('a withheld tax alone is a part too', async () => {
    const asked = await shop.newRequest();
    expect((await markPaid(asked, { amount: 0, withheld: 100 })).body).toMatchObject({
      state: 'open',
      paid_amount: 0,
      due: 900,
    });
    expect(fields(await cancel(asked))).toEqual([400, ['reason']]);
    expect(result(await renew(asked))).toEqual([409, 'has_payments']);
  });

  test('an amount that the currency cannot express is refused at its field', async () => {
    const asked = await shop.newRequest({}, { currency: 'CLP', price: 30_000 });
    expect(fields(await markPaid(asked, { amount: 10.5 }))).toEqual([400, ['amount']]);
    expect(fields(await markPaid(asked, { amount: 10, withheld: 0.5 }))).toEqual([400, ['withheld']]);
    expect((await markPaid(asked, { amount: 10_000 })).body).toMatchObject({ due: 20_000 });
  });

  test('needs licenses:renew as well, and a repeated call with its key is one payment', async () => {
    const asked = await shop.newRequest();
    const { body: key } = await shop.t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'x', permissions: ['payments:read', 'payments:write'] },
    });
    const refused = await shop.t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, {
      body: { method: 'cash', amount: 1 },
      token: key.key,
    });
    expect(result(refused)).toEqual([403, 'forbidden']);
    const unknown = await shop.t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, {
      body: { method: 'cash', amount: 1 },
      token: null,
    });
    expect(unknown.status).toBe(401);
    const again = () =>
      shop.t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, {
        body: { method: 'cash', amount: 400 },
        headers: { 'idempotency-key': 'parte-1' },
      });
    const [one, two] = [await again(), await again()];
    expect([one.body.due, two.body.due]).toEqual([600, 600]);
    expect((await shop.getRequest(asked)).payments).toHaveLength(1);
  });

  test.each([
    ['all that is due', {}, [200, 409], 1000, 1],
    ['more than half', { amount: 600 }, [200, 400], 600, 1],
    ['half', { amount: 500 }, [200, 200], 1000, 2],
  ] as const)('two at once on two servers: %s', async (_what, part, statuses, paid, count) => {
    const asked = await shop.newRequest();
    const other = await buildApp(shop.t.context);
    await other.ready();
    try {
      const onOther = other.inject({
        method: 'POST',
        url: `${REQUESTS}${asked.id}/mark_paid/`,
        headers: { authorization: `Bearer ${shop.t.token}` },
        payload: { method: 'transfer', ...part },
      });
      const [one, two] = await Promise.all([markPaid(asked, part), onOther]);
      expect([one.status, two.statusCode].sort()).toEqual(statuses);
    } finally {
      await other.close();
    }
    const { payments, paid_amount } = await shop.getRequest(asked);
    expect([payments.length, paid_amount]).toEqual([count, paid]);
    expect(await shop.termsOf(asked)).toBe(paid === 1000 ? 2 : 1);
    expect(await shop.eventsOf('payment.received')).toHaveLength(count);
  });

  test('is put in review with the last part when a licence can no longer be renewed', async () => {
    const asked = await shop.newRequest();
    await markPaid(asked, { amount: 400 });
    await shop.t.call('POST', `${LICENSES}${asked.license.id}/suspend/`, { body: { notify: false } });
    expect((await markPaid(asked)).body).toMatchObject({
      state: 'review',
      review_reason: 'license',
      paid_amount: 1000,
      due: 0,
    });
    await shop.t.call('POST', `${LICENSES}${asked.license.id}/reinstate/`, { body: { notify: false } });
    expect((await shop.resolve(asked, 'apply')).body).toMatchObject({ state: 'paid', paid_amount: 1000 });
    expect(await shop.termsOf(asked)).toBe(2);
  });
});

describe('a request of which a part came in', () => {
  test('does not expire, and its link asks the rest after its day', async () => {
    const asked = await shop.newRequest({ expires_in_days: 1 });
    const silent = await shop.newRequest({ expires_in_days: 1 });
    await markPaid(asked, { amount: 400 });
    await shop.later(10 * DAY);
    // Before the job has run, and after it.
    for (const _ of [1, 2]) {
      expect((await shop.getRequest(asked)).state).toBe('open');
      expect((await shop.getRequest(silent)).state).toBe('expired');
      const { body: open } = await shop.t.call('GET', `${REQUESTS}?state=open`);
      expect(open.results).toMatchObject([{ id: asked.id, due: 600 }]);
      const { body: money } = await shop.t.call(
        'GET',
        `/licenses/api/clients/${asked.license.client.id}/money/`,
      );
      expect(money.results).toMatchObject([{ currency: 'MXN', receivable: 600, receivable_count: 1 }]);
      expect(open.sums).toMatchObject([{ currency: 'MXN', count: 1, amount: 1000, due: 600 }]);
      await runJob(shop.t.context, paymentExpiryJob);
    }
    await shop.press(asked, 'mercado_pago');
    const [preference] = shop.mp.preferences;
    expect(preference).toMatchObject({ items: [{ unit_price: 600 }] });
    expect(Date.parse(String(preference!.expiration_date_to))).toBeGreaterThan(shop.now().getTime() + DAY);
    shop.mp.pay({ at: shop.now() });
    expect(await shop.check(asked)).toMatchObject({ state: 'paid', due: 0 });
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('is looked up at its providers as long as its page can be paid', async () => {
    const asked = await shop.newRequest({ expires_in_days: 1 });
    await markPaid(asked, { amount: 400 });
    await shop.later(10 * DAY);
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now() });
    await shop.later(10 * DAY);
    expect(await shop.runDue(paymentPollJob)).toBe(1);
    expect((await shop.getRequest(asked)).state).toBe('paid');
  });

  test('is not cancelled by a renewal, transfer, cancellation, deletion or change of its licence', async () => {
    const asked = await shop.newRequest();
    await markPaid(asked, { amount: 400 });
    const other = await createClient(shop.t);
    const { id } = asked.license;
    const act = (verb: string, body: object = {}) =>
      shop.t.call('POST', `${LICENSES}${id}/${verb}/`, { body: { notify: false, ...body } });
    for (const refused of [
      await act('renew'),
      await act('transfer', { client: other.id }),
      await act('cancel', { reason: 'Ya no la quiere' }),
      await shop.t.call('DELETE', `${LICENSES}${id}/`),
      await shop.t.call('PATCH', `${LICENSES}${id}/`, { body: { client: other.id } }),
      await shop.t.call('PATCH', `${LICENSES}${id}/`, { body: { status: 'cancelled' } }),
    ]) {
      expect([...result(refused), refused.body.license, refused.body.payment_request]).toEqual([
        409,
        'has_payments',
        id,
        asked.id,
      ]);
    }
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'open', due: 600 });
    // What cancels no request is free.
    expect((await act('replace_key')).status).toBe(200);
    const again = await shop.t.call('POST', REQUESTS, {
      body: { lines: [{ license: id, kind: 'renewal' }] },
    });
    expect(result(again)).toEqual([409, 'already_requested']);
    const { body: many } = await shop.t.call('POST', `${LICENSES}bulk_action/`, {
      body: { action: 'renew', ids: [id], notify: false },
    });
    expect(many.failed).toMatchObject([{ id, code: 'has_payments' }]);
  });

  test('is cancelled with a reason alone; its payments stay, and the licence is free', async () => {
    const asked = await shop.newRequest();
    await markPaid(asked, { amount: 400 });
    expect(fields(await cancel(asked))).toEqual([400, ['reason']]);
    expect(fields(await cancel(asked, { reason: '  ' }))).toEqual([400, ['reason']]);
    const { body } = await cancel(asked, { reason: 'El cliente desistió' });
    expect(body).toMatchObject({ state: 'cancelled', paid_amount: 400, due: 0 });
    const [event] = await shop.eventsOf('payment_request.cancelled');
    expect(event).toMatchObject({
      reason: 'El cliente desistió',
      changes: { state: { after: 'cancelled' } },
    });
    expect((await shop.getRequest(asked)).payments).toMatchObject([{ state: 'approved', amount: 400 }]);
    expect((await renew(asked)).status).toBe(200);
    // Money is there, so the licence is not deleted.
    expect(result(await shop.t.call('DELETE', `${LICENSES}${asked.license.id}/`))).toEqual([
      409,
      'has_payments',
    ]);
  });

  test('ends with the erasure of its client, and its payment stays', async () => {
    const asked = await shop.newRequest();
    await markPaid(asked, { amount: 400 });
    // A client is erased when the licences have ended.
    await shop.later(30 * DAY);
    const url = `/licenses/api/clients/${asked.license.client.id}/erase/`;
    expect((await shop.t.call('POST', url, { body: { reason: 'Lo pidió' } })).status).toBe(200);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'cancelled', paid_amount: 400, due: 0 });
  });

  test('erased beside a payment and a renewal, nothing waits for the other: each is done or refused', async () => {
    const asked: Asked[] = [];
    for (let n = 0; n < 6; n++)
      asked.push(await shop.newRequest({ expires_in_days: 60 }, { expiry_days: 1 }));
    await shop.later(3 * DAY);
    for (const one of asked) {
      const answers = await Promise.all([
        shop.t.call('POST', `/licenses/api/clients/${one.license.client.id}/erase/`, {
          body: { reason: 'Lo pidió' },
        }),
        markPaid(one),
        renew(one),
      ]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
    }
  });

  test('a request without a payment is cancelled without a reason, and one may be given', async () => {
    const asked = await shop.newRequest();
    expect((await cancel(asked, { reason: 'Era otra' })).status).toBe(200);
    const [event] = await shop.eventsOf('payment_request.cancelled');
    expect(event!.reason).toBe('Era otra');
    expect((await cancel(await shop.newRequest())).status).toBe(200);
  });

  test('its mail asks what is still due, and says what came in', async () => {
    const client = await createClient(shop.t, { email: 'paga@example.com' });
    const asked = await shop.newRequest({ tax_rate: 16 }, { client: client.id });
    await markPaid(asked, { amount: 500, withheld: 60 });
    await shop.t.call('POST', `${REQUESTS}${asked.id}/send/`, { body: {} });
    const mails = await shop.t.deliveredMail();
    const mail = mails.find(({ subject }) => subject?.includes('$600.00 MXN'));
    for (const said of ['Ya recibimos', '$500.00 MXN', 'Retención', '$60.00 MXN', 'Falta por pagar']) {
      expect(mail?.text).toContain(said);
    }
    expect(mail?.text).not.toContain('Este precio vale hasta');
  });
});

describe('a provider beside parts', () => {
  test('a page for the earlier amount ends, and the next one asks the rest', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'stripe');
    const first = shop.stripe.last;
    await markPaid(asked, { amount: 400 });
    expect(await shop.runDue(closeCheckoutsJob)).toBe(1);
    expect(first.status).toBe('expired');
    const { body } = await shop.press(asked, 'stripe');
    expect(body.url).not.toBe(first.url);
    expect(shop.stripe.last.amount_total).toBe(60_000);
    // The new page stays open when the job runs again.
    await runJob(shop.t.context, closeCheckoutsJob, undefined, JSON.stringify({ request: asked.id }));
    expect(shop.stripe.last.status).toBe('open');
    expect((await shop.press(asked, 'stripe')).body.url).toBe(body.url);
    shop.stripe.complete(shop.stripe.last, shop.now());
    expect(await shop.check(asked)).toMatchObject({ state: 'paid', due: 0, paid_amount: 1000 });
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test('a page that is being made while a part comes in is given to nobody', async () => {
    const asked = await shop.newRequest();
    const part = Promise.withResolvers<void>();
    shop.stripe.alter = ({ path }) => (path.endsWith('sessions') ? { until: part.promise } : undefined);
    const pressed = shop.press(asked, 'stripe');
    await expect.poll(() => shop.stripe.callsOf('POST', /sessions$/)).toHaveLength(1);
    shop.stripe.alter = () => undefined;
    await markPaid(asked, { amount: 400 });
    part.resolve();
    const { status, body } = await pressed;
    expect([status, body.url]).toEqual([200, shop.stripe.last.url]);
    expect([...shop.stripe.sessions.values()].map((one) => [one.amount_total, one.status])).toEqual([
      [100_000, 'expired'],
      [60_000, 'open'],
    ]);
  });

  test('a payment of the earlier amount that comes after a part waits for a person', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    await markPaid(asked, { amount: 400 });
    shop.mp.pay({ at: shop.now() });
    expect(await shop.check(asked)).toMatchObject({ state: 'review' });
    expect(await shop.getRequest(asked)).toMatchObject({
      review_reason: 'amount',
      due: 0,
      paid_amount: 1400,
    });
    expect(await shop.termsOf(asked)).toBe(1);
    expect((await shop.resolve(asked, 'apply')).body.state).toBe('paid');
    expect(await shop.termsOf(asked)).toBe(2);
  });

  test("a 'Pago de prueba' that was chosen before the part keeps its amount", async () => {
    const asked = await shop.newRequest();
    expect((await shop.pay(asked.url, 'demo', { result: 'later' })).body.pending).toBe(true);
    await markPaid(asked, { amount: 400 });
    const job = await shop.t.db
      .selectFrom('jobs')
      .select('payload')
      .where('kind', '=', demoPaymentJob.kind)
      .executeTakeFirstOrThrow();
    await runJob(shop.t.context, demoPaymentJob, undefined, job.payload);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'review', review_reason: 'amount' });
  });

  test("'Pago de prueba' asks the rest", async () => {
    const asked = await shop.newRequest();
    await markPaid(asked, { amount: 400 });
    expect((await shop.pay(asked.url, 'demo', { result: 'approve' })).body).toMatchObject({ state: 'paid' });
    expect((await shop.getRequest(asked)).payments[0]).toMatchObject({ provider: 'demo', amount: 600 });
  });

  test('a part and a payment of the provider at once: one renewal, or a review', async () => {
    const asked = await shop.newRequest();
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now() });
    const [marked] = await Promise.all([markPaid(asked, { amount: 400 }), shop.check(asked)]);
    await shop.later(HOUR);
    const found = await shop.getRequest(asked);
    if (marked.status === 200) {
      expect(found).toMatchObject({ state: 'review', review_reason: 'amount' });
      expect(await shop.termsOf(asked)).toBe(1);
    } else {
      expect([result(marked), found.state]).toEqual([[409, 'conflict'], 'paid']);
      expect(await shop.termsOf(asked)).toBe(2);
    }
  });

  test('a refund of the last part takes nothing back, and the request asks nothing', async () => {
    const asked = await shop.newRequest();
    await markPaid(asked, { amount: 400 });
    await shop.press(asked, 'mercado_pago');
    shop.mp.pay({ at: shop.now() });
    await shop.check(asked);
    const [{ id, provider }] = (await shop.getRequest(asked)).payments;
    expect(provider).toBe('mercado_pago');
    const { status } = await shop.t.call('POST', `/licenses/api/payments/${id}/refund/`, { body: {} });
    expect(status).toBe(202);
    expect(await shop.getRequest(asked)).toMatchObject({ state: 'paid', paid_amount: 400, due: 0 });
    expect(await shop.termsOf(asked)).toBe(2);
  });
});
