import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { inOneSnapshot, readsInProcess, utcDay, writersOfNow } from '../../db/dialect.ts';
import type { DaySource, Db } from '../../db/tables.ts';
import { defineRepeatedJob } from '../../jobs/define-job.ts';
import { DAY_SOURCES } from './day-facts.ts';
import { factRows } from './fact-rows.ts';

/**
 * Adds new rows and changes to the sums by day (docs/decisions/051-sums-by-day.md), without blocking any writer.
 * First, triggers begin to record changes of the new rows. When all transactions that may have missed this have
 * ended, the rows are added, some in each transaction.
 */

/** Rows in one transaction: STEP if statements run in this process, STEP_APART if the database is a separate server. */
const STEP = 2000;
const STEP_APART = 100_000;
/** With fewer new rows and changes than this, nothing is done: reports read them directly. */
const WORTH_IT = 2000;
const WAIT_MS = 500;
const WAITS_MAX = 60;

export const daySumsJob = defineRepeatedJob({
  kind: 'day-sums',
  label: 'Sumas por día',
  every: 60_000,
  run: async ({ forLongWork: db }, { signal }) => {
    await foldDays(db, { signal });
  },
});

type FoldOptions = {
  signal: AbortSignal;
  /** With fewer new rows and changes, nothing is done. */
  worthIt?: number;
  /** How long a transaction may have an id for a row before {@link writersOfNow} sees it as writing. */
  settleMs?: number;
};

/**
 * Brings the sums up to date.
 * @returns how many rows and changes there were
 */
export async function foldDays(
  db: Db,
  { signal, worthIt = WORTH_IT, settleMs = WAIT_MS }: FoldOptions,
): Promise<number> {
  const waiting = await countWaiting(db);
  if (waiting < worthIt || waiting === 0) return 0;
  await watchNewRows(db);
  // A transaction may take an id for a row a moment before {@link writersOfNow} sees it as writing.
  if (!readsInProcess(db)) await sleep(settleMs);
  const haveEnded = await writersOfNow(db);
  for (let tries = 0; !(await haveEnded()); tries += 1) {
    if (signal.aborted || tries === WAITS_MAX) return 0;
    await sleep(WAIT_MS);
  }
  for (const source of DAY_SOURCES) {
    while (!signal.aborted && (await foldRows(db, source))) {
      // Gives other requests of this process time to run.
      if (readsInProcess(db)) await sleep(5);
    }
  }
  await foldChanges(db);
  return waiting;
}

const newestOf = (source: DaySource) => sql`(select coalesce(max(id), 0) from ${sql.table(source)})`;

async function countWaiting(db: Db): Promise<number> {
  const counts = DAY_SOURCES.map(
    (source) => sql`(${newestOf(source)} - (select kept from day_state where source = ${source}))`,
  );
  const { rows } = await sql<{ n: number }>`
    select ${sql.join(counts, sql` + `)} + (select count(*) from day_changes) as n`.execute(db);
  return rows[0]!.n;
}

/** From now on, triggers record changes of all rows that exist now. */
async function watchNewRows(db: Db): Promise<void> {
  for (const source of DAY_SOURCES) {
    await sql`update day_state set watched = ${newestOf(source)}
      where source = ${source} and watched < ${newestOf(source)}`.execute(db);
  }
}

/**
 * Adds some rows to the sums, in their present state.
 * @returns whether there are more
 */
async function foldRows(db: Db, source: DaySource): Promise<boolean> {
  return inOneSnapshot(db, async (tx) => {
    const { kept, watched } = await tx
      .selectFrom('day_state')
      .select(['kept', 'watched'])
      .where('source', '=', source)
      .executeTakeFirstOrThrow();
    if (kept >= watched) return false;
    const upTo = Math.min(watched, kept + (readsInProcess(db) ? STEP : STEP_APART));
    const facts = factRows(tx, source, sql`facts.id > ${kept} and facts.id <= ${upTo}`);
    await addSums(tx, sql`${sql.join(facts, sql` union all `)}`);
    // The sums of these rows already include these changes.
    await tx
      .deleteFrom('day_changes')
      .where('source', '=', source)
      .where('row_id', '>', kept)
      .where('row_id', '<=', upTo)
      .execute();
    await tx.updateTable('day_state').set({ kept: upTo }).where('source', '=', source).execute();
    return upTo < watched;
  });
}

/** Adds facts to the sums: to those of their software and to those of all software. */
async function addSums(tx: Db, facts: ReturnType<typeof sql>): Promise<void> {
  for (const software of [sql`software_id`, sql`0`]) {
    await sql`insert into day_sums (fact, software_id, day, currency, n, cents)
      select fact, ${software}, day, currency, sum(n), sum(cents) from (${facts}) as added where true
      group by 1, 2, 3, 4
      on conflict (fact, software_id, day, currency)
        do update set n = day_sums.n + excluded.n, cents = day_sums.cents + excluded.cents`.execute(tx);
  }
}

/** Adds the recorded changes of summed rows to the sums. */
async function foldChanges(db: Db): Promise<void> {
  await inOneSnapshot(db, async (tx) => {
    const { last } = await tx
      .selectFrom('day_changes')
      .select((eb) => eb.fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    if (last === null) return;
    const isDone = sql`id <= ${last} and row_id <= (select kept from day_state where day_state.source = day_changes.source)`;
    await addSums(
      tx,
      sql`select fact, software_id, ${utcDay(tx, sql.ref('at'))} as day, currency, n, cents from day_changes where ${isDone}`,
    );
    await sql`delete from day_changes where ${isDone}`.execute(tx);
  });
}
