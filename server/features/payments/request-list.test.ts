import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { paymentExpiryJob } from './payment-jobs.ts';

/** What the list of requests finds, what both lists sum, and the money of a client (MONEY-13). */

const REQUESTS = '/licenses/api/payment-requests/';
const PAYMENTS = '/licenses/api/payments/';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: '2026-11-10T18:00:00.000Z' });
});

async function yearly(client: number, values: object = {}): Promise<License> {
  const type = await createLicenseType(t, { name: 'Anual', base_price: 1200, ...values });
  return createLicense(t, { client, license_type_config: type.id, price: 1000, expiry_days: 20 });
}
async function charge(licenses: License[], body: object = {}): Promise<PaymentRequest> {
  const lines = licenses.map(({ id }) => ({ license: id, kind: 'renewal' }));
  const made = await t.call('POST', REQUESTS, { body: { lines, notify: false, ...body } });
  expect(made.status).toBe(201);
  return made.body;
}
const paid = (id: number, reference: string, body: object = {}) =>
  t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body: { method: 'transfer', reference, ...body } });
const find = async (search: string, more = '') =>
  (await t.call('GET', `${REQUESTS}?search=${encodeURIComponent(search)}${more}`)).body.results.map(
    ({ id }: PaymentRequest) => id,
  );

describe('the search of the list', () => {
  test('finds the client, the key, the concept and the reference of a payment', async () => {
    const sol = await createClient(t, { name: 'Grupo Sol', email: 'sol@example.com' });
    const luna = await createClient(t, { name: 'Luna y Compañía', email: 'luna@example.com' });
    const ofSol = await yearly(sol.id);
    const ofLuna = await yearly(luna.id);
    const first = await charge([ofSol]);
    const second = await charge([ofLuna]);
    expect((await paid(second.id, 'SPEI 0042/Depósito-77')).status).toBe(200);

    expect(await find('grupo sol')).toEqual([first.id]);
    expect(await find('compania')).toEqual([second.id]);
    expect(await find('sol@example.com')).toEqual([first.id]);
    expect(await find(ofSol.license_key)).toEqual([first.id]);
    expect(await find(ofSol.license_key.toLowerCase().replaceAll('-', ' '))).toEqual([first.id]);
    expect(await find(`Clave: ${ofLuna.license_key}.`)).toEqual([second.id]);
    expect(await find(first.concept)).toEqual([first.id]);
    expect(await find(`SPEI RECIBIDO cobro ${second.id} LUNA`)).toEqual([second.id]);
    expect(await find(`COBRO${first.id}`, '&state=open')).toEqual([first.id]);
    expect(await find(`COBRO${first.id}`, '&state=paid')).toEqual([]);
    for (const reference of ['0042', 'spei', 'deposito', '0042/Depósito-77', 'SPEI 0042/DEPOSITO-77'])
      expect(await find(reference), reference).toEqual([second.id]);
    expect(await find('luna spei')).toEqual([second.id]);
    expect(await find('sol spei')).toEqual([]);
    expect(await find('%')).toEqual([]);
    expect(await find('COBRO-999999')).toEqual([]);
    expect(await find('')).toEqual([second.id, first.id]);
  });

  test('finds the present name and key, and a client whose name reads like a concept', async () => {
    const client = await createClient(t, { name: 'Cobro 900' });
    const license = await yearly(client.id);
    const request = await charge([license]);
    expect(await find('cobro 900')).toEqual([request.id]);
    const replaced = await t.call('POST', `/licenses/api/licenses/${license.id}/replace_key/`, {
      body: { reason: 'Se filtró', notify: false },
    });
    expect(replaced.status).toBe(200);
    expect(await find(replaced.body.license_key)).toEqual([request.id]);
    await t.db.updateTable('clients').set({ name: 'x', search_text: 'nueva razon' }).execute();
    expect(await find('nueva razón')).toEqual([request.id]);
  });

  test('finds no erased payments', async () => {
    const client = await createClient(t);
    const license = await yearly(client.id);
    const request = await charge([license]);
    await paid(request.id, 'Rastreo MBAN-0102');
    expect(await find('mban0102')).toEqual([request.id]);
    const reason = 'Lo pidió';
    await t.call('POST', `/licenses/api/licenses/${license.id}/cancel/`, { body: { reason, notify: false } });
    const erased = await t.call('POST', `/licenses/api/clients/${client.id}/erase/`, {
      body: { reason },
    });
    expect(erased.body).toMatchObject({ success: true });
    expect(await find('mban0102')).toEqual([]);
  });

  test('is for those who may read payments, and refuses what no search may have', async () => {
    expect((await t.call('GET', `${REQUESTS}?search=sol`, { token: null })).status).toBe(401);
    expect((await t.call('GET', `${REQUESTS}?search=${'a'.repeat(300)}`)).status).toBe(400);
  });
});

type Sum = { currency: string; count: number; amount: number; due: number; refunded_amount: number };
/** By whom, over how much and until when each request of the next test is. */
const askFor = async (n: number, owner: number) =>
  charge([await yearly(owner, { base_price: 100.35 + n, currency: n % 3 === 2 ? 'USD' : 'MXN' })], {
    tax_rate: 16,
    expires_in_days: n >= 4 ? 1 : 30,
  });
const cents = (amount: number) => Math.round(amount * 100);
/** The sums computed again from the rows of all pages. */
function summed(rows: readonly Sum[], names: readonly ('amount' | 'due' | 'refunded_amount')[]) {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      currency,
      count: own.length,
      ...Object.fromEntries(
        names.map((name) => [name, own.reduce((sum, row) => sum + cents(row[name]), 0) / 100]),
      ),
    }))
    .sort((a, b) => Number(b.currency === 'MXN') - Number(a.currency === 'MXN'));
}
async function rowsOf(url: string): Promise<Sum[]> {
  const rows: Sum[] = [];
  for (let next: string | null = `${url}&page_size=100`; next; ) {
    const { body }: { body: { results: Sum[]; next: string | null } } = await t.call('GET', next);
    rows.push(...body.results);
    next = body.next && new URL(body.next, 'http://x').pathname + new URL(body.next, 'http://x').search;
  }
  return rows;
}

describe('the sums of the lists', () => {
  test('are those of all rows that match, by currency, whatever the filter and the page', async () => {
    const client = await createClient(t, { name: 'Grupo Sol' });
    const other = await createClient(t, { name: 'Otro' });
    const requests: PaymentRequest[] = [];
    for (const [n, owner] of [client, other, client, other, client, other].entries())
      requests.push(await askFor(n, owner.id));
    await paid(requests[0]!.id, 'UNO');
    // The last one is paid in part, so it does not expire.
    expect((await paid(requests[5]!.id, 'PARTE', { amount: 20, withheld: 1.5 })).body.state).toBe('open');
    await paid(requests[2]!.id, 'DOS');
    await t.call('POST', `${REQUESTS}${requests[3]!.id}/cancel/`, { body: {} });
    t.clock.advance(3 * 24 * 60 * 60_000);
    t.token = await signInAs(t, 'admin', 'admin123');

    const filters = ['', 'state=open', 'state=paid', 'state=cancelled', `client=${client.id}`, 'search=sol'];
    // Before the job has stored that one has expired, and after it.
    for (const step of ['before', 'after']) {
      for (const filter of filters) {
        const { body } = await t.call('GET', `${REQUESTS}?${filter}&page_size=1`);
        const rows = await rowsOf(`${REQUESTS}?${filter}`);
        expect(body.sums, `${filter} ${step}`).toEqual(summed(rows, ['amount', 'due']));
        expect(body.sums.reduce((n: number, sum: Sum) => n + sum.count, 0)).toBe(body.count);
      }
      if (step === 'before') await runJob(t.context, paymentExpiryJob);
    }
    for (const filter of ['', 'state=approved', 'provider=manual', `client=${other.id}`, 'from=2026-11-10']) {
      const { body } = await t.call('GET', `${PAYMENTS}?${filter}&page_size=1`);
      const rows = await rowsOf(`${PAYMENTS}?${filter}`);
      expect(body.sums, filter).toEqual(summed(rows, ['amount', 'refunded_amount']));
    }
    expect((await t.call('GET', `${PAYMENTS}?state=failed`)).body.sums).toEqual([]);
  });

  test('count thousands of rows by the index, and are null where the count is not exact', async () => {
    const client = await createClient(t);
    const request = await charge([await yearly(client.id)]);
    await paid(request.id, 'UNO');
    const copy = (n: number) =>
      sql`insert into payments (provider, request_id, client_id, client_name, state, amount_cents, currency,
          is_test, created_at, paid_at, updated_at)
        select 'manual', request_id, client_id, client_name, 'approved', amount_cents,
          case when id % 3 = 0 then 'USD' else 'MXN' end, is_test, created_at, paid_at, updated_at
        from payments limit ${n}`.execute(t.db);
    for (let n = 0; n < 11; n += 1) await copy(5000);
    const { n } = await t.db
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(2048);
    const expected = await t.db
      .selectFrom('payments')
      .groupBy('currency')
      .select((eb) => [
        'currency',
        eb.fn.countAll<number>().as('count'),
        eb.fn.sum<number>('amount_cents').as('c'),
      ])
      .orderBy('currency')
      .execute();
    for (const filter of ['state=approved', 'provider=manual', 'from=2026-01-01', '']) {
      const { body } = await t.call('GET', `${PAYMENTS}?${filter}&page_size=5`);
      expect(body.sums, filter).toEqual(
        expected.map(({ currency, count, c }) => ({ currency, count, amount: c / 100, refunded_amount: 0 })),
      );
    }
    // A search of more matches than it counts.
    await sql`insert into payment_requests (reference, code_hash, state, client_id, client_name, currency, subtotal_cents,
        tax_rate_hundredths, tax_cents, amount_cents, note, expires_at, actor_kind, actor_name, created_at, updated_at)
      select 'r' || payments.id, 'h' || payments.id, 'cancelled', client_id, client_name, 'MXN', 100, 0, 0, 100, '', updated_at,
        'user', '', created_at, updated_at from payments`.execute(t.db);
    await t.db.updateTable('clients').set({ search_text: 'grupo sol' }).execute();
    const many = (await t.call('GET', `${REQUESTS}?search=grupo&page_size=5`)).body;
    expect(many).toMatchObject({ count_is_exact: false, sums: null });
  });
});

describe('the money of a client', () => {
  const moneyOf = (id: number, token?: null) =>
    t.call('GET', `/licenses/api/clients/${id}/money/`, token === null ? { token } : {});

  test('says what was sold, what came in, what is due and the last payment, by currency', async () => {
    const client = await createClient(t);
    const other = await createClient(t);
    expect((await moneyOf(client.id)).body).toEqual({ results: [] });
    const mine = await yearly(client.id);
    const inDollars = await yearly(client.id, { currency: 'USD', base_price: 50 });
    await yearly(other.id);
    const first = await charge([mine], { tax_rate: 16 });
    await charge([inDollars], { expires_in_days: 1 });
    expect((await moneyOf(client.id)).body.results).toMatchObject([
      {
        currency: 'MXN',
        sold: 1000,
        collected: 0,
        receivable: 1392,
        receivable_count: 1,
        last_payment: null,
      },
      { currency: 'USD', receivable: 50, receivable_count: 1, last_payment: null },
    ]);
    await paid(first.id, '', { paid_at: '2026-11-09T12:00:00Z' });
    t.clock.advance(3 * 24 * 60 * 60_000);
    t.token = await signInAs(t, 'admin', 'admin123');
    const [money, dollars] = (await moneyOf(client.id)).body.results;
    expect(money).toEqual({
      currency: 'MXN',
      sold: 2200,
      collected: 1392,
      receivable: 0,
      receivable_count: 0,
      last_payment: {
        payment_request: first.id,
        amount: 1392,
        paid_at: '2026-11-09T12:00:00.000Z',
        method: 'transfer',
      },
    });
    expect(dollars).toMatchObject({ currency: 'USD', receivable: 0, receivable_count: 0 });
    await t.db.updateTable('payments').set({ refunded_cents: 39200 }).execute();
    expect((await moneyOf(client.id)).body.results[0]).toMatchObject({ collected: 1000 });
    await t.db.updateTable('payments').set({ state: 'charged_back', dispute: 'lost' }).execute();
    expect((await moneyOf(client.id)).body.results[0]).toMatchObject({ collected: 0 });
    await t.db.updateTable('payments').set({ is_test: true }).execute();
    expect((await moneyOf(client.id)).body.results[0]).toMatchObject({ collected: 0, last_payment: null });
  });

  test('is not there for an unknown client, and only for those who may read payments', async () => {
    expect((await moneyOf(999)).status).toBe(404);
    expect((await moneyOf(1, null)).status).toBe(401);
  });
});
