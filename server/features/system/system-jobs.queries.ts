import { type SqlBool, sql } from 'kysely';
import type { SystemAnswer, SystemJob, SystemJobState } from '../../../contract/system/system.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, JobRow } from '../../db/tables.ts';
import { labelOfJob } from '../../jobs/define-job.ts';
import { defineCursorList } from '../../lists/cursor-list.ts';

const LISTED = ['id', 'kind', 'tries', 'run_at', 'claimed_until', 'last_error', 'failed_at'] as const;
type Listed = Pick<JobRow, (typeof LISTED)[number]>;

const HOLDS = {
  failed: () => sql<SqlBool>`jobs.failed_at is not null`,
  running: (now: string) => sql<SqlBool>`jobs.failed_at is null and jobs.claimed_until > ${now}`,
  waiting: (now: string) =>
    sql<SqlBool>`jobs.failed_at is null and (jobs.claimed_until is null or jobs.claimed_until <= ${now})`,
} satisfies Record<SystemJobState, (now: string) => unknown>;

function stateOf({ failed_at, claimed_until }: Listed, now: Date): SystemJobState {
  if (failed_at !== null) return 'failed';
  return claimed_until !== null && claimed_until > now.toISOString() ? 'running' : 'waiting';
}

/** A job in an answer; its payload is never included. */
export const toSystemJob = (row: Listed, now: Date): SystemJob => ({
  id: row.id,
  kind: row.kind,
  label: labelOfJob(row.kind),
  state: stateOf(row, now),
  tries: row.tries,
  run_at: row.run_at,
  last_error: row.last_error,
});

/** The jobs with their states at a moment, newest first. */
export const systemJobList = (now: Date) =>
  defineCursorList<{ state?: SystemJobState | undefined }, 'jobs', (typeof LISTED)[number], SystemJob>({
    table: 'jobs',
    columns: LISTED,
    filters: { state: (state) => ({ holds: HOLDS[state](now.toISOString()) }) },
    rows: async (_db, found) => found.map((row) => toSystemJob(row, now)),
  });

/** The number of waiting, running and failed jobs. */
export async function countSystemJobs(db: Db, now: Date): Promise<SystemAnswer['jobs']> {
  const at = now.toISOString();
  const count = (state: SystemJobState) =>
    sql<number>`coalesce(sum(case when ${HOLDS[state](at)} then 1 else 0 end), 0)`;
  return db
    .selectFrom('jobs')
    .select([count('waiting').as('waiting'), count('running').as('running'), count('failed').as('failed')])
    .executeTakeFirstOrThrow();
}

/** Locks a job until the transaction ends. */
export const lockJob = (tx: Db, id: number): Promise<JobRow | undefined> =>
  lockRows(tx, tx.selectFrom('jobs').selectAll().where('id', '=', id)).executeTakeFirst();

/** Restarts a failed job now, with its full number of tries. */
export const restartJob = (tx: Db, id: number, now: Date): Promise<JobRow> =>
  tx
    .updateTable('jobs')
    .set({ failed_at: null, tries: 0, unended: 0, claimed_until: null, run_at: now.toISOString() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
