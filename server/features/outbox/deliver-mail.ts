import type { FastifyBaseLogger } from 'fastify';
import type { AppContext } from '../../context.ts';
import type { OutboxRow } from '../../db/tables.ts';
import { type MailError, SEND_TIMEOUT_MS } from '../../lib/mailer.ts';
import { claimDueMessages, hasDueMessages, markFailed, markForRetry, markSent } from './outbox.queries.ts';

const POLL_MS = 2000;
const BATCH = 16;
/** Longer than a message can be in hand, clocks that differ a little allowed for: living hands are never robbed. */
export const CLAIM_MS = SEND_TIMEOUT_MS + 30_000;
const FIRST_RETRY_MS = 5000;
const RETRY_MS_MAX = 30 * 60_000;
/** With the waits above, about two days of trying. */
const ATTEMPTS_MAX = 100;
/** A server that is asked to stop waits this long for an answer that does not come; the message is tried again. */
const STOP_GRACE_MS = 3000;

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

export type OutboxWorker = {
  /** Looks for messages now, not only at the next turn. */
  nudge: () => void;
  /** Finishes what is in hand, gives up on what hangs, and stops. */
  stop: () => Promise<void>;
};

/** The wait before the next try: doubling, bounded, and spread so that a thousand messages do not come back at once. */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const wait = Math.min(RETRY_MS_MAX, FIRST_RETRY_MS * 2 ** (attempts - 1));
  return Math.round(wait * (0.75 + random() * 0.5));
}

/** Delivers what lies in the outbox, for as long as the server runs; any number of replicas may do so side by side. */
export function startOutboxWorker(
  context: Pick<AppContext, 'db' | 'mailer' | 'now' | 'config'>,
  log: Log,
): OutboxWorker {
  const abort = new AbortController();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  const turn = async () => {
    try {
      do {
        again = false;
        while (!stopped && (await hasDueMessages(context.db, context.now()))) {
          const messages = await claimDueMessages(context.db, BATCH, CLAIM_MS, context.now());
          // Due a moment ago, and another worker was faster.
          if (messages.length === 0) break;
          const results = await Promise.allSettled(
            messages.map((message) => deliver(context, message, log, abort.signal)),
          );
          for (const result of results) if (result.status === 'rejected') throw result.reason;
        }
      } while (again && !stopped);
    } catch (error) {
      log.error({ err: error }, 'el envío de correo se interrumpió; se reintentará');
    }
  };

  const run = () => {
    clearTimeout(timer);
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = turn().finally(() => {
      running = undefined;
      if (!stopped) timer = setTimeout(run, POLL_MS);
    });
  };

  timer = setTimeout(run, 0);
  return {
    nudge: run,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      const giveUp = setTimeout(() => abort.abort(), STOP_GRACE_MS);
      await running;
      clearTimeout(giveUp);
    },
  };
}

async function deliver(
  { db, mailer, now, config }: Pick<AppContext, 'db' | 'mailer' | 'now' | 'config'>,
  message: OutboxRow,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const attempts = message.attempts + 1;
  try {
    await mailer.send(
      {
        messageId: message.message_id,
        from: config.mailFrom,
        to: { name: message.to_name, address: message.to_address },
        subject: message.subject,
        text: message.body_text,
        html: message.body_html,
      },
      signal,
    );
  } catch (error) {
    // The mailer rejects with nothing else.
    const { message: text, permanent } = error as MailError;
    if (permanent || attempts >= ATTEMPTS_MAX) {
      await markFailed(db, message.id, attempts, text);
      log.error({ outbox: message.id, error: text }, 'el correo fue rechazado');
      return;
    }
    const at = new Date(now().getTime() + retryDelay(attempts));
    await markForRetry(db, message.id, { attempts, error: text, at });
    log.warn({ outbox: message.id, attempts, error: text }, 'el correo no salió; se reintentará');
    return;
  }
  await markSent(db, message.id, attempts, now());
  log.info({ outbox: message.id, attempts }, 'correo enviado');
}
