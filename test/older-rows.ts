import { type Kysely, sql } from 'kysely';
import type { AppContext } from '../server/context.ts';
import type { FoldName } from '../server/db/folds.ts';
import { isFolded } from '../server/db/folds.ts';
import type { Tables } from '../server/db/tables.ts';
import { JOBS } from '../server/features/index.ts';
import type { Job } from '../server/jobs/define-job.ts';
import type { TestApp } from './app.ts';
import { runJob } from './run-job.ts';

/** The application as right after the migrations of an older database: nothing is folded yet. Before the first call. */
export async function unfold(t: TestApp): Promise<void> {
  await t.db.deleteFrom('folds').execute();
  await sql`create index installations_by_machine on installations (machine_id)`.execute(t.db);
  await sql`drop index installations_without_key`.execute(t.db);
  // On SQLite the migration makes the indexes while their columns are empty.
  if (process.env.TEST_ENGINE !== 'postgres') return;
  await sql`drop index installations_by_machine_key`.execute(t.db);
  await sql`drop index trials_by_machine_key`.execute(t.db);
}

/**
 * Runs a job that fills columns of older rows until it has ended, as the runner does: once a minute.
 * @returns how often it ran
 */
export async function runFold(t: TestApp, name: FoldName, job: Pick<Job, 'runStored'>): Promise<number> {
  for (let runs = 1; runs < 20; runs += 1) {
    await runJob(t.context, job);
    const ended = await t.db
      .selectFrom('folds')
      .select('ended_at')
      .where('name', '=', name)
      .executeTakeFirst();
    if (ended?.ended_at) return runs;
    t.clock.advance(61_000);
  }
  throw new Error(`${name} did not end, isFolded: ${await isFolded(t.db, name)}`);
}

/** Runs all jobs that fill columns of older rows, on a database without an application, until they have ended. */
export async function foldAll(db: Kysely<Tables>): Promise<void> {
  let time = Date.now();
  const config = { timeZone: 'UTC', mailFrom: '', publicUrl: '', clientUrl: '' };
  const idle = { secrets: {}, publish: async () => {}, nudgeJobs: () => {} };
  // The cast is safe: these jobs use no other part of a context.
  const context = {
    db,
    forLongWork: db,
    now: () => new Date(time),
    config,
    ...idle,
  } as unknown as AppContext;
  const folds = JOBS.filter(({ kind }) => kind.startsWith('fold-'));
  for (let minute = 0; minute < 3; minute += 1) {
    for (const job of folds) await runJob(context, job);
    time += 61_000;
  }
}

/** Seats of one licence as version 0.2.0 stored them, without the key of their machine. */
export async function insertOldSeats(
  t: TestApp,
  licenseId: number,
  seats: {
    machine_id: string;
    machine_name?: string;
    at: string;
    token_until?: string;
    file_until?: string;
  }[],
): Promise<void> {
  for (const { machine_id, machine_name, at, token_until, file_until } of seats) {
    await sql`insert into installations
      (license_id, machine_id, machine_name, mac_address, ip_address, installation_date, notes, search_text, token_until, file_until)
      values (${licenseId}, ${machine_id}, ${machine_name ?? machine_id}, '', '', ${at}, '', ${machine_id.toLowerCase()},
        ${token_until ?? null}, ${file_until ?? null})`.execute(t.db);
  }
  await sql`update licenses set current_installations = current_installations + ${seats.length} where id = ${licenseId}`.execute(
    t.db,
  );
}
