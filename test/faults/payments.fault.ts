import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Db } from '../../server/db/tables.ts';
import { mpSignature, startMercadoPago } from '../payment-providers.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

/** The number of kills on each engine, at different points of a payment's steps. */
const KILLS = Number(process.env.PAYMENT_KILLS ?? 200);
/** The number of payments in progress at each kill. */
const AT_ONCE = 4;
/** The kill happens at most this many milliseconds after a payment's first step. */
const WITHIN_MS = 250;
const SECRET = 'mp-webhook-secret';

type Way = { request: number; license: number; url: string };

/**
 * Each part came in once, its request says so while it is open, and each payment has one event (MONEY-06).
 * @returns how many came in
 */
async function auditParts(db: Db): Promise<number> {
  const manual = await db
    .selectFrom('payments')
    .select(['request_id', 'amount_cents', 'withheld_cents'])
    .where('provider', '=', 'manual')
    .execute();
  const parts = Map.groupBy(manual, ({ request_id }) => request_id);
  for (const [request, own] of parts) {
    expect([request, own]).toEqual([
      request,
      [{ request_id: request, amount_cents: 4000, withheld_cents: 500 }],
    ]);
  }
  const open = await db
    .selectFrom('payment_requests')
    .select(['id', 'paid_cents', 'withheld_cents'])
    .where('state', '=', 'open')
    .execute();
  for (const { id, paid_cents, withheld_cents } of open) {
    expect([id, paid_cents, withheld_cents]).toEqual([id, ...(parts.has(id) ? [4000, 500] : [0, 0])]);
  }
  const received = await db.selectFrom('payments').select('id').where('paid_at', 'is not', null).execute();
  const notified = await db
    .selectFrom('events')
    .select('subject_id')
    .where('type', '=', 'payment.received')
    .execute();
  const byId = (one: number | null, other: number | null) => Number(one) - Number(other);
  expect(notified.map(({ subject_id }) => subject_id).sort(byId)).toEqual(
    received.map(({ id }) => id).sort(byId),
  );
  return manual.length;
}

test.for(ENGINES)(
  'a payment that is interrupted by kill -9 at any step renews once, %s',
  { timeout: 30 * 60_000 },
  async (engine, context) => {
    const mp = await startMercadoPago();
    const env = { ...(await engineEnv(engine)), ...SHARED, MERCADO_PAGO_URL: mp.url };
    const server = await startForTest(env);
    const { token } = await signIn(server);
    const post = (path: string, body: object, signed = true) =>
      call(server, 'POST', path, { body, ...(signed && { token }) });
    await call(server, 'PUT', '/licenses/api/settings/payments/', {
      token,
      body: { mercado_pago: { enabled: true, access_token: mp.token, webhook_secret: SECRET } },
    });
    const { body: software } = await post('/licenses/api/software/', { name: 'Pagada', version: '1' });
    const { body: client } = await post('/licenses/api/clients/', {
      name: 'Quien paga',
      email: 'paga@example.com',
      phone: '5512345678',
    });
    const ways: Way[] = [];

    /** Requests a payment. Without an acknowledgement it counts as not requested. */
    async function ask(): Promise<Way> {
      const { body: license } = await post('/licenses/api/licenses/', {
        client: client.id,
        software: software.id,
        license_type: 'basic',
        price: 100,
        expiry_days: 20,
      });
      const { body } = await post('/licenses/api/payment-requests/', {
        lines: [{ license: license.id, kind: 'renewal' }],
        notify: false,
      });
      return { request: body.id, license: license.id, url: body.url };
    }

    /** Records a part by hand, as often as it is called once: each request has one key for it (MONEY-06). */
    const recordPart = ({ request }: Way) =>
      call(server, 'POST', `/licenses/api/payment-requests/${request}/mark_paid/`, {
        token,
        body: { method: 'cash', amount: 40, withheld: 5 },
        headers: { 'idempotency-key': `parte-${request}` },
      });
    const hasPart = ({ request }: Way) => request % 2 === 0;

    const pageOf = ({ url }: Way) => `/licenses/api/pay/${url.split('/').at(-1)}/`;

    /** The steps of a payment: start, money, notifications, check. Each call may be interrupted. */
    async function walk(way: Way): Promise<void> {
      const before = mp.preferences.length;
      const part = hasPart(way) ? recordPart(way).catch(() => undefined) : undefined;
      // Of a third, the part comes before the page asks its amount.
      if (way.request % 3 === 0) await part;
      await post(`${pageOf(way)}checkout/`, { provider: 'mercado_pago' }, false);
      const preference = mp.preferences.slice(before).at(-1) ?? mp.preferences.at(-1)!;
      const [item] = preference.items as { unit_price: number }[];
      const payment = mp.pay({
        at: new Date(),
        external_reference: preference.external_reference,
        transaction_amount: item!.unit_price,
      });
      const notify = `/licenses/api/payments/mercado_pago/notify/?data.id=${payment.id}&type=payment`;
      const body = { id: payment.id, type: 'payment', data: { id: String(payment.id) } };
      const headers = mpSignature(SECRET, payment.id, new Date());
      await Promise.all([
        call(server, 'POST', notify, { body, headers }),
        call(server, 'POST', notify, { body, headers }),
        post(`${pageOf(way)}check/`, {}, false),
        part,
      ]);
    }

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const round: Way[] = [];
      for (let n = 0; n < AT_ONCE; n += 1) round.push(await ask());
      ways.push(...round);
      const walking = Promise.allSettled(round.map(walk));
      await setTimeout(Math.random() * WITHIN_MS);
      await server.kill();
      await walking;
      await server.restart();
    }

    // A person repeats each part whose answer was lost, with its key.
    for (const way of ways.filter(hasPart)) {
      expect([200, 400, 409]).toContain((await recordPart(way)).status);
    }
    // Everything that was paid is renewed once the server has queried the provider, even if no notification is
    // repeated.
    const stateOf = async (way: Way) =>
      (await call(server, 'POST', `${pageOf(way)}check/`, { body: {} })).body.state as string;
    const isPaidThere = (reference: string) =>
      [...mp.payments.values()].some((one) => one.external_reference === reference);
    const rows = await withDatabase(server, env, (db) =>
      db.selectFrom('payment_requests').select(['id', 'reference']).execute(),
    );
    const references = new Map(rows.map(({ id, reference }) => [id, reference]));
    const wrong: string[] = [];
    let paid = 0;
    for (const way of ways) {
      const wasPaid = isPaidThere(references.get(way.request) ?? '');
      let state = await stateOf(way);
      for (let look = 0; look < 10 && wasPaid && state === 'open'; look += 1) {
        await setTimeout(5500);
        state = await stateOf(way);
      }
      // Two payments for one request, after a repeated start, need a review.
      if (wasPaid !== ['paid', 'review'].includes(state)) wrong.push(`${way.request}: ${wasPaid} ${state}`);
      if (wasPaid) paid += 1;
    }
    const counts = await withDatabase(server, env, async (db) => ({
      terms: await db
        .selectFrom('license_terms')
        .select(['license_id', (eb) => eb.fn.countAll<number>().as('n')])
        .groupBy('license_id')
        .execute(),
      receipts: await db.selectFrom('outbox').select('id').where('kind', '=', 'payment_received').execute(),
      applied: await db
        .selectFrom('payment_requests')
        .select('id')
        .where('applied_at', 'is not', null)
        .execute(),
    }));
    const parts = await withDatabase(server, env, auditParts);
    const ofWays = new Set(ways.map(({ license }) => license));
    const twice = counts.terms.filter(({ license_id, n }) => ofWays.has(license_id) && n > 2);
    record(context, {
      promise: 'A payment does its work once, also under kills: every paid request renewed, none twice',
      engine,
      tried: `${KILLS} kills, ${ways.length} requests, ${paid} paid, ${counts.applied.length} renewed, ${parts} parts, ${wrong.length} wrong`,
    });
    expect([wrong, twice]).toEqual([[], []]);
    expect(counts.receipts).toHaveLength(counts.applied.length);
  },
);
