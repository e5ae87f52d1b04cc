import type { JobProgress } from '../../../contract/base/jobs.ts';
import type { BulkFailure } from '../../../contract/licenses/bulk.ts';
import { lockRows } from '../../db/dialect.ts';
import type { BulkJobRow, Db } from '../../db/tables.ts';
import { actorColumns, type Scope } from '../../scope.ts';

/** Records in one transaction. On SQLite it blocks the only writer, so other requests wait for it. */
const CHUNK = 25;
/** Chunks in one statement; PostgreSQL accepts at most 65,535 parameters. */
const CHUNKS_AT_ONCE = 500;
/** The most failures that are stored with a job. */
const FAILURES_MAX = 100;
/** For how many days a finished job can be read. */
const KEPT_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

type NewBulkJob = { list: string; action: string; fields: Record<string, unknown>; ids: number[] };

/**
 * Stores a bulk call with its records, for the actor of the scope.
 * @returns its id
 */
export async function insertBulkJob(
  scope: Scope,
  { list, action, fields, ids }: NewBulkJob,
): Promise<number> {
  const { tx, now } = scope;
  const { id } = await tx
    .insertInto('bulk_jobs')
    .values({
      list,
      action,
      fields: JSON.stringify(fields),
      ...actorColumns(scope),
      state: 'waiting',
      total: ids.length,
      done: 0,
      succeeded: 0,
      failed: '[]',
      created_at: now.toISOString(),
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const step = CHUNK * CHUNKS_AT_ONCE;
  for (let start = 0; start < ids.length; start += step) {
    const chunks = [];
    for (let first = start; first < Math.min(start + step, ids.length); first += CHUNK) {
      chunks.push({ job_id: id, position: first, ids: JSON.stringify(ids.slice(first, first + CHUNK)) });
    }
    await tx.insertInto('bulk_chunks').values(chunks).execute();
  }
  return id;
}

export const findBulkJob = (db: Db, id: number): Promise<BulkJobRow | undefined> =>
  db.selectFrom('bulk_jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** Reads and locks an unfinished bulk job; another process that runs it waits. */
export const lockBulkJob = (tx: Db, id: number): Promise<BulkJobRow | undefined> =>
  lockRows(
    tx,
    tx.selectFrom('bulk_jobs').selectAll().where('id', '=', id).where('finished_at', 'is', null),
  ).executeTakeFirst();

/** Takes and deletes the next chunk of a locked job, so that its records are processed once; null when none is left. */
export async function takeChunk(tx: Db, id: number): Promise<number[] | null> {
  const chunk = await tx
    .selectFrom('bulk_chunks')
    .select(['position', 'ids'])
    .where('job_id', '=', id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  if (!chunk) return null;
  await tx
    .deleteFrom('bulk_chunks')
    .where('job_id', '=', id)
    .where('position', '=', chunk.position)
    .execute();
  return JSON.parse(chunk.ids) as number[];
}

/** Adds the outcome of a chunk to a locked job. */
export async function countChunk(
  tx: Db,
  job: BulkJobRow,
  { done, failed }: { done: number[]; failed: BulkFailure[] },
): Promise<void> {
  const failures = [...failuresOf(job), ...failed].slice(0, FAILURES_MAX);
  await tx
    .updateTable('bulk_jobs')
    .set({
      state: 'running',
      done: job.done + done.length + failed.length,
      succeeded: job.succeeded + done.length,
      failed: JSON.stringify(failures),
    })
    .where('id', '=', job.id)
    .execute();
}

/**
 * Ends a job.
 * @param end.reason why it ends before all records were tried; the rest is not tried any more
 */
export async function finishBulkJob(
  db: Db,
  id: number,
  { state, reason = null }: { state: 'done' | 'failed' | 'cancelled'; reason?: string | null },
  now: Date,
): Promise<void> {
  await db
    .updateTable('bulk_jobs')
    .set({ state, reason, finished_at: now.toISOString() })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}

// The cast is safe: only countChunk writes this column.
const failuresOf = ({ failed }: BulkJobRow) => JSON.parse(failed) as BulkFailure[];

/** The answer about a job. */
export function toProgress(job: BulkJobRow): JobProgress {
  const { state, total, done, succeeded, finished_at, reason } = job;
  return {
    state,
    total,
    done,
    result: finished_at === null ? null : { done: succeeded, failed: failuresOf(job) },
    reason,
  };
}

/** Deletes finished jobs after {@link KEPT_DAYS}. */
export async function deletePastBulkJobs(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await db.deleteFrom('bulk_jobs').where('finished_at', '<', limit).execute();
}
