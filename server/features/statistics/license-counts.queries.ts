import type { z } from 'zod';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../../../contract/licenses.ts';
import { EXPIRING_SOON_DAYS } from '../../../contract/limits.ts';
import type { licenseStatistics } from '../../../contract/statistics.ts';
import { addDays, localDay, startOfLocalDay } from '../../../contract/time.ts';
import type { Db } from '../../db/tables.ts';
import { countEach, countMonths, eachOf, licenses } from './counting.ts';
import { lastMonths } from './periods.ts';

export type LicenseStatistics = z.infer<typeof licenseStatistics>['statistics'];

/** How a licence without a catalogue type appears in a list of types. */
export const WITHOUT_TYPE = 'Sin tipo';

const OTHER_STATUSES = LICENSE_STATUSES.filter((status) => status !== 'expired');

/**
 * Licences counted by what they are and by when they were issued (SEED-7.6-02).
 * `expired` has the status 'expired' or a date that is past, counted once (D067); `expiring_30_days` is active and
 * ends today or within the thirty local days that follow; months are local, the last twelve.
 */
export async function countLicenses(db: Db, now: Date, timeZone: string): Promise<LicenseStatistics> {
  const nowText = now.toISOString();
  const soon = startOfLocalDay(addDays(localDay(now, timeZone), EXPIRING_SOON_DAYS + 1), timeZone);
  const active = licenses(db).where('status', '=', 'active');
  const { past, activePast, expiring, ...by_status } = await countEach(db, {
    ...eachOf(LICENSE_STATUSES, (status) => licenses(db).where('status', '=', status)),
    past: licenses(db).where('status', 'in', OTHER_STATUSES).where('expiry_date', '<', nowText),
    activePast: active.where('expiry_date', '<', nowText),
    expiring: active.where('expiry_date', '>=', nowText).where('expiry_date', '<', soon),
  });
  const by_type = await countEach(
    db,
    eachOf(LICENSE_CATEGORIES, (category) => licenses(db).where('license_type', '=', category)),
  );
  return {
    total: LICENSE_STATUSES.reduce((total, status) => total + by_status[status], 0),
    active: by_status.active - activePast,
    expired: by_status.expired + past,
    by_status,
    by_type,
    by_license_type: await countByLicenseType(db),
    by_software: await countBySoftware(db),
    expiring_30_days: expiring,
    issued_by_month: await countMonths(db, lastMonths(now, timeZone), ({ since, until }) =>
      licenses(db).where('issued_date', '>=', since).where('issued_date', '<', until),
    ),
    last_updated: nowText,
  };
}

async function countByLicenseType(db: Db): Promise<LicenseStatistics['by_license_type']> {
  const types = await db
    .selectFrom('license_types')
    .select((eb) => [
      'id',
      'name',
      eb
        .selectFrom('licenses')
        .whereRef('licenses.license_type_id', '=', 'license_types.id')
        .select((e) => e.fn.countAll<number>().as('n'))
        .as('count'),
    ])
    .execute();
  const { without } = await countEach(db, { without: licenses(db).where('license_type_id', 'is', null) });
  const all = types.map(({ id, name, count }) => ({ id: id as number | null, name, count: count ?? 0 }));
  return largestFirst([...all, { id: null, name: WITHOUT_TYPE, count: without }]);
}

async function countBySoftware(db: Db): Promise<LicenseStatistics['by_software']> {
  const rows = await db
    .selectFrom('software')
    .select((eb) => [
      'id',
      'name',
      'version',
      eb
        .selectFrom('licenses')
        .whereRef('licenses.software_id', '=', 'software.id')
        .select((e) => e.fn.countAll<number>().as('n'))
        .as('count'),
    ])
    .execute();
  return largestFirst(rows.map((row) => ({ ...row, count: row.count ?? 0 })));
}

/** Only what has licences, most of them first; equal ones in the order in which they were made. */
function largestFirst<Row extends { id: number | null; count: number }>(rows: Row[]): Row[] {
  return rows.filter((row) => row.count > 0).sort((a, b) => b.count - a.count || (a.id ?? 0) - (b.id ?? 0));
}
