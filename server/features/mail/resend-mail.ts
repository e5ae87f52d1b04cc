import { MAIL_MESSAGES, type Mail, ONE_TIME_MAIL_KINDS } from '../../../contract/mails.ts';
import type { OutboxRow } from '../../db/tables.ts';
import { AppError, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { recordMail } from './mail-job.ts';
import { findMail, findRecipient, lockMail, markCancelled } from './mails.queries.ts';
import { findMessage } from './outbox.queries.ts';

const refused = (message: string) => new AppError(409, 'conflict', { message });

/** @throws notFound (404) */
async function holdMail(scope: Scope, id: number): Promise<OutboxRow> {
  const row = await lockMail(scope.tx, id);
  if (!row) throw notFound(MAIL_MESSAGES.notFound);
  return row;
}

const getMail = async ({ tx }: Scope, id: number): Promise<Mail> =>
  mustExist(await findMail(tx, id), `mail ${id}`);

/**
 * Cancels a mail that waits, so that it is never sent. Its event is `mail.failed`: history then says why the client
 * got nothing.
 * @throws notFound (404); AppError 409 conflict for one that is sent, on its way, or does not wait
 */
export async function cancelMail(scope: Scope, id: number): Promise<Mail> {
  const row = await holdMail(scope, id);
  await stopMail(scope, row);
  return getMail(scope, id);
}

async function stopMail(scope: Scope, { id, status }: OutboxRow): Promise<void> {
  if (status === 'sent') throw refused(MAIL_MESSAGES.sent);
  if (status !== 'queued') throw refused(MAIL_MESSAGES.notWaiting);
  if (!(await markCancelled(scope.tx, id, scope.now))) throw refused(MAIL_MESSAGES.sending);
  const message = mustExist(await findMessage(scope.tx, id), `mail ${id}`);
  await recordMail(scope, 'mail.failed', message, { reason: MAIL_MESSAGES.cancelled });
}

/**
 * Queues a copy of a mail, to the present address of whom it is for. One that still waits is replaced.
 * @returns the copy
 * @throws notFound (404); AppError 409 conflict where the content was deleted, for a link that works once, and for a
 *   mail that is on its way
 */
export async function resendMail(scope: Scope, id: number): Promise<Mail> {
  const row = await holdMail(scope, id);
  if (ONE_TIME_MAIL_KINDS.includes(row.kind)) throw refused(MAIL_MESSAGES.oneTime);
  if (row.body_html === '') throw refused(MAIL_MESSAGES.bodyGone);
  if (row.status === 'queued') await stopMail(scope, row);
  const present = await findRecipient(scope.tx, row);
  const recipient = present ?? { name: row.to_name, address: row.to_address };
  const copy = await enqueueMessage(scope, {
    kind: row.kind,
    license_id: row.license_id,
    client_id: row.client_id,
    user_id: row.user_id,
    to_name: recipient.name,
    to_address: recipient.address,
    sender_name: row.sender_name,
    reply_to: row.reply_to,
    headers: JSON.parse(row.headers),
    secrets: JSON.parse(row.secrets),
    subject: row.subject,
    body_text: row.body_text,
    body_html: row.body_html,
  });
  return getMail(scope, copy);
}
