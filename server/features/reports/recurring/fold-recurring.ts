import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { isAmong, readsInProcess } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { defineRepeatedJob } from '../../../jobs/define-job.ts';
import { countLicensesOf, licensesOf, readRecurring } from './recurring-clients.ts';
import type { ClientRecurring, DayMoves } from './recurring-moves.ts';
import {
  differences,
  type RecurringState,
  readChanges,
  readState,
  readSummed,
  readUnbuilt,
  type Waiting,
} from './recurring-sums.ts';

/**
 * Makes the sums of the recurring revenue by day, and brings what changed into them. No writer waits for it: it reads
 * outside of a transaction, and what changes meanwhile is a later row of `recurring_changes`.
 */

/** Licences whose clients are brought into the sums at once. */
const LICENSES_AT_ONCE = 1000;
/** Clients that are read for it. */
const CLIENTS_AT_ONCE = 1000;
/** Rows of changes that are read for it: a bulk call writes many for one client. */
const CHANGES_AT_ONCE = 10_000;
/** With fewer changes, of clients with fewer licences, nothing is done: a report computes these clients at the call. */
const WORTH_IT = 200;
const LICENSES_WORTH_IT = 1000;
/** Rows in one statement. */
const ROWS_WRITTEN = 200;
/** The wait between two writes on SQLite, so that others write in between. */
const PAUSE_MS = 5;

export const recurringJob = defineRepeatedJob({
  kind: 'recurring-revenue',
  label: 'Venta recurrente',
  every: 60_000,
  run: async (context, { signal, log, progressed }) => {
    const clients = await foldRecurring(context, { signal, progressed });
    if (clients > CLIENTS_AT_ONCE) log.info({ clients }, 'venta recurrente calculada');
  },
});

type FoldContext = Pick<AppContext, 'forLongWork' | 'now'> & {
  config: Pick<AppContext['config'], 'timeZone'>;
};

type FoldOptions = {
  signal: AbortSignal;
  /** With fewer changes and clients, nothing is done. */
  worthIt?: number;
  progressed?: (() => Promise<void>) | undefined;
};

/**
 * Brings the sums up to date.
 * @returns how many clients were computed
 */
export async function foldRecurring(
  { forLongWork: db, now, config: { timeZone } }: FoldContext,
  { signal, worthIt = WORTH_IT, progressed }: FoldOptions,
): Promise<number> {
  let state = await readState(db);
  const isOther = state.zone !== timeZone;
  if (!(await isWorthIt(db, isOther ? { ...state, built_to: 0, is_built: false } : state, worthIt))) return 0;
  if (isOther) await startAnew(db, timeZone, signal);
  let computed = 0;
  while (!signal.aborted) {
    const at = now().toISOString();
    state = await readState(db);
    // Another run starts anew.
    if (state.zone !== timeZone) return computed;
    const waiting = await readChanges(db, CHANGES_AT_ONCE);
    const isLast = state.is_built && !waiting.hasMore;
    const isStored =
      waiting.changes.length > 0
        ? await bringIn(db, state, waiting, timeZone)
        : state.is_built || (await build(db, state, timeZone));
    // Another run is at it, after this one lost its lease.
    if (!isStored) return computed;
    computed += waiting.clients.length;
    if (isLast) {
      await db.updateTable('recurring_state').set({ as_of: at }).execute();
      return computed;
    }
    await progressed?.();
    if (readsInProcess(db)) await sleep(PAUSE_MS);
  }
  return computed;
}

async function isWorthIt(db: Db, state: RecurringState, worthIt: number): Promise<boolean> {
  const { changes, clients } = await readChanges(db, worthIt);
  const unbuilt = state.is_built ? [] : await readUnbuilt(db, state, worthIt);
  const count = changes.length + unbuilt.length;
  if (count === 0 || count >= worthIt) return count > 0;
  return (await countLicensesOf(db, [...clients, ...unbuilt])) >= LICENSES_WORTH_IT;
}

/**
 * The days of another time zone are other days: nothing of the sums stays. Until the zone is set no run stores anything,
 * and a run that began earlier removes nothing any more: it leaves the rest to the one that started anew since.
 */
async function startAnew(db: Db, timeZone: string, signal: AbortSignal): Promise<void> {
  const steps = await db.transaction().execute(async (tx) => {
    const state = await tx
      .updateTable('recurring_state')
      .set((eb) => ({ zone: '', built_to: 0, is_built: false, as_of: null, steps: eb('steps', '+', 1) }))
      .returning('steps')
      .executeTakeFirstOrThrow();
    await tx.deleteFrom('recurring_days').execute();
    return state.steps;
  });
  while (!signal.aborted) {
    const summed = await db
      .selectFrom('recurring_clients')
      .select('client_id')
      .limit(CLIENTS_AT_ONCE)
      .execute();
    if (summed.length === 0) {
      await db.updateTable('recurring_state').set({ zone: timeZone }).where('steps', '=', steps).execute();
      return;
    }
    const ids = summed.map(({ client_id }) => client_id);
    await db
      .deleteFrom('recurring_clients')
      .where((eb) => isAmong(db, eb.ref('client_id'), ids))
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('recurring_state').select('steps').where('steps', '=', steps)),
      )
      .execute();
    if ((await readState(db)).steps !== steps) return;
  }
}

/**
 * Brings the next clients into the sums that these never held.
 * @returns as {@link store}
 */
async function build(db: Db, state: RecurringState, timeZone: string): Promise<boolean> {
  const clients = await fewLicenses(db, await readUnbuilt(db, state, CLIENTS_AT_ONCE));
  return store(db, state.steps, { clients, changes: [] }, await readRecurring(db, clients, timeZone), {
    built_to: clients.at(-1) ?? state.built_to,
    is_built: clients.length === 0,
  });
}

/**
 * Brings changed clients into the sums.
 * @returns as {@link store}
 */
async function bringIn(
  db: Db,
  { steps, is_built, built_to }: RecurringState,
  waiting: Waiting,
  timeZone: string,
): Promise<boolean> {
  // Clients whose turn comes later will be read as they are then.
  let rest = is_built ? waiting.clients : waiting.clients.filter((client) => client <= built_to);
  const counts = await licensesOf(db, rest);
  for (let step = 0; step === 0 || rest.length > 0; step += 1) {
    const clients = firstOf(rest, counts);
    rest = rest.slice(clients.length);
    // The rows go with the last of their clients: what was stored before is only computed again.
    const changes = rest.length === 0 ? waiting.changes : [];
    const recurring = await readRecurring(db, clients, timeZone);
    if (!(await store(db, steps + step, { clients, changes }, recurring, {}))) return false;
  }
  return true;
}

const fewLicenses = async (db: Db, clients: number[]): Promise<number[]> =>
  firstOf(clients, await licensesOf(db, clients));

/** The first clients, with few licences together; at least one. */
function firstOf(clients: number[], counts: Map<number, number>): number[] {
  let licenses = 0;
  const after = clients.findIndex((client, index) => {
    licenses += counts.get(client) ?? 0;
    return index > 0 && licenses > LICENSES_AT_ONCE;
  });
  return after < 0 ? clients : clients.slice(0, after);
}

/**
 * Stores clients as they are now, and what differs from what the sums held of them.
 * @param steps of the sums before the clients were read
 * @returns false if another run has changed the sums since; then nothing is stored
 */
async function store(
  db: Db,
  steps: number,
  { clients, changes }: Omit<Waiting, 'hasMore'>,
  recurring: Map<number, ClientRecurring>,
  reached: Partial<Pick<RecurringState, 'built_to' | 'is_built'>>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('recurring_state')
      .set({ ...reached, steps: steps + 1 })
      .where('steps', '=', steps)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const summed = await readSummed(tx, clients);
    await addDays(tx, differences(summed, recurring));
    const kept = [...recurring].filter(([, own]) => own.length > 0);
    const gone = clients.filter((client) => recurring.get(client)?.length === 0 && summed.has(client));
    for (const rows of slices(kept)) {
      await tx
        .insertInto('recurring_clients')
        .values(rows.map(([client_id, own]) => ({ client_id, recurring: JSON.stringify(own) })))
        .onConflict((conflict) =>
          conflict.column('client_id').doUpdateSet((eb) => ({ recurring: eb.ref('excluded.recurring') })),
        )
        .execute();
    }
    if (gone.length > 0)
      await tx
        .deleteFrom('recurring_clients')
        .where((eb) => isAmong(tx, eb.ref('client_id'), gone))
        .execute();
    if (changes.length > 0)
      await tx
        .deleteFrom('recurring_changes')
        .where((eb) => isAmong(tx, eb.ref('id'), changes))
        .execute();
    return true;
  });
}

const AMOUNTS = ['new', 'expansion', 'contraction', 'churned', 'reactivated', 'clients'] as const;

async function addDays(tx: Db, days: DayMoves[]): Promise<void> {
  for (const rows of slices(days)) {
    await tx
      .insertInto('recurring_days')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['software_id', 'currency', 'day'])
          .doUpdateSet(
            Object.fromEntries(
              AMOUNTS.map((name) => [
                name,
                sql<number>`${sql.ref(`recurring_days.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
              ]),
            ),
          ),
      )
      .execute();
  }
}

function* slices<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_WRITTEN)
    yield rows.slice(start, start + ROWS_WRITTEN);
}
