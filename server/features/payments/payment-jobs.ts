import { z } from 'zod';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { defineJob, defineRepeatedJob, leavesServer } from '../../jobs/define-job.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { CLOSE_CHECKOUTS_JOB, endRequest } from '../payment-requests/close-request.ts';
import {
  findRequests,
  lockRequest,
  type PaymentRequestRow,
} from '../payment-requests/payment-request.queries.ts';
import { askProviders, closeSessions, nextPoll, storeSeenPayment } from './ask-providers.ts';
import { openAccount, PROVIDERS, providerActor, readAccounts } from './payment-accounts.ts';
import { demoPayment } from './providers/demo.ts';
import { endDispute, takePayment } from './take-payment.ts';

/** The jobs of payments: requests expire, providers are asked, notifications are processed (PAY-01, PAY-04). */

const EXPIRED_AT_ONCE = 100;

/** Ends the requests whose time has passed, each in a separate transaction. */
export const paymentExpiryJob = defineRepeatedJob({
  kind: 'payment_expiry',
  label: 'Vencer cobros',
  every: 15_000,
  run: async (context, { signal }) => {
    for (;;) {
      const due = await context.db
        .selectFrom('payment_requests')
        .select('id')
        .where('state', '=', 'open')
        .where('expires_at', '<', context.now().toISOString())
        .orderBy('expires_at')
        .limit(EXPIRED_AT_ONCE)
        .execute();
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
  if (request?.state !== 'open' || request.expires_at >= scope.now.toISOString()) return;
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

/** Processes a notification: asks the provider for the payment that it concerns. */
export const paymentNoteJob = defineJob({
  kind: 'payment_note',
  label: 'Aviso de un proveedor de pagos',
  payload: z.object({ note: z.number().int() }),
  atOnce: 4,
  // With the growing waits it takes about a day; after that the poll job finds the payment.
  triesMax: 60,
  runsHere: leavesServer,
  run: async (context, { note: id }) => {
    const note = await context.db
      .selectFrom('payment_notes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (!note || note.done_at !== null) return;
    const { of, dispute } = noteDetails.parse(JSON.parse(note.details));
    const { provider, subject } = note;
    const known = of === 'intent' ? await paymentByIntent(context.db, provider, subject) : undefined;
    const source = of === 'source' ? subject : (known?.source ?? null);
    const account = openAccount(context, (await readAccounts(context.db))[provider]);
    if (source !== null && account) {
      const { seen } = await PROVIDERS[provider].fetch(account, source);
      const request = seen && (await requestByReference(context.db, seen.reference));
      if (seen && request) {
        await storeSeenPayment(context, request, provider, account, seen);
        await keepAsking(context, request.id);
      }
    }
    if (known && dispute !== null) {
      await inScope(context, { actor: providerActor(provider) }, (scope) =>
        endDispute(scope, known, dispute),
      );
    }
    await context.db
      .updateTable('payment_notes')
      .set({ done_at: context.now().toISOString() })
      .where('id', '=', id)
      .execute();
  },
});

/** If a request was no longer polled, polling starts again: it now has a payment, which may be refunded or disputed. */
const keepAsking = (context: AppContext, id: number) =>
  inScope(context, { actor: SYSTEM }, async (scope) => {
    const request = await lockRequest(scope.tx, id);
    if (request && request.poll_at === null) await planPoll(scope, request);
  });

const noteDetails = z.object({
  of: z.enum(['source', 'intent']),
  dispute: z.enum(['won', 'lost']).nullable(),
});

const paymentByIntent = (db: Db, provider: 'mercado_pago' | 'stripe', intent: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'request_id', 'source'])
    .where('provider', '=', provider)
    .where('provider_id', '=', intent)
    .executeTakeFirst();

/** The request with the reference in a provider's answer; undefined if it is not one of this installation. */
const requestByReference = async (db: Db, reference: string | null) =>
  reference === null
    ? undefined
    : db.selectFrom('payment_requests').select('id').where('reference', '=', reference).executeTakeFirst();

/**
 * Ends the provider pages of a request that is no longer open, if the provider supports it, so that nobody pays
 * there.
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
    const open = await db
      .selectFrom('payment_checkouts')
      .select(['provider', 'session_id'])
      .where('request_id', '=', request)
      .where('provider', '=', 'stripe')
      .where('session_id', 'is not', null)
      .where('closed_at', 'is', null)
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
    const [request] = await findRequests(context.db, [id]);
    if (!request) return;
    await inScope(context, { actor: providerActor('demo') }, (scope) =>
      takePayment(scope, id, 'demo', demoPayment(request, 'approved', scope.now, source), {
        demo: context.config.demo,
        account: null,
      }),
    );
  },
});

/** Deletes notifications after ninety days (PAY-04). */
export async function deletePastNotes(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - PAYMENT_LIMITS.noteDays * 24 * 60 * 60_000).toISOString();
  await db.deleteFrom('payment_notes').where('received_at', '<', before).execute();
}
