import { sql } from 'kysely';
import { lockTables } from '../../db/diagnosis.ts';
import { inOneSnapshot, utcDay } from '../../db/dialect.ts';
import type { DaySource, Db } from '../../db/tables.ts';
import { DAY_SOURCES } from './day-facts.ts';
import { factRows } from './fact-rows.ts';
import { foldDays } from './fold-days.ts';

/**
 * Compares the sums by day with the rows that they include, and recomputes them (OPS-01). Each function reads whole
 * tables.
 */

const keptOf = (source: DaySource) => sql`(select kept from day_state where source = ${sql.lit(source)})`;

/** The number of sums that differ from their rows together with the changes that are not added yet. */
export function wrongSums(db: Db): Promise<number> {
  return inOneSnapshot(db, async (tx) => {
    const rows = DAY_SOURCES.flatMap((source) => factRows(tx, source, sql`facts.id <= ${keptOf(source)}`));
    const changes = sql`select fact, software_id, ${utcDay(tx, sql.ref('at'))} as day, currency, -n as n, -cents as cents
      from day_changes where row_id <= (select kept from day_state where day_state.source = day_changes.source)`;
    const { rows: found } = await sql<{ n: number }>`
      with facts_now as (${sql.join([...rows, changes], sql` union all `)})
      select count(*) as n from (
        select 1 from (
          select fact, software_id, day, currency, n, cents from facts_now
          union all select fact, 0, day, currency, n, cents from facts_now
          union all select fact, software_id, day, currency, -n, -cents from day_sums
        ) as both_sides group by fact, software_id, day, currency having sum(n) <> 0 or sum(cents) <> 0
      ) as wrong`.execute(tx);
    return found[0]!.n;
  });
}

/** Deletes the sums; the job computes them again from the rows. */
export async function mendSums(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The job of a running server may be adding to them: without the lock its sums would stay and be added again.
    await lockTables(tx, [...DAY_SOURCES, 'day_sums', 'day_changes', 'day_state']);
    await tx.deleteFrom('day_sums').execute();
    await tx.deleteFrom('day_changes').execute();
    await tx.updateTable('day_state').set({ kept: 0, watched: 0 }).execute();
  });
  await foldDays(db, { signal: new AbortController().signal, worthIt: 1 });
}
