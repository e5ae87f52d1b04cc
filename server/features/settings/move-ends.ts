import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Moves the stored ends to the days of another business time zone (INPUT-17). An end is the last second of a local
 * day; after a change of the zone it would otherwise lie within the day before or after.
 */

/** The columns with ends, and with what begins at an end. `version`: a change of the row changes its `updated_at`. */
const SOURCES = [
  { table: 'licenses', columns: ['expiry_date', 'activate_by'], version: true, replaced: false },
  { table: 'license_terms', columns: ['starts', 'ends'], version: false, replaced: true },
  { table: 'payment_requests', columns: ['expires_at', 'held_until'], version: true, replaced: false },
  { table: 'payment_lines', columns: ['starts', 'ends'], version: false, replaced: false },
] as const;

type Source = (typeof SOURCES)[number];
/** From which zone to which. */
type Zones = { from: string; to: string };
type Row = { id: number; replaced: string | null } & Record<string, string | number | null>;

const ROWS_AT_ONCE = 500;

/** The end of the same local day in the other zone; null for an instant that is not the end of a local day. */
export function movedEnd(instant: string, { from, to }: Zones): string | null {
  const day = localDay(instant, from);
  return endOfLocalDay(day, from) === instant ? endOfLocalDay(day, to) : null;
}

/** The number of ends of licences and payment requests whose local day differs between the zones. */
export async function countOtherDays(db: Db, { from, to }: Zones): Promise<number> {
  const ends = SOURCES.filter(({ version }) => version).flatMap(({ table, columns }) =>
    columns.map((column) => ({ table: sql.table(table), column: sql.ref(column) })),
  );
  const values = ends.map(
    ({ table, column }) =>
      sql`select ${column} as at, count(*) as n from ${table} where ${column} is not null group by ${column}`,
  );
  const { rows } = await sql<{ at: string; n: number }>`${sql.join(values, sql` union all `)}`.execute(db);
  return rows.reduce((sum, { at, n }) => (localDay(at, from) === localDay(at, to) ? sum : sum + n), 0);
}

/**
 * Moves all ends, some rows in each transaction. A repeated call after an interruption moves the rest, because a moved
 * end is no end of a day of the former zone.
 * @returns how many ends were moved
 */
export async function moveEnds(db: Db, zones: Zones, now: Date): Promise<number> {
  let count = 0;
  for (const source of SOURCES) {
    for (let after = 0; ; ) {
      const rows = await readRows(db, source, after);
      if (rows.length === 0) break;
      after = rows.at(-1)!.id;
      count += await db.transaction().execute((tx) => moveRows(tx, source, rows, zones, now));
      await letOthersRun();
    }
  }
  return count;
}

async function readRows(db: Db, { table, columns, replaced }: Source, after: number): Promise<Row[]> {
  const names = ['id', ...columns, ...(replaced ? ['replaced'] : [])].map((name) => sql.ref(name));
  const { rows } = await sql<Row>`select ${sql.join(names)} from ${sql.table(table)} where id > ${after}
    order by id limit ${ROWS_AT_ONCE}`.execute(db);
  return rows;
}

async function moveRows(
  tx: Db,
  { table, columns, version, replaced }: Source,
  rows: readonly Row[],
  zones: Zones,
  now: Date,
): Promise<number> {
  let count = 0;
  for (const column of columns) {
    const ids = Map.groupBy(
      rows.filter((row) => typeof row[column] === 'string'),
      (row) => String(row[column]),
    );
    for (const [before, group] of ids) {
      const after = movedEnd(before, zones);
      if (after === null || after === before) continue;
      const chosen = sql`id in (${sql.join(group.map(({ id }) => id))}) and ${sql.ref(column)} = ${before}`;
      const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after}
        ${version ? sql`, updated_at = ${now.toISOString()}` : sql``} where ${chosen}`.execute(tx);
      count += Number(numAffectedRows ?? 0);
      if (column === 'expiry_date')
        await keepRecorded(tx, sql.join(group.map(({ id }) => id)), before, after);
    }
  }
  if (replaced) for (const row of rows) await moveReplaced(tx, row, zones);
  return count;
}

/** An end whose event license.expired was written needs none for its new instant (LIFE-07). */
async function keepRecorded(tx: Db, ids: RawBuilder<unknown>, before: string, after: string): Promise<void> {
  await sql`update license_expiries set noted_at = (
      select earlier.noted_at from license_expiries as earlier
      where earlier.license_id = license_expiries.license_id and earlier.ends = ${before}
    ) where license_id in (${ids}) and ends = ${after} and noted_at is null`.execute(tx);
}

/** The values that an undone renewal restores have ends too (LIFE-02). */
async function moveReplaced(tx: Db, { id, replaced }: Row, zones: Zones): Promise<void> {
  if (replaced === null) return;
  const moved = JSON.stringify(JSON.parse(replaced), (name, value) =>
    (name === 'expiry_date' || name === 'activate_by') && typeof value === 'string'
      ? (movedEnd(value, zones) ?? value)
      : value,
  );
  if (moved === replaced) return;
  await tx
    .updateTable('license_terms')
    .set({ replaced: moved })
    .where('id', '=', id)
    .where('replaced', '=', replaced)
    .execute();
}
