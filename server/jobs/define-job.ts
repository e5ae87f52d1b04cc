import type { FastifyBaseLogger } from 'fastify';
import type { z } from 'zod';
import type { AppContext } from '../context.ts';
import type { Scope } from '../scope.ts';
import { insertJob } from './jobs.queries.ts';

export type JobLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** What a run of a job is given beside its payload. */
export type JobRun = {
  log: JobLog;
  /** Aborted when the server stops and the run has had its time to finish. */
  signal: AbortSignal;
  /** How many runs there were, this one included. */
  tries: number;
  /** True when the job is given up if this run fails. */
  isLastTry: boolean;
};

type Definition<Payload> = {
  /** Its name in the table and in the metrics. Once released it stays: jobs of it may be waiting. */
  kind: string;
  payload: z.ZodType<Payload>;
  /** How many run at once in one process. */
  atOnce: number;
  /** Runs again this many milliseconds after each run, from the first start on. */
  every?: number;
  /** How often a failing job is run before it is given up. */
  triesMax: number;
  /**
   * Does the work. It may be run again after a crash, or after a run whose lease ended, so it must find out by itself what
   * is done already. What it throws makes it run again later, after a wait that grows.
   */
  run: (context: AppContext, payload: Payload, run: JobRun) => Promise<void>;
};

/** A kind of job with what it does. The runner needs no more of it than this. */
export type Job = Omit<Definition<unknown>, 'payload' | 'run'> & {
  runStored: (context: AppContext, payload: string, run: JobRun) => Promise<void>;
};

/**
 * A kind of work that is done apart from the request that asks for it, once across all replicas.
 * @returns the definition for the runner, with `enqueue`, which writes a job in the transaction of a scope
 */
export function defineJob<Payload>(definition: Definition<Payload>) {
  const { payload, run, ...job } = definition;
  return {
    ...job,
    runStored: (context: AppContext, stored: string, jobRun: JobRun) =>
      run(context, payload.parse(JSON.parse(stored)), jobRun),
    enqueue: async (scope: Scope, value: Payload, { at = scope.now }: { at?: Date } = {}): Promise<void> => {
      await insertJob(scope.tx, { kind: job.kind, payload: JSON.stringify(value), at, now: scope.now });
      scope.afterCommit(scope.nudgeJobs);
    },
  };
}
