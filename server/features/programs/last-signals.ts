import { sql } from 'kysely';
import { readsInProcess } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { askedRows, listsOf, workTogether } from '../../db/together.ts';
import type { FoundId } from '../../lists/filters.ts';

/**
 * The days on which machines last called. Filters for silent machines use these days to find candidates by an index,
 * and then test the exact times of the heartbeats. A stored day may be too early, never too late.
 */

/**
 * The UTC day of an instant, as in the columns `heard_on`. Both engines return instants in UTC, as `toISOString` does.
 */
export const signalDay = (instant: string) => instant.slice(0, 10);

type LastSignal = { license_id: number; heard_on: string };

const raise = prepared((db, { license_id, heard_on }: LastSignal) =>
  db
    .insertInto('license_last_signals')
    .values({ license_id, heard_on })
    .onConflict((conflict) =>
      conflict
        .column('license_id')
        .doUpdateSet({ heard_on })
        .where('license_last_signals.heard_on', '<', heard_on),
    ),
);

const COLUMNS = { license_id: 'bigint', heard_on: 'text' } as const;

const raiseMany = prepared((db, lists: ReturnType<typeof listsOf<typeof COLUMNS>>) => ({
  compile: () =>
    sql<never>`insert into license_last_signals (license_id, heard_on)
      select asked.license_id, asked.heard_on from ${askedRows(db, COLUMNS, lists)}
      on conflict (license_id) do update set heard_on = excluded.heard_on
      where license_last_signals.heard_on < excluded.heard_on`.compile(db),
}));

/**
 * In the morning many machines call for the first time of their day; those that call together share one statement. A
 * licence is in it once, and in the order of the ids, so that two servers do not wait for each other.
 */
const raiseTogether = workTogether(async (db: Db, calls: LastSignal[]) => {
  const days = new Map<number, string>();
  for (const { license_id, heard_on } of calls) {
    if (heard_on > (days.get(license_id) ?? '')) days.set(license_id, heard_on);
  }
  const rows = [...days]
    .sort(([a], [b]) => a - b)
    .map(([license_id, heard_on]) => ({ license_id, heard_on }));
  await raiseMany(db, listsOf(COLUMNS, rows));
  return calls;
});

const reset = prepared((db, { licenseId }: { licenseId: number }) =>
  db.updateTable('license_last_signals').set({ heard_on: '' }).where('license_id', '=', licenseId),
);

/** Stores that a machine of a licence called. */
export async function storeLastSignal(db: Db, licenseId: number, instant: string): Promise<void> {
  const call = { license_id: licenseId, heard_on: signalDay(instant) };
  // Sharing saves round trips, which only PostgreSQL has.
  if (readsInProcess(db) || db.isTransaction) await raise(db, call);
  else await raiseTogether(db, call);
}

/** Resets the day of a licence after a machine has left, because it may have been the last one to call. */
export async function resetLastSignal(tx: Db, licenseId: number): Promise<void> {
  await reset(tx, { licenseId });
}

/** The ids of the rows of a table that may be silent since an instant; an index finds them. */
export const perhapsSilent = (table: 'installations' | 'license_last_signals', since: string) =>
  sql<FoundId>`select ${sql.ref(table === 'installations' ? 'installations.id' : 'license_last_signals.license_id')} as id
    from ${sql.table(table)} where ${sql.ref(`${table}.heard_on`)} <= ${signalDay(since)}`;
