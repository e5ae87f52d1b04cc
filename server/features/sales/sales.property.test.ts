import { expect, test } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';

/**
 * Random sales with and without payments, on two servers with one database, two calls at once. After each step the sum of
 * a term's payments, its request and its price are computed again from the rows, and must agree (MONEY-05).
 */

const NOW = '2026-11-10T18:00:00.000Z';
const LICENSES = '/licenses/api/licenses/';
const REQUESTS = '/licenses/api/payment-requests/';

const money = fc.integer({ min: 1, max: 200_000 }).map((cents) => cents / 100);
/** Parts of what is asked, in percent. */
const part = fc.constantFrom(undefined, 0, 1, 40, 99, 100, 101);
const sale = fc.record({
  action: fc.constantFrom(
    'issue',
    'issue',
    'batch',
    'renew',
    'renew',
    'undo',
    'cancel',
    'delete',
    'pay',
    'tax',
  ),
  pick: fc.nat(1000),
  price: money,
  currency: fc.constantFrom('MXN', 'USD', 'CLP'),
  form: fc.constantFrom('none', 'paid', 'paid', 'asked'),
  amount: part,
  withheld: part,
  twice: fc.boolean(),
});
type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never;

type World = { t: TestApp; call: TestApp['call']; close: () => Promise<unknown>; base: object };

async function newWorld(): Promise<World> {
  const t = await createTestApp({ now: NOW, ownApp: true, closeAfterTest: false });
  const other = await buildApp(t.context);
  await other.ready();
  const call: TestApp['call'] = async (method, url, { body, headers = {} } = {}) => {
    const answer = await other.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, authorization: `Bearer ${t.token}` },
      ...(body !== undefined && { payload: body as object }),
    });
    const { headers: answered, body: text, rawPayload: bytes } = answer;
    return { status: answer.statusCode, headers: answered, body: answer.json(), text, bytes };
  };
  const client = (await createClient(t)).id;
  const software = (await createSoftware(t)).id;
  return {
    t,
    call,
    close: async () => {
      await other.close();
      await t.close();
    },
    base: { client, software, license_type: 'premium', expiry_days: 30 },
  };
}

const priceIn = (price: number, currency: string) => (currency === 'CLP' ? Math.ceil(price) : price);
const chosen = <One>(all: readonly One[], pick: number): One | undefined =>
  all[pick % Math.max(1, all.length)];

/** The field `payment` of a sale; parts are of the price, so some are more than is asked. */
function paymentOf({ form, amount, withheld, price, currency }: Sale): object | undefined {
  if (form === 'none') return undefined;
  if (form === 'asked') return { request: true, notify: false };
  const of = (percent: number | undefined) =>
    percent === undefined ? undefined : priceIn(Math.round(price * percent) / 100, currency);
  return { method: 'transfer', amount: of(amount), withheld: of(withheld) };
}

async function step({ t, call, base }: World, one: Sale): Promise<void> {
  const { action, pick, currency } = one;
  const price = priceIn(one.price, currency);
  const payment = paymentOf(one);
  const license = chosen(
    await t.db.selectFrom('licenses').select(['id', 'currency']).orderBy('id').execute(),
    pick,
  );
  const request = chosen(
    await t.db
      .selectFrom('payment_requests')
      .select('id')
      .where('state', '=', 'open')
      .orderBy('id')
      .execute(),
    pick,
  );
  const ofLicense = `${LICENSES}${license?.id ?? 0}/`;
  const calls: Record<Sale['action'], [method: string, url: string, body?: object]> = {
    issue: ['POST', LICENSES, { ...base, price, currency, payment }],
    batch: ['POST', `${LICENSES}batch/`, { ...base, price, currency, payment, quantity: 1 + (pick % 7) }],
    renew: ['POST', `${ofLicense}renew/`, { price, currency, payment, notify: false }],
    undo: ['POST', `${ofLicense}undo_renewal/`, {}],
    cancel: ['POST', `${ofLicense}cancel/`, {}],
    delete: ['DELETE', ofLicense],
    pay: ['POST', `${REQUESTS}${request?.id ?? 0}/mark_paid/`, { method: 'cash' }],
    tax: ['PUT', '/licenses/api/settings/', { tax_rate: pick % 3 === 0 ? 0 : 16.5 }],
  };
  const [method, url, body] = calls[action];
  const servers = one.twice ? [t.call, call] : [t.call];
  const options = body === undefined ? {} : { body };
  for (const { status } of await Promise.all(servers.map((server) => server(method, url, options)))) {
    expect(status).toBeLessThan(500);
  }
}

/** Computes every sale again from its rows. */
async function audit({ t: { db } }: World): Promise<{ sales: number; paid: number; open: number }> {
  const requests = await db.selectFrom('payment_requests').selectAll().execute();
  const lines = await db.selectFrom('payment_lines').selectAll().execute();
  const payments = await db.selectFrom('payments').selectAll().execute();
  const terms = await db.selectFrom('license_terms').selectAll().execute();
  const events = await db.selectFrom('events').select(['type', 'subject_id']).execute();
  const has = (type: string, id: number) =>
    events.filter((event) => event.type === type && event.subject_id === id).length;
  for (const request of requests) {
    const own = lines.filter(({ request_id }) => request_id === request.id);
    const came = payments.filter(({ request_id }) => request_id === request.id);
    const sum = (values: number[]) => values.reduce((total, value) => total + Number(value), 0);
    const settled = sum(
      came.map(({ amount_cents, withheld_cents }) => Number(amount_cents) + Number(withheld_cents)),
    );
    const subtotal = sum(own.map(({ price_cents }) => price_cents));
    const tax = Math.round((subtotal * request.tax_rate_hundredths) / 10_000);
    expect([subtotal, request.amount_cents]).toEqual([request.subtotal_cents, subtotal + tax]);
    expect(settled).toBe(Number(request.paid_cents) + Number(request.withheld_cents));
    // Paid exactly when nothing is due; never more than what was asked.
    expect(settled).toBeLessThanOrEqual(request.amount_cents);
    if (request.state !== 'cancelled')
      expect(settled === request.amount_cents).toBe(request.state === 'paid');
    expect(has('payment_request.created', request.id)).toBe(1);
    for (const { id } of came) expect(has('payment.received', id)).toBe(1);
    for (const line of own) {
      expect([line.kind, line.open_license_id]).toEqual(['sold', null]);
      const term = terms.find(({ id }) => id === line.term_id);
      // Without its term the sale was taken back, and nothing was paid for it.
      if (!term) expect(request.state).toBe('cancelled');
      else expect([line.price_cents, request.currency]).toEqual([term.price_cents, term.currency]);
    }
  }
  // No line without its request, no payment twice, and one sale for a term.
  const ofTerms = lines.flatMap(({ term_id }) => term_id ?? []);
  expect(new Set(ofTerms).size).toBe(ofTerms.length);
  expect(new Set(lines.map(({ request_id }) => request_id)).size).toBe(requests.length);
  return {
    sales: requests.length,
    paid: requests.filter(({ state }) => state === 'paid').length,
    open: requests.filter(({ state, paid_cents }) => state === 'open' && Number(paid_cents) > 0).length,
  };
}

test('the payments, the request and the term of every sale agree after every step (MONEY-05)', {
  timeout: 240_000,
}, async () => {
  const counts = { sales: 0, paid: 0, open: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { minLength: 12, maxLength: 30 }), async (history) => {
      const w = await newWorld();
      try {
        for (const one of history) {
          await step(w, one);
          await audit(w);
        }
        const found = await audit(w);
        for (const key of ['sales', 'paid', 'open'] as const) counts[key] += found[key];
      } finally {
        await w.close();
      }
    }),
    { numRuns: triesOf(24) },
  );
  for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
});
