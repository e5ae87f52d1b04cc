import { sql } from 'kysely';
import type { EmailTransport } from '../../../contract/mail/email-transport.ts';
import type { SentMailKind } from '../../../contract/mail/mails.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, OutboxRow } from '../../db/tables.ts';
import { createToken } from '../../lib/secret.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type MailServer, SEND_TIMEOUT_MS } from '../../mailer.ts';
import { withPayCode } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import type { Content } from '../mail-templates/mailed-keys.ts';
import { keyWordOf } from './mail-secrets.ts';

export type OutboxMessage = {
  kind: SentMailKind;
  license_id: number | null;
  client_id: number | null;
  user_id: number | null;
  to_name: string;
  to_address: string;
  /** Whether it goes to a contact of the client. */
  is_contact: boolean;
  sender_name: string;
  reply_to: string;
  headers: Record<string, string>;
  subject: string;
  body_text: string;
  body_html: string;
  /** Texts in the content that answers of the API mask. */
  secrets: string[];
  /** The real subject and bodies of a mail that gives access or has licence keys; stored only encrypted. */
  sealed?: Content;
  /** Another mail server than the present one that sends it (DESK-07). */
  via?: MailServer;
};

/** The purpose binds a sealed text to its message. */
const purposeOf = (messageId: string) => `mail:${messageId}`;

/** The purpose of the sealed mail server of a message. */
export const viaPurpose = (messageId: string) => `mail-via:${messageId}`;

/** The sealed column of a message. */
export const sealedFor = (secrets: SecretBox, messageId: string, content: Content): string =>
  secrets.seal(JSON.stringify(content), purposeOf(messageId));

const insert = prepared((db, values: Omit<OutboxRow, 'id'>) =>
  db.insertInto('outbox').values(values).returning('id'),
);

/**
 * Stores a message for delivery. Its Message-ID never changes, so that a second delivery of the same message can be
 * recognized; its domain is the sender's.
 * @returns the message's id
 */
export async function insertMessage(
  { tx, now, mailFrom, secrets }: Scope,
  { sealed, via, ...message }: OutboxMessage,
): Promise<number> {
  const about = message.license_id === null ? 'correo' : `licencia-${message.license_id}`;
  const messageId = `${about}-${createToken().slice(0, 16)}@${domainOf(mailFrom)}`;
  const [row] = await insert(tx, {
    ...message,
    headers: JSON.stringify(message.headers),
    secrets: JSON.stringify(message.secrets),
    message_id: messageId,
    sealed: sealed === undefined ? null : sealedFor(secrets, messageId, sealed),
    status: 'queued',
    attempts: 0,
    last_error: null,
    created_at: now.toISOString(),
    sent_at: null,
    sending_until: null,
    transport: null,
    via: via === undefined ? null : secrets.seal(JSON.stringify(via), viaPurpose(messageId)),
    changed_at: now.toISOString(),
  });
  return row!.id;
}

/** The values to store when a message was sent, or finally failed, at that instant. */
export const endedAt = (now: Date) => ({
  sending_until: null,
  sealed: null,
  via: null,
  changed_at: now.toISOString(),
});

function domainOf(mailFrom: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(mailFrom)?.[1] ?? 'localhost';
}

/** How long a run holds a message that it sends: longer than a delivery can take. */
const HOLD_MS = 2 * SEND_TIMEOUT_MS;

/**
 * Holds an unsent message, so that it cannot be cancelled while it is being sent.
 * @returns false when it was sent, cancelled or deleted
 */
export async function claimMessage(db: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ sending_until: new Date(now.getTime() + HOLD_MS).toISOString() })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** When a mail last changed. The deletion of its content (setting mail_retention_days) does not count. */
export const changedAt = sql<string>`coalesce(outbox.changed_at, outbox.sent_at, outbox.created_at)`;

/** The client of a mail; in mails of versions that did not store it, the client of the licence. */
export const clientOf = sql<number>`coalesce(outbox.client_id, licenses.client_id)`;

const findClaimed = prepared((db, { id }: { id: number }) =>
  db
    .selectFrom('outbox')
    .leftJoin('licenses', 'licenses.id', 'outbox.license_id')
    .leftJoin('clients', (join) => join.on('clients.id', '=', clientOf))
    .where('outbox.id', '=', id)
    .select([
      'outbox.id',
      'outbox.message_id',
      'outbox.to_name',
      'outbox.to_address',
      'outbox.kind',
      'outbox.sender_name',
      'outbox.reply_to',
      'outbox.headers',
      'outbox.secrets',
      'outbox.subject',
      'outbox.body_text',
      'outbox.body_html',
      'outbox.sealed',
      'outbox.via',
      'outbox.license_id',
      'licenses.license_key',
      'licenses.software_id',
      'clients.id as client_id',
      'clients.name as client_name',
    ]),
);

export type ClaimedMessage = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

/** A message with its licence and client. */
export async function findMessage(db: Db, id: number) {
  const [message] = await findClaimed(db, { id });
  return message;
}

/**
 * The content to send.
 * @throws Error for a message that was sealed with another SECRET_KEY, or whose licence keys are nowhere
 */
export function contentOf(message: ClaimedMessage, secrets: SecretBox): Content {
  const { subject, body_text: text, body_html: html, sealed, message_id } = message;
  if (sealed === null) {
    if (keyWordOf(message.secrets) !== null) throw new Error('The keys of this mail are not sealed.');
    return withPayCode(secrets, { subject, text, html }, message.secrets);
  }
  return JSON.parse(secrets.open(sealed, purposeOf(message_id)));
}

const update = async (db: Db, id: number, values: Partial<OutboxRow>): Promise<void> => {
  await db.updateTable('outbox').set(values).where('id', '=', id).execute();
};

export const markSent = (db: Db, id: number, attempts: number, now: Date, transport: EmailTransport) =>
  update(db, id, {
    status: 'sent',
    transport,
    attempts,
    last_error: null,
    sent_at: now.toISOString(),
    ...endedAt(now),
  });

/** Stores a failed attempt; the message will be tried again. */
export const markTried = (db: Db, id: number, attempts: number, now: Date, error: string) =>
  update(db, id, { attempts, last_error: error, sending_until: null, changed_at: now.toISOString() });

export const markFailed = (db: Db, id: number, attempts: number, now: Date, error: string) =>
  update(db, id, { status: 'failed', attempts, last_error: error, ...endedAt(now) });

/** Deletes the waiting and failed messages about a licence, also those to contacts; their jobs then do nothing. */
export async function deleteUnsentMessages(
  db: Db,
  licenseId: number,
  { toClientAlone = false }: { toClientAlone?: boolean } = {},
): Promise<void> {
  const unsent = db
    .deleteFrom('outbox')
    .where('license_id', '=', licenseId)
    .where('status', 'in', ['queued', 'failed']);
  await (toClientAlone ? unsent.where('is_contact', '=', false) : unsent).execute();
}

/**
 * Deletes the content of finished messages from before a moment and leaves empty texts. The rows stay, so that the
 * list still shows what was sent to whom (MAIL-04). Waiting messages are not changed.
 * @returns how many were emptied, at most `limit`
 */
export async function removePastBodies(db: Db, before: string, limit: number): Promise<number> {
  const past = db
    .selectFrom('outbox')
    .select('id')
    .where('created_at', '<', before)
    // SQLite uses the partial index of mails with content only if the index's condition is literally in the
    // statement.
    .where('body_html', '<>', sql.lit(''))
    .where('status', '<>', 'queued')
    .orderBy('created_at')
    .limit(limit);
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ body_text: '', body_html: '' })
    .where('id', 'in', past)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
