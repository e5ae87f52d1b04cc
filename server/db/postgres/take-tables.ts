import { sql } from 'kysely';
import { writingRank } from '../tables/writing-order.ts';
import type { Db } from '../tables.ts';

/**
 * How long a migration waits for all its tables together. PostgreSQL looks for deadlocks when a wait has taken one
 * second (`deadlock_timeout`), and may then break off a writer; the first tries give up before that.
 */
const SHORT_WAIT_MS = 900;

/**
 * The wait of later tries: for an autovacuum, which PostgreSQL stops after one second for those who wait, and for
 * writers of a busy machine. Writers queue behind it, so together with the migration it must be shorter than
 * their timeout of 5 s.
 */
const LONG_WAIT_MS = 2000;
const SHORT_TRIES = 5;

/** A migration did not get its tables, because other transactions use them. */
class BusyTablesError extends Error {
  override name = 'BusyTablesError';
  /** PostgreSQL's `lock_not_available`. */
  readonly code = '55P03';

  constructor(tables: readonly string[], cause: unknown) {
    super(`Otras transacciones usan las tablas que se cambian (${tables.join(', ')}).`, { cause });
  }
}

/**
 * Takes all existing tables that a migration may touch, for the rest of its transaction, so that it does not wait for a
 * table later, while others wait for it. A table counts when its name or that of one of its indexes is a word of the
 * migration; a word too many only takes one table more.
 *
 * Writers are shut out first, in their own order, and finish what they have begun, because they may still read every
 * table. Only then readers are shut out, in the opposite order: a join names a licence first and then its client, which
 * is written before it. Otherwise whoever queued for one table would hold the other. A transaction that has read one of
 * these tables and will write it later is a writer too: its end is awaited before readers are shut out.
 * @param text the statements of the migration
 * @param failed how often it was tried before
 * @throws BusyTablesError if the tables are not free in time; the transaction must be repeated
 */
export async function takeTables(tx: Db, text: string, failed: number): Promise<void> {
  const tables = [...(await tablesIn(tx, text))].sort(
    (a, b) => writingRank(a) - writingRank(b) || (a < b ? -1 : 1),
  );
  if (tables.length === 0) return;
  const list = (names: string[]) => sql.join(names.map((name) => sql.table(name)));
  const { rows } = await sql<{ was: string }>`select current_setting('statement_timeout') as was`.execute(tx);
  const waitMs = failed < SHORT_TRIES ? SHORT_WAIT_MS : LONG_WAIT_MS;
  const began = performance.now();
  try {
    await set(tx, 'statement_timeout', waitMs);
    await sql`lock table ${list(tables)} in exclusive mode`.execute(tx);
    await set(tx, 'statement_timeout', waitMs - (performance.now() - began));
    await shutOutReaders(tx, tables.toReversed());
  } catch (error) {
    // `query_canceled` by the timeout, or `lock_not_available` because a writer waits for this migration.
    const isBusy = ['57014', '55P03'].includes((error as { code?: string }).code ?? '');
    throw isBusy ? new BusyTablesError(tables, error) : error;
  }
  await set(tx, 'statement_timeout', rows[0]!.was);
  // For a table that the migration reaches without naming it, through a foreign key or a trigger.
  await set(tx, 'lock_timeout', SHORT_WAIT_MS);
}

/**
 * Locks tables from which writers are shut out for readers too. A transaction with rows of its own that has read one of
 * them may go on to write it. It would wait for this lock and this lock for it, and PostgreSQL breaks off one of such a
 * pair at once, without `deadlock_timeout`. So its end is awaited without asking for the lock; if it waits already, this
 * fails with `lock_not_available`. One statement, so that no reader comes in between.
 */
async function shutOutReaders(tx: Db, tables: readonly string[]): Promise<void> {
  const oids = sql.join(tables.map((name) => sql`to_regclass(${sql.lit(`"${name}"`)})`));
  await sql`do $take$
    declare waiting boolean;
    begin
      loop
        -- A transaction that has written something holds its own number.
        select bool_or(exists (select 1 from pg_locks asked where asked.pid = read.pid and not asked.granted))
          into waiting
          from pg_locks read
          where read.relation in (${oids}) and read.granted and read.pid <> pg_backend_pid()
            and read.database = (select oid from pg_database where datname = current_database())
            and exists (select 1 from pg_locks own where own.pid = read.pid
              and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock' and own.granted);
        exit when waiting is null;
        if waiting then
          raise lock_not_available;
        end if;
        perform pg_sleep(0.005);
      end loop;
      lock table ${sql.join(tables.map((name) => sql.table(name)))} in access exclusive mode;
    end $take$`.execute(tx);
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

/** Changes a timeout until the end of the transaction. A number is milliseconds; 0 would be none. */
async function set(
  tx: Db,
  name: 'statement_timeout' | 'lock_timeout',
  value: number | string,
): Promise<void> {
  const text = typeof value === 'number' ? `${Math.max(1, Math.ceil(value))}` : value;
  await sql`select set_config(${name}, ${text}, true)`.execute(tx);
}
