import {
  CANCELLED_NOT_RESENT,
  LICENSE_MAIL_KINDS,
  MAIL_MESSAGES,
  MAILS_TO_CONTACTS,
  type Mail,
  ONE_TIME_MAIL_KINDS,
} from '../../../contract/mail/mails.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, OutboxRow } from '../../db/tables.ts';
import { AppError, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { contactsWho } from '../../rules/client-contacts.ts';
import type { Scope } from '../../scope.ts';
import { licenseVariables } from '../mail-templates/license-variables.ts';
import { findMailedLicense } from '../mail-templates/mail-templates.queries.ts';
import { renderMail } from '../mail-templates/render-mail.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { recordMail } from './mail-job.ts';
import { findMail, findRecipient, isAtRest, lockMail, markCancelled } from './mails.queries.ts';
import { findMessage, type OutboxMessage, sealedFor } from './outbox.queries.ts';
import { type OutboxForm, outboxForm } from './outbox-form.ts';
import { withPresentKeys } from './present-keys.ts';

const refused = (message: string) => new AppError(409, 'conflict', { message });

/**
 * Locks a mail.
 * @throws notFound (404)
 */
async function lockExisting(scope: Scope, id: number): Promise<OutboxRow> {
  const row = await lockMail(scope.tx, id);
  if (!row) throw notFound(MAIL_MESSAGES.notFound);
  return row;
}

const getMail = async ({ tx }: Scope, id: number): Promise<Mail> =>
  mustExist(await findMail(tx, id), `mail ${id}`);

/**
 * Cancels a waiting mail, so that it is never sent. It writes an event `mail.failed`, so the history explains why the
 * client got nothing.
 * @throws notFound (404); AppError 409 conflict for a mail that was sent, is being sent, or is not waiting
 */
export async function cancelMail(scope: Scope, id: number): Promise<Mail> {
  const row = await lockExisting(scope, id);
  await stopMail(scope, row);
  return getMail(scope, id);
}

async function stopMail(scope: Scope, { id, status, kind }: OutboxRow): Promise<void> {
  // Somebody who has taken over an account could otherwise stop the mail that reports it.
  if (kind === 'security_notice' && status === 'queued') throw refused(MAIL_MESSAGES.notice);
  if (status === 'sent') throw refused(MAIL_MESSAGES.sent);
  if (status !== 'queued') throw refused(MAIL_MESSAGES.notWaiting);
  if (!(await markCancelled(scope.tx, id, scope.now))) throw refused(MAIL_MESSAGES.sending);
  const message = mustExist(await findMessage(scope.tx, id), `mail ${id}`);
  await recordMail(scope, 'mail.failed', message, { reason: MAIL_MESSAGES.cancelled });
}

/**
 * Queues a copy of a mail, to the recipient's present address, with the keys that its licences have now. A mail that
 * still waits is replaced by the copy.
 * @returns the copy
 * @throws notFound (404); AppError 409 conflict if the content was deleted, for a link that works once, for a mail
 * that is being sent, for a mail about a licence that was cancelled or deleted, or that now has a new key and another
 * client, for a mail to a contact that is none any more
 */
export async function resendMail(scope: Scope, id: number): Promise<Mail> {
  const row = await lockExisting(scope, id);
  if (ONE_TIME_MAIL_KINDS.includes(row.kind)) throw refused(MAIL_MESSAGES.oneTime);
  if (row.body_html === '') throw refused(MAIL_MESSAGES.bodyGone);
  if (await isOfCancelled(scope.tx, row)) throw refused(CANCELLED_NOT_RESENT);
  const copied = await contentOfCopy(scope, row);
  if (row.status === 'queued') await stopMail(scope, row);
  const recipient = await presentRecipient(scope.tx, row);
  if (recipient === null) throw refused(MAIL_MESSAGES.contactGone);
  const { fault, ...content } = copied;
  const message: OutboxMessage = {
    kind: row.kind,
    license_id: row.license_id,
    client_id: row.client_id,
    user_id: row.user_id,
    to_name: recipient.name,
    to_address: recipient.address,
    is_contact: row.is_contact,
    headers: JSON.parse(row.headers),
    ...content,
  };
  return getMail(scope, await enqueueMessage(scope, message, fault));
}

/** Whether a mail is about a licence that was cancelled since. The notice of the cancellation itself stays true. */
async function isOfCancelled(tx: Db, { license_id, kind }: OutboxRow): Promise<boolean> {
  const isAboutLicense = LICENSE_MAIL_KINDS.some((one) => one === kind) && kind !== 'license_cancelled';
  if (license_id === null || !isAboutLicense) return false;
  const license = await tx
    .selectFrom('licenses')
    .select('status')
    .where('id', '=', license_id)
    .executeTakeFirst();
  return license?.status === 'cancelled';
}

/** The present recipient of a mail; null for a contact whom the client does not name for mails of that kind any more. */
export async function presentRecipient(
  tx: Db,
  row: OutboxRow,
): Promise<{ name: string; address: string } | null> {
  if (!row.is_contact) {
    return (await findRecipient(tx, row)) ?? { name: row.to_name, address: row.to_address };
  }
  const topic = MAILS_TO_CONTACTS[row.kind];
  const contacts =
    topic === undefined || row.client_id === null ? [] : await contactsWho(tx, row.client_id, topic);
  const contact = contacts.find(({ email }) => mailKey(email) === mailKey(row.to_address));
  return contact ? { name: contact.name, address: contact.email } : null;
}

type Copied = OutboxForm & Pick<OutboxMessage, 'sender_name' | 'reply_to'> & { fault: string | null };

/** @throws AppError 409 conflict if a copy would need a key that the recipient must not get, or that is gone */
async function contentOfCopy(scope: Scope, row: OutboxRow): Promise<Copied> {
  const { subject, body_text, body_html, sender_name, reply_to } = row;
  const known = { subject, body_text, body_html, secrets: JSON.parse(row.secrets) };
  const present = await withPresentKeys(scope, row);
  if (present !== null && 'refusal' in present) throw refused(present.refusal);
  if (present !== null) return { ...present, sender_name, reply_to, fault: null };
  return (await writtenAnew(scope, row)) ?? { ...known, sender_name, reply_to, fault: null };
}

/**
 * Gives the waiting mails of a licence's client the key that has just replaced another, also those about several
 * licences. A mail that is being sent stays unchanged. So does a mail to an earlier client, who must not get the new
 * key.
 */
export async function renewWaitingMails(scope: Scope, license: number, client: number): Promise<void> {
  const waiting = scope.tx
    .selectFrom('outbox')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([
          eb('license_id', '=', license),
          eb.or([eb('client_id', 'is', null), eb('client_id', '=', client)]),
        ]),
        eb.and([eb('license_id', 'is', null), eb('client_id', '=', client)]),
      ]),
    )
    .where('status', '=', 'queued')
    .where('body_html', '<>', '')
    .where((eb) => isAtRest(eb, scope.now))
    .orderBy('id');
  for (const row of await lockRows(scope.tx, waiting).execute()) {
    const present = await withPresentKeys(scope, row);
    if (present !== null && 'refusal' in present) continue;
    // Its marks are those of the present keys already: it is about other licences.
    if (present?.subject === row.subject && present.body_text === row.body_text) continue;
    const anew = present ?? (await writtenAnew(scope, row));
    if (!anew) continue;
    const { subject, body_text, body_html, secrets, sealed } = anew;
    await scope.tx
      .updateTable('outbox')
      .set({
        ...{ subject, body_text, body_html, secrets: JSON.stringify(secrets) },
        sealed: sealed === undefined ? null : sealedFor(scope.secrets, row.message_id, sealed),
        changed_at: scope.now.toISOString(),
      })
      .where('id', '=', row.id)
      .execute();
  }
}

/**
 * Renders the mail about a licence with its present values, if a version that stored keys wrote it, and its text contains
 * a key that was replaced since: a copy would contain an invalid key. Undefined if a copy is correct.
 * @throws AppError 409 conflict if the licence now has another client: the earlier client must not get the new key
 */
async function writtenAnew(scope: Scope, row: OutboxRow): Promise<Copied | undefined> {
  const { tx, now, timeZone } = scope;
  const kind = LICENSE_MAIL_KINDS.find((one) => one === row.kind);
  if (row.license_id === null || kind === undefined) return undefined;
  const found = await findMailedLicense(tx, row.license_id);
  if (!found || row.body_text.includes(found.license.license_key)) return undefined;
  const license = licenseVariables(found.license, now, timeZone);
  const reason = await reasonOfMail(tx, row);
  const { fault, sender_name, reply_to, ...anew } = await renderMail(
    scope,
    kind,
    { client: found.client, license, reason },
    { contactOf: row.is_contact ? found.client.name : null },
  );
  // The vendor's template does not contain the key, so the copy contains no wrong key.
  if (anew.keys === null) return undefined;
  if (row.client_id !== null && row.client_id !== found.client_id) throw refused(MAIL_MESSAGES.otherClient);
  return { ...outboxForm(scope, anew, JSON.parse(row.secrets)), sender_name, reply_to, fault };
}

/**
 * The reason that a person entered for the action that a mail reports. The event and the mail have the same time, the
 * time of their transaction.
 */
async function reasonOfMail(tx: Db, { license_id, created_at }: OutboxRow): Promise<string | null> {
  const event = await tx
    .selectFrom('events')
    .select('reason')
    .where('license_id', '=', license_id)
    .where('at', '=', created_at)
    .where('reason', 'is not', null)
    .executeTakeFirst();
  return event?.reason ?? null;
}
