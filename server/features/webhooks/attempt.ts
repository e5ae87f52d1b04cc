import { WEBHOOK_FAILING_DAYS, WEBHOOK_MESSAGES } from '../../../contract/system/webhooks.ts';
import type { AppContext } from '../../context.ts';
import type { Db, DeliveryRecord, WebhookRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { insertAttempt, markDelivered, updateWaiting } from './deliveries.queries.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type Agents, type Outcome, postMessage } from './post-message.ts';
import { secretsOf } from './save-webhook.ts';
import { signedHeaders } from './signature.ts';
import { webhookRecord } from './webhook.record.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The waits after failures, one after another; the last one repeats (docs/webhooks.md). */
const WAITS_MS = [
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

/** After this many failures a message is set aside if its receiver accepts the next message. */
const TRIES_IN_TURN = 3;

/** The time of the next attempt. */
const retryAt = (now: Date, failures: number): string => {
  const wait = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1]!;
  return new Date(now.getTime() + wait).toISOString();
};

/** One attempt: its start, its duration, and its outcome. */
type Attempt = { at: Date; durationMs: number; byHand: boolean; outcome: Outcome };

type Message = Pick<DeliveryRecord, 'message_id' | 'body'>;
type AttemptOptions = { signal: AbortSignal; agents?: Agents; byHand?: boolean };

/** The outcome without a readable secret: nothing is sent, because the receiver could not trust it. */
const UNSIGNED: Outcome = { status: null, problem: 'secret', answer: null };

/**
 * Signs a message and sends it, outside of any transaction.
 * @throws the reason of `signal` when the server stops; AppError 409 conflict in a drill (OUTBOUND=0)
 */
export async function attempt(
  context: AppContext,
  webhook: WebhookRow,
  { message_id: id, body }: Message,
  { signal, agents, byHand = false }: AttemptOptions,
): Promise<Attempt> {
  if (!context.config.outbound)
    throw new AppError(409, 'conflict', { message: WEBHOOK_MESSAGES.outboundOff });
  const at = context.now();
  const from = performance.now();
  const timestamp = Math.floor(at.getTime() / SECOND_MS);
  const send = (secrets: string[]) => {
    const headers = {
      'content-type': 'application/json',
      'user-agent': `License-Manager/${context.config.version}`,
      ...signedHeaders({ id, timestamp, body }, secrets),
    };
    return postMessage(context, { url: webhook.url, headers, body }, { signal, ...(agents && { agents }) });
  };
  const secrets = secretsOf(context.secrets, webhook, at);
  const outcome = secrets === null ? UNSIGNED : await send(secrets);
  return { at, durationMs: Math.round(performance.now() - from), byHand, outcome };
}

/** Resets the failures after the receiver has accepted a message, so that waiting messages are sent at once. */
export async function resetFailures(tx: Db, webhookId: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ failures: 0, failing_since: null, next_attempt_at: null })
    .where('id', '=', webhookId)
    .execute();
}

/** Stores that a message was accepted. */
export async function storeSuccess(
  { tx, now }: Scope,
  { id, failing_since }: WebhookRow,
  deliveryId: number,
  made: Attempt,
): Promise<void> {
  await insertAttempt(tx, deliveryId, made);
  await markDelivered(tx, deliveryId, now);
  if (failing_since !== null) await resetFailures(tx, id);
}

/** Sets aside a message whose receiver accepts others: it is then tried separately, out of order. */
export const setAside = ({ tx, now }: Scope, { id, tries }: DeliveryRecord): Promise<void> =>
  updateWaiting(tx, id, { due_at: retryAt(now, tries + 1) });

/**
 * Stores that a message was not accepted, and when it is tried again. The whole webhook waits, so that its messages
 * stay in order; only a message that was set aside waits alone. The webhook is disabled at once if its receiver
 * answered 410, and after five days without any success.
 * @param isProbe true if the failure of the previous message was already counted
 * @returns whether the next message can show that the receiver refuses only this one
 */
export async function storeFailure(
  scope: Scope,
  webhookId: number,
  delivery: DeliveryRecord,
  made: Attempt,
  isProbe: boolean,
): Promise<{ isDoubtful: boolean }> {
  const { tx, now } = scope;
  const tries = delivery.tries + 1;
  await insertAttempt(tx, delivery.id, made);
  const isAside = delivery.due_at !== null;
  await updateWaiting(tx, delivery.id, { tries, ...(isAside && { due_at: retryAt(now, tries) }) });
  const [webhook] = await webhookRecord.lock(tx, [webhookId]);
  // Somebody disabled or deleted the webhook meanwhile.
  if (!webhook?.is_active) return { isDoubtful: false };
  if (made.outcome.status === 410) {
    await disableWebhook(scope, webhook, 'gone');
    return { isDoubtful: false };
  }
  if (isAside || isProbe) return { isDoubtful: false };
  const failing_since = webhook.failing_since ?? now.toISOString();
  const failures = webhook.failures + 1;
  await tx
    .updateTable('webhooks')
    .set({ failures, failing_since, next_attempt_at: retryAt(now, failures) })
    .where('id', '=', webhookId)
    .execute();
  if (now.getTime() - Date.parse(failing_since) >= WEBHOOK_FAILING_DAYS * DAY_MS) {
    await disableWebhook(scope, { ...webhook, failing_since }, 'failing');
    return { isDoubtful: false };
  }
  return { isDoubtful: tries >= TRIES_IN_TURN };
}
