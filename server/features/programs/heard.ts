import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { FoundId } from '../../lists/filters.ts';

/**
 * The days on which machines were heard. The filters of silence find by them what may be silent, and test the times of
 * the heartbeats on that: a day may be too early, never too late.
 */

/** The day of UTC of an instant, as the columns `heard_on` have it. */
export const dayHeard = (instant: string) => new Date(instant).toISOString().slice(0, 10);

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

/** Notes that a machine of a licence was heard. */
export async function noteHeard(db: Db, licenseId: number, instant: string): Promise<void> {
  await raise(db, { licenseId, day: dayHeard(instant) });
}

/** Notes that a machine has left a licence: it may have been the one that was heard last. */
export async function forgetHeard(tx: Db, licenseId: number): Promise<void> {
  await reset(tx, { licenseId });
}

/** The ids of the rows of a table that may have been silent since an instant; an index finds them. */
export const perhapsSilent = (table: 'installations' | 'license_heard', since: string) =>
  sql<FoundId>`select ${sql.ref(table === 'installations' ? 'installations.id' : 'license_heard.license_id')} as id
    from ${sql.table(table)} where ${sql.ref(`${table}.heard_on`)} <= ${dayHeard(since)}`;
