import { prepared } from '../../db/prepared.ts';
import type { Db, OutboxRow } from '../../db/tables.ts';
import { createToken } from '../../lib/secret.ts';
import type { Scope } from '../../scope.ts';

export type OutboxMessage = {
  license_id: number;
  to_name: string;
  to_address: string;
  subject: string;
  body_text: string;
  body_html: string;
};

const insert = prepared((db, values: Omit<OutboxRow, 'id'>) =>
  db.insertInto('outbox').values(values).returning('id'),
);

/**
 * Stores a message for delivery. The Message-ID is set once, so that a second delivery of the same message can be
 * recognised; its domain is the sender's.
 * @returns the message's id
 */
export async function insertMessage({ tx, now, mailFrom }: Scope, message: OutboxMessage): Promise<number> {
  const [row] = await insert(tx, {
    ...message,
    message_id: `licencia-${message.license_id}-${createToken().slice(0, 16)}@${domainOf(mailFrom)}`,
    status: 'queued',
    attempts: 0,
    last_error: null,
    created_at: now.toISOString(),
    sent_at: null,
  });
  return row!.id;
}

function domainOf(mailFrom: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(mailFrom)?.[1] ?? 'localhost';
}

const waitingMessage = prepared((db, { id }: { id: number }) =>
  db
    .selectFrom('outbox')
    .leftJoin('licenses', 'licenses.id', 'outbox.license_id')
    .leftJoin('clients', 'clients.id', 'licenses.client_id')
    .where('outbox.id', '=', id)
    .where('outbox.status', '=', 'queued')
    .select([
      'outbox.id',
      'outbox.message_id',
      'outbox.to_name',
      'outbox.to_address',
      'outbox.subject',
      'outbox.body_text',
      'outbox.body_html',
      'outbox.license_id',
      'licenses.license_key',
      'licenses.software_id',
      'licenses.client_id',
      'clients.name as client_name',
    ]),
);

export type WaitingMessage = NonNullable<Awaited<ReturnType<typeof findWaitingMessage>>>;

/** An unsent message with its licence and client. */
export async function findWaitingMessage(db: Db, id: number) {
  const [message] = await waitingMessage(db, { id });
  return message;
}

export async function markSent(db: Db, id: number, attempts: number, now: Date): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ status: 'sent', attempts, last_error: null, sent_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

/** Stores a failed attempt; the message is retried. */
export async function markTried(db: Db, id: number, attempts: number, error: string): Promise<void> {
  await db.updateTable('outbox').set({ attempts, last_error: error }).where('id', '=', id).execute();
}

export async function markFailed(db: Db, id: number, attempts: number, error: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ status: 'failed', attempts, last_error: error })
    .where('id', '=', id)
    .execute();
}

/** Deletes the waiting and refused messages about a licence; their jobs then have nothing to do. */
export async function deleteUnsentMessages(db: Db, licenseId: number): Promise<void> {
  await db.deleteFrom('outbox').where('license_id', '=', licenseId).where('status', '!=', 'sent').execute();
}

/**
 * Removes the content of finished messages of before a moment; empty texts stand for it. The rows stay, so that the
 * list still says what was sent to whom (MAIL-04). Waiting messages keep theirs.
 * @returns how many were emptied, at most `limit`
 */
export async function removePastBodies(db: Db, before: string, limit: number): Promise<number> {
  const past = db
    .selectFrom('outbox')
    .select('id')
    .where('created_at', '<', before)
    .where('body_html', '<>', '')
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
