import { z } from 'zod';
import { MAIL_MESSAGES } from '../../../contract/mail/mails.ts';
import type { AppContext } from '../../context.ts';
import { lockRowsOf } from '../../db/dialect.ts';
import type { OutboxRow } from '../../db/tables.ts';
import { conflict } from '../../errors.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { mailJob } from './mail-job.ts';
import { sealedFor } from './outbox.queries.ts';
import { withPresentKeys } from './present-keys.ts';
import { presentRecipient } from './resend-mail.ts';
import { countWaiting, stillTrue, waitingMails } from './waiting-mails.queries.ts';

/** 'Enviar los N que esperan': mails that were only written to the folder, once there is a mail server (DESK-07). */

/** Mails in one transaction. */
const BATCH = 100;

export const waitingMailsJob = defineJob({
  kind: 'waiting-mails',
  label: 'Enviar los correos que esperan',
  payload: z.object({}),
  atOnce: 1,
  triesMax: 20,
  run: async (context, _payload, { signal, progressed }) => {
    for (let after = 0; ; ) {
      if (signal.aborted) throw signal.reason;
      const last = await inScope(context, { actor: SYSTEM }, (scope) => queueBatch(scope, after));
      if (last === null) return;
      await progressed?.();
      after = last;
    }
  },
});

/**
 * Queues the next mails again. They keep their row and their Message-ID, so a mail that is queued by two runs is sent
 * once.
 * @returns the id of the last one that was looked at; null at the end
 */
async function queueBatch(scope: Scope, after: number): Promise<number | null> {
  const { tx, now } = scope;
  const next = waitingMails(tx, now)
    .selectAll('outbox')
    .where('outbox.id', '>', after)
    .orderBy('outbox.id')
    .limit(BATCH);
  const rows = await lockRowsOf(tx, next, 'outbox').execute();
  for (const row of await stillTrue(tx, rows, now)) await queueAgain(scope, row);
  return rows.at(-1)?.id ?? null;
}

async function queueAgain(scope: Scope, row: OutboxRow): Promise<void> {
  const { tx, now, secrets } = scope;
  const present = await withPresentKeys(scope, row);
  if (present !== null && 'refusal' in present) return;
  const recipient = await presentRecipient(tx, row);
  if (recipient === null) return;
  await tx
    .updateTable('outbox')
    .set({
      status: 'queued',
      transport: null,
      sent_at: null,
      attempts: 0,
      to_name: recipient.name,
      to_address: recipient.address,
      ...(present?.sealed && { sealed: sealedFor(secrets, row.message_id, present.sealed) }),
      changed_at: now.toISOString(),
    })
    .where('id', '=', row.id)
    .execute();
  await mailJob.enqueue(scope, { message: row.id });
}

/**
 * Starts sending the mails that wait.
 * @returns how many they are
 * @throws AppError 409 conflict without a mail server
 */
export async function sendWaiting(
  scope: Scope,
  { mailer }: Pick<AppContext, 'mailer'>,
): Promise<{ count: number }> {
  if ((await mailer.transport()) === 'folder') throw conflict(MAIL_MESSAGES.noServer);
  const count = await countWaiting(scope.tx, scope.now);
  if (count > 0) await waitingMailsJob.enqueue(scope, {});
  return { count };
}
