import { lockFreeRows } from '../db/dialect.ts';
import { prepared } from '../db/prepared.ts';
import type { Db, JobRow } from '../db/tables.ts';

type NewJob = { kind: string; payload: string; at: Date; now: Date; name?: string };

const toRow = ({ kind, payload, at, now, name = undefined }: NewJob) => ({
  kind,
  name: name ?? null,
  payload,
  run_at: at.toISOString(),
  claimed_until: null,
  tries: 0,
  last_error: null,
  created_at: now.toISOString(),
  failed_at: null,
});

const insert = prepared((db, row: Omit<JobRow, 'id' | 'unended'>) => db.insertInto('jobs').values(row));

/** Stores a job. */
export async function insertJob(db: Db, job: NewJob): Promise<void> {
  await insert(db, toRow(job));
}

/** Stores a job with a unique name; an existing one stays unchanged. */
export async function insertNamedJob(db: Db, job: NewJob & { name: string }): Promise<void> {
  await db
    .insertInto('jobs')
    .values(toRow(job))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

const momentsOf = (now: Date, upTo: Date) => ({ moment: now.toISOString(), upTo: upTo.toISOString() });

/** Jobs of a kind that are due up to a time, and without a lease. */
function due(db: Db, kind: string, { moment, upTo }: { moment: string; upTo: string }) {
  return db
    .selectFrom('jobs')
    .where('failed_at', 'is', null)
    .where('kind', '=', kind)
    .where('run_at', '<=', upTo)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', moment)]));
}

const dueId = prepared((db, { kind, ...moments }: { kind: string; moment: string; upTo: string }) =>
  due(db, kind, moments).select('id').limit(1),
);

/**
 * Whether a job of the kind is due. It only reads and takes no write lock.
 * @param upTo later than now for a job that may run early
 */
export async function hasDueJobs(db: Db, kind: string, now: Date, upTo: Date = now): Promise<boolean> {
  return (await dueId(db, { kind, ...momentsOf(now, upTo) })).length > 0;
}

/**
 * Claims due jobs, the earliest first, each with a lease. The row's `unended` is the number of earlier tries that did
 * not end. A lease that is still held is never taken over; when the lease of a dead process has ended, another
 * process claims the job.
 */
export async function claimJobs(
  db: Db,
  kind: string,
  limit: number,
  leaseMs: number,
  now: Date,
  upTo: Date = now,
): Promise<JobRow[]> {
  return db.transaction().execute(async (tx) => {
    const jobs = await lockFreeRows(
      tx,
      due(tx, kind, momentsOf(now, upTo)).selectAll().orderBy('run_at').orderBy('id').limit(limit),
    ).execute();
    if (jobs.length > 0)
      await tx
        .updateTable('jobs')
        .set((eb) => ({ ...leaseFrom(now, leaseMs), unended: eb('unended', '+', 1) }))
        .where(
          'id',
          'in',
          jobs.map(({ id }) => id),
        )
        .execute();
    return jobs;
  });
}

const leaseFrom = (now: Date, leaseMs: number) => ({
  claimed_until: new Date(now.getTime() + leaseMs).toISOString(),
});

/** Stores that a running job has finished a part of its work: `unended` becomes 0. */
export async function storeProgress(db: Db, id: number): Promise<void> {
  await db.updateTable('jobs').set({ unended: 0 }).where('id', '=', id).execute();
}

/** Renews the leases of jobs. */
export async function renewJobLeases(db: Db, ids: number[], leaseMs: number, now: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('jobs').set(leaseFrom(now, leaseMs)).where('id', 'in', ids).execute();
}

const remove = prepared((db, { id }: { id: number }) => db.deleteFrom('jobs').where('id', '=', id));

/** Deletes a finished job. */
export async function removeJob(db: Db, id: number): Promise<void> {
  await remove(db, { id });
}

/** Schedules a job to run again; after a failure, with the error text. */
export async function rescheduleJob(
  db: Db,
  id: number,
  next: { at: Date; tries: number; error: string | null },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      run_at: next.at.toISOString(),
      tries: next.tries,
      unended: 0,
      last_error: next.error,
      claimed_until: null,
    })
    .where('id', '=', id)
    .execute();
}

/** Marks a job as failed. Its row stays for inspection. */
export async function giveUpJob(
  db: Db,
  id: number,
  failure: { tries: number; error: string; now: Date },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      tries: failure.tries,
      last_error: failure.error,
      claimed_until: null,
      failed_at: failure.now.toISOString(),
    })
    .where('id', '=', id)
    .execute();
}

/** The number of waiting and failed jobs by kind. */
export function countJobs(db: Db): Promise<{ kind: string; waiting: number; failed: number }[]> {
  return db
    .selectFrom('jobs')
    .groupBy('kind')
    .select((eb) => [
      'kind',
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('failed_at', 'is', null).then(1).else(0).end()), eb.lit(0))
        .as('waiting'),
      eb.fn.count<number>('failed_at').as('failed'),
    ])
    .execute();
}
