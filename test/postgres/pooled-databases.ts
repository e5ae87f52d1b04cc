import pg from 'pg';
import { withClient } from '../../ops/with-client.ts';
import { clusterUrl, createDatabase, type TestDatabase } from './databases.ts';

/**
 * Databases that the tests of a worker use one after the other. Creating one takes hundreds of milliseconds, so a test
 * gets one that an earlier test returned. Each has a connection that stays open: a new one reads the catalog of all
 * tables and indexes before it can empty them. A database that grew, whose schema was changed, or that is still in use
 * is dropped.
 */

type PooledDatabase = TestDatabase & {
  client: pg.Client;
  /** The state when it was new. */
  original: Original;
};

type Original = {
  /** See {@link SCHEMA_STATE}. */
  schema: string;
  /** The rows written by migrations, by table. */
  rows: Record<string, unknown[]>;
};

/** The free databases of this process, by cluster and template. */
const spares = new Map<string, PooledDatabase[]>();

/**
 * One text for everything that a test may change in the schema: columns, indexes, constraints, triggers, functions,
 * and the planner's statistics. Each change writes a row of the catalog with a newer transaction id, or removes one. A
 * text of all their columns would take as long as emptying the tables.
 */
const SCHEMA_STATE = `select concat_ws(' ',
  (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_class where relnamespace = 'public'::regnamespace),
  (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_attribute),
  (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_constraint),
  (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_trigger),
  (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_proc where pronamespace = 'public'::regnamespace),
  (select count(*) from pg_statistic)
) as schema`;

/** The tables of the product that have ever had rows. The list of finished migrations is not emptied. */
const TABLES = `select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely_migration%'
    and pg_relation_size(oid) > 0`;

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

/** The names of all databases of a template begin with this, so that {@link dropPooledDatabases} finds them. */
const prefixOf = (template: string) => `${template}_pooled_`;

/**
 * A migrated database for one test, with only the rows of the migrations.
 * @param template see `templateDatabase`
 * @returns its URL; `drop` returns it
 */
export async function takeDatabase(template: string, adminUrl?: string): Promise<TestDatabase> {
  const cluster = clusterUrl(adminUrl);
  const key = `${cluster} ${template}`;
  const database = spares.get(key)?.pop() ?? (await makeDatabase(cluster, template));
  let isReturned = false;
  return {
    name: database.name,
    url: database.url,
    drop: async () => {
      // Returned twice, two tests would get it at once.
      if (isReturned) return;
      isReturned = true;
      if (await becomesClean(database)) {
        spares.set(key, [...(spares.get(key) ?? []), database]);
        return;
      }
      await database.client.end();
      await database.drop();
    },
  };
}

/** Drops all pooled databases of a template, for a server that continues to run after the tests. */
export async function dropPooledDatabases(url: string, template: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefixOf(template)],
    );
    for (const { datname } of rows) {
      await client.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`);
    }
  });
}

async function makeDatabase(adminUrl: string, template: string): Promise<PooledDatabase> {
  const made = await createDatabase({ template, adminUrl, prefix: prefixOf(template) });
  const client = new pg.Client({ connectionString: made.url });
  // The server may end the connection, or stop at the end of all tests. The next query reports it, if there is one.
  client.on('error', () => {});
  await client.connect();
  return { ...made, client, original: await readOriginal(client) };
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

/**
 * Empties a database for the next test.
 * @returns false if that is not safe, or if the test ended the connection
 */
async function becomesClean({ client, original }: PooledDatabase): Promise<boolean> {
  try {
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
  } catch {
    return false;
  }
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
