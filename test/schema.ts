import { type Kysely, sql } from 'kysely';
import type { Tables } from '../server/db/tables.ts';

/** The complete schema as sorted texts: tables, columns, constraints, indexes, triggers and functions. */
export async function describeSchema(db: Kysely<Tables>): Promise<string[]> {
  const query = process.env.TEST_ENGINE === 'postgres' ? POSTGRES : SQLITE;
  const { rows } = await sql<{ part: string }>`${query}`.execute(db);
  return rows.map(({ part }) => part.replace(/\s+/g, ' ')).sort();
}

const SQLITE = sql`select type || ' ' || name || ': ' || coalesce(sql, '') as part from sqlite_master`;

const POSTGRES = sql`
  select 'column ' || table_name || '.' || column_name || ': ' || data_type || ' ' || is_nullable || ' '
    || coalesce(column_default, '') as part
  from information_schema.columns where table_schema = 'public'
  union all
  select 'constraint ' || conrelid::regclass || ': ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all
  select 'index: ' || indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'trigger: ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all
  select 'function ' || proname || ': ' || prosrc from pg_proc
    where pronamespace = 'public'::regnamespace and prolang = (select oid from pg_language where lanname = 'plpgsql')
  union all
  select 'storage ' || relname || ': ' || coalesce(array_to_string(reloptions, ','), '') from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
