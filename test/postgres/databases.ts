import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { withClient } from '../../ops/with-client.ts';

/** A separate database in the test cluster. */
export type TestDatabase = {
  name: string;
  /** The complete URL, for DATABASE_URL. */
  url: string;
  /** Removes it and closes its connections. */
  drop: () => Promise<void>;
};

export type CreateDatabaseOptions = {
  /** The name of a database to copy (see {@link templateDatabase}); default: an empty database. */
  template?: string;
  /** The URL of the cluster; default: LM_TEST_POSTGRES_URL. */
  adminUrl?: string;
  /** How its name begins; default: `lm_`. */
  prefix?: string;
};

/** An arbitrary number of an advisory lock, with which only one test process at a time builds the template. */
const templateLock = 7_305_112;

/** The URL of the cluster: the given one, else LM_TEST_POSTGRES_URL. */
export function clusterUrl(adminUrl: string | undefined): string {
  const url = adminUrl ?? process.env.LM_TEST_POSTGRES_URL;
  if (!url) {
    throw new Error('LM_TEST_POSTGRES_URL is not set: run these tests with `vitest --project api-postgres`.');
  }
  return url;
}

/** The URL of another database in the cluster. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

/**
 * Creates a new database, empty or a copy of a template (about 50 ms).
 * @returns its URL and a function that removes it
 */
export async function createDatabase(options: CreateDatabaseOptions = {}): Promise<TestDatabase> {
  const url = clusterUrl(options.adminUrl);
  const name = `${options.prefix ?? 'lm_'}${randomBytes(8).toString('hex')}`;
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
 * The name of the template with the product's tables.
 * @param run the id of the process that started the run, unless LM_TEST_RUN names the run
 */
export const templateName = (run: number) => `lm_template_${process.env.LM_TEST_RUN ?? run}`;

/**
 * Creates a template database once for all test processes, to be copied by {@link createDatabase}. Thus migrations run
 * once, not for each file.
 * @param name the name of the template; it must change when the result of `fill` changes
 * @param fill creates the tables; it must close its connections, because a template in use cannot be copied
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
    // Filled under a temporary name, so that a failed attempt does not count as a finished template.
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${pg.escapeIdentifier(draft)} with (force)`);
    await client.query(`create database ${pg.escapeIdentifier(draft)} template template0`);
    await fill(withDatabase(url, draft));
    await client.query(`alter database ${pg.escapeIdentifier(draft)} rename to ${pg.escapeIdentifier(name)}`);
  });
  return name;
}
