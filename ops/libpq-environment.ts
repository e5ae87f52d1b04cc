import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import pg from 'pg';
import { inScratchFolder } from '../server/db/scratch-folder.ts';

/**
 * How PostgreSQL's programs (pg_dump, psql) connect: as the server's driver does. They read addresses in their own way
 * and refuse what only the driver knows (`uselibpqcompat`, `sslmode=no-verify`, a password with a bare %), so they get
 * no address but the driver's reading of it. It is in their environment, because others can read command lines.
 */

/** Parameters of an address that these programs know as variables. */
const VARIABLES = {
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  channel_binding: 'PGCHANNELBINDING',
  sslnegotiation: 'PGSSLNEGOTIATION',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslrootcert: 'PGSSLROOTCERT',
  // Only `disable` is left as it is; the other modes mean something else to the driver.
  sslmode: 'PGSSLMODE',
};

/** Variables that lead elsewhere, which the driver does not read. */
const ELSEWHERE = ['PGSERVICE', 'PGSERVICEFILE', 'PGHOSTADDR'];

/** The mode in which the programs check a server's certificate as the driver does. */
function sslModeOf(ssl: object | boolean): 'require' | 'verify-ca' | 'verify-full' {
  if (typeof ssl === 'boolean') return 'verify-full';
  if ('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false) return 'require';
  return 'checkServerIdentity' in ssl ? 'verify-ca' : 'verify-full';
}

/**
 * Runs work with the environment in which PostgreSQL's programs connect to a database.
 * @param url an address that the driver understands
 */
export async function withLibpqEnvironment<Result>(
  url: string,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  // It is never connected; it has read the address, and the variables for what the address does not say.
  const { host, port, user, database, password, ssl: read } = new pg.Client({ connectionString: url });
  // Its type says boolean, but it may be the options of the connection.
  const ssl: object | boolean = read;
  const parameters = new URL(url).searchParams;
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of ELSEWHERE) delete env[name];
  for (const [parameter, variable] of Object.entries(VARIABLES)) {
    const value = parameters.getAll(parameter).at(-1);
    if (value) env[variable] = value;
  }
  Object.assign(env, { PGHOST: host, PGPORT: String(port) });
  if (user) env.PGUSER = user;
  if (database) env.PGDATABASE = database;
  if (password) env.PGPASSWORD = password;
  if (!ssl) return work(env);

  env.PGSSLMODE = sslModeOf(ssl);
  if (env.PGSSLMODE === 'require') {
    // With authorities the programs would check the certificate, which the driver does not.
    delete env.PGSSLROOTCERT;
    return work(env);
  }
  if (env.PGSSLROOTCERT) return work(env);
  // The driver trusts Node's authorities, which the programs do not know.
  return inScratchFolder('authorities', async (folder) => {
    env.PGSSLROOTCERT = join(folder, 'root.crt');
    writeFileSync(env.PGSSLROOTCERT, `${tls.getCACertificates('default').join('\n')}\n`);
    return work(env);
  });
}
