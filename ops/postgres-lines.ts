import pg from 'pg';
import type { PostgresPlace } from './postgres-place.ts';

/**
 * The lines that copy and restore an installation with PostgreSQL's own programs, as a person types them (decision
 * 172). They never contain the password.
 */

/** Parameters of an address that these programs know too. The driver has others, which they refuse. */
const SHARED = ['options', 'channel_binding', 'sslnegotiation', 'sslcert', 'sslkey'];

/** What belongs to a whole database, and not to the schema of one program. */
const OF_THE_DATABASE = '--no-publications --no-subscriptions';

/** A word of a shell line; in single quotes if it has to be. */
const word = (text: string): string =>
  /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A name in a statement; in double quotes if it has to be. */
const name = (text: string): string => (/^[a-z_][a-z0-9_]*$/.test(text) ? text : pg.escapeIdentifier(text));

/**
 * The address of a database as PostgreSQL's programs read it, with the driver's meaning and without the password.
 * @param database another database on the same server
 */
function addressOf(url: string, database?: string): string {
  // It is never connected; it has read the address, and the variables for what the address does not say.
  const client = new pg.Client({ connectionString: url });
  const given = new URL(url).searchParams;
  const parameters = new Map<string, string>();
  for (const parameter of SHARED) {
    const value = given.getAll(parameter).at(-1);
    if (value) parameters.set(parameter, value);
  }
  // Its type says boolean, but it may be the options of the connection.
  const ssl: object | boolean = client.ssl;
  if (ssl) {
    const mode = sslModeOf(ssl);
    parameters.set('sslmode', mode);
    // The driver trusts Node's authorities; from version 16 on, the programs know those of the system.
    const trusted = given.get('sslrootcert') ?? process.env.NODE_EXTRA_CA_CERTS ?? 'system';
    if (mode !== 'require') parameters.set('sslrootcert', trusted);
  }
  const host = client.host.includes(':') ? `[${client.host}]` : encodeURIComponent(client.host);
  const user = client.user ? `${encodeURIComponent(client.user)}@` : '';
  const path = encodeURIComponent(database ?? client.database ?? '');
  const query = [...parameters].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return word(`postgresql://${user}${host}:${client.port}/${path}${query === '' ? '' : `?${query}`}`);
}

/** The mode in which the programs check a server's certificate as the driver does. */
function sslModeOf(ssl: object | boolean): 'require' | 'verify-ca' | 'verify-full' {
  if (typeof ssl === 'boolean') return 'verify-full';
  if ('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false) return 'require';
  return 'checkServerIdentity' in ssl ? 'verify-ca' : 'verify-full';
}

/** The line that dumps an installation into a file. */
export const dumpLine = (url: string, { schema }: PostgresPlace, file: string): string =>
  `pg_dump --format=custom --no-owner --no-privileges ${OF_THE_DATABASE} --schema=${word(name(schema))} ` +
  `--file=${word(file)} --dbname=${addressOf(url)}`;

/**
 * The lines that restore such a dump in one transaction.
 * @param isEmpty whether they may restore into the database itself; otherwise they make another one beside it
 */
export function restoreLines(
  url: string,
  { schema, trigrams }: PostgresPlace,
  file: string,
  isEmpty: boolean,
): string[] {
  const other = `${new pg.Client({ connectionString: url }).database}_restaurada`;
  const address = isEmpty ? addressOf(url) : addressOf(url, other);
  // The dump has only what is in the schema.
  const needed = [
    ...[...new Set([schema, trigrams])].map((one) => `create schema if not exists ${name(one)}`),
    `create extension if not exists pg_trgm with schema ${name(trigrams)}`,
  ];
  return [
    ...(isEmpty ? [] : [`createdb --maintenance-db=${addressOf(url)} ${word(other)}`]),
    `psql --dbname=${address} --command=${word(needed.join('; '))}`,
    `pg_restore --no-owner --no-privileges ${OF_THE_DATABASE} --single-transaction --schema=${word(schema)} --dbname=${address} ${word(file)}`,
  ];
}
