import { type Kysely, sql } from 'kysely';
import { REQUEST_ID_DAYS } from '../../../contract/programs/usage.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { askedRows, listsOf } from '../../db/together.ts';
import { lockLicenses } from './usage.queries.ts';

const DAY_MS = 24 * 60 * 60_000;
const ago = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();

/** Records that were counted at this instant or earlier are unknown: their `request_id` counts again. */
export const forgottenUntil = (now: Date): string => ago(now, REQUEST_ID_DAYS);

/** Rows in one transaction of housekeeping. */
const BATCH = 1000;
/** A count is deleted this many days after the end of its period; until then a late record may need it. */
const COUNT_DAYS = 400;

const FOLDED = { license_id: 'bigint', code: 'text', period: 'text', amount: 'bigint' } as const;

/**
 * Deletes records of locked licences that are too old to be repeated. Their amounts stay in the `base` of their counts,
 * so counts of periods of any length can be recomputed.
 */
async function foldRecords(tx: Db, ids: number[]): Promise<void> {
  const gone = await tx
    .deleteFrom('usage_records')
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .returning(['license_id', 'code', 'period', 'amount'])
    .execute();
  const known = gone.flatMap(({ code, period, amount, ...row }) =>
    code === null || period === null ? [] : [{ ...row, code, period, amount: amount ?? 0 }],
  );
  if (known.length > 0) {
    await sql`update usage_counts set base = usage_counts.base + folded.amount
      from (select license_id, code, period, sum(amount) as amount
        from ${askedRows(tx, FOLDED, listsOf(FOLDED, known))} group by license_id, code, period) as folded
      where usage_counts.license_id = folded.license_id and usage_counts.code = folded.code
        and usage_counts.period = folded.period`.execute(tx);
  }
  const unexplained = gone.filter(({ amount }) => amount === null).map(({ license_id }) => license_id);
  if (unexplained.length > 0) await acceptCounts(tx, [...new Set(unexplained)]);
}

/** Takes the counts of locked licences as right: what their records do not explain is their base. */
async function acceptCounts(tx: Db, licenseIds: number[]): Promise<void> {
  await tx
    .updateTable('usage_counts')
    .set({
      base: sql<number>`used - coalesce((select sum(amount) from usage_records
        where usage_records.license_id = usage_counts.license_id and usage_records.code = usage_counts.code
          and usage_records.period = usage_counts.period), 0)`,
    })
    .where((eb) => isAmong(tx, eb.ref('license_id'), licenseIds))
    .execute();
}

/**
 * Deletes records of locked licences that are too old to be repeated, because a new record has the same `request_id`.
 */
export async function foldRepeated(
  tx: Db,
  records: { license_id: number; request_id: string }[],
): Promise<void> {
  if (records.length === 0) return;
  const found = await tx
    .selectFrom('usage_records')
    .select('id')
    .where((eb) => eb.or(records.map(({ license_id, request_id }) => eb.and({ license_id, request_id }))))
    .execute();
  await foldRecords(
    tx,
    found.map(({ id }) => id),
  );
}

/**
 * Deletes data that no call can need any more: records that are too old to be repeated, and counts of days, months
 * and years that ended long ago. A run deletes at most some thousand rows; the next run continues.
 */
export async function deletePastUsage(db: Kysely<Tables>, now: Date): Promise<void> {
  const before = forgottenUntil(now);
  for (let step = 0; step < 20; step += 1) {
    const number = await db.transaction().execute(async (tx) => {
      // The oldest rows have the smallest ids. Without the inner limit, a table without old rows would be read
      // completely.
      const first = tx
        .selectFrom('usage_records')
        .select(['id', 'license_id', 'at'])
        .orderBy('id')
        .limit(BATCH);
      const rows = await tx
        .selectFrom(first.as('oldest'))
        .select(['id', 'license_id'])
        .where('at', '<=', before)
        .execute();
      // Locked first, as by a report, so that the two never wait for each other's rows.
      await lockLicenses(tx, [...new Set(rows.map(({ license_id }) => license_id))]);
      await foldRecords(
        tx,
        rows.map(({ id }) => id),
      );
      return rows.length;
    });
    if (number < BATCH) break;
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
