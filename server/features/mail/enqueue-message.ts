import type { Scope } from '../../scope.ts';
import { mailJob } from './mail-job.ts';
import { insertMessage, type OutboxMessage } from './outbox.queries.ts';

/** Stores a message and its delivery job in the transaction of the change that the message reports. */
export async function enqueueMessage(scope: Scope, message: OutboxMessage): Promise<void> {
  await mailJob.enqueue(scope, { message: await insertMessage(scope, message) });
}
