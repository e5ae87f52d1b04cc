import { z } from 'zod';
import { type EmailTransport, STORED_IN_OUTBOX } from '../../../contract/mail/email-transport.ts';
import { ONE_TIME_MAIL_KINDS, type SentMailKind } from '../../../contract/mail/mails.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { defineJob, type JobRun, leavesServer } from '../../jobs/define-job.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import { MailError, type MailServer } from '../../mailer.ts';
import { clientLink, licenseLink } from '../../records/links.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import type { Content } from '../mail-templates/mailed-keys.ts';
import { clearBounce, markBounced } from './bounces.queries.ts';
import { masked } from './mail-secrets.ts';
import {
  type ClaimedMessage,
  claimMessage,
  contentOf,
  findMessage,
  markFailed,
  markSent,
  markTried,
  viaPurpose,
} from './outbox.queries.ts';

/**
 * In the event of a mail that was only written to the folder: it reached nobody, and the event must still show this
 * when the server later has a mail server.
 */
const STORED: Changes = { transport: { before: null, after: 'folder' satisfies EmailTransport } };

/**
 * Mails that the server sends without a person's action: an address that refuses one gets no more of them (LIFE-08).
 */
const NOBODY_ASKED: readonly SentMailKind[] = ['license_reminder', 'digest'];

/** Delivers one message of the outbox. All attempts together take about two days. */
export const mailJob = defineJob({
  kind: 'mail',
  label: 'Enviar un correo',
  payload: z.object({ message: z.number().int(), fault: z.string().optional() }),
  atOnce: 16,
  triesMax: 100,
  runsHere: leavesServer,
  run: deliver,
});

async function deliver(
  context: AppContext,
  { message: id, fault }: { message: number; fault?: string | undefined },
  run: JobRun,
): Promise<void> {
  const { db, mailer, secrets } = context;
  const { log, signal, tries, isLastTry } = run;
  // The message was sent by a run that died before it stored this, or it was cancelled, or deleted with its licence.
  const isClaimed = await claimMessage(db, id, context.now());
  const message = isClaimed ? await findMessage(db, id) : undefined;
  if (!message) return;
  if (fault !== undefined) log.error({ outbox: id, fault }, 'la plantilla falló; se usa la del programa');
  // Tried in vain for long, it goes by the present mail server: whoever changed it had a reason.
  const via = tries > VIA_TRIES_MAX ? undefined : serverOf(message, secrets);
  let transport: EmailTransport;
  try {
    const { subject, text, html } = readable(message, secrets);
    transport = await mailer.send(
      {
        messageId: message.message_id,
        senderName: message.sender_name,
        replyTo: message.reply_to,
        headers: JSON.parse(message.headers),
        to: { name: message.to_name, address: message.to_address },
        subject,
        text,
        html,
      },
      signal,
      via,
    );
  } catch (error) {
    const reason = reasonOf(error);
    const isRefused = error instanceof MailError && error.permanent;
    if (!isLastTry && !isRefused) {
      await markTried(db, id, tries, context.now(), reason);
      throw error;
    }
    await inScope(context, { actor: SYSTEM }, async (scope) => {
      await markFailed(scope.tx, id, tries, scope.now, reason);
      await recordMail(scope, 'mail.failed', message, { reason });
      if (isRefused && NOBODY_ASKED.includes(message.kind))
        await markBounced(scope.tx, message.to_address, scope.now, reason);
    });
    log.error({ outbox: id, error: reason }, 'el correo fue rechazado');
    return;
  }
  await inScope(context, { actor: SYSTEM }, async (scope) => {
    await markSent(scope.tx, id, tries, scope.now, transport);
    await recordMail(scope, 'mail.sent', message, {
      changes: transport === 'smtp' ? {} : STORED,
    });
    await clearBounce(scope.tx, message.to_address);
  });
  const done = transport === 'smtp' ? 'correo enviado' : STORED_IN_OUTBOX;
  log.info({ outbox: id, attempts: tries }, done);
}

/** How often the mail server of before is tried, in about an hour and a half. */
const VIA_TRIES_MAX = 10;

/** The other mail server that sends a message; undefined for the present one, and if it can't be read any more. */
function serverOf(
  { via, message_id }: ClaimedMessage,
  secrets: AppContext['secrets'],
): MailServer | undefined {
  if (via === null) return undefined;
  try {
    return JSON.parse(secrets.open(via, viaPurpose(message_id)));
  } catch {
    return undefined;
  }
}

/** @throws MailError (permanent) when the content was encrypted with a key that is lost */
function readable(message: ClaimedMessage, secrets: AppContext['secrets']): Content {
  try {
    return contentOf(message, secrets);
  } catch (error) {
    const again = ONE_TIME_MAIL_KINDS.includes(message.kind) ? 'pide otro enlace' : 'reenvía el correo';
    throw new MailError(`el contenido se cifró con otra SECRET_KEY: ${again}`, true, error);
  }
}

/** Writes the event of a mail that was sent, or that finally failed. */
export const recordMail = (
  scope: Scope,
  type: 'mail.sent' | 'mail.failed',
  message: ClaimedMessage,
  { reason = null, changes = {} }: { reason?: string | null; changes?: Changes } = {},
): Promise<void> =>
  record(scope, {
    type,
    subject: { id: message.id, name: masked(message.subject, message.secrets) },
    client: clientLink(message),
    license: licenseLink(message),
    software: message.software_id,
    reason,
    changes,
  });
