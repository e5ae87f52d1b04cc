import type { AppContext } from '../context.ts';
import type { JobRow } from '../db/tables.ts';
import { reasonOf } from '../lib/reason-of.ts';
import type { Job, JobLog } from './define-job.ts';
import {
  claimJobs,
  giveUpJob,
  hasDueJobs,
  insertNamedJob,
  removeJob,
  renewJobLeases,
  rescheduleJob,
  storeProgress,
} from './jobs.queries.ts';
import { leaseClock } from './lease-clock.ts';

const POLL_MS = 2000;
/**
 * The length of a lease. After it, another process can claim the job of a dead one. A running job renews its lease
 * three times within this time.
 */
export const LEASE_MS = 30_000;
const FIRST_RETRY_MS = 5000;
const RETRY_MS_MAX = 30 * 60_000;
/**
 * After this many tries in a row that began and did not end, the job is not tried again: each of them froze or killed
 * its process.
 */
const UNENDED_MAX = 2;
const UNENDED = 'Dos intentos seguidos empezaron y no terminaron: el proceso dejó de responder o se cerró';

/** The time for running jobs when the server stops; interrupted jobs run again. */
const STOP_GRACE_MS = 3000;

export type JobRunner = {
  /**
   * Looks for jobs now, instead of at the next poll.
   * @param kind the only kind to look for; absent for all
   */
  nudge: (kind?: string) => void;
  /** Waits for running jobs, aborts those that hang, and stops. */
  stop: () => Promise<void>;
};

/**
 * The wait before a retry, in milliseconds. It doubles up to a limit; a random part prevents many jobs from running
 * again at the same moment.
 */
export function retryDelay(tries: number, random: () => number = Math.random): number {
  const wait = Math.min(RETRY_MS_MAX, FIRST_RETRY_MS * 2 ** (tries - 1));
  return Math.round(wait * (0.75 + random() * 0.5));
}

/**
 * Runs jobs until it is stopped. Any number of replicas may do so. Each kind has a separate loop, so that a long job
 * does not delay other kinds.
 * @param pollMs the wait between two looks for due jobs when nothing triggers one
 */
export function startJobs(
  context: AppContext,
  log: JobLog,
  jobs: readonly Job[],
  pollMs = POLL_MS,
): JobRunner {
  const abort = new AbortController();
  const runner = { context, log, clock: leaseClock(context), signal: abort.signal, pollMs };
  const here = jobs.filter(({ runsHere }) => runsHere?.(context.config) ?? true);
  const turns = here.map((job) => startTurns(runner, job));
  return {
    nudge: (kind) => {
      for (const turn of turns) if (kind === undefined || turn.kind === kind) turn.nudge();
    },
    stop: async () => {
      const giveUp = setTimeout(() => abort.abort(), STOP_GRACE_MS);
      await Promise.all(turns.map((turn) => turn.stop()));
      clearTimeout(giveUp);
    },
  };
}

/** What all loops of a process share; `clock` is the clock for leases. */
type Runner = {
  context: AppContext;
  log: JobLog;
  clock: () => Promise<Date>;
  signal: AbortSignal;
  pollMs: number;
};

type Turns = { kind: string; nudge: () => void; stop: () => Promise<void> };

function startTurns(runner: Runner, job: Job): Turns {
  const { context, log, clock } = runner;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let isNudged = false;
  let isScheduled = job.every === undefined;

  const turn = async () => {
    try {
      if (!isScheduled) {
        const at = await clock();
        await insertNamedJob(context.db, { kind: job.kind, name: job.kind, payload: '{}', at, now: at });
      }
      isScheduled = true;
      do {
        again = false;
        while (!stopped) {
          const early = isNudged ? (job.early ?? 0) : 0;
          isNudged = false;
          if (!(await runDue(runner, job, early))) break;
        }
      } while (again && !stopped);
    } catch (error) {
      log.error(
        { err: error, job: job.kind },
        'los trabajos en segundo plano se interrumpieron; se reintentará',
      );
    }
  };

  const look = () => {
    clearTimeout(timer);
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = turn().finally(() => {
      running = undefined;
      if (!stopped) timer = setTimeout(look, runner.pollMs);
    });
  };

  const nudge = () => {
    isNudged = true;
    look();
  };

  timer = setTimeout(look, 0);
  return {
    kind: job.kind,
    nudge,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Claims due jobs, at most `atOnce` of them, and runs them.
 * @returns false if there was none
 */
async function runDue(runner: Runner, job: Job, earlyMs: number): Promise<boolean> {
  const { db } = runner.context;
  const now = await runner.clock();
  const upTo = new Date(now.getTime() + earlyMs);
  if (!(await hasDueJobs(db, job.kind, now, upTo))) return false;
  const claimed = await claimJobs(db, job.kind, job.atOnce, LEASE_MS, now, upTo);
  const results = await Promise.allSettled(claimed.map((row) => runOnce(runner, job, row)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  // The list is empty if another process claimed the due jobs first.
  return claimed.length > 0;
}

/** Runs a claimed job and stores its outcome. Rejects only when the outcome cannot be stored. */
async function runOnce({ context, log, clock, signal }: Runner, job: Job, row: JobRow): Promise<void> {
  const { db } = context;
  const tries = row.tries + 1;
  const isLastTry = tries >= job.triesMax;
  if (job.setAsideStored && row.unended >= UNENDED_MAX) {
    await job.setAsideStored(context, row.payload);
    await giveUpJob(db, row.id, { tries: row.tries, error: UNENDED, now: await clock() });
    log.error({ job: job.kind, id: row.id, payload: row.payload }, `un trabajo se apartó. ${UNENDED}`);
    return;
  }
  let hasProgressed = false;
  const progressed = async () => {
    if (hasProgressed) return;
    hasProgressed = true;
    await storeProgress(db, row.id);
  };
  const renewal = setInterval(() => {
    clock()
      .then((now) => renewJobLeases(db, [row.id], LEASE_MS, now))
      .catch((error: unknown) =>
        log.warn({ err: error, job: job.kind }, 'no se pudo prolongar un trabajo en curso'),
      );
  }, LEASE_MS / 3);
  try {
    await job.runStored(context, row.payload, { log, signal, tries, isLastTry, progressed });
  } catch (error) {
    const reason = reasonOf(error);
    if (isLastTry && job.every === undefined) {
      await giveUpJob(db, row.id, { tries, error: reason, now: await clock() });
      log.error({ err: error, job: job.kind, id: row.id, tries }, 'un trabajo falló y no se reintentará');
      return;
    }
    await rescheduleJob(db, row.id, {
      at: new Date((await clock()).getTime() + retryDelay(tries)),
      tries,
      error: reason,
    });
    log.warn({ job: job.kind, id: row.id, tries, error: reason }, 'un trabajo falló; se reintentará');
    return;
  } finally {
    clearInterval(renewal);
  }
  if (job.every === undefined) await removeJob(db, row.id);
  else {
    const at = new Date((await clock()).getTime() + job.every);
    await rescheduleJob(db, row.id, { at, tries: 0, error: null });
  }
}
