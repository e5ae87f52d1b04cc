import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { type Engine, forLongWork } from '../server/db/dialect.ts';
import { migrate, openDatabase } from '../server/db/open.ts';
import type { Tables } from '../server/db/tables.ts';

/** What triggers write by themselves when the rows arrive. */
type Derived = 'row_counts';

/** Each after those that its rows point to. A table that is forgotten here does not compile below. */
const ORDER = [
  'users',
  'sessions',
  'tokens',
  'throttles',
  'clients',
  'software',
  'license_types',
  'licenses',
  'installations',
  'outbox',
  'idempotency_keys',
  'events',
  'event_retention',
  'jobs',
] as const satisfies (keyof Tables)[];
type Forgotten = Exclude<keyof Tables, (typeof ORDER)[number] | Derived>;
const tables: readonly (keyof Tables)[] & ([Forgotten] extends [never] ? unknown : never) = ORDER;

const BATCH = 500;

/**
 * Copies every row of a SQLite file into an empty PostgreSQL database, in one transaction, and lets the numbers of
 * records go on where they were.
 * @param file may be changed: its schema is brought up to date
 */
export async function moveToPostgres(
  file: string,
  engine: Extract<Engine, { kind: 'postgres' }>,
): Promise<void> {
  const older = openDatabase({ kind: 'sqlite', file }, () => {});
  await migrate(older).finally(() => older.destroy());

  const source = new Database(file, { readonly: true });
  const target = openDatabase(forLongWork(engine), () => {});
  try {
    await migrate(target);
    await target.transaction().execute(async (tx) => {
      for (const table of tables) await copyTable(source, tx, table);
    });
  } finally {
    source.close();
    await target.destroy();
  }
}

async function copyTable(
  source: Database.Database,
  target: Kysely<Tables>,
  table: keyof Tables,
): Promise<void> {
  let batch: unknown[] = [];
  const insert = async () => {
    if (batch.length === 0) return;
    // By name, through the table's own row type: the order of columns does not matter, and 1 becomes true by itself.
    await sql`insert into ${sql.table(table)} overriding system value
      select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)}::json)`.execute(
      target,
    );
    batch = [];
  };
  for (const row of source.prepare(`select * from ${table}`).iterate()) {
    batch.push(row);
    if (batch.length === BATCH) await insert();
  }
  await insert();

  // A number that was given once is never given again, not even that of a record deleted since.
  const last = source.prepare('select seq from sqlite_sequence where name = ?').pluck().get(table);
  if (typeof last !== 'number' || last < 1) return;
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(target);
}
