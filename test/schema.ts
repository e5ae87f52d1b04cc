import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../server/db/dialect.ts';
import type { Tables } from '../server/db/tables.ts';

/**
 * The complete schema as sorted texts: columns in their order, constraints with their names, indexes, triggers,
 * functions, views and collations. Comments, white space and needless quotes make no difference.
 */
export async function describeSchema(db: Kysely<Tables>): Promise<string[]> {
  if (isPostgres(db)) {
    const { rows } = await sql<{ part: string }>`${POSTGRES}`.execute(db);
    return rows.map(({ part }) => plain(part)).sort();
  }
  const { rows } =
    await sql<Part>`select type, name, tbl_name as "table", sql from sqlite_master order by rowid`.execute(
      db,
    );
  // Of several triggers or indexes that SQLite may take, it takes them by the order in which they were made.
  const orders = [
    ...Map.groupBy(
      rows.filter(({ type }) => type !== 'table'),
      (row) => `${row.type} ${row.table}`,
    ),
  ].map(([of, parts]) => `order of ${of}: ${parts.map(({ name }) => name).join(', ')}`);
  return [...rows.map((row) => plain(`${row.type} ${row.name}: ${row.sql ?? ''}`)), ...orders].sort();
}

/** The rows of all tables but the migrator's and the marks of 0.3.0, by table; an empty table is left out. */
export async function rowsOf(db: Kysely<Tables>) {
  const rows: Record<string, unknown[]> = {};
  for (const { name, isView } of await db.introspection.getTables()) {
    if (isView || name === 'folds' || name.includes('_search')) continue;
    const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    if (found.rows.length > 0) rows[name] = found.rows;
  }
  return rows;
}

type Part = { type: string; name: string; table: string; sql: string | null };

const plain = (text: string): string =>
  text
    .replace(/--.*$/gm, '')
    .replace(/"(\w+)"/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),;]) ?/g, '$1');

const POSTGRES = sql`
  select 'column ' || table_name || ' ' || row_number() over (partition by table_name order by ordinal_position) || ' '
    || column_name || ': ' || data_type || ' ' || coalesce(datetime_precision::text, '') || ' ' || is_nullable || ' '
    || coalesce(column_default, '') || ' ' || is_identity || ' ' || coalesce(identity_generation, '') || ' '
    || coalesce(collation_name, '') || ' '
    || coalesce(pg_get_serial_sequence(quote_ident(table_name), column_name), '') as part
  from information_schema.columns where table_schema = 'public'
  union all
  select 'constraint ' || conrelid::regclass || ' ' || conname || ': ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all
  select 'index: ' || indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'trigger: ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all
  select 'function ' || pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'public'::regnamespace and probin is null
  union all
  select 'view ' || viewname || ': ' || definition from pg_views where schemaname = 'public'
  union all
  select 'collation ' || collname || ': ' || collcollate from pg_collation where collnamespace = 'public'::regnamespace
  union all
  select 'extension ' || extname from pg_extension
  union all
  select 'storage ' || relname || ': ' || coalesce(array_to_string(reloptions, ','), '') from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
