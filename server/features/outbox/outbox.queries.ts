import { sql } from 'kysely';
import { lockFreeRows } from '../../db/dialect.ts';
import type { Db, OutboxRow } from '../../db/tables.ts';
import { createToken } from '../../lib/secret.ts';

export type OutboxMessage = {
  license_id: number;
  to_name: string;
  to_address: string;
  subject: string;
  body_text: string;
  body_html: string;
};

/**
 * Writes a message that is to leave. Call it in the transaction of what the message tells of: both are stored, or
 * neither. The Message-ID is given once, so that a second delivery of the same message can be recognised.
 * @param mailFrom the sender, whose domain makes the Message-ID ours
 */
export async function enqueueMessage(
  db: Db,
  message: OutboxMessage,
  mailFrom: string,
  now: Date,
): Promise<void> {
  const stamp = now.toISOString();
  await db
    .insertInto('outbox')
    .values({
      ...message,
      message_id: `licencia-${message.license_id}-${createToken().slice(0, 16)}@${domainOf(mailFrom)}`,
      status: 'queued',
      attempts: 0,
      next_attempt_at: stamp,
      claimed_until: null,
      last_error: null,
      created_at: stamp,
      sent_at: null,
    })
    .execute();
}

function domainOf(mailFrom: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(mailFrom)?.[1] ?? 'localhost';
}

/** Messages that wait, whose time has come, and that no living worker has in hand. */
function due(db: Db, now: Date) {
  const moment = now.toISOString();
  return (
    db
      .selectFrom('outbox')
      // Written out, as the partial index of what is due has it.
      .where(sql<boolean>`status = 'queued'`)
      .where('next_attempt_at', '<=', moment)
      .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', moment)]))
  );
}

/**
 * Takes messages that are due into hand for a while; two workers never take the same one. One that died with a
 * message in hand leaves it to be taken again when its time is up.
 */
export async function claimDueMessages(
  db: Db,
  limit: number,
  claimMs: number,
  now: Date,
): Promise<OutboxRow[]> {
  return db.transaction().execute(async (tx) => {
    const messages = await lockFreeRows(
      tx,
      due(tx, now).selectAll().orderBy('next_attempt_at').limit(limit),
    ).execute();
    if (messages.length > 0) {
      await tx
        .updateTable('outbox')
        .set({ claimed_until: new Date(now.getTime() + claimMs).toISOString() })
        .where(
          'id',
          'in',
          messages.map((message) => message.id),
        )
        .execute();
    }
    return messages;
  });
}

/** Whether anything is due, asked without taking the writer's turn. */
export async function hasDueMessages(db: Db, now: Date): Promise<boolean> {
  const row = await due(db, now).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function markSent(db: Db, id: number, attempts: number, now: Date): Promise<void> {
  const sent = { status: 'sent', attempts, claimed_until: null, last_error: null } as const;
  await db
    .updateTable('outbox')
    .set({ ...sent, sent_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

export async function markForRetry(
  db: Db,
  id: number,
  retry: { attempts: number; error: string; at: Date },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({
      attempts: retry.attempts,
      last_error: retry.error,
      claimed_until: null,
      next_attempt_at: retry.at.toISOString(),
    })
    .where('id', '=', id)
    .execute();
}

export async function markFailed(db: Db, id: number, attempts: number, error: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ status: 'failed', attempts, last_error: error, claimed_until: null })
    .where('id', '=', id)
    .execute();
}

/** Messages about a licence that wait, or that were refused, will not leave any more. */
export async function deleteUnsentMessages(db: Db, licenseId: number): Promise<void> {
  await db.deleteFrom('outbox').where('license_id', '=', licenseId).where('status', '!=', 'sent').execute();
}
