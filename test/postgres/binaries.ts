import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** PostgreSQL was not found and could not be installed. The message explains what to do. */
export class PostgresUnavailableError extends Error {
  override name = 'PostgresUnavailableError';
}

export const isRoot = process.getuid?.() === 0;

function newestDebianBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  return readdirSync(root)
    .filter((version) => existsSync(join(root, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))[0];
}

function pgConfigBinaries(): string | undefined {
  try {
    const directory = execFileSync('pg_config', ['--bindir'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    // The client libraries contain pg_config too, without a server.
    return existsSync(join(directory, 'initdb')) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** The folder with initdb and postgres; undefined if there is none. Installs nothing. */
export function findPostgresBinaries(): string | undefined {
  return newestDebianBinaries() ?? pgConfigBinaries();
}

/**
 * The folder with initdb and postgres. Installs them with apt-get if possible (root on Debian or Ubuntu).
 * @throws PostgresUnavailableError with a message what to do
 */
export function providePostgresBinaries(): string {
  const present = findPostgresBinaries();
  if (present) return present;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    throw new PostgresUnavailableError(
      'PostgreSQL is not installed. Install it (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql) ' +
        'or set LM_TEST_POSTGRES_URL to the address of a server where the tests may create databases.',
    );
  }
  console.log('Installing PostgreSQL with apt-get…');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    throw new PostgresUnavailableError('PostgreSQL is not installed, and apt-get could not install it.', {
      cause: error,
    });
  }
  const installed = findPostgresBinaries();
  if (!installed)
    throw new PostgresUnavailableError('apt-get installed PostgreSQL, yet initdb is not there.');
  return installed;
}
