import { sql } from 'kysely';
import { ADDED_KINDS } from '../../../contract/licenses/license-lifecycle.ts';
import type { MeterTerm } from '../../../contract/licenses/meter-period.ts';
import { isAmong, lockRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, UsageCountsTable } from '../../db/tables.ts';
import { askedRows, listsOf } from '../../db/together.ts';
import { askForMachine } from '../../rules/machine-seats.ts';

/** The licence of a usage report, and the machine if it has a seat. */
export const findMetered = askForMachine((db, licenseKey, isSeat) =>
  db
    .selectFrom('licenses')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('installations', (join) => join.on(isSeat))
    .where('licenses.license_key', '=', licenseKey)
    .select([
      'licenses.id',
      'licenses.status',
      'licenses.expiry_date',
      'licenses.grace_days',
      'licenses.lease_minutes',
      'licenses.max_installations',
      'licenses.issued_date',
      'licenses.meters',
      'licenses.software_id',
      'licenses.license_key',
      'licenses.license_type',
      'licenses.features',
      'licenses.updates_until',
      'licenses.offline_days',
      'software.code as software_code',
      'software.name as software_name',
      'installations.machine_name',
      'installations.installation_date',
      'installations.last_heartbeat',
    ]),
);

export type Metered = NonNullable<Awaited<ReturnType<typeof findMetered>>>;

const lock = prepared((db, { ids }: { ids: number[] }) =>
  lockRows(
    db,
    db
      .selectFrom('licenses')
      .select('id')
      .where((eb) => isAmong(db, eb.ref('id'), ids))
      .orderBy('id'),
  ),
);

/**
 * Locks licences, so that concurrent calls change their counts one after another.
 * @returns those that still exist
 */
export async function lockLicenses(tx: Db, ids: number[]): Promise<Set<number>> {
  const rows = await lock(tx, { ids });
  return new Set(rows.map(({ id }) => id));
}

/** The terms of licences that moved the end, newest first. */
export async function termsOf(db: Db, licenseIds: number[]): Promise<Map<number, MeterTerm[]>> {
  if (licenseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('license_terms')
    .select(['id', 'license_id', 'starts', 'ends'])
    .where((eb) => isAmong(db, eb.ref('license_id'), licenseIds))
    .where('kind', 'not in', ADDED_KINDS)
    .orderBy('license_id')
    .orderBy('id', 'desc')
    .execute();
  return Map.groupBy(rows, (row) => row.license_id);
}

/** The count of a meter in one period. */
export type Count = { license_id: number; code: string; period: string };
export type CountState = Pick<UsageCountsTable, 'used' | 'reached_at'>;

const ASKED = { license_id: 'bigint', code: 'text', period: 'text', request_id: 'text' } as const;
type Asked = Count & { request_id: string };
/** What a `request_id` counted before: when, and what; of old records what is not known. */
export type CountedBefore = {
  counted_at: string | null;
  counted_code: string | null;
  counted_period: string | null;
  counted_amount: number | null;
};
const NOT_COUNTED: CountedBefore = {
  counted_at: null,
  counted_code: null,
  counted_period: null,
  counted_amount: null,
};

const readCounts = prepared((db, lists: ReturnType<typeof listsOf<typeof ASKED>>) => ({
  compile: () =>
    sql<{ position: number; used: number | null; reached_at: string | null } & CountedBefore>`
      select asked.position, usage_counts.used, usage_counts.reached_at, usage_records.at as counted_at,
        usage_records.code as counted_code, usage_records.period as counted_period,
        usage_records.amount as counted_amount
      from ${askedRows(db, ASKED, lists)}
      left join usage_records on usage_records.license_id = asked.license_id
        and usage_records.request_id = asked.request_id
      left join usage_counts on usage_counts.license_id = asked.license_id and usage_counts.code = asked.code
        and usage_counts.period = asked.period`.compile(db),
}));

/**
 * The counts for some records, and when each record was counted, and as what.
 * @param asked at least one
 * @returns in the same order
 */
export async function findCounts(db: Db, asked: Asked[]): Promise<(CountState & CountedBefore)[]> {
  const found = asked.map((): CountState & CountedBefore => ({ used: 0, reached_at: null, ...NOT_COUNTED }));
  for (const { position, used, ...rest } of await readCounts(db, listsOf(ASKED, asked))) {
    found[position - 1] = { used: used ?? 0, ...rest };
  }
  return found;
}
