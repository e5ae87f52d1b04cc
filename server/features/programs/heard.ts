import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { FoundId } from '../../lists/filters.ts';

/**
 * The days on which machines last called. Filters for silent machines use these days to find candidates by an index,
 * and then test the exact times of the heartbeats. A stored day may be too early, never too late.
 */

/** The UTC day of an instant, as in the columns `heard_on`. Both engines return instants in UTC, as `toISOString` does. */
export const dayHeard = (instant: string) => instant.slice(0, 10);

type LicenseHeard = { licenseId: number; day: string };

const raise = prepared((db, { licenseId, day }: LicenseHeard) =>
  db
    .insertInto('license_heard')
    .values({ license_id: licenseId, heard_on: day })
    .onConflict((conflict) =>
      conflict.column('license_id').doUpdateSet({ heard_on: day }).where('license_heard.heard_on', '<', day),
    ),
);

const reset = prepared((db, { licenseId }: { licenseId: number }) =>
  db.updateTable('license_heard').set({ heard_on: '' }).where('license_id', '=', licenseId),
);

/** Stores that a machine of a licence called. */
export async function noteHeard(db: Db, licenseId: number, instant: string): Promise<void> {
  await raise(db, { licenseId, day: dayHeard(instant) });
}

/** Resets the day of a licence after a machine has left, because it may have been the last one to call. */
export async function forgetHeard(tx: Db, licenseId: number): Promise<void> {
  await reset(tx, { licenseId });
}

/** The ids of the rows of a table that may be silent since an instant; an index finds them. */
export const perhapsSilent = (table: 'installations' | 'license_heard', since: string) =>
  sql<FoundId>`select ${sql.ref(table === 'installations' ? 'installations.id' : 'license_heard.license_id')} as id
    from ${sql.table(table)} where ${sql.ref(`${table}.heard_on`)} <= ${dayHeard(since)}`;
