import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { type Engine, forLongWork } from '../dialect.ts';
import { hasOldNames, TABLES_LEFT } from '../migrations/baseline.ts';
import { migrateIn, migrationState, NewerSchemaError, newerSchemaText, openDatabase } from '../open.ts';
import { INDEXED_TABLES } from '../tables/searched.ts';
import type { Db, Tables } from '../tables.ts';
import { BadCopyError, dataTables, type TableCounts } from './try-copy.ts';

const BATCH = 1000;

/** Tables of the migrator: the copy has its own. */
const MIGRATIONS = /^kysely_/;

/** The database has more rows than the limit for copies. */
export class TooManyRowsError extends Error {
  override name = 'TooManyRowsError';
  readonly rows: number;

  constructor(rows: number) {
    super(`La base de datos tiene ${rows} filas.`);
    this.rows = rows;
  }
}

/** What a copy of PostgreSQL contains, and which tables of other programs it does not. */
type CopiedRows = { counts: TableCounts; leftOut: string[] };

/**
 * Copies all rows of one snapshot of a PostgreSQL database into a SQLite file with the same version of the program's
 * schema. Such a copy can be restored into either engine. The snapshot is only read and takes no lock that the program
 * needs.
 * @returns the number of rows of each table in that snapshot
 * @throws TooManyRowsError before a row is copied
 * @throws NewerSchemaError because this program could miss tables and columns
 * @throws BadCopyError if the migrations of the database are not those of this program
 */
export async function copyPostgres(
  engine: Extract<Engine, { kind: 'postgres' }>,
  draft: string,
  rowsMax: number,
): Promise<CopiedRows> {
  const source = openDatabase(forLongWork({ ...engine, pool: 1 }), () => {});
  try {
    return await source
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await makeSchema(tx, draft);
        const copy = new Database(draft, { fileMustExist: true });
        try {
          const tables = dataTables(copy).filter((name) => !MIGRATIONS.test(name));
          const counts = await countsOf(tx, tables);
          const total = counts.reduce((sum, [, rows]) => sum + rows, 0);
          if (total > rowsMax) throw new TooManyRowsError(total);
          await writeRows(tx, copy, tables);
          return { counts, leftOut: await otherTables(tx, tables) };
        } finally {
          copy.close();
        }
      });
  } finally {
    await source.destroy();
  }
}

/** Makes the tables in a new file by the migrations that the source has: a copy may be made before an upgrade. */
async function makeSchema(source: Kysely<Tables>, draft: string): Promise<void> {
  const { applied, unknown } = await migrationState(source);
  if (unknown.length > 0) {
    throw new NewerSchemaError(`${newerSchemaText(unknown)} Haz la copia con esa versión.`);
  }
  if (hasOldNames(applied)) {
    throw new BadCopyError(
      'La base de datos es de la versión 0.3.0 o anterior. Haz la copia con esa versión.',
    );
  }
  const schema = openDatabase({ kind: 'sqlite', file: draft }, () => {});
  try {
    await schema.transaction().execute((tx) => migrateIn(tx, { last: applied.sort().at(-1) }));
  } finally {
    await schema.destroy();
  }
}

async function countsOf(tx: Db, tables: readonly string[]): Promise<TableCounts> {
  const counts: TableCounts = [];
  for (const table of tables) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(tx);
    counts.push([table, rows[0]!.n]);
  }
  return counts;
}

/** The tables in the program's schema that are not the program's. */
async function otherTables(tx: Db, known: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(tx);
  const tables = await tx.introspection.getTables();
  return tables
    .filter(
      ({ isView, schema, name }) =>
        !isView && schema === rows[0]!.schema && !known.includes(name) && !TABLES_LEFT.includes(name),
    )
    .map(({ name }) => name);
}

async function writeRows(tx: Db, copy: Database.Database, tables: readonly string[]): Promise<void> {
  copy.pragma('journal_mode = delete');
  // An unfinished file is deleted anyway, so it need not survive a crash. It is flushed once, when it is renamed.
  copy.pragma('synchronous = off');
  copy.pragma('foreign_keys = off');
  copy.exec('begin');
  // All rows are copied as they are, also rows that triggers wrote. So triggers must not run.
  const triggers = copy.prepare("select name, sql from sqlite_master where type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) copy.exec(`drop trigger "${name}"`);
  // The migrations have inserted some rows.
  for (const table of tables) copy.exec(`delete from "${table}"`);
  for (const table of tables) await copyTable(tx, copy, table);
  for (const table of INDEXED_TABLES) {
    copy.exec(`insert into "${table}_search" ("${table}_search") values ('rebuild')`);
    copy.exec(`delete from "${table}_search_pending"`);
  }
  for (const { sql: statement } of triggers) copy.exec(statement);
  copy.exec('commit');
}

async function copyTable(tx: Db, copy: Database.Database, table: string): Promise<void> {
  await sql`declare copied no scroll cursor for select * from ${sql.table(table)}`.execute(tx);
  let insert: Database.Statement | undefined;
  let columns: string[] = [];
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(BATCH)} from copied`.execute(tx);
    if (rows.length === 0) break;
    if (!insert) {
      columns = Object.keys(rows[0]!);
      const names = columns.map((name) => `"${name}"`).join(', ');
      insert = copy.prepare(
        `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
      );
    }
    for (const row of rows) insert.run(columns.map((name) => stored(row[name])));
  }
  await sql`close copied`.execute(tx);
  await keepSequence(tx, copy, table);
}

/** SQLite has no booleans. */
const stored = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

/** Copies the sequence of ids, so that the id of a deleted record is never used again. */
async function keepSequence(tx: Db, copy: Database.Database, table: string): Promise<void> {
  const isCounted = copy
    .prepare("select 1 from sqlite_master where type = 'table' and name = ? and sql like '%autoincrement%'")
    .get(table);
  if (!isCounted) return;
  const { rows } = await sql<{ name: string | null }>`
    select pg_get_serial_sequence(${table}, 'id') as name`.execute(tx);
  const sequence = rows[0]?.name;
  if (!sequence) return;
  const { rows: last } = await sql<{ n: number }>`
    select case when is_called then last_value else 0 end as n from ${sql.raw(sequence)}`.execute(tx);
  copy.prepare('delete from sqlite_sequence where name = ?').run(table);
  copy.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, last[0]?.n ?? 0);
}
