import { type Delivery, WEBHOOK_MESSAGES, WEBHOOK_TEST_TYPE } from '../../../contract/system/webhooks.ts';
import type { AppContext } from '../../context.ts';
import type { DeliveryRecord } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { attempt, resetFailures } from './attempt.ts';
import {
  findDeliveryRecord,
  insertAttempt,
  insertDelivery,
  markDelivered,
  toDelivery,
} from './deliveries.queries.ts';
import { createMessageId } from './signature.ts';
import { subjectOf } from './webhook.record.ts';
import { WEBHOOK_JOB } from './webhook-job-kind.ts';
import { findWebhook, findWebhookRow } from './webhooks.queries.ts';

/** Messages that a person sends: at once, and also to an inactive webhook. */

const NEVER = new AbortController().signal;

/** After a test or a repeated message was accepted, waiting messages are sent too. */
async function applyOutcome({ tx, nudgeJobs }: Scope, webhookId: number, isAccepted: boolean): Promise<void> {
  if (!isAccepted) return;
  await resetFailures(tx, webhookId);
  nudgeJobs(WEBHOOK_JOB);
}

const answerOf = async ({ tx }: Scope, webhookId: number, id: number): Promise<Delivery> =>
  toDelivery(tx, mustExist(await findDeliveryRecord(tx, webhookId, id), `delivery ${id}`));

/**
 * Sends an earlier message again, with the same id; a person can do this any number of times.
 * @returns the message after the attempt
 * @throws notFound (404) if the webhook was deleted
 */
export async function resendDelivery(context: AppContext, delivery: DeliveryRecord): Promise<Delivery> {
  const { id, webhook_id: webhookId } = delivery;
  const webhook = await findWebhookRow(context.db, webhookId);
  if (!webhook) throw notFound(WEBHOOK_MESSAGES.notFound);
  const made = await attempt(context, webhook, delivery, { signal: NEVER, byHand: true });
  return inScope(context, { actor: SYSTEM }, async (scope) => {
    const isAccepted = made.outcome.problem === null;
    await insertAttempt(scope.tx, id, made);
    if (isAccepted) await markDelivered(scope.tx, id, scope.now);
    await applyOutcome(scope, webhookId, isAccepted);
    return answerOf(scope, webhookId, id);
  });
}

/**
 * Sends a test message, which has the form of an event about the webhook itself.
 * @param requestId the id of the request for the test
 * @returns the message after the attempt
 * @throws notFound (404)
 */
export async function sendTest(
  context: AppContext,
  webhookId: number,
  { actor, requestId }: { actor: Scope['actor']; requestId: string },
): Promise<Delivery> {
  const at = context.now();
  const webhook = await findWebhookRow(context.db, webhookId);
  if (!webhook) throw notFound(WEBHOOK_MESSAGES.notFound);
  const message = {
    message_id: createMessageId(),
    body: JSON.stringify({
      type: WEBHOOK_TEST_TYPE,
      timestamp: at.toISOString(),
      data: {
        id: null,
        at: at.toISOString(),
        type: WEBHOOK_TEST_TYPE,
        actor,
        subject: { kind: 'webhook', ...subjectOf(webhook) },
        client: null,
        license: null,
        changes: {},
        reason: null,
        ip: null,
        request_id: requestId,
        record: await findWebhook(context.db, webhookId, at),
      },
    }),
  };
  const made = await attempt(context, webhook, message, { signal: NEVER, byHand: true });
  return inScope(context, { actor: SYSTEM }, async (scope) => {
    const isAccepted = made.outcome.problem === null;
    const id = await insertDelivery(
      scope.tx,
      {
        ...message,
        webhook_id: webhookId,
        event_id: null,
        type: WEBHOOK_TEST_TYPE,
        created_at: at.toISOString(),
      },
      { status: isAccepted ? 'delivered' : 'failed', finishedAt: scope.now.toISOString() },
    );
    await insertAttempt(scope.tx, id, made);
    await applyOutcome(scope, webhookId, isAccepted);
    return answerOf(scope, webhookId, id);
  });
}
