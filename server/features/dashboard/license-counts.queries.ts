import type { z } from 'zod';
import { EXPIRING_SOON_DAYS } from '../../../contract/base/limits.ts';
import { afterDays } from '../../../contract/base/time.ts';
import type { licenseStatistics } from '../../../contract/figures/statistics.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../../../contract/licenses/licenses.fields.ts';
import { keptCount, keptCountsByKind } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { countEach, eachOf, licenses } from '../figures/counting.ts';
import { lastMonths, type MonthPeriod } from '../figures/periods.ts';
import { countActive, sumFacts, totalOf } from '../figures/sum-facts.ts';

type LicenseStatistics = z.infer<typeof licenseStatistics>['statistics'];

/** The name for licences without a licence type in a list of types. */
export const WITHOUT_TYPE = 'Sin tipo';

const OTHER_STATUSES = LICENSE_STATUSES.filter((status) => status !== 'expired' && status !== 'active');

/**
 * Counts licences by status and kind, and by month of issue (SEED-7.6-02). `expired` counts licences with the status
 * 'expired' or a past end, each once (D067). `expiring_30_days` counts active ones that end today or within the next
 * thirty local days. Months are local, the last twelve.
 */
export async function countLicenses(db: Db, now: Date, timeZone: string): Promise<LicenseStatistics> {
  const nowText = now.toISOString();
  const soon = afterDays(now, EXPIRING_SOON_DAYS, timeZone);
  const active = await countActive(db, nowText);
  const { otherPast, expiring, ...by_status } = await countEach(db, {
    ...eachOf(LICENSE_STATUSES, (status) => keptCount(db, { table: 'licenses', status })),
    otherPast: licenses(db).where('status', 'in', OTHER_STATUSES).where('expiry_date', '<', nowText),
    expiring: licenses(db)
      .where('status', '=', 'active')
      .where('expiry_date', '>=', nowText)
      .where('expiry_date', '<', soon),
  });
  const by_type = await countEach(
    db,
    eachOf(LICENSE_CATEGORIES, (kind) => keptCount(db, { table: 'licenses', kind })),
  );
  return {
    total: LICENSE_STATUSES.reduce((total, status) => total + by_status[status], 0),
    active,
    expired: by_status.expired + (by_status.active - active) + otherPast,
    by_status,
    by_type,
    by_license_type: await countByLicenseType(db),
    by_software: await countBySoftware(db),
    expiring_30_days: expiring,
    issued_by_month: await countIssued(db, lastMonths(now, timeZone)),
    last_updated: nowText,
  };
}

async function countIssued(db: Db, months: MonthPeriod[]) {
  const sums = await sumFacts(db, ['issued'], months, {});
  return months.map(({ month }, index) => ({ month, count: totalOf(sums[index]!, 'n') }));
}

async function countByLicenseType(db: Db): Promise<LicenseStatistics['by_license_type']> {
  const counts = await countsById(db, 'licenses_by_type');
  const types = await db.selectFrom('license_types').select(['id', 'name']).execute();
  const all = types.map(({ id, name }) => ({ id: id as number | null, name, count: counts.get(id) ?? 0 }));
  return largestFirst([...all, { id: null, name: WITHOUT_TYPE, count: counts.get(null) ?? 0 }]);
}

async function countBySoftware(db: Db): Promise<LicenseStatistics['by_software']> {
  const counts = await countsById(db, 'licenses_by_software');
  const rows = await db.selectFrom('software').select(['id', 'name', 'version']).execute();
  return largestFirst(rows.map((row) => ({ ...row, count: counts.get(row.id) ?? 0 })));
}

/** The number of licences by software or type; the key null is for licences without one. */
async function countsById(
  db: Db,
  table: 'licenses_by_software' | 'licenses_by_type',
): Promise<Map<number | null, number>> {
  const counts = await keptCountsByKind(db, table);
  return new Map(counts.map(({ kind, count }) => [kind === '' ? null : Number(kind), count]));
}

/**
 * Only rows that have licences, most licences first. Ties are in the order of creation; among them the row without a
 * type (null) comes first.
 */
function largestFirst<Row extends { id: number | null; count: number }>(rows: Row[]): Row[] {
  return rows.filter((row) => row.count > 0).sort((a, b) => b.count - a.count || Number(a.id) - Number(b.id));
}
