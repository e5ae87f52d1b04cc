import { sql } from 'kysely';
import { lockTables } from '../../db/diagnosis.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Compares the counts of meters with their records, and corrects them (OPS-01). A count is its base and the amounts of
 * its stored records. Each function reads whole tables.
 */

/**
 * Licences that were counted for by a version before 063, beside which this one ran: these records do not say what they
 * added. After 40 days the counts can be recomputed again.
 */
const UNEXPLAINED = sql`select license_id from usage_records where amount is null`;

/** The right counts, in parts: license_id, code, period, used, base. */
const PARTS = sql`
  select license_id, code, period, base as used, base from usage_counts
  union all select license_id, code, period, amount, 0 from usage_records
    where code is not null and license_id in (select id from licenses)`;

/** The number of counts that differ from their base and records. */
export async function wrongUsage(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select 1 from (
        select license_id, code, period, used from usage_counts
        union all select license_id, code, period, -used from (${PARTS}) as parts
      ) as both_sides where license_id not in (${UNEXPLAINED})
      group by license_id, code, period having sum(used) <> 0
    ) as wrong`.execute(db);
  return rows[0]!.n;
}

/** Recomputes the counts, in one transaction during which nobody else writes them. */
export async function mendUsage(tx: Db): Promise<void> {
  await lockTables(tx, ['usage_counts', 'usage_records']);
  await sql`insert into usage_counts (license_id, code, period, used, base)
    select license_id, code, period, sum(used), sum(base) from (${PARTS}) as parts
    where license_id not in (${UNEXPLAINED}) group by license_id, code, period
    on conflict (license_id, code, period) do update set used = excluded.used
      where usage_counts.used <> excluded.used`.execute(tx);
}
