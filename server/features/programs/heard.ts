import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { askedRows, listsOf, workTogether } from '../../db/together.ts';
import type { FoundId } from '../../lists/filters.ts';

/**
 * The days on which machines last called. Filters for silent machines use these days to find candidates by an index,
 * and then test the exact times of the heartbeats. A stored day may be too early, never too late.
 */

/** The UTC day of an instant, as in the columns `heard_on`. Both engines return instants in UTC, as `toISOString` does. */
export const dayHeard = (instant: string) => instant.slice(0, 10);

type LicenseHeard = { license_id: number; heard_on: string };

const COLUMNS = { license_id: 'bigint', heard_on: 'text' } as const;

const raise = prepared((db, lists: ReturnType<typeof listsOf<typeof COLUMNS>>) => ({
  compile: () =>
    // Without 'where true' SQLite would read 'on' as the beginning of a join.
    sql<never>`insert into license_heard (license_id, heard_on)
      select asked.license_id, asked.heard_on from ${askedRows(db, COLUMNS, lists)} where true
      on conflict (license_id) do update set heard_on = excluded.heard_on
      where license_heard.heard_on < excluded.heard_on`.compile(db),
}));

/** Stores the latest day of each licence, in the order of their ids, so that two servers do not wait for each other. */
async function raiseAll(db: Db, calls: LicenseHeard[]): Promise<void> {
  const days = new Map<number, string>();
  for (const { license_id, heard_on } of calls) {
    if (heard_on > (days.get(license_id) ?? '')) days.set(license_id, heard_on);
  }
  const rows = [...days].map(([license_id, heard_on]) => ({ license_id, heard_on }));
  await raise(
    db,
    listsOf(
      COLUMNS,
      rows.sort((a, b) => a.license_id - b.license_id),
    ),
  );
}

/** In the morning many machines call for the first time of their day; those that call together share one statement. */
const raiseTogether = workTogether(async (db: Db, calls: LicenseHeard[]) => {
  await raiseAll(db, calls);
  return calls;
});

const reset = prepared((db, { licenseId }: { licenseId: number }) =>
  db.updateTable('license_heard').set({ heard_on: '' }).where('license_id', '=', licenseId),
);

/** Stores that a machine of a licence called. */
export async function noteHeard(db: Db, licenseId: number, instant: string): Promise<void> {
  const call = { license_id: licenseId, heard_on: dayHeard(instant) };
  await (db.isTransaction ? raiseAll(db, [call]) : raiseTogether(db, call));
}

/** Resets the day of a licence after a machine has left, because it may have been the last one to call. */
export async function forgetHeard(tx: Db, licenseId: number): Promise<void> {
  await reset(tx, { licenseId });
}

/** The ids of the rows of a table that may be silent since an instant; an index finds them. */
export const perhapsSilent = (table: 'installations' | 'license_heard', since: string) =>
  sql<FoundId>`select ${sql.ref(table === 'installations' ? 'installations.id' : 'license_heard.license_id')} as id
    from ${sql.table(table)} where ${sql.ref(`${table}.heard_on`)} <= ${dayHeard(since)}`;
