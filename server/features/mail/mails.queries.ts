import type { ExpressionBuilder } from 'kysely';
import { type Mail, type MailRow, ONE_TIME_MAIL_KINDS } from '../../../contract/mail/mails.ts';
import { mailShown } from '../../../contract/reading/mail-addresses.ts';
import { isAmong, lockRows } from '../../db/dialect.ts';
import type { Db, OutboxRow, Tables } from '../../db/tables.ts';
import { clientLink, licenseLink } from '../../records/links.ts';
import { masked } from './mail-secrets.ts';
import { changedAt, clientOf, endedAt } from './outbox.queries.ts';

const mails = (db: Db) =>
  db
    .selectFrom('outbox')
    .leftJoin('licenses', 'licenses.id', 'outbox.license_id')
    .leftJoin('clients', (join) => join.on('clients.id', '=', clientOf))
    .select(['outbox.id', 'outbox.kind', 'outbox.status', 'outbox.to_address', 'outbox.to_name'])
    .select('outbox.is_contact')
    .select(['outbox.subject', 'outbox.attempts', 'outbox.created_at', 'outbox.sent_at', 'outbox.transport'])
    .select(['outbox.last_error', 'outbox.license_id', 'clients.id as client_id'])
    .select(['outbox.secrets', 'licenses.license_key', 'clients.name as client_name'])
    .select(changedAt.as('updated_at'));

type Joined = Awaited<ReturnType<ReturnType<typeof mails>['executeTakeFirstOrThrow']>>;

function toShown(address: string): Pick<MailRow, 'to_shown'> {
  const { email_shown } = mailShown(address);
  return email_shown === undefined ? {} : { to_shown: email_shown };
}

const toRow = (row: Joined): MailRow => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  to: row.to_address,
  ...toShown(row.to_address),
  to_name: row.to_name,
  // Of an erased client neither is left.
  contact: row.is_contact && row.to_address !== '' ? { name: row.to_name, email: row.to_address } : null,
  subject: masked(row.subject, row.secrets),
  attempts: row.attempts,
  created_at: row.created_at,
  sent_at: row.sent_at,
  transport: row.transport,
  sent_to: row.transport === 'smtp' ? 'server' : row.transport,
  last_error: row.last_error,
  license: licenseLink(row),
  client: clientLink(row),
  updated_at: row.updated_at,
});

export async function listMails(db: Db, ids: number[]): Promise<MailRow[]> {
  const rows = await mails(db)
    .where((eb) => isAmong(db, eb.ref('outbox.id'), ids))
    .execute();
  return rows.map(toRow);
}

/**
 * One mail with its content, in which tokens are masked. The content of a mail whose link gives access is never
 * answered: masking finds a pattern, and somebody who changes the template could avoid the pattern.
 */
export async function findMail(db: Db, id: number): Promise<Mail | undefined> {
  const row = await mails(db)
    .select(['outbox.body_html', 'outbox.body_text'])
    .where('outbox.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const isHidden = ONE_TIME_MAIL_KINDS.includes(row.kind);
  const part = (text: string) => (isHidden || text === '' ? null : masked(text, row.secrets));
  return { ...toRow(row), html: part(row.body_html), text: part(row.body_text) };
}

/** Reads a mail and locks it until the transaction ends. */
export async function lockMail(tx: Db, id: number): Promise<OutboxRow | undefined> {
  return lockRows(tx, tx.selectFrom('outbox').selectAll().where('id', '=', id)).executeTakeFirst();
}

/**
 * Cancels a mail that waits and is not being sent.
 * @returns whether it was cancelled
 */
export async function markCancelled(tx: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ status: 'cancelled', ...endedAt(now) })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where((eb) => isAtRest(eb, now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A condition for mails that are not being sent now. */
export const isAtRest = (eb: ExpressionBuilder<Tables, 'outbox'>, now: Date) =>
  eb.or([eb('sending_until', 'is', null), eb('sending_until', '<=', now.toISOString())]);

/** The present name and address of a mail's client or user; undefined if there is none or it was deleted. */
export async function findRecipient(
  db: Db,
  { id, user_id }: Pick<OutboxRow, 'id' | 'user_id'>,
): Promise<{ name: string; address: string } | undefined> {
  const client = await db
    .selectFrom('outbox')
    .leftJoin('licenses', 'licenses.id', 'outbox.license_id')
    .innerJoin('clients', (join) => join.on('clients.id', '=', clientOf))
    .select(['clients.name', 'clients.email as address', 'clients.email_verified'])
    .where('outbox.id', '=', id)
    .executeTakeFirst();
  if (client) return { name: client.email_verified ? client.name : '', address: client.address };
  if (user_id === null) return undefined;
  return db
    .selectFrom('users')
    .select(['names as name', 'email as address'])
    .where('id', '=', user_id)
    .where('email', '<>', '')
    .executeTakeFirst();
}
