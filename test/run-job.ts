import type { AppContext } from '../server/context.ts';
import type { Job } from '../server/jobs/define-job.ts';
import { quiet } from './deliver-mail.ts';

/**
 * Runs a job once, like the runner, with the clock of the test.
 * @throws the error of the job
 */
export const runJob = (
  context: AppContext,
  job: Pick<Job, 'runStored'>,
  signal: AbortSignal = new AbortController().signal,
  payload = '{}',
): Promise<void> => job.runStored(context, payload, { log: quiet, signal, tries: 1, isLastTry: false });
