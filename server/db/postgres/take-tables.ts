import { sql } from 'kysely';
import { writingRank } from '../tables/writing-order.ts';
import type { Db } from '../tables.ts';

/**
 * How long a migration waits for its first table, while it holds no other. PostgreSQL stops an autovacuum for it after
 * one second (`deadlock_timeout`). Writers queue behind it, so it must be much shorter than their timeout of 5 s.
 */
const FIRST_WAIT_MS = 1500;

/**
 * How long a migration waits for all further tables together, while it holds the first ones. PostgreSQL looks for
 * deadlocks when a wait has taken one second, and may then break off a writer. A migration gives up before that.
 */
const FURTHER_WAIT_MS = 500;

/** A migration did not get a table, because another transaction uses it. */
export class BusyTableError extends Error {
  override name = 'BusyTableError';
  /** PostgreSQL's `lock_not_available`. */
  readonly code = '55P03';
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(`Otra transacción usa la tabla ${table}.`, { cause });
    this.table = table;
  }
}

/**
 * Takes all existing tables that a migration may touch, for the rest of its transaction, so that it does not wait for a
 * table later, while others wait for it. A table counts when its name or that of one of its indexes is a word of the
 * migration; a word too many only takes one table more.
 * @param text the statements of the migration
 * @param first the table to begin with: the one that an earlier try did not get
 * @throws BusyTableError if a table is not free in time; the transaction must be repeated
 */
export async function takeTables(tx: Db, text: string, first: string | null): Promise<void> {
  const tables = await tablesIn(tx, text);
  const order = [...tables].sort(
    (a, b) =>
      Number(b === first) - Number(a === first) || writingRank(a) - writingRank(b) || (a < b ? -1 : 1),
  );
  let began = Number.NaN;
  for (const [index, table] of order.entries()) {
    if (index === 1) began = performance.now();
    const waitMs = index === 0 ? FIRST_WAIT_MS : FURTHER_WAIT_MS - (performance.now() - began);
    await limitWait(tx, waitMs);
    try {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    } catch (error) {
      throw (error as { code?: unknown }).code === '55P03' ? new BusyTableError(table, error) : error;
    }
  }
  // For a table that the migration reaches without naming it, through a foreign key or a trigger.
  await limitWait(tx, FURTHER_WAIT_MS);
}

async function tablesIn(tx: Db, text: string): Promise<Set<string>> {
  const { rows } = await sql<{ table: string; index: string | null }>`
    select of_table.relname as "table", of_index.relname as "index"
    from pg_class as of_table
      join pg_namespace as schema on schema.oid = of_table.relnamespace and schema.nspname = current_schema()
      left join pg_index on pg_index.indrelid = of_table.oid
      left join pg_class as of_index on of_index.oid = pg_index.indexrelid
    where of_table.relkind in ('r', 'p')`.execute(tx);
  const words = new Set(text.match(/\w+/g));
  const named = rows.filter(({ table, index }) => words.has(table) || (index !== null && words.has(index)));
  return new Set(named.map(({ table }) => table));
}

/** Until the end of the transaction; 0 would be no limit. */
async function limitWait(tx: Db, milliseconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${Math.max(1, Math.ceil(milliseconds))}`}, true)`.execute(
    tx,
  );
}
