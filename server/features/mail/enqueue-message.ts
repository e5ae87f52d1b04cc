import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { mailJob, recordMail } from './mail-job.ts';
import { findMessage, insertMessage, markFailed, type OutboxMessage } from './outbox.queries.ts';

/**
 * Stores a message and its delivery job, in the transaction of the change that it reports.
 * @param fault why the vendor's template could not be used; the mail job logs it
 * @returns the message's id
 */
export async function enqueueMessage(
  scope: Scope,
  message: OutboxMessage,
  fault: string | null = null,
): Promise<number> {
  const id = await insertMessage(scope, message);
  await mailJob.enqueue(scope, { message: id, ...(fault !== null && { fault }) });
  return id;
}

/**
 * Stores a message as failed, with its event and without a job: staff see it and may send it again.
 * @param reason what staff read
 * @returns the message's id
 */
export async function storeUnsent(scope: Scope, message: OutboxMessage, reason: string): Promise<number> {
  const id = await insertMessage(scope, message);
  await markFailed(scope.tx, id, 0, scope.now, reason);
  const stored = mustExist(await findMessage(scope.tx, id), `mail ${id}`);
  await recordMail(scope, 'mail.failed', stored, { reason });
  return id;
}
