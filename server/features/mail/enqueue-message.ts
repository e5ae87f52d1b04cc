import type { Scope } from '../../scope.ts';
import { mailJob } from './mail-job.ts';
import { insertMessage, type OutboxMessage } from './outbox.queries.ts';

/** Stores a message and the job that delivers it, in the transaction of what the message tells of: all or none of it. */
export async function enqueueMessage(scope: Scope, message: OutboxMessage): Promise<void> {
  await mailJob.enqueue(scope, { message: await insertMessage(scope, message) });
}
