import type { AppContext } from '../server/context.ts';
import type { Job } from '../server/jobs/define-job.ts';
import { quiet } from './deliver-mail.ts';

/** Runs a job once, as the runner does, on the clock of the test. @throws what the job throws */
export const runJob = (
  context: AppContext,
  job: Pick<Job, 'runStored'>,
  signal: AbortSignal = new AbortController().signal,
  payload = '{}',
): Promise<void> => job.runStored(context, payload, { log: quiet, signal, tries: 1, isLastTry: false });
