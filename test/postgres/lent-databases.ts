import pg from 'pg';
import { withClient } from '../../ops/with-client.ts';
import { clusterUrl, createDatabase, type TestDatabase, withDatabase } from './databases.ts';

/**
 * Databases that tests use one after the other. On a busy machine PostgreSQL needs about 300 ms to create a database
 * and 2 ms to empty one, so a test gets one that an earlier test returned. A database that grew, whose schema was
 * changed, or that is still in use is dropped.
 */

/** A table in the cluster with the names of free databases, for all processes of a run. */
const CREATE_LIST =
  'create table if not exists lm_spare_databases (name text primary key, template text not null, original jsonb not null)';

/** An arbitrary number of an advisory lock, because two sessions cannot run `create table if not exists` at once. */
const listLock = 7_305_113;

/** The state of a database when it was new. */
type Original = {
  /** See {@link SCHEMA_STATE}. */
  schema: string;
  /** The rows written by migrations, by table. */
  rows: Record<string, unknown[]>;
};

/**
 * One text for everything that a test may change in the schema: columns, indexes, constraints, triggers, functions,
 * and the planner's statistics.
 */
const SCHEMA_STATE = `select md5(concat(
  (select string_agg(concat_ws(' ', c.oid, c.relname, a.attname, a.atttypid, a.attnotnull, a.atthasdef), ',' order by c.oid, a.attnum)
    from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace),
  (select string_agg(concat_ws(' ', oid, conname, convalidated), ',' order by oid) from pg_constraint),
  (select string_agg(concat_ws(' ', oid, tgname, tgenabled), ',' order by oid) from pg_trigger),
  (select string_agg(concat_ws(' ', oid, proname, prosrc), ',' order by oid) from pg_proc where pronamespace = 'public'::regnamespace),
  (select count(*) from pg_statistic s join pg_class c on c.oid = s.starelid where c.relnamespace = 'public'::regnamespace)
)) as schema`;

/** The tables of the product. The list of finished migrations is not emptied. */
const TABLES = `select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely_migration%'`;

/** Finds a table that grew: the space of its deleted rows would stay in use. */
const HAS_GROWN = `select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 500000 limit 1`;

/**
 * Deletes all rows and restarts the ids at 1. Triggers are switched off, because they prevent that events are deleted.
 * For a few rows `truncate` would be a hundred times slower.
 */
const EMPTY_ALL = `do $$
declare item record;
begin
  set local session_replication_role = replica;
  for item in ${TABLES} loop
    execute 'delete from ' || item.name;
  end loop;
  for item in select format('%I', sequencename)::regclass as name, start_value from pg_sequences where last_value is not null loop
    perform setval(item.name, item.start_value, false);
  end loop;
end $$`;

const END_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/**
 * A migrated database for one test, with only the rows of the migrations.
 * @param template see `templateDatabase`
 * @returns its URL; `drop` returns it
 */
export async function lendDatabase(template: string, adminUrl?: string): Promise<TestDatabase> {
  const url = clusterUrl(adminUrl);
  const spare = await withClient(url, (client) => takeSpare(client, template));
  if (spare) {
    const address = withDatabase(url, spare.name);
    return {
      name: spare.name,
      url: address,
      drop: () => giveBack(url, template, spare.name, spare.original),
    };
  }
  const made = await createDatabase({ template, adminUrl: url });
  const original = await withClient(made.url, readOriginal);
  return { ...made, drop: () => giveBack(url, template, made.name, original) };
}

/** Drops all returned databases, for a server that continues to run after the tests. */
export async function dropSpareDatabases(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(CREATE_LIST);
    const { rows } = await client.query<{ name: string }>('select name from lm_spare_databases');
    for (const { name } of rows) {
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
    }
    await client.query('drop table lm_spare_databases');
  });
}

async function takeSpare(client: pg.Client, template: string) {
  const { rows } = await client
    .query<{ name: string; original: Original }>(
      `delete from lm_spare_databases where name =
      (select name from lm_spare_databases where template = $1 limit 1 for update skip locked) returning name, original`,
      [template],
    )
    .catch(() => ({ rows: [] }));
  return rows[0];
}

async function readOriginal(client: pg.Client): Promise<Original> {
  const rows: Original['rows'] = {};
  for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
    const found = await client.query(`select * from ${name}`);
    if (found.rows.length > 0) rows[name] = found.rows;
  }
  return { schema: await schemaOf(client), rows };
}

async function schemaOf(client: pg.Client): Promise<string> {
  return (await client.query<{ schema: string }>(SCHEMA_STATE)).rows[0]!.schema;
}

/** Empties a database and lists it for the next test; drops it if that is not safe. */
async function giveBack(url: string, template: string, name: string, original: Original): Promise<void> {
  const isClean = await withClient(withDatabase(url, name), async (client) => {
    // A pooler keeps connections open, so they are ended here.
    if (process.env.LM_TEST_POOLER) await client.query(END_OTHERS);
    if ((await client.query(HAS_GROWN)).rows.length > 0) return false;
    if ((await schemaOf(client)) !== original.schema || !(await isAlone(client))) return false;
    await client.query(EMPTY_ALL);
    for (const [table, rows] of Object.entries(original.rows)) {
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      );
    }
    return true;
  });
  await withClient(url, async (client) => {
    if (!isClean) {
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
      return;
    }
    await client.query('select pg_advisory_lock($1)', [listLock]);
    await client.query(CREATE_LIST);
    await client.query('insert into lm_spare_databases values ($1, $2, $3)', [
      name,
      template,
      JSON.stringify(original),
    ]);
  });
}

/** Waits a moment until closing connections have disappeared. */
async function isAlone(client: pg.Client): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const others = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    if (others.rows.length === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}
