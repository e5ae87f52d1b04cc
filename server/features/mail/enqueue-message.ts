import type { Scope } from '../../scope.ts';
import { mailJob } from './mail-job.ts';
import { insertMessage, type OutboxMessage } from './outbox.queries.ts';

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
