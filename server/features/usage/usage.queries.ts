import { sql } from 'kysely';
import { TERM_KINDS } from '../../../contract/licenses/license-lifecycle.ts';
import type { MeterTerm } from '../../../contract/licenses/meter-period.ts';
import { REQUEST_ID_DAYS } from '../../../contract/programs/usage.ts';
import { instant, isAmong, lockRows, readsInProcess } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, UsageCountsTable } from '../../db/tables.ts';
import { askedRows, askTogether, listsOf } from '../../db/together.ts';
import { byTypedKey } from '../../rules/license-keys.ts';

const DAY_MS = 24 * 60 * 60_000;
const ago = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();

const meteredOf = askTogether({ license_key: 'text', machine_id: 'text' }, (db, asked) =>
  db
    .selectFrom('licenses')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('installations', (join) =>
      join
        .onRef('installations.license_id', '=', 'licenses.id')
        .on('installations.machine_id', '=', asked.machine_id),
    )
    .where('licenses.license_key', '=', asked.license_key)
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
      'software.code as software_code',
      'software.name as software_name',
      'installations.machine_name',
      'installations.installation_date',
      'installations.last_heartbeat',
    ]),
);

/** The licence of a usage report, and the machine if it has a seat. */
export const findMetered = (db: Db, licenseKey: string, machineId: string) =>
  byTypedKey(db, licenseKey, (license_key) => meteredOf(db, { license_key, machine_id: machineId }));
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

/** The kinds of terms that move the licence's end. */
const TIMED = TERM_KINDS.filter((kind) => kind !== 'maintenance');

/** The terms of licences that moved the end, newest first. */
export async function termsOf(db: Db, licenseIds: number[]): Promise<Map<number, MeterTerm[]>> {
  if (licenseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('license_terms')
    .select(['id', 'license_id', 'starts', 'ends'])
    .where((eb) => isAmong(db, eb.ref('license_id'), licenseIds))
    .where('kind', 'in', TIMED)
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

const readCounts = prepared(
  (db, { since, ...lists }: ReturnType<typeof listsOf<typeof ASKED>> & { since: string }) => ({
    compile: () =>
      sql<{ position: number; used: number | null; reached_at: string | null; known: number }>`
        select asked.position, usage_counts.used, usage_counts.reached_at,
          case when exists (select 1 from usage_records where usage_records.license_id = asked.license_id
            and usage_records.request_id = asked.request_id and usage_records.at > ${instant(db, since)})
            then 1 else 0 end as known
        from ${askedRows(db, ASKED, lists)}
        left join usage_counts on usage_counts.license_id = asked.license_id and usage_counts.code = asked.code
          and usage_counts.period = asked.period`.compile(db),
  }),
);

/**
 * The counts for some records, and whether each record was already counted.
 * @param asked at least one
 * @returns in the same order
 */
export async function findCounts(
  db: Db,
  asked: Asked[],
  now: Date,
): Promise<(CountState & { isKnown: boolean })[]> {
  const found = asked.map(() => ({ used: 0, reached_at: null as string | null, isKnown: false }));
  const rows = await readCounts(db, { since: ago(now, REQUEST_ID_DAYS), ...listsOf(ASKED, asked) });
  for (const { position, used, reached_at, known } of rows) {
    found[position - 1] = { used: used ?? 0, reached_at, isKnown: known === 1 };
  }
  return found;
}

const RECORDS = { license_id: 'bigint', request_id: 'text', at: 'timestamptz' } as const;

const insertRecords = prepared((db, lists: ReturnType<typeof listsOf<typeof RECORDS>>) => ({
  compile: () =>
    // Without 'where true' SQLite would read 'on' as the beginning of a join.
    sql<never>`insert into usage_records (license_id, request_id, at)
      select asked.license_id, asked.request_id, asked.at from ${askedRows(db, RECORDS, lists)} where true
      on conflict (license_id, request_id) do update set at = excluded.at`.compile(db),
}));

/** Stores the ids of records that are counted now. */
export async function noteRecords(
  tx: Db,
  records: { license_id: number; request_id: string }[],
  now: Date,
): Promise<void> {
  if (records.length === 0) return;
  const at = now.toISOString();
  await insertRecords(
    tx,
    listsOf(
      RECORDS,
      records.map((record) => ({ ...record, at })),
    ),
  );
}

const COUNTS = {
  license_id: 'bigint',
  code: 'text',
  period: 'text',
  used: 'bigint',
  reached_at: 'timestamptz',
  resets_at: 'timestamptz',
} as const;

const writeCounts = prepared((db, lists: ReturnType<typeof listsOf<typeof COUNTS>>) => ({
  compile: () =>
    sql<never>`insert into usage_counts (license_id, code, period, used, reached_at, resets_at)
      select asked.license_id, asked.code, asked.period, asked.used, asked.reached_at, asked.resets_at
      from ${askedRows(db, COUNTS, lists)} where true
      on conflict (license_id, code, period) do update set used = excluded.used, reached_at = excluded.reached_at`.compile(
      db,
    ),
}));

/** Stores counts of locked licences. */
export async function storeCounts(
  tx: Db,
  counts: (Count & CountState & { resets_at: string | null })[],
): Promise<void> {
  if (counts.length > 0) await writeCounts(tx, listsOf(COUNTS, counts));
}

const ADDED = {
  license_id: 'bigint',
  code: 'text',
  period: 'text',
  added: 'bigint',
  used: 'bigint',
  resets_at: 'timestamptz',
} as const;
type Added = ReturnType<typeof listsOf<typeof ADDED>>;
type Noted = ReturnType<typeof listsOf<typeof RECORDS>>;
type AtOnce = Added & Pick<Noted, 'request_id' | 'at'> & { noted_of: number[]; since: string };

const addAtOnce = prepared((db, { noted_of, request_id, at, since, ...counts }: AtOnce) => ({
  compile: () =>
    sql<never>`with listed as (select * from ${askedRows(db, ADDED, counts)}),
      noting as (select * from ${askedRows(db, RECORDS, { license_id: noted_of, request_id, at })}),
      counted as (
        insert into usage_counts (license_id, code, period, used, reached_at, resets_at)
        select license_id, code, period, added, null::timestamptz, resets_at from listed
        order by license_id, code, period
        on conflict (license_id, code, period) do update set used = usage_counts.used + excluded.used
        returning license_id, code, period, used),
      noted as (
        insert into usage_records (license_id, request_id, at) select license_id, request_id, at from noting
        on conflict (license_id, request_id) do update set at = excluded.at
          where usage_records.at <= ${instant(db, since)}
        returning id)
      select 1 / case when (select count(*) from counted natural join (select license_id, code, period, used from listed) as wanted)
        = (select count(*) from listed) and (select count(*) from noted) = (select count(*) from noting)
        then 1 else 0 end`.compile(db),
}));

/**
 * Adds to counts in one statement, if the counts and record ids are still as they were read. On PostgreSQL this
 * replaces a transaction with locks, which would take several round trips.
 * @returns false if nothing was stored: something has changed meanwhile, or the engine has no such statement
 */
export async function storeAtOnce(
  db: Db,
  counts: (Count & { added: number; used: number; resets_at: string | null })[],
  records: { license_id: number; request_id: string }[],
  now: Date,
): Promise<boolean> {
  // SQLite has no round trips and only one writer, so it does not need this.
  if (readsInProcess(db)) return false;
  if (records.length === 0) return true;
  try {
    await addAtOnce(db, {
      ...listsOf(ADDED, counts),
      noted_of: records.map(({ license_id }) => license_id),
      request_id: records.map(({ request_id }) => request_id),
      at: records.map(() => now.toISOString()),
      since: ago(now, REQUEST_ID_DAYS),
    });
    return true;
  } catch {
    // A division by zero, a deadlock or a deleted licence: the transaction with locks then finds out. If the data
    // were stored and only the answer was lost, it finds the records already counted.
    return false;
  }
}

/** The counts of a licence, by code and period. */
export async function countsOf(
  db: Db,
  licenseId: number,
  counts: Omit<Count, 'license_id'>[],
): Promise<Map<string, CountState>> {
  if (counts.length === 0) return new Map();
  const asked = counts.map((count) => ({ ...count, license_id: licenseId, request_id: '' }));
  const found = await findCounts(db, asked, new Date(0));
  return new Map(counts.map(({ code }, index) => [code, found[index]!]));
}

/** Rows in one statement of housekeeping. */
const BATCH = 1000;
/** A count is deleted this many days after the end of its period; until then a late record may need it. */
const COUNT_DAYS = 400;

/**
 * Deletes data that no call can need any more: records that are too old to be repeated, and counts of days, months
 * and years that ended long ago. A run deletes at most some thousand rows; the next run continues.
 */
export async function deletePastUsage(db: Db, now: Date): Promise<void> {
  const before = ago(now, REQUEST_ID_DAYS);
  for (let step = 0; step < 20; step += 1) {
    // The oldest rows have the smallest ids. Without the inner limit, a table without old rows would be read
    // completely.
    const first = db.selectFrom('usage_records').select(['id', 'at']).orderBy('id').limit(BATCH).as('oldest');
    const { numDeletedRows } = await db
      .deleteFrom('usage_records')
      .where('id', 'in', db.selectFrom(first).select('oldest.id').where('oldest.at', '<=', before))
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) < BATCH) break;
  }
  const past = await db
    .selectFrom('usage_counts')
    .select(['license_id', 'code', 'period'])
    .where('resets_at', 'is not', null)
    .where('resets_at', '<', ago(now, COUNT_DAYS))
    .orderBy('resets_at')
    .limit(BATCH)
    .execute();
  for (const { license_id, code, period } of past) {
    await db
      .deleteFrom('usage_counts')
      .where('license_id', '=', license_id)
      .where('code', '=', code)
      .where('period', '=', period)
      .execute();
  }
}
