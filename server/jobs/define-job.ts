import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { AppContext } from '../context.ts';
import type { Scope } from '../scope.ts';
import { insertJob } from './jobs.queries.ts';

/** For work that leaves this server: it waits where OUTBOUND=0 (OPS-03). */
export const leavesServer = ({ outbound }: Pick<AppContext['config'], 'outbound'>): boolean => outbound;

export type JobLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** The arguments of a run beside its payload. */
export type JobRun = {
  log: JobLog;
  /** Aborted when the server stops and the grace period is over. */
  signal: AbortSignal;
  /** The number of runs, this one included. */
  tries: number;
  /** True when there is no retry after this run. */
  isLastTry: boolean;
  /** Says that a part of the work is stored, so that a later freeze is not taken for one of the part before. */
  progressed?: () => Promise<void>;
};

type Definition<Payload> = {
  /** Its name in the table and in metrics. It must not change after a release: jobs may be waiting. */
  kind: string;
  payload: z.ZodType<Payload>;
  /** Concurrent runs in one process. */
  atOnce: number;
  /** Runs again this many milliseconds after each run, starting at the first start of the server. */
  every?: number;
  /** A nudge runs it so many milliseconds before its time; for a repeating job, that it runs at once. */
  early?: number;
  triesMax: number;
  /** Whether this process runs it at all; absent: each does. */
  runsHere?: (config: AppContext['config']) => boolean;
  /**
   * Does the work. It may run again after a crash or after its lease ended, so it must check what is done already. An
   * error makes it run again later, after a growing wait.
   */
  run: (context: AppContext, payload: Payload, run: JobRun) => Promise<void>;
  /**
   * Ends work of which two tries in a row never ended: they killed their process or froze it, and would again. A job
   * without it is tried again whatever comes.
   */
  setAside?: (context: AppContext, payload: Payload) => Promise<void>;
};

export type Job = Omit<Definition<unknown>, 'payload' | 'run' | 'setAside'> & {
  runStored: (context: AppContext, payload: string, run: JobRun) => Promise<void>;
  setAsideStored?: ((context: AppContext, payload: string) => Promise<void>) | undefined;
};

/**
 * Defines work that runs outside of requests, once across all replicas.
 * @returns the definition for the runner, with `enqueue`, which writes a job in the transaction of a scope
 */
export function defineJob<Payload>(definition: Definition<Payload>) {
  const { payload, run, setAside, ...job } = definition;
  return {
    ...job,
    runStored: (context: AppContext, stored: string, jobRun: JobRun) =>
      run(context, payload.parse(JSON.parse(stored)), jobRun),
    setAsideStored:
      setAside &&
      ((context: AppContext, stored: string) => setAside(context, payload.parse(JSON.parse(stored)))),
    enqueue: async (scope: Scope, value: Payload, { at = scope.now }: { at?: Date } = {}): Promise<void> => {
      await insertJob(scope.tx, { kind: job.kind, payload: JSON.stringify(value), at, now: scope.now });
      scope.nudgeJobs(job.kind);
    },
  };
}

/**
 * Defines work that runs again and again, once at a time in each process, after a failure too.
 * @returns as {@link defineJob}
 */
export const defineRepeatedJob = ({
  run,
  ...job
}: Pick<Definition<unknown>, 'kind' | 'early' | 'runsHere'> & {
  every: number;
  run: (context: AppContext, run: JobRun) => Promise<void>;
}) =>
  defineJob({
    ...job,
    payload: z.object({}),
    atOnce: 1,
    triesMax: Number.POSITIVE_INFINITY,
    run: (context, _payload, jobRun) => run(context, jobRun),
  });
