import { sql } from 'kysely';
import { z } from 'zod';
import { readBy } from '../../db/dialect.ts';
import type { Db, PaymentRequestRow } from '../../db/tables.ts';
import { defineJob, defineRepeatedJob, leavesServer } from '../../jobs/define-job.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { CLOSE_CHECKOUTS_JOB, endRequest, lockRequest } from '../payment-requests/close-request.ts';
import { askProviders, nextPoll } from './ask-providers.ts';
import { openAccount, PROVIDERS, providerActor, readAccounts } from './payment-accounts.ts';
import { closeSessions, isOutdated, lockRequestWithLines } from './payment-rows.ts';
import { findRequests } from './payments.queries.ts';
import { demoPayment } from './providers/demo.ts';
import { storeReport } from './store-report.ts';

/** The jobs of payments: requests expire, providers are asked, their pages are closed (PAY-01, PAY-04). */

const EXPIRED_AT_ONCE = 100;

/** Open requests whose time has passed and of which nothing came in, the oldest ends first. */
async function findEnded(db: Db, now: Date): Promise<{ id: number }[]> {
  const at = now.toISOString();
  const { rows } = await sql<{ id: number }>`
    select id from ${readBy(db, 'payment_requests', 'payment_requests_by_end')}
    where state = 'open' and expires_at < ${at} and paid_cents = 0 and withheld_cents = 0
      and (held_until is null or held_until < ${at})
    order by expires_at limit ${EXPIRED_AT_ONCE}`.execute(db);
  return rows;
}

/** Ends the requests whose time has passed, each in a separate transaction. */
export const paymentExpiryJob = defineRepeatedJob({
  kind: 'payment_expiry',
  label: 'Vencer cobros',
  every: 15_000,
  run: async (context, { signal }) => {
    for (;;) {
      const due = await findEnded(context.db, context.now());
      for (const { id } of due) {
        if (signal.aborted) return;
        await inScope(context, { actor: SYSTEM }, (scope) => expire(scope, id));
      }
      if (due.length < EXPIRED_AT_ONCE) return;
    }
  },
});

async function expire(scope: Scope, id: number): Promise<void> {
  const request = await lockRequest(scope.tx, id);
  if (request?.state !== 'open' || stateAt(request, scope.now) !== 'expired') return;
  await endRequest(scope, request, 'expired');
}

/**
 * Asks the providers of a request, and plans its next run. The time of the run is also stored in the request. If a
 * run is repeated, or replaced after a later choice of a provider, the times differ and the run does nothing.
 */
export const paymentPollJob = defineJob({
  kind: 'payment_poll',
  label: 'Preguntar por un pago al proveedor',
  payload: z.object({ request: z.number().int(), at: z.string() }),
  atOnce: 4,
  triesMax: Number.POSITIVE_INFINITY,
  runsHere: leavesServer,
  run: async (context, { request: id, at }) => {
    const [request] = await findRequests(context.db, [id]);
    if (request?.poll_at !== at) return;
    await askProviders(context, request);
    await inScope(context, { actor: SYSTEM }, async (scope) => {
      const now = await lockRequest(scope.tx, id);
      if (now?.poll_at === at) await planPoll(scope, now);
    });
  },
});

/** Plans the next look-up for a locked request. */
export async function planPoll(scope: Scope, request: PaymentRequestRow): Promise<void> {
  const at = nextPoll(request, scope.now);
  await scope.tx
    .updateTable('payment_requests')
    .set({ poll_at: at?.toISOString() ?? null })
    .where('id', '=', request.id)
    .execute();
  if (at) await paymentPollJob.enqueue(scope, { request: request.id, at: at.toISOString() }, { at });
}

/**
 * Ends the provider pages of a request that is no longer open, or of one that asks another amount since, if the provider
 * supports it, so that nobody pays there.
 */
export const closeCheckoutsJob = defineJob({
  kind: CLOSE_CHECKOUTS_JOB,
  label: 'Cerrar páginas de pago',
  payload: z.object({ request: z.number().int() }),
  atOnce: 2,
  triesMax: 20,
  runsHere: leavesServer,
  run: async (context, { request }) => {
    const { db, now } = context;
    const accounts = await readAccounts(db);
    const [found] = await findRequests(db, [request]);
    const open = await db
      .selectFrom('payment_checkouts')
      .select(['provider', 'session_id'])
      .where('request_id', '=', request)
      .where('provider', '=', 'stripe')
      .where('session_id', 'is not', null)
      .where('closed_at', 'is', null)
      .$if(found?.state === 'open', (query) => query.where(isOutdated))
      .execute();
    const account = openAccount(context, accounts.stripe);
    if (!account) return;
    for (const { session_id } of open) {
      await PROVIDERS.stripe.close?.(account, session_id!);
      const { over } = await PROVIDERS.stripe.fetch(account, session_id!);
      if (over) await closeSessions(db, 'stripe', [session_id!], now());
    }
  },
});

/** 'Pagar más tarde' of 'Pago de prueba': the payment arrives a minute later. */
export const demoPaymentJob = defineJob({
  kind: 'payment_demo',
  label: 'Pago de prueba que llega más tarde',
  payload: z.object({ request: z.number().int(), source: z.string() }),
  atOnce: 2,
  triesMax: 20,
  run: async (context, { request: id, source }) => {
    const { demo } = context.config;
    await inScope(context, { actor: providerActor('demo') }, async (scope) => {
      const locked = await lockRequestWithLines(scope, id);
      if (!locked) return;
      const chosen = await scope.tx
        .selectFrom('payments')
        .select('amount_cents')
        .where('provider', '=', 'demo')
        .where('source', '=', source)
        .executeTakeFirstOrThrow();
      // Like a voucher: it is paid with the amount that it was made for.
      const payment = demoPayment(locked.request, 'approved', scope.now, source);
      await storeReport(
        scope,
        id,
        'demo',
        { ...payment, amount: chosen.amount_cents },
        { demo, account: null },
      );
    });
  },
});
