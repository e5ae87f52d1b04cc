import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { AppContext } from '../context.ts';
import type { Scope } from '../scope.ts';
import { insertJob } from './jobs.queries.ts';

/** `runsHere` of jobs that call other servers: with OUTBOUND=0 they wait (OPS-03). */
export const leavesServer = ({ outbound }: Pick<AppContext['config'], 'outbound'>): boolean => outbound;

export type JobLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** What a run gets in addition to its payload. */
export type JobRun = {
  log: JobLog;
  /** Aborted when the server stops and the grace period has ended. */
  signal: AbortSignal;
  /** The number of runs, this one included. */
  tries: number;
  /** True when no retry follows this run. */
  isLastTry: boolean;
  /**
   * Reports that a part of the work is stored. A later part that freezes the process then does not count as a further
   * try of an earlier part.
   */
  progressed?: () => Promise<void>;
};

type Definition<Payload> = {
  /** The name in the table and in metrics. It must not change after a release, because jobs with it may be waiting. */
  kind: string;
  /** What staff read in its place. */
  label: string;
  payload: z.ZodType<Payload>;
  /** Concurrent runs in one process. */
  atOnce: number;
  /** Milliseconds from the end of a run to the next; the first run is at the first start of the server. */
  every?: number;
  /**
   * How many milliseconds before its time a nudge may run the job. For a repeated job it means that a nudge runs it
   * at once.
   */
  early?: number;
  triesMax: number;
  /** Whether this process runs jobs of this kind. Default: yes. */
  runsHere?: (config: AppContext['config']) => boolean;
  /**
   * Does the work. It may run again after a crash or when its lease has ended, so it must check what is already done.
   * After an error it runs again, and the wait grows with each try.
   */
  run: (context: AppContext, payload: Payload, run: JobRun) => Promise<void>;
  /**
   * Closes work that twice in a row began and did not end, because it killed or froze the process and would do so
   * again. Without this function such a job is tried again each time.
   */
  setAside?: (context: AppContext, payload: Payload) => Promise<void>;
};

export type Job = Omit<Definition<unknown>, 'payload' | 'run' | 'setAside'> & {
  runStored: (context: AppContext, payload: string, run: JobRun) => Promise<void>;
  setAsideStored?: ((context: AppContext, payload: string) => Promise<void>) | undefined;
};

const LABELS = new Map<string, string>();

/** What staff read for a kind of job; the kind itself where a newer program wrote it. */
export const labelOfJob = (kind: string): string => LABELS.get(kind) ?? kind;

/**
 * Defines work that runs outside of requests, once across all replicas.
 * @returns the definition for the runner, with `enqueue`, which writes a job in the transaction of a scope
 */
export function defineJob<Payload>(definition: Definition<Payload>) {
  const { payload, run, setAside, ...job } = definition;
  LABELS.set(job.kind, job.label);
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
 * Defines work that repeats without end, also after a failure. Each process runs it once at a time.
 * @returns as {@link defineJob}
 */
export const defineRepeatedJob = ({
  run,
  ...job
}: Pick<Definition<unknown>, 'kind' | 'label' | 'early' | 'runsHere'> & {
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
