import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import { createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import { DAY, openPaymentShop, type PaymentShop, REQUESTS, result } from '../../../test/payment-shop.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import { payableOf, payByClient } from '../payments/client-payment.ts';
import { paymentExpiryJob } from '../payments/payment-jobs.ts';

/** A payment that is noted, or asked for, with the sale itself (MONEY-05). */

const LICENSES = '/licenses/api/licenses/';
const CASH = { method: 'cash' } as const;

let shop: PaymentShop;
let sale: { client: number; software: number; license_type: 'premium'; price: number };
beforeEach(async () => {
  shop = await openPaymentShop();
  const license = await createLicense(shop.t, { price: 1000 });
  sale = {
    client: license.client.id,
    software: license.software.id,
    license_type: 'premium',
    price: 1000,
  };
});

const issue = async (payment: object, values: object = {}): Promise<License> => {
  const answer = await shop.t.call('POST', LICENSES, { body: { ...sale, payment, ...values } });
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return answer.body;
};
const act = (license: { id: number }, verb: string, body: object = {}) =>
  shop.t.call('POST', `${LICENSES}${license.id}/${verb}/`, { body });
const paymentsOfTerms = async ({ id }: { id: number }) =>
  (await shop.t.call('GET', `${LICENSES}${id}/terms/`)).body.results.map(
    (term: { payment: object }) => term.payment,
  );
const requestOf = async ({ id }: { id: number }) =>
  (await shop.t.call('GET', `${REQUESTS}?license=${id}`)).body.results[0];
/** The licence without the state of its mail, and without what may be done with it: what was paid is not deleted. */
const termsOf = async (license: { id: number }) => {
  const {
    email_status: _status,
    email_transport: _transport,
    can: _can,
    ...terms
  } = await shop.getLicense(license);
  return terms;
};
const setTax = async (tax_rate: number) =>
  expect((await shop.t.call('PUT', '/licenses/api/settings/', { body: { tax_rate } })).status).toBe(200);
const countOf = async (table: 'licenses' | 'payment_requests' | 'payments' | 'license_terms') =>
  (await shop.t.db.selectFrom(table).select('id').execute()).length;
const markPaid = ({ id }: { id: number }, body: object = CASH) =>
  shop.t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body });
const mailsAfter = async (work: () => Promise<unknown>) => {
  const known = new Set((await shop.t.deliveredMail()).map(({ messageId }) => messageId));
  await work();
  return (await shop.t.deliveredMail()).filter(({ messageId }) => !known.has(messageId));
};

describe('a sale that was paid (MONEY-05)', () => {
  test('makes a paid request of that very term with its payment, and changes the licence no further', async () => {
    await setTax(16);
    const paid_at = '2026-11-09T15:00:00.000Z';
    const license = await issue({ method: 'transfer', reference: 'SPEI 0042', paid_at });
    const request = await requestOf(license);
    expect(request).toMatchObject({
      ...{ state: 'paid', subtotal: 1000, tax_rate: 16, tax: 160, amount: 1160, paid_amount: 1160, due: 0 },
      paid_at,
      lines: [
        {
          ...{ kind: 'sold', amount: 1000, starts: license.issued_date, ends: license.expiry_date },
          license: { id: license.id, license_key: license.license_key },
        },
      ],
    });
    expect(request.lines[0].description).toMatch(/^Licencia: Programa \d+ 1\.0\.0$/);
    const { payments } = await shop.getRequest(request);
    expect(payments).toHaveLength(1);
    expect(payments[0]).toMatchObject({
      ...{ provider: 'manual', state: 'approved', amount: 1160, withheld: 0, method: 'transfer' },
      ...{ reference: 'SPEI 0042', paid_at },
    });
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'paid', request: request.id }]);
    const [received] = await shop.eventsOf('payment.received');
    expect([received?.actor.kind, received?.license?.id]).toEqual(['user', license.id]);
    expect(await shop.eventsOf('license.renewed')).toEqual([]);
  });

  test('is one mail, which says what was received, and no second one', async () => {
    await setTax(16);
    const mails = await mailsAfter(() => issue({ method: 'transfer', reference: 'SPEI 0042' }));
    expect(mails).toHaveLength(1);
    for (const text of ['Pago recibido', '$1,160.00 MXN', 'Transferencia (SPEI 0042)', '10/11/2026']) {
      expect(mails[0]?.text).toContain(text);
    }
    expect(mails[0]?.text).not.toContain('Queda por pagar');
    const [plain] = await mailsAfter(() => createLicense(shop.t));
    expect(plain?.text).not.toContain('Pago');
  });

  test('of a renewal pays the new term alone', async () => {
    const license = await createLicense(shop.t, { price: 700, expiry_days: 20 });
    const mails = await mailsAfter(async () => {
      expect((await act(license, 'renew', { payment: { method: 'card' } })).status).toBe(200);
    });
    expect(mails.map(({ subject }) => subject)).toHaveLength(1);
    expect(mails[0]?.subject).toMatch(/^Renovamos su licencia/);
    expect(mails[0]?.text).toContain('$700.00 MXN');
    const request = await requestOf(license);
    expect(request).toMatchObject({ state: 'paid', amount: 700 });
    expect(request.lines[0].description).toMatch(/^Renovación: /);
    expect(await paymentsOfTerms(license)).toEqual([
      { state: 'paid', request: request.id },
      { state: 'none', request: null },
    ]);
    const silent = await mailsAfter(() => act(license, 'renew', { notify: false, payment: CASH }));
    expect(silent).toEqual([]);
  });

  test('of updates names the days that they cover', async () => {
    const license = await createLicense(shop.t, { updates_until: '2026-12-31' });
    const payment = { method: 'cash' };
    expect((await act(license, 'renew', { kind: 'maintenance', price: 250, payment })).status).toBe(200);
    const { lines, amount } = await requestOf(license);
    expect([lines[0].kind, amount]).toEqual(['sold', 250]);
    expect(lines[0].description).toMatch(/^Actualizaciones: /);
    expect(lines[0].ends > lines[0].starts).toBe(true);
  });

  test('in part stays open for the rest, with what was withheld', async () => {
    const mails = await mailsAfter(() => issue({ ...CASH, amount: 600, withheld: 100 }));
    expect(mails[0]?.text).toContain('Queda por pagar');
    const license = (await shop.t.call('GET', LICENSES)).body.results[0];
    const request = await requestOf(license);
    expect(request).toMatchObject({ state: 'open', amount: 1000, paid_amount: 600, due: 300 });
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'partial', request: request.id }]);
    const before = await termsOf(license);
    expect((await markPaid(request)).body).toMatchObject({ state: 'paid', due: 0 });
    expect(await termsOf(license)).toEqual(before);
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'paid', request: request.id }]);
  });

  test('of a batch is one request with a line for each licence, and one payment', async () => {
    await setTax(16);
    const body = { ...sale, price: 10.01, quantity: 120, payment: CASH };
    const mails = await mailsAfter(async () => {
      expect((await shop.t.call('POST', `${LICENSES}batch/`, { body })).status).toBe(201);
    });
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('$1,393.39 MXN');
    const { results } = (await shop.t.call('GET', REQUESTS)).body;
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ state: 'paid', subtotal: 1201.2, tax: 192.19, amount: 1393.39 });
    expect(new Set(results[0].lines.map((line: { license: { id: number } }) => line.license.id)).size).toBe(
      120,
    );
    expect(await countOf('payments')).toBe(1);
    const [{ license }] = results[0].lines;
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'paid', request: results[0].id }]);
  });

  test('a batch of 500 has 500 lines', async () => {
    const body = { ...sale, quantity: 500, payment: { request: true } };
    expect((await shop.t.call('POST', `${LICENSES}batch/`, { body })).status).toBe(201);
    const { results } = (await shop.t.call('GET', REQUESTS)).body;
    expect([results[0].lines.length, results[0].state]).toEqual([500, 'open']);
    expect((await markPaid(results[0])).body).toMatchObject({ state: 'paid' });
  });

  test('of more seats pays them, in one mail that says so (MONEY-08)', async () => {
    const license = await createLicense(shop.t, { price: 700, expiry_days: 20 });
    const mails = await mailsAfter(async () => {
      const added = await act(license, 'add_seats', { quantity: 2, price: 300, payment: CASH });
      expect([added.status, added.body.max_installations]).toEqual([200, license.max_installations + 2]);
    });
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/2 lugares más[\s\S]*\$300\.00 MXN/);
    const request = await requestOf(license);
    expect(request).toMatchObject({ state: 'paid', amount: 300, lines: [{ kind: 'sold' }] });
    expect(request.lines[0].description).toMatch(/^2 lugares más: /);
    expect((await paymentsOfTerms(license))[0]).toEqual({ state: 'paid', request: request.id });
    expect(result(await act(license, 'undo_renewal'))).toEqual([409, 'has_payments']);
    const later = await createLicense(shop.t, sale);
    await act(later, 'add_seats', { quantity: 1, price: 50, payment: { request: true, notify: false } });
    const open = await requestOf(later);
    const before = await termsOf(later);
    expect((await markPaid(open)).body).toMatchObject({ state: 'paid' });
    expect(await termsOf(later)).toEqual(before);
    const undone = await act(await createLicense(shop.t, sale), 'add_seats', {
      quantity: 1,
      price: 50,
      payment: { request: true },
    });
    expect((await act(undone.body, 'undo_renewal')).status).toBe(200);
    expect(await requestOf(undone.body)).toMatchObject({ state: 'cancelled' });
  });

  test('works with generate, and takes the price of the type', async () => {
    const type = await createLicenseType(shop.t, { base_price: 1200 });
    const { client, software } = sale;
    const answer = await shop.t.call('POST', '/licenses/api/license/generate/', {
      body: { client, software, license_type_config: type.id, payment: CASH },
    });
    expect(answer.status).toBe(201);
    expect(await requestOf(answer.body)).toMatchObject({ state: 'paid', amount: 1200 });
  });

  test('stands in the fiscal export with its tax and way of payment', async () => {
    await setTax(16);
    await issue({ method: 'transfer', reference: 'SPEI 0042' });
    const { text } = await shop.t.call(
      'GET',
      '/licenses/api/reports/fiscal/export/?from=2026-11-01&to=2026-11-30',
    );
    expect(text).toMatch(/16.*03.*SPEI 0042/);
  });

  test('repeated with its Idempotency-Key is one sale and one payment', async () => {
    const send = (values: object = {}) =>
      shop.t.call('POST', LICENSES, {
        body: { ...sale, payment: CASH, ...values },
        headers: { 'idempotency-key': 'venta-1' },
      });
    const before = await countOf('licenses');
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect([await countOf('licenses'), await countOf('payments')]).toEqual([before + 1, 1]);
    expect(result(await send({ payment: { method: 'card' } }))).toEqual([409, 'idempotency_conflict']);
  });
});

describe('a sale that will be paid (MONEY-05)', () => {
  test('is an open request with its mail and link; paying it changes no licence, and is receipted', async () => {
    const mails = await mailsAfter(() => issue({ request: true, expires_in_days: 30 }));
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      expect.stringMatching(/^Su licencia/),
      expect.stringMatching(/1,000\.00/),
    ]);
    const license = (await shop.t.call('GET', LICENSES)).body.results[0];
    const request = await requestOf(license);
    expect(request).toMatchObject({ state: 'open', due: 1000, expires_at: '2026-12-11T05:59:59.000Z' });
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'open', request: request.id }]);
    const before = await termsOf(license);
    const receipts = await mailsAfter(() => shop.pay(request.url, 'demo', { result: 'approve' }));
    expect(receipts[0]?.subject).toMatch(/^Recibimos su pago/);
    expect(await requestOf(license)).toMatchObject({ state: 'paid', lines: [{ kind: 'sold' }] });
    expect(await termsOf(license)).toEqual(before);
    expect(await shop.eventsOf('license.renewed')).toEqual([]);
    expect(await shop.eventsOf('payment.received')).toHaveLength(1);
  });

  test('sends no mail of it without notify, and none of the licence says anything of money', async () => {
    const mails = await mailsAfter(() => issue({ request: true, notify: false }));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).not.toContain('Pago recibido');
  });

  test('does not hold its licence: a renewal is asked for, done, transferred and gets a key beside it', async () => {
    const license = await issue({ request: true, notify: false });
    const sold = await requestOf(license);
    const asked = await shop.t.call('POST', REQUESTS, {
      body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false },
    });
    expect(asked.status).toBe(201);
    expect((await act(license, 'renew', { notify: false })).status).toBe(200);
    const client = (await createClient(shop.t)).id;
    expect((await act(license, 'transfer', { client, notify: false })).status).toBe(200);
    expect((await act(license, 'replace_key', { reason: 'Se filtró', notify: false })).status).toBe(200);
    expect(await shop.getRequest(asked.body)).toMatchObject({ state: 'cancelled' });
    expect(await shop.getRequest(sold)).toMatchObject({ state: 'open' });
    expect((await markPaid(sold)).body).toMatchObject({ state: 'paid' });
  });

  test('ends with its sale: a cancelled or deleted licence, a status set by hand, an undone renewal', async () => {
    const cancelled = await issue({ request: true });
    expect((await act(cancelled, 'cancel')).status).toBe(200);
    const byHand = await issue({ request: true });
    const put = await shop.t.call('PUT', `${LICENSES}${byHand.id}/`, { body: { status: 'cancelled' } });
    expect(put.status).toBe(200);
    const renewed = await issue({ request: true });
    const ofIssue = await requestOf(renewed);
    await act(renewed, 'renew', { payment: { request: true } });
    const ofRenewal = await requestOf(renewed);
    expect((await act(renewed, 'undo_renewal')).status).toBe(200);
    const deleted = await issue({ request: true });
    const ofDeleted = await requestOf(deleted);
    expect((await shop.t.call('DELETE', `${LICENSES}${deleted.id}/`)).status).toBe(200);
    for (const request of [await requestOf(cancelled), await requestOf(byHand), ofRenewal, ofDeleted]) {
      expect((await shop.getRequest(request)).state).toBe('cancelled');
    }
    expect((await shop.getRequest(ofIssue)).state).toBe('open');
    expect(await paymentsOfTerms(cancelled)).toEqual([{ state: 'none', request: null }]);
  });

  test('stays open as long as a notice of a transfer holds its request (MONEY-11)', async () => {
    const license = await issue({ request: true, notify: false });
    const request = await requestOf(license);
    expect((await shop.pay(request.url, 'notice', {})).status).toBe(202);
    await shop.later(9 * DAY);
    expect((await requestOf(license)).state).toBe('open');
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'open', request: request.id }]);
    await shop.later(9 * DAY);
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'none', request: null }]);
  });

  test('is paid by a payment that was made in time and is known late, though the licence was renewed since', async () => {
    const license = await issue({ request: true, notify: false });
    const request = await requestOf(license);
    expect((await shop.pay(request.url, 'checkout', { provider: 'mercado_pago' })).status).toBe(200);
    shop.mp.pay({ at: shop.now() });
    await shop.later(60_000);
    expect((await act(license, 'renew', { notify: false })).status).toBe(200);
    await shop.later(9 * DAY);
    await runJob(shop.t.context, paymentExpiryJob);
    const before = await termsOf(license);
    await shop.pay(request.url, 'check');
    expect(await requestOf(license)).toMatchObject({ state: 'paid', review_reason: null });
    expect(await termsOf(license)).toEqual(before);
  });

  test('is asked again as none once its end passed', async () => {
    const license = await issue({ request: true, expires_in_days: 1 });
    await shop.later(3 * DAY);
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'none', request: null }]);
  });
});

describe('what was paid is not taken back in passing (MONEY-05)', () => {
  test('undo and delete are 409 has_payments while the money is there, and cancel is not', async () => {
    const license = await createLicense(shop.t, { price: 500 });
    await act(license, 'renew', { payment: CASH });
    const undo = await act(license, 'undo_renewal');
    expect([...result(undo), undo.body.message]).toEqual([409, 'has_payments', PAYMENT_MESSAGES.undoPaid]);
    expect(result(await shop.t.call('DELETE', `${LICENSES}${license.id}/`))).toEqual([409, 'has_payments']);
    expect((await act(license, 'cancel')).status).toBe(200);
  });

  test('a part is money as well; a cancellation of the licence cancels the rest and leaves the part', async () => {
    const license = await issue({ ...CASH, amount: 400 });
    expect(result(await shop.t.call('DELETE', `${LICENSES}${license.id}/`))).toEqual([409, 'has_payments']);
    expect((await act(license, 'cancel')).status).toBe(200);
    const request = await requestOf(license);
    expect(request).toMatchObject({ state: 'cancelled', due: 0, paid_amount: 400 });
    expect(await paymentsOfTerms(license)).toEqual([{ state: 'partial', request: request.id }]);
  });

  test('undo works as before after a full refund, and for a renewal of a payment request', async () => {
    const license = await createLicense(shop.t, { price: 500 });
    await act(license, 'renew', { payment: { request: true, notify: false } });
    const request = await requestOf(license);
    shop.mp.token = 'APP_USR-token-1234';
    const body = { mercado_pago: { access_token: shop.mp.token } };
    await shop.t.call('PUT', '/licenses/api/settings/payments/', { body });
    await shop.press({ ...request, license }, 'mercado_pago');
    shop.mp.pay({ at: shop.now(), live_mode: true });
    await shop.check({ ...request, license });
    expect(result(await act(license, 'undo_renewal'))).toEqual([409, 'has_payments']);
    const [{ id }] = (await shop.getRequest(request)).payments;
    expect((await shop.t.call('POST', `/licenses/api/payments/${id}/refund/`, { body: {} })).status).toBe(
      202,
    );
    expect((await paymentsOfTerms(license))[0]).toEqual({ state: 'refunded', request: request.id });
    expect((await act(license, 'undo_renewal')).status).toBe(200);

    const asked = await shop.newRequest();
    await markPaid(asked);
    expect((await act(asked.license, 'undo_renewal')).status).toBe(200);
  });
});

describe('who may, and what is refused (MONEY-05)', () => {
  const keyFor = async (permissions: string[]): Promise<string> => {
    const body = { name: 'Tienda', permissions };
    return (await shop.t.call('POST', '/licenses/api/api-keys/', { body })).body.key;
  };

  test('without payments:write nothing is written: 403', async () => {
    const license = await createLicense(shop.t, sale);
    const token = await keyFor(['licenses:read', 'licenses:write', 'licenses:renew']);
    const type = (await createLicenseType(shop.t)).id;
    const before = await countOf('license_terms');
    for (const [path, body] of [
      [LICENSES, sale],
      [`${LICENSES}batch/`, { ...sale, quantity: 2 }],
      ['/licenses/api/license/generate/', { ...sale, license_type_config: type }],
      [`${LICENSES}${license.id}/renew/`, {}],
      [`${LICENSES}${license.id}/add_seats/`, { quantity: 1, price: 50 }],
    ] as const) {
      for (const payment of [CASH, { request: true }]) {
        const answer = await shop.t.call('POST', path, { token, body: { ...body, payment } });
        expect([path, ...result(answer)]).toEqual([path, 403, 'forbidden']);
      }
      const answer = await shop.t.call('POST', path, { token, body });
      expect(answer.status).toBeLessThan(300);
    }
    // Each of the five calls without `payment` sold: the batch two.
    expect([await countOf('license_terms'), await countOf('payment_requests')]).toEqual([before + 6, 0]);
  });

  test.each([
    [{}, PAYMENT_MESSAGES.saleForm],
    [{ reference: 'x' }, PAYMENT_MESSAGES.saleForm],
    [{ request: false }, PAYMENT_MESSAGES.saleForm],
    [{ method: 'gold' }, PAYMENT_MESSAGES.method],
    [{ request: true, method: 'cash' }, PAYMENT_MESSAGES.salePaid],
    [{ request: true, amount: 5 }, PAYMENT_MESSAGES.salePaid],
    [{ ...CASH, notify: true }, PAYMENT_MESSAGES.saleAsked],
    [{ ...CASH, expires_in_days: 3 }, PAYMENT_MESSAGES.saleAsked],
    [{ request: true, expires_in_days: 61 }, PAYMENT_MESSAGES.days],
    [{ ...CASH, amount: 0 }, PAYMENT_MESSAGES.nothingPaid],
    [{ ...CASH, amount: -1 }, PAYMENT_MESSAGES.amount],
    [{ ...CASH, amount: 1000.01 }, /ás de lo que falta|más de lo que falta/],
    [{ ...CASH, amount: 900, withheld: 100.01 }, /ás de lo que falta|más de lo que falta/],
    [{ ...CASH, paid_at: '2026-11-10T18:00:00.001Z' }, PAYMENT_MESSAGES.paidAt],
    [{ ...CASH, paid_at: '0000-01-01T00:00:00Z' }, PAYMENT_MESSAGES.paidAt],
    [{ ...CASH, paid_at: '0026-11-09T18:00:00Z' }, PAYMENT_MESSAGES.paidAt],
    [{ ...CASH, amount: '500' }, 'Escribe un número'],
    ['cash', /.+/],
    [null, /.+/],
  ])('a wrong payment is 400 on payment, and nothing is sold: %j', async (payment, message) => {
    const before = await countOf('licenses');
    const answer = await shop.t.call('POST', LICENSES, { body: { ...sale, payment } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['payment']]);
    expect(answer.body.errors.payment[0]).toMatch(message);
    expect([await countOf('licenses'), await countOf('payment_requests')]).toEqual([before, 0]);
  });

  test('a courtesy takes none: 400 (MONEY-09)', async () => {
    const { price: _price, ...free } = sale;
    const body = { ...free, complimentary: true, payment: CASH };
    const answer = await shop.t.call('POST', LICENSES, { body });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['payment']]);
    const license = await createLicense(shop.t, sale);
    const renewed = await act(license, 'renew', { complimentary: true, payment: { request: true } });
    expect([renewed.status, Object.keys(renewed.body.errors)]).toEqual([400, ['payment']]);
  });

  test('a renewal of many takes none: 400', async () => {
    const license = await createLicense(shop.t, sale);
    const answer = await shop.t.call('POST', `${LICENSES}bulk_action/`, {
      body: { ids: [license.id], action: 'renew', payment: CASH },
    });
    expect([answer.status, answer.body.errors]).toEqual([400, { payment: [PAYMENT_MESSAGES.saleOfMany] }]);
  });

  test('an amount in a currency without decimals is whole', async () => {
    const answer = await shop.t.call('POST', LICENSES, {
      body: { ...sale, price: 1000, currency: 'CLP', payment: { ...CASH, amount: 0.5 } },
    });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['payment']]);
  });
});

describe('the portal and reminders (MONEY-05)', () => {
  test('an open sale comes before the renewal, and is not asked of the next client', async () => {
    const license = await issue({ request: true, notify: false }, { expiry_days: 10 });
    const sold = await requestOf(license);
    const url = () => asSystem(shop.t, (scope) => payByClient(scope, license.id));
    expect(await url()).toBe(sold.url);
    const payable = async () => {
      const row = await shop.getLicense(license);
      const moment = { now: shop.now(), timeZone: shop.t.context.config.timeZone, demo: true };
      return (await payableOf(shop.t.db, [row], moment)).get(license.id);
    };
    expect(await payable()).toEqual({ amount: 1000, currency: 'MXN', sold: true });
    await markPaid(sold, { ...CASH, amount: 400 });
    expect(await payable()).toEqual({ amount: 600, currency: 'MXN', sold: true });
    const client = (await createClient(shop.t)).id;
    expect((await act(license, 'transfer', { client, notify: false })).status).toBe(200);
    expect(await payable()).toMatchObject({ sold: false });
    expect(await url()).not.toBe(sold.url);
  });
});
