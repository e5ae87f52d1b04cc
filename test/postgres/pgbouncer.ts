import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { provideProgram } from '../installed-program.ts';
import { isRoot } from './binaries.ts';
import { freePort } from './free-port.ts';

/** A PgBouncer in transaction mode in front of a PostgreSQL server (OPS-04). */
export type PgBouncer = {
  /** Its host and port. A database URL with this host connects through it. */
  host: string;
  stop: () => Promise<void>;
};

const PATHS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];

/** The path of PgBouncer; undefined if it cannot be installed. */
export const providePgBouncer = (): string | undefined => provideProgram(PATHS, 'pgbouncer');

/** Like PostgreSQL, PgBouncer does not run as root. */
function ownerOf(directory: string): { uid?: number; gid?: number } {
  if (!isRoot) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((account) => /^(postgres|nobody):/.test(account));
  const [, , uid, gid] = line?.split(':') ?? [];
  const owner = { uid: Number(uid), gid: Number(gid) };
  chmodSync(directory, 0o700);
  chownSync(directory, owner.uid, owner.gid);
  return owner;
}

/**
 * Starts it on a free port of 127.0.0.1 in front of the server of a URL.
 * @param settings further lines of its configuration, such as `ignore_startup_parameters = …`
 */
export async function startPgBouncer(
  program: string,
  serverUrl: string,
  settings: string[] = [],
): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const port = await freePort();
  const directory = mkdtempSync('/tmp/lm-pgbouncer-');
  const file = join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'max_client_conn = 1000',
    'default_pool_size = 10',
    // Idle connections are closed soon, because they would prevent that a test's database is removed.
    'server_idle_timeout = 1',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const owner = ownerOf(directory);
  const child = spawn(program, ['-q', file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', () => child.kill('SIGKILL'));
  if (!(await listens(port))) {
    await stop();
    throw new Error(`PgBouncer does not answer:\n${log}`);
  }
  return {
    host: `127.0.0.1:${port}`,
    stop,
  };
}

async function listens(port: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
