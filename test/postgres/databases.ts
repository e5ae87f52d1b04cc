import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { withClient } from '../../ops/with-client.ts';

/** A separate database in the test cluster. */
export type TestDatabase = {
  name: string;
  /** Complete address, ready for DATABASE_URL. */
  url: string;
  /** Removes it and closes its connections. */
  drop: () => Promise<void>;
};

export type CreateDatabaseOptions = {
  /** Name of a database to copy (see {@link templateDatabase}); an empty one by default. */
  template?: string;
  /** Address of the cluster; LM_TEST_POSTGRES_URL by default. */
  adminUrl?: string;
};

/** An arbitrary advisory lock number: one test process at a time builds the template. */
const templateLock = 7_305_112;

/** The address of the cluster: the one given, else LM_TEST_POSTGRES_URL. */
export function clusterUrl(adminUrl: string | undefined): string {
  const url = adminUrl ?? process.env.LM_TEST_POSTGRES_URL;
  if (!url) {
    throw new Error('LM_TEST_POSTGRES_URL is not set: run these tests with `vitest --project api-postgres`.');
  }
  return url;
}

/** The address of another database of the cluster. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

/**
 * Makes a new database, empty or a copy of a template (about 50 ms).
 * @returns its address and how to remove it
 */
export async function createDatabase(options: CreateDatabaseOptions = {}): Promise<TestDatabase> {
  const url = clusterUrl(options.adminUrl);
  const name = `lm_${randomBytes(8).toString('hex')}`;
  const template = options.template ? pg.escapeIdentifier(options.template) : 'template0';
  await withClient(url, (client) => client.query(`create database ${name} template ${template}`));
  return {
    name,
    url: withDatabase(url, name),
    drop: () =>
      withClient(url, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/**
 * Creates a template database once for all test processes, to be copied by {@link createDatabase}: migrations run
 * once, not per file.
 * @param name the name of the template; it must change with the result of `fill`
 * @param fill creates the tables; it must close its connections, since a template in use cannot be copied
 * @returns the name, for `createDatabase({ template })`
 */
export async function templateDatabase(
  name: string,
  fill: (url: string) => Promise<void>,
  adminUrl?: string,
): Promise<string> {
  const url = clusterUrl(adminUrl);
  await withClient(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount) return;
    // Filled under a temporary name, so that a failed fill does not count as a finished template.
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${pg.escapeIdentifier(draft)} with (force)`);
    await client.query(`create database ${pg.escapeIdentifier(draft)} template template0`);
    await fill(withDatabase(url, draft));
    await client.query(`alter database ${pg.escapeIdentifier(draft)} rename to ${pg.escapeIdentifier(name)}`);
  });
  return name;
}
