import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Software } from '../../../contract/software/software.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { paymentExpiryJob } from './payment-jobs.ts';

/** Payment requests without a provider's account: created, changed, paid by hand and with 'Pago de prueba'. */

const NOW = '2026-11-10T18:00:00.000Z';
const DAY = 24 * 60 * 60_000;
const REQUESTS = '/licenses/api/payment-requests/';

let t: TestApp;
let software: Software | undefined;
beforeEach(async () => {
  software = undefined;
  t = await createTestApp({ now: NOW });
});

async function later(milliseconds: number) {
  t.clock.advance(milliseconds);
  t.token = await signInAs(t, 'admin', 'admin123');
}

/** A licence of a year at 1,200.00, always for the same client. */
async function yearly(values: object = {}): Promise<License> {
  software ??= await createSoftware(t, { name: 'Caja Fácil', version: '4.2.0' });
  const type = await createLicenseType(t, { name: 'Anual', base_price: 1200 });
  return createLicense(t, {
    software: software.id,
    license_type_config: type.id,
    price: 1000,
    expiry_days: 20,
    ...values,
  });
}

const ask = (licenses: License[], body: object = {}) =>
  t.call('POST', REQUESTS, {
    body: { lines: licenses.map(({ id }) => ({ license: id, kind: 'renewal' })), ...body },
  });
const codeOf = (url: string) => url.split('/').at(-1)!;
const pay = (url: string, verb = '', body?: object) =>
  t.call(verb === '' ? 'GET' : 'POST', `/licenses/api/pay/${codeOf(url)}/${verb}`, {
    token: null,
    ...(body && { body }),
  });
const getRequest = async (id: number) => (await t.call('GET', `${REQUESTS}${id}/`)).body;
const getLicense = async (id: number) => (await t.call('GET', `/licenses/api/licenses/${id}/`)).body;
const eventsOf = async (query: string): Promise<Event[]> =>
  (await t.call('GET', `/licenses/api/events/?${query}&limit=100`)).body.results;
const result = ({ status, body }: { status: number; body?: { code?: string } }) => [status, body?.code];

describe('a payment request (PAY-01)', () => {
  test('stores price, type and length, adds tax once, and is mailed with its address', async () => {
    const license = await yearly();
    const { status, body } = await ask([license], { tax_rate: 16, note: 'Gracias' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'open',
      url: expect.stringMatching(/\/pagar\/[\w-]{22}$/),
      client: { id: license.client.id, name: license.client_name },
      lines: [
        {
          license: { id: license.id, license_key: license.license_key },
          kind: 'renewal',
          description: 'Renovación: Caja Fácil 4.2.0 (Anual)',
          starts: license.expiry_date,
          amount: 1200,
        },
      ],
      subtotal: 1200,
      tax_rate: 16,
      tax: 192,
      amount: 1392,
      currency: 'MXN',
      note: 'Gracias',
      pending: false,
      test: false,
      review_reason: null,
      paid_at: null,
      expires_at: '2026-11-18T05:59:59.000Z',
      actor: { kind: 'user', id: 1 },
    });
    const mails = await t.deliveredMail();
    const mail = mails.find(({ subject }) => subject?.includes('1,392.00'));
    expect(mail?.text).toContain(body.url);
    // A new price of the type does not change the request.
    await t.call('PATCH', `/licenses/api/license-types/${license.license_type_config}/`, {
      body: { base_price: 5000, validity_days: 30 },
    });
    expect((await getRequest(body.id)).lines[0]).toMatchObject({ amount: 1200, ends: body.lines[0].ends });
  });

  test('the payment address cannot be read from a database copy, and the console masks it in mails (PAY-02)', async () => {
    const { body } = await ask([await yearly()], {});
    await t.call('POST', `${REQUESTS}`, {
      body: { lines: [] },
      headers: { 'idempotency-key': 'x' },
    });
    const code = codeOf(body.url);
    await t.deliveredMail();
    for (const { name } of await t.db.introspection.getTables()) {
      const rows = await t.db
        .selectFrom(name as 'clients')
        .selectAll()
        .execute();
      expect([name, JSON.stringify(rows).includes(code)]).toEqual([name, false]);
    }
    const { body: mails } = await t.call('GET', '/licenses/api/mails/?kind=payment_request');
    const { body: mail } = await t.call('GET', `/licenses/api/mails/${mails.results[0].id}/`);
    expect(mail.text).toContain('/pagar/•••');
    expect(mail.html).not.toContain(code);
    // A copy of the mail contains the address again.
    await t.call('POST', `/licenses/api/mails/${mail.id}/resend/`, { body: {} });
    const sent = await t.deliveredMail();
    expect(sent.filter(({ text }) => text?.includes(body.url))).toHaveLength(2);
  });

  test('the repeated answer for an Idempotency-Key contains the address, which is not stored in it', async () => {
    const license = await yearly();
    const again = () =>
      t.call('POST', REQUESTS, {
        body: { lines: [{ license: license.id, kind: 'renewal' }] },
        headers: { 'idempotency-key': 'uno' },
      });
    const [one, two] = [await again(), await again()];
    expect([two.status, two.body]).toEqual([201, one.body]);
    const { body } = await t.db.selectFrom('idempotency_keys').select('body').executeTakeFirstOrThrow();
    expect(body).not.toContain(codeOf(one.body.url));
    expect((await t.call('GET', REQUESTS)).body.count).toBe(1);
  });

  test('several clients or currencies, repeated, missing or unknown licences, and incomplete lines are refused at lines', async () => {
    const [one, other] = [await yearly(), await yearly()];
    const dollars = await createLicense(t, { client: one.client.id, currency: 'USD', price: 10 });
    const lines = (...all: object[]) => t.call('POST', REQUESTS, { body: { lines: all } });
    const line = ({ id }: { id: number }, more = {}) => ({ license: id, kind: 'renewal', ...more });
    for (const refused of [
      await lines(line(one), line(other)),
      await lines(line(one), line(dollars)),
      await lines(line(one), line(one)),
      await lines(),
      await lines(line({ id: 999_999 })),
      await lines(line(one, { kind: 'upgrade' })),
      await lines(line(one, { kind: 'maintenance' })),
      await lines(line(one, { license_type_config: 999_999 })),
    ]) {
      expect([...result(refused), Object.keys(refused.body.errors)]).toEqual([400, 'invalid', ['lines']]);
    }
    expect((await t.call('GET', REQUESTS)).body.count).toBe(0);
  });

  test('a maintenance request sells days of updates at its price, and does not change the end (SELL-02)', async () => {
    const license = await yearly();
    const ask = () =>
      t.call('POST', REQUESTS, {
        body: { lines: [{ license: license.id, kind: 'maintenance', price: 300, updates_days: 30 }] },
      });
    const endless = await ask();
    expect([...result(endless), endless.body.license]).toEqual([409, 'not_renewable', license.id]);
    await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, { body: { updates_until: '2026-12-01' } });
    const { body: open } = await ask();
    expect(open.lines).toMatchObject([
      {
        kind: 'maintenance',
        description: 'Actualizaciones: Caja Fácil 4.2.0',
        amount: 300,
        ends: '2027-01-01T05:59:59.000Z',
      },
    ]);
    const { body } = await t.call('POST', `${REQUESTS}${open.id}/mark_paid/`, { body: { method: 'cash' } });
    expect(body).toMatchObject({ state: 'paid', lines: [{ ends: '2027-01-01T05:59:59.000Z' }] });
    expect(await getLicense(license.id)).toMatchObject({
      updates_until: '2026-12-31',
      expiry_date: license.expiry_date,
      price: license.price,
    });
  });

  test('a licence that cannot be renewed is 409 with code and licence, and one with an open request is already_requested', async () => {
    const license = await yearly();
    const endless = await createLicense(t, { expiry_days: null });
    const no = await ask([endless]);
    expect([...result(no), no.body.license]).toEqual([409, 'not_renewable', endless.id]);
    const { body: open } = await ask([license]);
    const twice = await ask([license]);
    expect([...result(twice), twice.body.license, twice.body.payment_request]).toEqual([
      409,
      'already_requested',
      license.id,
      open.id,
    ]);
    await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
    expect(result(await ask([license]))).toEqual([409, 'already_requested']);
    await t.call('POST', `${REQUESTS}${open.id}/cancel/`, { body: {} });
    expect(result(await ask([license]))).toEqual([409, 'invalid_transition']);
  });

  test.each([
    ['renewal', 'renew', {}],
    ['cancellation', 'cancel', {}],
  ])('a %s by hand cancels the open request in the same transaction', async (_what, verb, body) => {
    const license = await yearly();
    const { body: open } = await ask([license]);
    expect((await t.call('POST', `/licenses/api/licenses/${license.id}/${verb}/`, { body })).status).toBe(
      200,
    );
    expect(await getRequest(open.id)).toMatchObject({ state: 'cancelled' });
    const [event] = await eventsOf(`type=payment_request.cancelled&license=${license.id}`);
    expect(event).toMatchObject({ actor: { kind: 'user' }, reason: 'La licencia cambió' });
  });

  test('a transfer and a deletion cancel the request, which still shows the names', async () => {
    const license = await yearly();
    const { body: first } = await ask([license]);
    const other = await createClient(t);
    await t.call('POST', `/licenses/api/licenses/${license.id}/transfer/`, { body: { client: other.id } });
    expect(await getRequest(first.id)).toMatchObject({
      state: 'cancelled',
      client: { id: license.client.id },
    });
    const { body: second } = await ask([license]);
    expect((await t.call('DELETE', `/licenses/api/licenses/${license.id}/`)).status).toBe(200);
    expect(await getRequest(second.id)).toMatchObject({
      state: 'cancelled',
      client: { id: other.id, name: other.name },
      lines: [{ license: null, description: expect.stringContaining('Caja Fácil') }],
    });
    expect((await pay(second.url)).body).toMatchObject({ state: 'cancelled', providers: [] });
  });

  test('expires on its day, also before the job has run, and then the licence can get another request', async () => {
    const license = await yearly();
    const { body } = await ask([license], { expires_in_days: 1 });
    await later(2 * DAY);
    expect(await getRequest(body.id)).toMatchObject({ state: 'expired' });
    expect(result(await t.call('POST', `${REQUESTS}${body.id}/cancel/`, { body: {} }))).toEqual([
      409,
      'conflict',
    ]);
    await runJob(t.context, paymentExpiryJob);
    await runJob(t.context, paymentExpiryJob);
    expect(await eventsOf('type=payment_request.expired')).toHaveLength(1);
    expect((await ask([license])).status).toBe(201);
    const { body: listed } = await t.call('GET', `${REQUESTS}?state=expired&license=${license.id}`);
    expect(listed.results.map(({ id }: { id: number }) => id)).toEqual([body.id]);
  });

  test('can be sent again while it is open', async () => {
    const { body } = await ask([await yearly()], { notify: false });
    expect((await t.deliveredMail()).filter(({ subject }) => subject?.includes('Su pago'))).toHaveLength(0);
    expect((await t.call('POST', `${REQUESTS}${body.id}/send/`, { body: {} })).status).toBe(200);
    expect((await t.deliveredMail()).filter(({ subject }) => subject?.includes('Su pago'))).toHaveLength(1);
  });
});

describe('a payment that a person records (PAY-01, PAY-05)', () => {
  const markPaid = (id: number, body: object = { method: 'transfer', reference: 'SPEI 0042' }) =>
    t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body });

  test('renews all lines at their stored price, with one receipt and the person as actor', async () => {
    const first = await yearly();
    const second = await yearly({ client: first.client.id });
    const { body: open } = await ask([first, second], { tax_rate: 16, notify: false });
    await t.call('PATCH', `/licenses/api/license-types/${first.license_type_config}/`, {
      body: { base_price: 1 },
    });
    await t.deliveredMail();
    const { status, body } = await markPaid(open.id);
    expect([status, body.state, body.paid_at]).toEqual([200, 'paid', NOW]);
    for (const license of [first, second]) {
      const renewed = await getLicense(license.id);
      expect(renewed.price).toBe(1200);
      expect(
        body.lines.find((line: { license: { id: number } }) => line.license.id === license.id),
      ).toMatchObject({
        starts: license.expiry_date,
        ends: renewed.expiry_date,
      });
      const [event] = await eventsOf(`type=license.renewed&license=${license.id}`);
      expect(event?.actor).toMatchObject({ kind: 'user', id: 1 });
    }
    const receipts = (await t.deliveredMail()).filter(({ subject }) => subject?.startsWith('Recibimos'));
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.text).toContain('SPEI 0042');
    const { payments } = await getRequest(open.id);
    expect(payments).toMatchObject([
      {
        provider: 'manual',
        provider_id: null,
        state: 'approved',
        amount: 2784,
        method: 'transfer',
        test: false,
      },
    ]);
    expect(result(await markPaid(open.id))).toEqual([409, 'conflict']);
    const { text } = await t.call(
      'GET',
      '/licenses/api/reports/fiscal/export/?from=2026-11-01&to=2026-11-30',
    );
    const paid = text.split('\r\n').filter((line) => line.includes('renewal'));
    expect(paid.map((line) => line.split(',').slice(-3))).toEqual([
      ['16', '03', 'SPEI 0042'],
      ['16', '03', 'SPEI 0042'],
    ]);
  });

  test('is put in review when a licence cannot be renewed any more, and no line is renewed', async () => {
    const first = await yearly();
    const second = await yearly({ client: first.client.id });
    const { body: open } = await ask([first, second]);
    await t.call('POST', `/licenses/api/licenses/${second.id}/suspend/`, { body: {} });
    const { body } = await markPaid(open.id);
    expect(body).toMatchObject({ state: 'review', review_reason: 'license' });
    expect((await getLicense(first.id)).expiry_date).toBe(first.expiry_date);
    const resolve = (action: string) =>
      t.call('POST', `${REQUESTS}${open.id}/resolve/`, {
        body: { action, reason: 'Se habló con el cliente' },
      });
    expect(result(await resolve('apply'))).toEqual([409, 'invalid_transition']);
    const { body: today } = await t.call('GET', '/licenses/api/statistics/today/');
    expect(today.payment_reviews).toBe(1);
    const { body: bell } = await t.call('GET', '/licenses/api/notifications/');
    expect(bell.results).toMatchObject([
      { kind: 'payment_review', client: { id: first.client.id } },
      ...bell.results.slice(1),
    ]);
    await t.call('POST', `/licenses/api/licenses/${second.id}/reinstate/`, { body: {} });
    expect((await resolve('apply')).body).toMatchObject({ state: 'paid', review_reason: null });
    expect((await getLicense(second.id)).expiry_date).not.toBe(second.expiry_date);
    expect(result(await resolve('close'))).toEqual([409, 'conflict']);
  });

  test('needs the permission to renew too, so a key for payments alone cannot renew a licence', async () => {
    const { body: open } = await ask([await yearly()]);
    const { body: key } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Cobranza', permissions: ['payments:read', 'payments:write'] },
    });
    const call = (verb: string, body: object) =>
      t.call('POST', `${REQUESTS}${open.id}/${verb}/`, { token: key.key, body });
    expect(result(await call('mark_paid', { method: 'cash' }))).toEqual([403, 'forbidden']);
    expect(result(await call('resolve', { action: 'apply', reason: 'x' }))).toEqual([403, 'forbidden']);
    expect((await call('cancel', {})).status).toBe(200);
  });

  test('a payment with a date in the future is refused', async () => {
    const { body: open } = await ask([await yearly()]);
    const late = await markPaid(open.id, { method: 'cash', paid_at: '2026-11-11T18:00:00Z' });
    expect([late.status, Object.keys(late.body.errors)]).toEqual([400, ['paid_at']]);
    expect((await getRequest(open.id)).payments).toEqual([]);
  });
});

describe("the payment page and the test payment 'Pago de prueba' (PAY-02, PAY-03)", () => {
  test('shows what is to be paid, without key, mail address and ids', async () => {
    const license = await yearly();
    const { body: open } = await ask([license], { tax_rate: 16 });
    const { status, body, text } = await pay(open.url);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      state: 'open',
      pending: false,
      test: true,
      client_name: expect.stringContaining('•••'),
      lines: [{ description: 'Renovación: Caja Fácil 4.2.0 (Anual)', amount: 1200 }],
      subtotal: 1200,
      tax: 192,
      amount: 1392,
      providers: [{ id: 'demo', label: 'Pago de prueba' }],
    });
    for (const hidden of [license.license_key, license.client_name, '@example.com', '"id":1'])
      expect(text).not.toContain(hidden);
  });

  test('an approved test payment renews like a real one, and is in no revenue and no fiscal export (PAY-06)', async () => {
    const license = await yearly();
    const { body: open } = await ask([license]);
    const revenue = async () =>
      (await t.call('GET', '/licenses/api/reports/revenue/?from=2026-11-01&to=2026-11-30')).body;
    const before = await revenue();
    expect((await pay(open.url, 'checkout/', { provider: 'demo' })).body.url).toBe(`${open.url}/prueba`);
    expect((await pay(open.url, 'demo/', { result: 'reject' })).body).toMatchObject({ state: 'open' });
    const { body } = await pay(open.url, 'demo/', { result: 'approve' });
    expect(body).toMatchObject({ state: 'paid', test: true });
    expect((await getLicense(license.id)).expiry_date > license.expiry_date!).toBe(true);
    const [event] = await eventsOf('type=payment.received');
    expect(event?.actor).toEqual({ kind: 'system', id: null, name: 'Pago de prueba' });
    expect((await revenue()).totals).toEqual(before.totals);
    const { text } = await t.call(
      'GET',
      '/licenses/api/reports/fiscal/export/?from=2026-11-01&to=2026-11-30',
    );
    expect(text).not.toContain('renewal');
    expect(result(await pay(open.url, 'demo/', { result: 'approve' }))).toEqual([409, 'conflict']);
    // Even if the cancelled licence is active again, the test payment counts in no sum.
    await t.call('POST', `/licenses/api/licenses/${license.id}/cancel/`, { body: {} });
    await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, { body: { status: 'active' } });
    expect((await revenue()).totals).toEqual(before.totals);
  });

  test('a test payment can be refunded in part and then in full, like a real one (PAY-06)', async () => {
    const license = await yearly();
    const { body: open } = await ask([license]);
    await pay(open.url, 'demo/', { result: 'approve' });
    const paymentNow = async () =>
      (await t.call('GET', `/licenses/api/payment-requests/${open.id}/`)).body.payments[0];
    const { id } = await paymentNow();
    const refund = (body: object) => t.call('POST', `/licenses/api/payments/${id}/refund/`, { body });
    expect((await refund({ amount: 2000 })).status).toBe(400);
    expect((await refund({ amount: 392 })).status).toBe(202);
    expect(await paymentNow()).toMatchObject({ state: 'approved', refunded_amount: 392 });
    expect((await refund({})).body).toMatchObject({ state: 'refunded', refunded_amount: 1200 });
    expect((await refund({})).status).toBe(409);
    const [event] = await eventsOf('type=payment.refunded');
    expect(event?.actor).toMatchObject({ name: 'Pago de prueba' });
    expect((await getLicense(license.id)).expiry_date > license.expiry_date!).toBe(true);
  });

  test('an unknown code is 404, and too many are 429', async () => {
    expect(result(await pay('x/nadie'))).toEqual([404, 'not_found']);
    for (let n = 0; n < 19; n++) await pay('x/nadie');
    expect(result(await pay('x/nadie'))).toEqual([429, 'rate_limited']);
    const { body: open } = await ask([await yearly()]);
    expect((await pay(open.url)).status).toBe(200);
  });

  test('test payments are not offered outside demo mode', async () => {
    const { body: open } = await ask([await yearly()]);
    t.context.config.demo = false;
    expect((await pay(open.url, 'demo/', { result: 'approve' })).status).toBe(404);
    expect((await pay(open.url)).body).toMatchObject({ providers: [], test: false });
    const refused = await pay(open.url, 'checkout/', { provider: 'demo' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['provider']]);
  });
});
