import { endAfterMonths } from '../../../contract/base/months.ts';
import { daysBetween, endAfterDays, localDay } from '../../../contract/base/time.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { changesBetween, record } from '../../records/record-event.ts';
import { nextVersion } from '../../records/version.ts';
import { updatesFrom } from '../../rules/updates.ts';
import type { Scope } from '../../scope.ts';

/** The columns of a licence that determine its start, and its end after that. */
type Waiting = Pick<
  LicenseRecord,
  | 'activate_by'
  | 'issued_date'
  | 'expiry_date'
  | 'expiry_days'
  | 'expiry_months'
  | 'updates_until'
  | 'pending_updates_days'
>;

/** The values of a licence that has started. */
export type Started = Pick<
  LicenseRecord,
  'activate_by' | 'expiry_date' | 'expiry_days' | 'updates_until' | 'pending_updates_days'
>;

/**
 * The values of a waiting licence that starts at an instant. It ends with the local day `expiry_days` later, or
 * `expiry_months` later by the calendar. Its months stay; its `expiry_days` become the days from its issue to that end
 * (SELL-01, D071). Its days of updates begin with it (SELL-02).
 */
export function startedAt(license: Waiting, from: string, timeZone: string): Started {
  const { issued_date, expiry_days, expiry_months, pending_updates_days } = license;
  const ends =
    expiry_months === null
      ? endAfterDays(from, mustExist(expiry_days, 'length of a waiting license'), timeZone)
      : endAfterMonths(from, expiry_months, timeZone);
  return {
    activate_by: null,
    expiry_date: ends,
    expiry_days: daysBetween(localDay(issued_date, timeZone), localDay(ends, timeZone)),
    updates_until:
      pending_updates_days === null
        ? license.updates_until
        : updatesFrom(localDay(from, timeZone), { updates_days: pending_updates_days }),
    pending_updates_days: null,
  };
}

/** When a waiting licence starts, and its values after that. */
export type Start = { from: string; started: Started };

/**
 * The start of a licence whose first seat is taken now; null for a licence that does not wait. If `activate_by` has
 * passed, it starts as of then, so that a late job is no advantage for anybody.
 */
export function startNow(license: Waiting, { now, timeZone }: Pick<Scope, 'now' | 'timeZone'>): Start | null {
  const { activate_by } = license;
  if (activate_by === null) return null;
  const at = now.toISOString();
  const from = activate_by < at ? activate_by : at;
  return { from, started: startedAt(license, from, timeZone) };
}

/**
 * The end that a licence has once a seat is taken now. One that should already have started (`activate_by` has passed)
 * may have ended since.
 */
export const endNow = (
  license: Omit<Waiting, 'pending_updates_days'>,
  moment: Pick<Scope, 'now' | 'timeZone'>,
): string | null =>
  startNow({ ...license, pending_updates_days: null }, moment)?.started.expiry_date ?? license.expiry_date;

/** The names for the licence's event. */
type Named = Pick<LicenseRecord, 'id' | 'license_key' | 'client_id' | 'software_id' | 'updated_at'> & {
  client_name: string;
};

/** Stores the start of a locked licence and of its first term, and writes license.started. */
export async function storeStart(
  scope: Scope,
  license: Waiting & Named,
  { from, started }: Start,
): Promise<void> {
  const { tx, now } = scope;
  const { id } = license;
  const version = nextVersion(license.updated_at, now);
  await tx
    .updateTable('licenses')
    .set({ ...started, updated_at: version })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('license_terms')
    .set({ starts: from, ends: started.expiry_date })
    .where('license_id', '=', id)
    .where('kind', '=', 'issue')
    .execute();
  await recordStart(scope, license, startChanges(license, started));
}

const startChanges = (before: Waiting, { expiry_date, expiry_days, updates_until }: Started): Changes =>
  changesBetween(
    { expiry_date: before.expiry_date, expiry_days: before.expiry_days, updates_until: before.updates_until },
    { expiry_date, expiry_days, updates_until },
  );

const recordStart = (
  scope: Scope,
  { id, license_key, client_id, client_name, software_id }: Named,
  changes: Changes,
): Promise<void> =>
  record(scope, {
    type: 'license.started',
    subject: { id, name: license_key },
    client: { id: client_id, name: client_name },
    license: { id, license_key },
    software: software_id,
    changes,
  });
