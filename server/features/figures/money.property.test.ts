import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { licenseCreate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { paymentRequestCreate, paymentRequestPaid } from '../../../contract/payments/payment-requests.ts';
import type { PaymentState } from '../../../contract/payments/payment-words.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import type { LicenseRecord, PaymentRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { addSeats } from '../licenses/add-seats.ts';
import { cancelLicense } from '../licenses/cancel-license.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { reinstateLicense } from '../licenses/reinstate-license.ts';
import { renewLicense } from '../licenses/renew-license.ts';
import { transferLicense } from '../licenses/transfer-license.ts';
import { undoRenewal } from '../licenses/undo-renewal.ts';
import { cancelRequestOf } from '../payment-requests/close-request.ts';
import { createRequest } from '../payments/create-request.ts';
import { paymentExpiryJob } from '../payments/payment-jobs.ts';
import { cancelRequest, markPaid } from '../payments/request-actions.ts';
import { storeReport } from '../payments/store-report.ts';
import { foldDays } from './fold-days.ts';
import { wrongSums } from './recount-sums.ts';

/**
 * Random histories of licences, payment requests and payments over months: in several currencies, with taxes, refunds
 * in parts and chargebacks. Sold, collected and receivable must each equal a sum over the rows, whenever the sums by
 * day are made (MONEY-04).
 */

/** MONEY_TRIES=500 takes minutes. */
const TRIES = Number(process.env.MONEY_TRIES ?? triesOf(24));
const START = Date.parse('2026-01-10T12:00:00.000Z');
const HOUR = 3_600_000;
const CURRENCIES = ['MXN', 'USD', 'CLP'] as const;
type Money = (typeof CURRENCIES)[number];

const which = fc.nat(11);
const price = fc.integer({ min: 1, max: 90_000 });

const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('issue' as const),
      client: fc.nat(1),
      software: fc.nat(1),
      status: fc.constantFrom('active', 'active', 'active', 'trial'),
      isCourtesy: fc.constantFrom(false, false, true),
      currency: fc.constantFrom('MXN' as const, 'MXN' as const, 'USD' as const, 'CLP' as const),
      price,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      which,
      lines: fc.integer({ min: 1, max: 4 }),
      tax: fc.constantFrom(0, 16, 19, 7.25),
      days: fc.integer({ min: 1, max: 60 }),
      price: fc.option(price),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('mark paid' as const),
      which,
      /** How many days ago it was paid. */
      ago: fc.option(fc.integer({ min: 1, max: 40 })),
      /** Percent of what is due that came in, and that was withheld. */
      part: fc.constantFrom(100, 100, 30, 60, 0),
      withheld: fc.constantFrom(0, 0, 0, 2, 10),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      which,
      /** A new payment of a request, or one that is known. */
      isNew: fc.boolean(),
      state: fc.constantFrom<PaymentState>(
        'pending',
        'failed',
        'approved',
        'approved',
        'approved',
        'refunded',
        'charged_back',
      ),
      /** Percent of the amount that came in. */
      share: fc.constantFrom(100, 100, 100, 50, 110),
      /** Percent of it that went back. */
      back: fc.constantFrom(0, 0, 1, 33, 67, 100),
      dispute: fc.constantFrom('open' as const, 'lost' as const, 'won' as const),
      isTest: fc.constantFrom(false, false, false, true),
      late: fc.integer({ min: 0, max: 72 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'renew' as const,
        'add seats' as const,
        'undo' as const,
        'cancel' as const,
        'reinstate' as const,
        'delete' as const,
        'transfer' as const,
      ),
      which,
      price,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel request' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('other software' as const), which, software: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const) }) },
);
const folds = fc.oneof(
  { weight: 3, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const step = fc.record({ wait: fc.integer({ min: 0, max: 12 * 24 }), folds, act });
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
type Step = { wait: number; folds: boolean; act: Act };

/** The licences with which each history begins, so that there is something to pay for. */
const FIRST: Step[] = (['MXN', 'MXN', 'USD', 'MXN', 'CLP', 'USD'] as const).map((currency, index) => ({
  wait: 1,
  folds: false,
  act: {
    do: 'issue',
    client: index % 4 === 2 ? 1 : 0,
    software: index % 2,
    status: 'active',
    isCourtesy: false,
    currency,
    price: 70_001 + index,
  },
}));

type Ground = { clients: number[]; software: number[]; types: Record<Money, number> };

/** What came in or went back as a whole, as it was seen after a step; `before` is what it was before. */
type Move = { request: number; at: string; currency: string; sign: 1 | -1; before: number; total: number };

type World = {
  t: TestApp;
  ground: Ground;
  /** The payments after the last step. */
  known: Map<number, PaymentRow>;
  moves: Move[];
  /** The software of each line's licence; that of a deleted licence stays. */
  softwareOf: Map<number, number>;
  sources: number;
  /** How many moves were compared that are of several software. */
  shared: number;
};

describe.each(['America/Mexico_City', 'Pacific/Auckland'])('in the time zone %s', (timeZone) => {
  let t: TestApp;
  let ground: Ground;
  beforeAll(async () => {
    const now = new Date(START).toISOString();
    t = await createTestApp({ now, closeAfterTest: false, env: { BUSINESS_TIMEZONE: timeZone } });
    const types = {} as Record<Money, number>;
    for (const currency of CURRENCIES)
      types[currency] = (await createLicenseType(t, { currency, base_price: 777 })).id;
    ground = {
      clients: [(await createClient(t)).id, (await createClient(t)).id],
      software: [(await createSoftware(t)).id, (await createSoftware(t)).id],
      types,
    };
    return t.close;
  });

  test('sold, collected and receivable equal sums over the rows, for random histories (MONEY-04)', async () => {
    const counts = { collected: 0, back: 0, receivable: 0, shared: 0, parts: 0, seats: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60 }), async (steps) => {
        const world = await live(t, ground, steps);
        t.token = await signInAs(t, 'admin', 'admin123');
        await compare(world);
        await foldDays(t.db, { signal: NEVER_ABORTED, worthIt: 0, settleMs: 0 });
        await compare(world);
        expect(await wrongSums(t.db)).toBe(0);
        counts.collected += world.moves.length;
        counts.back += world.moves.filter(({ sign }) => sign < 0).length;
        counts.seats += (
          await t.db.selectFrom('license_terms').select('id').where('kind', '=', 'seats').execute()
        ).length;
        const open = await openRequests(world);
        counts.receivable += open.length;
        counts.parts += open.filter(({ settled }) => settled > 0).length;
        counts.shared += world.shared;
      }),
      { numRuns: TRIES },
    );
    // Each kind of outcome must have occurred.
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
  }, 3_600_000);
});

const NEVER_ABORTED = new AbortController().signal;

async function live(t: TestApp, ground: Ground, steps: Step[]): Promise<World> {
  t.clock.set(new Date(START));
  for (const table of ['payments', 'payment_requests', 'licenses'] as const)
    await t.db.deleteFrom(table).execute();
  const world: World = {
    t,
    ground,
    known: new Map(),
    moves: [],
    softwareOf: new Map(),
    sources: 0,
    shared: 0,
  };
  for (const { wait, folds: isNight, act: asked } of [...FIRST, ...steps]) {
    t.clock.advance(wait * HOUR + 61_007);
    if (isNight) await foldDays(t.db, { signal: NEVER_ABORTED, worthIt: 0, settleMs: 0 });
    try {
      await doIt(world, asked);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    await see(world);
  }
  t.clock.advance(HOUR);
  return world;
}

const isReceived = ({ state, is_test }: PaymentRow) =>
  !is_test && (state === 'approved' || state === 'refunded' || state === 'charged_back');
const cameIn = (row: PaymentRow | undefined) => (row && isReceived(row) ? row.amount_cents : 0);
const wentBack = (row: PaymentRow | undefined) =>
  row && isReceived(row) ? (row.dispute === 'lost' ? row.amount_cents : row.refunded_cents) : 0;

/** Compares the payments with those of before the step: the day of a refund is that of the step. */
async function see(world: World): Promise<void> {
  const { t, known, moves, softwareOf } = world;
  const at = t.context.now().toISOString();
  for (const row of await t.db.selectFrom('payments').selectAll().execute()) {
    const before = known.get(row.id);
    const { request_id: request, currency } = row;
    if (cameIn(row) !== cameIn(before)) {
      moves.push({
        request,
        at: row.paid_at!,
        currency,
        sign: 1,
        before: cameIn(before),
        total: cameIn(row),
      });
    }
    if (wentBack(row) !== wentBack(before)) {
      moves.push({ request, at, currency, sign: -1, before: wentBack(before), total: wentBack(row) });
    }
    known.set(row.id, row);
  }
  const lines = await t.db
    .selectFrom('payment_lines')
    .innerJoin('licenses', 'licenses.id', 'payment_lines.license_id')
    .select(['payment_lines.id', 'licenses.software_id'])
    .execute();
  for (const { id, software_id } of lines) softwareOf.set(id, software_id);
}

type Kind = Act['do'];
type ActOf<Name extends Kind, One = Act> = One extends { do: string }
  ? Name extends One['do']
    ? One
    : never
  : never;
type Scoped = Parameters<typeof storeReport>[0];
type Doing<Name extends Kind> = {
  world: World;
  scope: Scoped;
  asked: ActOf<Name>;
  licenses: LicenseRecord[];
  /** The licence that the step is about. */
  chosen: LicenseRecord;
};

async function doIt(world: World, asked: Act): Promise<void> {
  const { t } = world;
  if (asked.do === 'expire') {
    await runJob(t.context, paymentExpiryJob);
    return;
  }
  const licenses = await t.db.selectFrom('licenses').selectAll().orderBy('id').execute();
  const chosen = 'which' in asked ? licenses[asked.which % Math.max(1, licenses.length)] : undefined;
  if (!chosen && asked.do !== 'issue') return;
  const act = DO[asked.do] as (doing: object) => Promise<unknown>;
  await asSystem(t, (scope) => act({ world, scope, asked, licenses, chosen }));
}

/** Each step does what the call of the console does, with the same function. */
const DO: { [Name in Exclude<Kind, 'expire'>]: (doing: Doing<Name>) => Promise<unknown> } = {
  issue: ({ world: { ground }, scope, asked }) => {
    const { client, software, status, currency, price: amount } = asked;
    const values = {
      client: ground.clients[client],
      software: ground.software[software],
      license_type_config: ground.types[currency],
      license_type: 'premium',
      status,
      currency,
      expiry_days: 90,
      max_installations: 1,
      ...(asked.isCourtesy ? { complimentary: true } : { price: inUnits(amount, currency) }),
    };
    return issueLicense(scope, licenseCreate.parse(values));
  },
  ask: ({ world: { ground }, scope, asked, licenses, chosen }) => {
    const own = licenses.filter(
      (one) => one.client_id === chosen.client_id && one.currency === chosen.currency,
    );
    const first = own.indexOf(chosen);
    const lines = [...own.slice(first), ...own.slice(0, first)].slice(0, asked.lines).map((one, index) => ({
      license: one.id,
      kind: 'renewal',
      ...(one.status === 'trial' && { license_type_config: ground.types[one.currency as Money] }),
      ...(asked.price !== null && { price: inUnits(asked.price + index, one.currency as Money) }),
    }));
    const body = { lines, tax_rate: asked.tax, expires_in_days: asked.days, notify: false };
    return createRequest(scope, paymentRequestCreate.parse(body), { anyTerms: true });
  },
  'mark paid': async ({ world, scope, asked }) => {
    const request = await openRequest(world, asked.which);
    if (!request) return;
    const paid_at = new Date(scope.now.getTime() - (asked.ago ?? 0) * 24 * HOUR).toISOString();
    const percent = (share: number) => Math.floor((request.due * share) / 100) / decimalsOf(request.currency);
    const parts = {
      ...(asked.part !== 100 && { amount: percent(asked.part) }),
      ...(asked.withheld !== 0 && { withheld: percent(asked.withheld) }),
    };
    await markPaid(scope, request.id, paymentRequestPaid.parse({ method: 'cash', paid_at, ...parts }));
  },
  'cancel request': async ({ world, scope, asked }) => {
    const request = await openRequest(world, asked.which);
    if (request) await cancelRequest(scope, request.id, { reason: 'Desistió' });
  },
  report: ({ world, scope, asked }) => report(world, scope, asked),
  renew: ({ world: { ground }, scope, asked, chosen }) => {
    const currency = chosen.currency as Money;
    const terms = { license_type_config: ground.types[currency], price: inUnits(asked.price, currency) };
    return renewLicense(scope, chosen.id, VERBS.renew.body.parse({ notify: false, ...terms }));
  },
  'add seats': ({ scope, asked, chosen }) => {
    const price = inUnits(asked.price, chosen.currency as Money);
    return addSeats(
      scope,
      chosen.id,
      VERBS.add_seats.body.parse({ quantity: 1 + asked.which, price, notify: false }),
    );
  },
  undo: ({ scope, chosen }) => undoRenewal(scope, chosen.id),
  cancel: ({ scope, chosen }) => cancelLicense(scope, chosen.id, { notify: false, reason: '' }),
  reinstate: ({ scope, chosen }) => reinstateLicense(scope, chosen.id, { extend: false, notify: false }),
  delete: ({ scope, chosen }) => deleteLicense(scope, chosen.id),
  transfer: ({ world: { ground }, scope, asked, chosen }) => {
    const client = ground.clients[asked.which % 2];
    return transferLicense(scope, chosen.id, VERBS.transfer.body.parse({ client, notify: false }));
  },
  'other software': ({ world: { ground }, scope, asked, chosen }) =>
    changeLicense(scope, chosen.id, licenseUpdate.parse({ software: ground.software[asked.software] })),
};

/** Deletes a licence as the call does: its open request is cancelled. */
async function deleteLicense(scope: Scoped, id: number): Promise<void> {
  await cancelRequestOf(scope, id);
  await scope.tx.deleteFrom('licenses').where('id', '=', id).execute();
}

async function openRequest(world: World, pick: number) {
  const open = await openRequests(world);
  return open[pick % Math.max(1, open.length)];
}

const decimalsOf = (currency: string) => (currency === 'CLP' ? 1 : 100);
/** Prices with cents where the currency has them. */
const inUnits = (cents: number, currency: Money) => cents / decimalsOf(currency);

/** A provider reports a payment: of any request, also of one that has ended. */
async function report(world: World, scope: Scoped, asked: ActOf<'report'>): Promise<void> {
  const { t } = world;
  const now = t.context.now();
  const requests = await t.db.selectFrom('payment_requests').selectAll().orderBy('id').execute();
  const reported = [...world.known.values()].filter(({ source }) => source !== null);
  const payment = asked.isNew ? undefined : reported[asked.which % Math.max(1, reported.length)];
  const request =
    (payment && requests.find(({ id }) => id === payment.request_id)) ??
    requests[asked.which % Math.max(1, requests.length)];
  if (!request) return;
  world.sources += 1;
  const amount = payment?.amount_cents ?? Math.floor((request.amount_cents * asked.share) / 100);
  const isBack = asked.state === 'refunded' ? 100 : asked.back;
  await storeReport(
    scope,
    request.id,
    'mercado_pago',
    {
      source: payment?.source ?? `p${world.sources}`,
      providerId: payment?.provider_id ?? `p${world.sources}`,
      reference: request.reference,
      account: '1',
      state: asked.state,
      amount,
      refunded: Math.floor((amount * isBack) / 100),
      currency: payment?.currency ?? (asked.which === 11 ? 'GTQ' : request.currency),
      method: 'card',
      isTest: payment?.is_test ?? asked.isTest,
      createdAt: null,
      paidAt: asked.state === 'pending' ? null : new Date(now.getTime() - asked.late * HOUR).toISOString(),
      dispute: asked.state === 'charged_back' ? asked.dispute : null,
    },
    { demo: false, account: '1' },
  );
}

/** The requests that a client can pay now, with what is due by their payments: one with a part does not expire. */
async function openRequests({ t }: World) {
  const now = t.context.now().toISOString();
  const open = await t.db.selectFrom('payment_requests').selectAll().where('state', '=', 'open').execute();
  const payments = await t.db.selectFrom('payments').selectAll().where('state', '=', 'approved').execute();
  return open
    .map((request) => {
      const own = payments.filter(({ request_id, is_test }) => request_id === request.id && !is_test);
      const settled = sumOf(own, (one) => one.amount_cents - one.refunded_cents + one.withheld_cents);
      return { ...request, settled, due: request.amount_cents - settled };
    })
    .filter(({ expires_at, settled }) => expires_at >= now || settled > 0);
}

const sumOf = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);

/** The share of a line in an amount: cut off, and the last line has the rest. */
function shareOf(
  lines: { id: number; price_cents: number }[],
  subtotal: number,
  line: number,
  total: number,
): number {
  const share = (price: number) =>
    subtotal === 0 ? 0 : Number((BigInt(total) * BigInt(price)) / BigInt(subtotal));
  const last = lines.at(-1)!;
  if (line !== last.id) return share(lines.find(({ id }) => id === line)!.price_cents);
  return total - sumOf(lines.slice(0, -1), ({ price_cents }) => share(price_cents));
}

async function compare(world: World): Promise<void> {
  const { t, ground } = world;
  const { timeZone } = t.context.config;
  const now = t.context.now();
  const today = localDay(now, timeZone);
  const [terms, licenses, requests, lines] = await Promise.all([
    t.db.selectFrom('license_terms').selectAll().execute(),
    t.db.selectFrom('licenses').selectAll().execute(),
    t.db.selectFrom('payment_requests').selectAll().execute(),
    t.db.selectFrom('payment_lines').selectAll().orderBy('position').execute(),
  ]);
  const licenseOf = new Map(licenses.map((one) => [one.id, one]));
  const requestOf = new Map(requests.map((one) => [one.id, one]));
  const linesOf = Map.groupBy(lines, ({ request_id }) => request_id);
  const isIn = (at: string, from: string, to: string) => {
    const day = localDay(at, timeZone);
    return day >= from && day <= to;
  };
  const termsSold = (currency: string, from: string, to: string, software: number | null) =>
    terms.filter((term) => {
      const license = licenseOf.get(term.license_id)!;
      return (
        license.status !== 'cancelled' &&
        !term.is_test &&
        !term.is_free &&
        !term.complimentary &&
        term.currency === currency &&
        (software === null || license.software_id === software) &&
        isIn(term.created_at, from, to)
      );
    });
  const sold = (...of: Parameters<typeof termsSold>) =>
    sumOf(termsSold(...of), ({ price_cents }) => price_cents);
  const collected = (currency: string, from: string, to: string, software: number | null) =>
    sumOf(
      world.moves.filter((move) => move.currency === currency && isIn(move.at, from, to)),
      ({ request, sign, before, total }) => {
        if (software === null) return sign * (total - before);
        const own = linesOf.get(request)!;
        const { subtotal_cents } = requestOf.get(request)!;
        const ofSoftware = own.filter(({ id }) => (world.softwareOf.get(id) ?? -1) === software);
        if (ofSoftware.length > 0 && ofSoftware.length < own.length) world.shared += 1;
        return sumOf(
          ofSoftware,
          ({ id }) =>
            sign * (shareOf(own, subtotal_cents, id, total) - shareOf(own, subtotal_cents, id, before)),
        );
      },
    );

  const asked = await t.call('GET', '/licenses/api/statistics/today/');
  expect(asked.status).toBe(200);
  const month = today.slice(0, 7);
  const previous = addDays(`${month}-01`, -1).slice(0, 7);
  const open = await openRequests(world);
  for (const currency of CURRENCIES) {
    const found = asked.body.money.find((one: { currency: string }) => one.currency === currency);
    const due = open.filter((one) => one.currency === currency);
    const expected = {
      currency,
      sold: sold(currency, `${month}-01`, today, null),
      sold_last_month_to_date: sold(currency, `${previous}-01`, `${previous}${today.slice(7)}`, null),
      collected: collected(currency, `${month}-01`, today, null),
      receivable: sumOf(due, (one) => one.due),
      receivable_count: due.length,
    };
    const inCents = found && {
      ...found,
      ...Object.fromEntries(
        (['sold', 'sold_last_month_to_date', 'collected', 'receivable'] as const).map((name) => [
          name,
          Math.round(found[name] * decimalsOf(currency)),
        ]),
      ),
    };
    expect(inCents ?? { ...NOTHING, currency }).toEqual(expected);
  }

  const from = addDays(today, -100);
  for (const software of [null, ...ground.software]) {
    const query = new URLSearchParams({
      from,
      to: today,
      ...(software !== null && { software: `${software}` }),
    });
    const { body } = await t.call('GET', `/licenses/api/reports/revenue/?${query}`);
    for (const row of body.months) {
      const { currency } = row;
      const inCents = (amount: number) => Math.round(amount * decimalsOf(currency));
      expect({
        software,
        month: row.month,
        currency,
        count: row.count,
        sold: inCents(row.total),
        collected: inCents(row.collected),
      }).toEqual({
        software,
        month: row.month,
        currency,
        count: termsSold(currency, row.from, row.to, software).length,
        sold: sold(currency, row.from, row.to, software),
        collected: collected(currency, row.from, row.to, software),
      });
    }
    for (const currency of CURRENCIES) {
      const found = body.totals.find((one: { currency: string }) => one.currency === currency);
      expect([currency, Math.round((found?.collected ?? 0) * decimalsOf(currency))]).toEqual([
        currency,
        collected(currency, from, today, software),
      ]);
    }
  }
}

/** What is answered about a currency without money: no entry. */
const NOTHING = { sold: 0, sold_last_month_to_date: 0, collected: 0, receivable: 0, receivable_count: 0 };
