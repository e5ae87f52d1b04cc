import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { CURRENCIES } from '../../contract/base/money.ts';
import { inOneSnapshot } from '../../server/db/dialect.ts';
import type { Db } from '../../server/db/tables.ts';
import { FOREVER, SALES } from '../../server/features/figures/day-facts.ts';
import { foldDays } from '../../server/features/figures/fold-days.ts';
import { wrongSums } from '../../server/features/figures/recount-sums.ts';
import { type FactSum, sumFacts } from '../../server/features/figures/sum-facts.ts';
import { sumReceivable } from '../../server/features/payments/receivable.queries.ts';
import type { RunningServer } from '../start-server.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, connections, newLicense, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

/** What was sold, collected and is receivable is exact at every moment, while several processes write (MONEY-04). */

const WORKERS = 8;
const REPLICAS = { sqlite: 1, postgres: 2 } as const;
const LASTS_MS = Number(process.env.MONEY_SECONDS ?? 25) * 1000;
const KILLS = 4;

test.for(ENGINES)(
  'sold, collected and receivable are exact while processes pay, refund and make the sums, %s',
  async (engine, context) => {
    const env = { ...(await engineEnv(engine)), ...SHARED };
    const replicas: RunningServer[] = [];
    for (let number = 0; number < REPLICAS[engine]; number += 1) replicas.push(await startForTest(env));
    const { token } = await signIn(replicas[0]!);
    const agent = connections(32);
    onTestFinished(() => agent.destroy());
    const licenses: { id: number; other: number }[] = [];
    for (let number = 0; number < WORKERS; number += 1) {
      const of = { price: 100 + number, expiry_days: 30, currency: number % 3 === 0 ? 'USD' : 'MXN' };
      const { id } = await newLicense(replicas[0]!, token, of);
      const software = await call(replicas[0]!, 'POST', '/licenses/api/software/', {
        token,
        body: { name: `Otro ${number}`, version: '1' },
      });
      licenses.push({ id, other: software.body.id });
    }

    let isOver = false;
    const done = { calls: 0, refused: 0, cutOff: 0, refunds: 0, folds: 0, compared: 0 };
    const ask = async (number: number, method: string, path: string, body: object) => {
      done.calls += 1;
      const server = replicas[(number + done.calls) % replicas.length]!;
      const answer = await call(server, method, `/licenses/api/${path}`, { token, agent, body }).catch(
        () => null,
      );
      if (answer === null) {
        done.cutOff += 1;
        await setTimeout(100);
      } else if (answer.status >= 400) done.refused += 1;
      return answer;
    };
    /** Each worker has a licence that is charged, paid in parts, sold by hand, moved and cancelled. */
    const worker = async (number: number) => {
      const { id, other } = licenses[number]!;
      for (let turn = 0; !isOver; turn += 1) {
        const lines = [{ license: id, kind: 'renewal', price: 10 + (turn % 7) + 0.37 }];
        const asked = await ask(number, 'POST', 'payment-requests/', { lines, tax_rate: 16, notify: false });
        // After a call that was cut off, the request is there already.
        const request: number | undefined = asked?.body?.payment_request ?? asked?.body?.id;
        if (request) {
          const path = `payment-requests/${request}/`;
          if (turn % 3 === 0)
            await ask(number, 'POST', `${path}mark_paid/`, { method: 'cash', amount: 3.01, withheld: 1 });
          if (turn % 5 === 4) await ask(number, 'POST', `${path}cancel/`, { reason: 'Desistió' });
          else await ask(number, 'POST', `${path}mark_paid/`, { method: 'cash' });
        }
        if (turn % 4 === 1) await ask(number, 'PUT', `licenses/${id}/`, { software: other });
        if (turn % 6 === 5) await ask(number, 'POST', `licenses/${id}/undo_renewal/`, {});
      }
    };

    await withDatabase(replicas[0]!, env, async (db) => {
      /** Another process than the servers makes the sums; of two at once one gives way. */
      const folder = async () => {
        while (!isOver) {
          await foldDays(db, { signal: new AbortController().signal, worthIt: 1 }).catch(() => 0);
          done.folds += 1;
          await setTimeout(20);
        }
      };
      /** Money goes back, as the reports of providers store it. */
      const refunder = async () => {
        while (!isOver) {
          const at = new Date().toISOString();
          const { numUpdatedRows } = await db
            .updateTable('payments')
            .set((eb) => ({ refunded_cents: eb(eb.ref('refunded_cents'), '+', 100), updated_at: at }))
            .where('id', '=', (eb) =>
              eb
                .selectFrom('payments')
                .select((of) => of.fn.max('id').as('id'))
                .where(sql`amount_cents`, '>', sql`refunded_cents + 100`),
            )
            .executeTakeFirst()
            .catch(() => ({ numUpdatedRows: 0n }));
          done.refunds += Number(numUpdatedRows);
          await setTimeout(15);
        }
      };
      const comparer = async () => {
        while (!isOver) {
          const sums = await sumsOf(db).catch(() => null);
          if (sums) expect(sums.figures).toEqual(sums.rows);
          done.compared += sums ? 1 : 0;
          await setTimeout(30);
        }
      };
      const work = Promise.all([
        ...Array.from({ length: WORKERS }, (_, number) => worker(number)),
        folder(),
        refunder(),
        comparer(),
      ]);
      // An error is thrown where the work is awaited.
      work.catch(() => {
        isOver = true;
      });
      for (let kills = 0; kills < KILLS && !isOver; kills += 1) {
        await setTimeout(LASTS_MS / (KILLS + 1));
        const victim = replicas[kills % replicas.length]!;
        await victim.kill();
        await victim.restart();
      }
      await setTimeout(LASTS_MS / (KILLS + 1));
      isOver = true;
      await work;
      await foldDays(db, { signal: new AbortController().signal, worthIt: 1 });
      const { figures, rows, payments } = await sumsOf(db);
      const wrong = await wrongSums(db);
      record(context, {
        promise: 'what was sold, collected and is still to be paid equals the rows at every moment',
        engine,
        tried: [
          `${REPLICAS[engine]} server(s) and the process that makes the sums, ${WORKERS} workers, ${KILLS} kills`,
          `${done.calls} calls, ${done.refused} refused, ${done.cutOff} cut off; ${payments} payments, ${done.refunds} refunds`,
          `${done.folds} times made, ${done.compared} times compared, ${wrong} sums differ at the end`,
        ].join('; '),
      });
      expect(figures).toEqual(rows);
      expect(wrong).toBe(0);
      expect(payments).toBeGreaterThan(20);
      expect(done.compared).toBeGreaterThan(20);
      expect(done.refunds).toBeGreaterThan(20);
    });
  },
);

const EVER = [{ since: '2000-01-01T05:00:00.000Z', until: FOREVER }];

/** The figures, and the same from the rows, in one snapshot; amounts are in minor units. */
function sumsOf(db: Db) {
  return inOneSnapshot(db, async (tx) => {
    const now = new Date();
    const [found] = await sumFacts(tx, [...SALES, 'collected'], EVER, {});
    const of = (currency: string, isOf: (sum: FactSum) => boolean) =>
      found!
        .filter((sum) => sum.currency === currency && isOf(sum))
        .reduce((sum, { cents }) => sum + cents, 0);
    const receivable = await sumReceivable(tx, now);
    const [terms, payments, requests] = await Promise.all([
      tx
        .selectFrom('license_terms')
        .innerJoin('licenses', 'licenses.id', 'license_terms.license_id')
        .where('licenses.status', '<>', 'cancelled')
        .select(['license_terms.currency', 'license_terms.price_cents', 'license_terms.is_test'])
        .execute(),
      tx.selectFrom('payments').selectAll().execute(),
      tx.selectFrom('payment_requests').selectAll().where('state', '=', 'open').execute(),
    ]);
    const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0);
    const inEach = (figures: (currency: string) => object) =>
      Object.fromEntries(CURRENCIES.map((currency) => [currency, figures(currency)]));
    return {
      payments: payments.length,
      figures: inEach((currency) => ({
        sold: of(currency, ({ fact }) => fact !== 'collected'),
        collected: of(currency, ({ fact }) => fact === 'collected'),
        receivable: Math.round((receivable.get(currency as 'MXN')?.due ?? 0) * 100),
      })),
      rows: inEach((currency) => {
        const isOwn = (row: { currency: string }) => row.currency === currency;
        return {
          sold: sum(
            terms.filter((term) => isOwn(term) && !term.is_test).map(({ price_cents }) => price_cents),
          ),
          collected: sum(
            payments
              .filter((one) => isOwn(one) && !one.is_test && one.state === 'approved')
              .map(({ amount_cents, refunded_cents }) => amount_cents - refunded_cents),
          ),
          receivable: sum(
            requests
              .filter(isOwn)
              .map(
                ({ amount_cents, paid_cents, withheld_cents }) => amount_cents - paid_cents - withheld_cents,
              ),
          ),
        };
      }),
    };
  });
}
