import { z } from 'zod';
import { JOB_MESSAGES } from '../../../contract/base/jobs.ts';
import type { AppContext } from '../../context.ts';
import { defineJob, type JobLog, type JobRun } from '../../jobs/define-job.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { inScope, storedActor } from '../../scope.ts';
import { permissionsOf } from '../people/sign-in/actor-permissions.ts';
import { countChunk, findBulkJob, finishBulkJob, lockBulkJob, takeChunk } from './bulk.queries.ts';
import { BULK_LISTS } from './bulk-lists.ts';

/**
 * Processes a bulk call with many records, some in each transaction. The same transaction also deletes their chunk,
 * so after a crash the job continues with the remaining records.
 */
export const bulkJob = defineJob({
  kind: 'bulk',
  label: 'Acción con muchos registros',
  payload: z.object({ bulk: z.number().int() }),
  atOnce: 2,
  triesMax: 20,
  run,
  setAside: ({ db, now }, { bulk: id }) => finishBulkJob(db, id, INTERRUPTED, now()),
});

const INTERRUPTED = { state: 'failed', reason: JOB_MESSAGES.interrupted } as const;

async function run(
  context: AppContext,
  { bulk: id }: { bulk: number },
  { log, signal, isLastTry, progressed }: JobRun,
) {
  try {
    while (await doChunk(context, id, log)) {
      await progressed?.();
      if (signal.aborted) throw new Error('El servidor se detuvo; el trabajo continúa después.');
    }
  } catch (error) {
    if (isLastTry) await finishBulkJob(context.db, id, INTERRUPTED, context.now());
    throw error;
  }
}

/**
 * Processes the next records of a job as the person who called, with that person's present permissions: the job ends
 * if they were lost.
 * @returns false when the job is finished
 */
async function doChunk(context: AppContext, id: number, log: JobLog): Promise<boolean> {
  const asked = await findBulkJob(context.db, id);
  if (!asked) return false;
  return inScope(context, storedActor(asked), async (scope) => {
    const job = await lockBulkJob(scope.tx, id);
    if (!job) return false;
    const found = BULK_LISTS.find(({ bulk }) => bulk.name === job.list);
    const known = mustExist(found, `bulk call of ${job.list}`);
    const permissions = await permissionsOf(scope.tx, scope.actor, scope.now);
    if (!known.bulk.needs(job.action, true).every((name) => permissions.has(name))) {
      await finishBulkJob(scope.tx, id, { state: 'failed', reason: JOB_MESSAGES.noRights }, scope.now);
      return false;
    }
    const ids = await takeChunk(scope.tx, id);
    if (!ids) {
      await finishBulkJob(scope.tx, id, { state: 'done' }, scope.now);
      return false;
    }
    const asked = { action: job.action, fields: JSON.parse(job.fields) as Record<string, unknown> };
    await countChunk(scope.tx, job, await known.bulk.runEach(scope, ids, asked, log));
    return true;
  });
}
