import { setTimeout } from 'node:timers/promises';
import type { AppContext } from '../../context.ts';
import { earlierEnded } from '../../db/dialect.ts';
import type { DeliveryRecord, WebhookRow } from '../../db/tables.ts';
import { defineRepeatedJob, type JobRun, leavesServer } from '../../jobs/define-job.ts';
import { inScope, SYSTEM } from '../../scope.ts';
import { attempt, resetFailures, setAside, storeFailure, storeSuccess } from './attempt.ts';
import { deliveryAfter, giveUpOld, latestDue, nextDelivery } from './deliveries.queries.ts';
import { type Agents, createAgents } from './post-message.ts';
import { WEBHOOK_JOB } from './webhook-job-kind.ts';
import { dueWebhooks, findWebhookRow } from './webhooks.queries.ts';

/** The interval at which a run looks for webhooks with new messages. */
const LOOK_MS = 250;
/** The longest wait for transactions that may still write an earlier event. */
const SETTLE_MS = 10_000;
const EVERY_MS = 15_000;

/**
 * Delivers the messages of all webhooks (HOOK-02). Only one process does this at a time, so that the messages of each
 * webhook are sent in the order of their events. Webhooks do not wait for each other. If the process is killed,
 * another one continues after the end of its lease, with the message that was being sent.
 */
export const webhookJob = defineRepeatedJob({
  kind: WEBHOOK_JOB,
  label: 'Avisos a los webhooks',
  every: EVERY_MS,
  early: EVERY_MS,
  runsHere: leavesServer,
  run: deliverAll,
});

async function deliverAll(context: AppContext, { signal, log }: JobRun): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const working = new Map<number, Promise<void>>();
  try {
    while (!stop.aborted) {
      for (const id of await dueWebhooks(context.db, context.now())) {
        if (working.has(id)) continue;
        const work = deliverTo(context, id, stop, log).finally(() => working.delete(id));
        working.set(id, work);
      }
      if (working.size === 0) return;
      await Promise.race([...working.values(), setTimeout(LOOK_MS, undefined, { ref: false })]);
    }
  } finally {
    failed.abort();
    await Promise.allSettled(working.values());
  }
}

/** Sends the due messages of one webhook, in order, until none is left or its receiver fails. */
async function deliverTo(
  context: AppContext,
  id: number,
  signal: AbortSignal,
  log: JobRun['log'],
): Promise<void> {
  const { db, now } = context;
  const agents = createAgents();
  try {
    while (!signal.aborted) {
      await giveUpOld(db, now(), id);
      const upTo = await latestDue(db, id, now());
      if (upTo === null) return;
      await earlierEnded(db, SETTLE_MS);
      if ((await deliverUpTo(context, id, upTo, { signal, agents, log })) === 'fails') return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    agents.destroy();
  }
}

type Way = { signal: AbortSignal; agents: Agents; log: JobRun['log'] };

/**
 * Sends the messages of the events up to a given one.
 * @returns 'fails' if the receiver fails, so that all messages wait
 */
async function deliverUpTo(
  context: AppContext,
  id: number,
  upTo: number,
  way: Way,
): Promise<'fails' | 'done'> {
  const { db, now } = context;
  while (!way.signal.aborted) {
    const webhook = await findWebhookRow(db, id);
    if (!webhook?.is_active || isWaiting(webhook, now())) return 'fails';
    const delivery = await nextDelivery(db, id, upTo, now());
    if (!delivery) return 'done';
    const { isAccepted, isDoubtful } = await send(context, webhook, delivery, way);
    if (isAccepted || !isDoubtful) continue;
    const following = await deliveryAfter(db, delivery, upTo, now());
    if (!following) return 'fails';
    // The receiver may refuse only this message; sending the next one shows whether it does.
    const probe = await send(context, webhook, following, way, delivery);
    if (!probe.isAccepted) return 'fails';
  }
  return 'done';
}

const isWaiting = ({ next_attempt_at }: WebhookRow, now: Date) =>
  next_attempt_at !== null && next_attempt_at > now.toISOString();

/**
 * Sends one message and stores the outcome.
 * @param refused the previous message, which is set aside if this one is accepted
 */
async function send(
  context: AppContext,
  webhook: WebhookRow,
  delivery: DeliveryRecord,
  { signal, agents, log }: Way,
  refused?: DeliveryRecord,
): Promise<{ isAccepted: boolean; isDoubtful: boolean }> {
  const made = await attempt(context, webhook, delivery, { signal, agents });
  const { status, problem } = made.outcome;
  const isAccepted = problem === null;
  if (!isAccepted)
    log.warn({ webhook: webhook.id, delivery: delivery.id, status, problem }, 'un webhook falló');
  return inScope(context, { actor: SYSTEM }, async (scope) => {
    if (!isAccepted) {
      const isProbe = refused !== undefined;
      return { isAccepted, ...(await storeFailure(scope, webhook.id, delivery, made, isProbe)) };
    }
    await storeSuccess(scope, webhook, delivery.id, made);
    if (refused) {
      await setAside(scope, refused);
      await resetFailures(scope.tx, webhook.id);
    }
    return { isAccepted, isDoubtful: false };
  });
}
