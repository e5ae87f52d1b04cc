import { expect, test } from 'vitest';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { buildApp } from '../../../server/app.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../test/at-night.ts';
import { createLicense, createSoftware } from '../../../test/factories.ts';
import { FakeMercadoPago, FakeStripe, mpSignature } from '../../../test/payment-providers.ts';
import fc from '../../../test/properties.ts';
import { runJob } from '../../../test/run-job.ts';
import { paymentExpiryJob, paymentPollJob } from './payment-jobs.ts';
import { paymentNotificationJob } from './take-notification.ts';

/**
 * Random histories of payment requests on two servers with one database: provider choices, payments, notifications,
 * checks, polls, lost answers, parts, withheld taxes, and actions by people. After each step, receipts and sales are
 * computed again from the rows and from the fake providers' records, and what is due from the parts that calls were told
 * to be taken. Nothing may happen twice, or for a wrong amount (docs/promises.md, Money).
 */

const NOW = '2026-11-10T18:00:00.000Z';
const HOUR = 60 * 60_000;
const SECRET = 'mp-webhook-secret';
const REQUESTS = '/licenses/api/payment-requests/';

const ACTIONS = [
  'ask',
  'press',
  'pay',
  'pay oddly',
  'voucher',
  'money of a voucher',
  'note',
  'check',
  'poll',
  'pass',
  'cancel',
  'renew',
  'mark paid',
  'mark a part',
  'resolve',
  'refund',
  'refund there',
] as const;
const step = fc.record({
  // Choices of a provider and payments occur more often, because the other actions need them, and most refunds find no
  // payment.
  action: fc.constantFrom(
    ...ACTIONS,
    ...(['press', 'press', 'press', 'pay', 'pay', 'check', 'refund', 'refund', 'mark a part'] as const),
  ),
  pick: fc.nat(1000),
  /** How the providers behave during the step. */
  weather: fc.constantFrom('fine', 'fine', 'fine', 'away', 'cut'),
  /** Whether it is called twice at the same time, on both servers. */
  twice: fc.boolean(),
});

/** The ways in which providers behave. */
const WEATHER = {
  fine: () => undefined,
  away: () => ({ status: 503 }),
  cut: () => ({ cut: true }),
} as const;

type World = {
  t: TestApp;
  /** A second server with the same database. */
  other: TestApp;
  mp: FakeMercadoPago;
  stripe: FakeStripe;
  licenses: License[];
  /** The number of accepted renewals by hand, by licence. */
  byHand: Map<number, number>;
  /** The requested refunds in minor units, by payment and Idempotency-Key; also those on the provider's own site. */
  refunds: Map<number, Map<string, number>>;
  /** The addresses of provider pages that clients were given: nobody can pay on another page. */
  given: Set<unknown>;
  /** The payments that people recorded: every part whose call was answered with 200, in minor units, by request. */
  parts: Map<number, { amount: number; withheld: number }[]>;
  notifications: number;
};

async function newWorld(): Promise<World> {
  const mp = await new FakeMercadoPago('TEST-token-1234').start();
  const stripe = await new FakeStripe('sk_test_token1234').start();
  const t = await createTestApp({
    now: NOW,
    env: { MERCADO_PAGO_URL: mp.url, STRIPE_URL: stripe.url },
    closeAfterTest: false,
  });
  const app = await buildApp(t.context);
  await app.ready();
  const call: TestApp['call'] = async (method, url, { body, token, headers = {} } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token ?? t.token}` }) },
      ...(body !== undefined && { payload: body as object }),
    });
    const { headers: answered, body: text, rawPayload: bytes } = answer;
    return { status: answer.statusCode, headers: answered, body: answer.json(), text, bytes };
  };
  await t.call('PUT', '/licenses/api/settings/payments/', {
    body: {
      mercado_pago: { enabled: true, access_token: mp.token, webhook_secret: SECRET },
      stripe: { enabled: true, secret_key: stripe.token },
    },
  });
  const software = (await createSoftware(t)).id;
  const first = await createLicense(t, { software, price: 1000, expiry_days: 20 });
  const second = await createLicense(t, { software, client: first.client.id, price: 500, expiry_days: 40 });
  return {
    t,
    other: { ...t, app, call },
    mp,
    stripe,
    licenses: [first, second],
    byHand: new Map(),
    refunds: new Map(),
    given: new Set(),
    parts: new Map(),
    notifications: 0,
  };
}

/** Lets time pass; the providers forget the keys of refunds. */
async function pass(w: World, milliseconds: number) {
  w.t.clock.advance(milliseconds);
  for (const { kept } of [w.mp, w.stripe]) {
    for (const key of kept.keys()) if (key.includes('refunds')) kept.delete(key);
  }
  w.t.token = await signInAs(w.t, 'admin', 'admin123');
  await runJob(w.t.context, paymentExpiryJob);
}

const allRequests = (w: World) => w.t.db.selectFrom('payment_requests').selectAll().orderBy('id').execute();
const chosen = <One>(all: readonly One[], pick: number): One | undefined =>
  all[pick % Math.max(1, all.length)];

async function runDue(w: World, job: typeof paymentPollJob | typeof paymentNotificationJob) {
  const due = await w.t.db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', job.kind)
    .where('run_at', '<=', w.t.context.now().toISOString())
    .execute();
  for (const { id, payload } of due) {
    const done = await runJob(w.t.context, job as typeof paymentPollJob, undefined, payload).then(
      () => true,
      () => false,
    );
    // A failed job stays and is tried again, as with the runner.
    if (done) await w.t.db.deleteFrom('jobs').where('id', '=', id).execute();
  }
}

/** The data of one step: on which record, and whether it runs twice at once. */
type Step = { w: World; pick: number; twice: boolean };

/** Calls one server, or both at once; refused calls are ignored. */
const both = <Answer>({ w, pick, twice }: Step, work: (server: TestApp) => Promise<Answer>) =>
  Promise.all((twice ? [w.t, w.other] : [pick % 2 === 0 ? w.t : w.other]).map(work));

async function ofRequest(one: Step, path: string, body: object): Promise<void> {
  const request = chosen(await allRequests(one.w), one.pick);
  if (!request) return;
  await both(one, (server) => server.call('POST', `${REQUESTS}${request.id}/${path}/`, { body }));
}

/** What is left of a request by the parts that calls were told to be taken. */
const leftBy = ({ parts }: World, { id, amount_cents }: { id: number; amount_cents: number }): number =>
  (parts.get(id) ?? []).reduce((left, { amount, withheld }) => left - amount - withheld, amount_cents);

/** Records a payment by hand; the world notes what was taken of it, and never more than was left. */
async function mark(one: Step, part: { amount?: number; withheld?: number }): Promise<void> {
  const { w } = one;
  const request = chosen(await allRequests(w), one.pick);
  if (!request) return;
  const body = { method: 'cash', ...part };
  const left = leftBy(w, request);
  const answers = await both(one, (server) =>
    server.call('POST', `${REQUESTS}${request.id}/mark_paid/`, { body }),
  );
  const taken = w.parts.get(request.id) ?? [];
  w.parts.set(request.id, taken);
  const withheld = Math.round((part.withheld ?? 0) * 100);
  for (const { status } of answers) {
    if (status !== 200) continue;
    taken.push({
      withheld,
      amount: part.amount === undefined ? left - withheld : Math.round(part.amount * 100),
    });
  }
  expect(leftBy(w, request)).toBeGreaterThanOrEqual(0);
}

/** Cancels a request, with a reason or without; without one a part keeps it. */
async function cancel(one: Step): Promise<void> {
  const request = chosen(await allRequests(one.w), one.pick);
  if (!request) return;
  const reason = one.pick % 2 === 0 ? 'Se desistió' : '';
  const hadPart = leftBy(one.w, request) < request.amount_cents;
  const answers = await both(one, (server) =>
    server.call('POST', `${REQUESTS}${request.id}/cancel/`, { body: { reason } }),
  );
  if (hadPart && reason === '') for (const { status } of answers) expect([400, 409]).toContain(status);
}

async function onPage(one: Step, path: string, body: object): Promise<void> {
  const request = chosen(await allRequests(one.w), one.pick);
  if (!request) return;
  const { url } = (await one.w.t.call('GET', `${REQUESTS}${request.id}/`)).body;
  const page = `/licenses/api/pay/${url.split('/').at(-1)}/${path}/`;
  const answers = await both(one, (server) => server.call('POST', page, { token: null, body }));
  for (const answer of answers) one.w.given.add(answer.body.url);
}

const openSession = ({ stripe, given }: World) =>
  [...stripe.sessions.values()].find(({ status, url }) => status === 'open' && given.has(url));

function pay({ w, pick }: Step, isAltered: boolean): void {
  const { mp, stripe, t } = w;
  const at = t.context.now();
  const open = openSession(w);
  if (pick % 2 === 0 && mp.preferences.length > 0) {
    const { external_reference, items } = chosen(mp.preferences, pick >> 1)!;
    const [item] = items as { unit_price: number }[];
    mp.pay({ at, external_reference, transaction_amount: isAltered ? 1 : item!.unit_price });
  } else if (open) stripe.complete(open, at, 'paid', isAltered ? { amount_total: 1 } : {});
}

async function renewByHand({ w, pick }: Step): Promise<void> {
  const { id } = chosen(w.licenses, pick)!;
  const open = await w.t.db
    .selectFrom('payment_lines')
    .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    .select(['payment_requests.id', 'payment_requests.amount_cents'])
    .where('open_license_id', '=', id)
    .executeTakeFirst();
  const { status, body } = await w.t.call('POST', `/licenses/api/licenses/${id}/renew/`, {
    body: { notify: false },
  });
  if (status === 200) w.byHand.set(id, (w.byHand.get(id) ?? 0) + 1);
  const isPaidInPart = open !== undefined && leftBy(w, open) < open.amount_cents;
  expect([body.code, body.payment_request]).toEqual(
    isPaidInPart ? ['has_payments', open.id] : [undefined, undefined],
  );
}

/** Runs a job once, or twice at the same moment, like two replicas with a failed lease. */
const runJobs = async (
  { w, twice }: Step,
  job: typeof paymentPollJob | typeof paymentNotificationJob,
): Promise<void> => {
  await Promise.all((twice ? [1, 2] : [1]).map(() => runDue(w, job)));
};

const DO: Record<(typeof ACTIONS)[number], (one: Step) => unknown> = {
  ask: (one) => {
    const requested = one.pick % 3 === 0 ? one.w.licenses : [chosen(one.w.licenses, one.pick)!];
    const lines = requested.map(({ id }) => ({ license: id, kind: 'renewal' }));
    const body = { lines, expires_in_days: 1 + (one.pick % 3), notify: false };
    return both(one, (server) => server.call('POST', REQUESTS, { body }));
  },
  press: (one) => onPage(one, 'checkout', { provider: one.pick % 2 === 0 ? 'mercado_pago' : 'stripe' }),
  pay: (one) => pay(one, false),
  'pay oddly': (one) => pay(one, true),
  voucher: ({ w }) => {
    const open = openSession(w);
    if (open) w.stripe.complete(open, w.t.context.now(), 'voucher');
  },
  'money of a voucher': ({ w }) => {
    const waiting = [...w.stripe.sessions.values()].find(
      ({ status, payment_status }) => status === 'complete' && payment_status === 'unpaid',
    );
    if (waiting) w.stripe.complete(waiting, w.t.context.now());
  },
  note: async (one) => {
    const { w, pick } = one;
    const payment = chosen([...w.mp.payments.values()], pick);
    if (!payment) return;
    w.notifications += 1;
    const body = { id: w.notifications, type: 'payment', data: { id: String(payment.id) } };
    const url = `/licenses/api/payments/mercado_pago/notify/?data.id=${payment.id}&type=payment`;
    const headers = mpSignature(SECRET, payment.id, w.t.context.now());
    await both(one, (server) => server.call('POST', url, { token: null, body, headers }));
    await runJobs(one, paymentNotificationJob);
  },
  check: (one) => {
    one.w.t.clock.advance(6000);
    return onPage(one, 'check', {});
  },
  poll: async (one) => {
    await pass(one.w, HOUR);
    await runJobs(one, paymentPollJob);
  },
  pass: ({ w, pick }) => pass(w, (1 + (pick % 30)) * HOUR),
  cancel,
  renew: renewByHand,
  'mark paid': (one) => mark(one, {}),
  // A half, a third with a withheld tenth, a withheld tax alone, everything less a tax, or too much.
  'mark a part': (one) =>
    mark(
      one,
      [
        { amount: 250.5 * (1 + (one.pick % 3)) },
        { amount: 333.33, withheld: 100 },
        { amount: 0, withheld: 50 },
        { withheld: 80.01 },
        { amount: 1200, withheld: 900 },
      ][one.pick % 5]!,
    ),
  resolve: (one) =>
    ofRequest(one, 'resolve', { action: one.pick % 2 === 0 ? 'apply' : 'close', reason: 'Se decidió' }),
  refund: async (one) => {
    const payment = chosen(await one.w.t.db.selectFrom('payments').select('id').execute(), one.pick);
    if (!payment) return;
    const key = `refund-${one.pick % 5}`;
    const headers = { 'idempotency-key': key };
    const body = { amount: 100 * (1 + (one.pick % 3)) };
    const asked = one.w.refunds.get(payment.id) ?? new Map<string, number>();
    one.w.refunds.set(payment.id, asked);
    asked.set(key, Math.max(asked.get(key) ?? 0, body.amount * 100));
    await both(one, (server) =>
      server.call('POST', `/licenses/api/payments/${payment.id}/refund/`, { body, headers }),
    );
  },
  'refund there': ({ w, pick }) => refundThere(w, pick),
};

/** The vendor refunds a part of a payment on the provider's own site. */
async function refundThere(w: World, pick: number): Promise<void> {
  const known = w.t.db.selectFrom('payments').select(['id', 'source']).where('provider', '=', 'mercado_pago');
  const payment = chosen(await known.where('state', '=', 'approved').execute(), pick);
  const book = payment && w.mp.payments.get(Number(payment.source));
  if (!book) return;
  const after = Number(book.transaction_amount_refunded) + 100;
  if (book.status !== 'approved' || after >= book.transaction_amount) return;
  book.transaction_amount_refunded = after;
  const asked = w.refunds.get(payment.id) ?? new Map<string, number>();
  w.refunds.set(payment.id, asked.set(`there ${asked.size}`, 10_000));
}

type Books = Awaited<ReturnType<typeof booksOf>>;

/** The present rows, read once for an audit. */
async function booksOf({ t: { db } }: World, requests: Awaited<ReturnType<typeof allRequests>>) {
  return {
    requests,
    lines: await db.selectFrom('payment_lines').selectAll().execute(),
    payments: await db.selectFrom('payments').selectAll().execute(),
    events: await db.selectFrom('events').select(['type', 'subject_id', 'license_id']).execute(),
    receipts: await db.selectFrom('outbox').select('id').where('kind', '=', 'payment_received').execute(),
    terms: await db.selectFrom('license_terms').select(['id', 'license_id', 'price_cents']).execute(),
  };
}

/** Compares the rows with what must follow from them and from the providers' records. */
async function audit(w: World): Promise<Books> {
  const books = await booksOf(w, await allRequests(w));
  const applied = books.requests.filter(({ applied_at }) => applied_at !== null);
  expect(books.receipts).toHaveLength(applied.length);
  for (const { id } of w.licenses) auditLicense(w, books, id);
  for (const request of books.requests) await auditRequest(w, books, request);
  for (const payment of books.payments) auditPayment(w, books, payment);
  return books;
}

/**
 * A licence must have one term for its issue, one for each renewal by hand, and one for each applied request, at the
 * price in the request.
 */
function auditLicense(w: World, { lines, terms, events }: Books, id: number): void {
  const own = terms.filter(({ license_id }) => license_id === id);
  const sold = lines.filter(({ license_id, term_id }) => license_id === id && term_id !== null);
  expect([id, own.length]).toEqual([id, 1 + (w.byHand.get(id) ?? 0) + sold.length]);
  const renewed = events.filter(({ type, license_id }) => type === 'license.renewed' && license_id === id);
  expect(renewed).toHaveLength(own.length - 1);
  for (const line of sold) {
    expect(own.find((term) => term.id === line.term_id)?.price_cents).toBe(line.price_cents);
  }
  expect(lines.filter(({ open_license_id }) => open_license_id === id).length).toBeLessThanOrEqual(1);
}

/**
 * Nothing is applied without its money, and a received payment always changes the state of its request, or is a part of
 * it. What is due follows from the parts that calls were told to be taken.
 */
async function auditRequest(w: World, books: Books, request: Books['requests'][number]): Promise<void> {
  const { id, state, applied_at, amount_cents } = request;
  const own = books.lines.filter(({ request_id }) => request_id === id);
  const isApplied = applied_at !== null;
  expect(new Set(own.map(({ term_id }) => term_id !== null))).toEqual(new Set([isApplied]));
  expect(new Set(own.map((line) => line.open_license_id !== null))).toEqual(new Set([state === 'open']));
  if (state !== 'review') expect(isApplied).toBe(state === 'paid');
  const received = books.payments.filter((one) => one.request_id === id && one.paid_at !== null);
  if (isApplied) expect(received.length).toBeGreaterThan(0);
  const byProvider = received.filter(({ provider }) => provider !== 'manual');
  if (byProvider.length > 0) expect(['paid', 'review', 'cancelled']).toContain(state);
  if (received.length > 0) expect(state).not.toBe('expired');
  const left = leftBy(w, request);
  const taken = w.parts.get(id) ?? [];
  expect([id, left]).toEqual([
    id,
    received.reduce((sum, one) => {
      return one.provider === 'manual' ? sum - one.amount_cents - one.withheld_cents : sum;
    }, amount_cents),
  ]);
  if (state === 'open') {
    expect(left).toBeGreaterThan(0);
    expect([request.paid_cents, request.withheld_cents]).toEqual([
      taken.reduce((sum, { amount }) => sum + amount, 0),
      taken.reduce((sum, { withheld }) => sum + withheld, 0),
    ]);
  }
  const { body } = await w.t.call('GET', `${REQUESTS}${id}/`);
  expect([id, body.due]).toEqual([id, body.state === 'open' ? fromMinorUnits(left, 'MXN') : 0]);
  const kept = received.filter((one) => one.state === 'approved');
  expect([id, body.paid_amount]).toEqual([
    id,
    fromMinorUnits(
      kept.reduce((sum, one) => sum + one.amount_cents - one.refunded_cents, 0),
      'MXN',
    ),
  ]);
  // A payment with another amount than the rest is only applied by a person.
  const isRight = left === 0 || byProvider.some((one) => one.amount_cents === left);
  const isResolved = books.events.some(
    ({ type, subject_id }) => type === 'payment_request.resolved' && subject_id === id,
  );
  if (isApplied && !isRight) expect(isResolved).toBe(true);
}

function auditPayment(w: World, { events }: Books, payment: Books['payments'][number]): void {
  const { id, provider, source, paid_at, amount_cents, refunded_cents } = payment;
  const receivedEvents = events.filter(
    ({ type, subject_id }) => type === 'payment.received' && subject_id === id,
  );
  expect([id, receivedEvents.length]).toEqual([id, paid_at === null ? 0 : 1]);
  if (provider === 'stripe') expect(w.stripe.sessions.has(source!)).toBe(true);
  if (provider !== 'mercado_pago') return;
  const book = w.mp.payments.get(Number(source))!;
  expect(amount_cents).toBe(Math.round(book.transaction_amount * 100));
  const refunded = Math.round(Number(book.transaction_amount_refunded) * 100);
  expect(refunded_cents).toBeLessThanOrEqual(refunded);
  // No refund is made twice: a call that is repeated with its key is the same refund.
  const asked = w.refunds.get(id)?.values() ?? [];
  expect(refunded).toBeLessThanOrEqual([...asked].reduce((sum, cents) => sum + cents, 0));
}

/** In the end, every payment in the providers' records must be known here. */
async function settle(w: World): Promise<Books> {
  w.mp.alter = () => undefined;
  w.stripe.alter = () => undefined;
  for (let round = 0; round < 3; round++) {
    // The providers of a request that has a payment are asked once a day.
    await pass(w, 25 * HOUR);
    await runDue(w, paymentNotificationJob);
    await runDue(w, paymentPollJob);
  }
  const books = await audit(w);
  const references = new Set(books.requests.map(({ reference }) => reference));
  for (const payment of w.mp.payments.values()) {
    if (!references.has(String(payment.external_reference))) continue;
    const row = books.payments.find(({ source }) => source === String(payment.id));
    expect(row?.refunded_cents).toBe(Math.round(Number(payment.transaction_amount_refunded) * 100));
  }
  const sources = new Set(books.payments.map(({ source }) => source));
  for (const session of w.stripe.sessions.values()) {
    if (session.status === 'complete')
      expect([session.id, sources.has(session.id)]).toEqual([session.id, true]);
  }
  return books;
}

test('received money, sold terms and states are consistent after every step of any sequence (PAY-04, PAY-05, PAY-06)', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 240_000,
}, async () => {
  const counts = { applied: 0, reviews: 0, refunds: 0, parts: 0, inParts: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (history) => {
      const w = await newWorld();
      try {
        for (const one of [{ action: 'ask', pick: 0, weather: 'fine', twice: false } as const, ...history]) {
          w.mp.alter = WEATHER[one.weather];
          w.stripe.alter = WEATHER[one.weather];
          await DO[one.action]({ w, pick: one.pick, twice: one.twice });
          await audit(w);
        }
        const { requests, payments } = await settle(w);
        counts.applied += requests.filter(({ applied_at }) => applied_at !== null).length;
        counts.reviews += requests.filter(({ review_reason }) => review_reason !== null).length;
        const severalOf = ({ id }: { id: number }) => (w.parts.get(id) ?? []).length > 1;
        counts.parts += requests.filter(({ id }) => (w.parts.get(id) ?? []).length > 0).length;
        counts.inParts += requests.filter((one) => severalOf(one) && one.applied_at !== null).length;
        counts.refunds += payments.filter(({ refunded_cents }) => refunded_cents > 0).length;
      } finally {
        await w.other.app.close();
        await w.t.close();
        await w.mp.stop();
        await w.stripe.stop();
      }
    }),
    { numRuns: Number(process.env.PAYMENT_HISTORIES ?? 15) },
  );
  // Each kind of outcome must have occurred at least once.
  for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
});
