import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { isRoot, PostgresUnavailableError, providePostgresBinaries } from './binaries.ts';
import { freePort } from './free-port.ts';

/** A temporary PostgreSQL server that ends with the process that started it. */
export type Cluster = {
  /** The administrator's URL, database `postgres`; for DATABASE_URL and {@link createDatabase}. */
  url: string;
  port: number;
  /** The folder with its files; removed by {@link Cluster.stop}. */
  directory: string;
  /**
   * Kills it as a power failure would (SIGKILL, no checkpoint). The files stay; {@link Cluster.start} recovers them.
   */
  crash: () => Promise<void>;
  /** Starts it again on the same port and files after {@link Cluster.crash}, and waits until it answers. */
  start: () => Promise<void>;
  /** Suspends all its processes (SIGSTOP), with open connections, until {@link Cluster.thaw}. */
  freeze: () => void;
  thaw: () => void;
  /** Stops it and removes its files. May be called twice. */
  stop: () => Promise<void>;
};

export type ClusterOptions = {
  /**
   * Flushes the write-ahead log at every commit, as in production. Default: on, for durability tests; other tests may
   * switch it off to be faster. Autovacuum is off then too, because the plans of a test depend on what it has counted.
   */
  fsync?: boolean;
};

/**
 * PostgreSQL refuses to run as root, so root runs it with an unprivileged account; other users run it with their own
 * account.
 */
export function accountFor(): { uid?: number; gid?: number } {
  if (!isRoot) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new PostgresUnavailableError(
    'PostgreSQL does not run as root, and there is no account postgres or nobody.',
  );
}

function initialise(binaries: string, data: string, asAccount: SpawnOptions): void {
  const initdb = (locale: string) =>
    spawnSync(
      join(binaries, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, '--no-sync'],
      { ...asAccount, encoding: 'utf8' },
    );
  // C.UTF-8 supports letters beyond ASCII, as on customers' servers, but not every system has it.
  let made = initdb('C.UTF-8');
  if (made.status !== 0) made = initdb('C');
  if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr || made.error}`);
}

/**
 * Waits until its standard input closes, which happens when the parent process ends in any way, even by SIGKILL. Then
 * it stops the server (SIGQUIT, because the data is discarded) and removes the folder.
 */
const watchdogScript = `
cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ]; then
  kill -CONT "$pid" $(cat "/proc/$pid/task/$pid/children" 2>/dev/null) 2>/dev/null
  kill -QUIT "$pid" 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL "$pid" 2>/dev/null
fi
rm -rf "$1"
shift
"$@"
`;

/** @param afterwards a command to run when the folder is removed */
export function startWatchdog(directory: string, ...afterwards: string[]): { end: () => Promise<void> } {
  // A separate session, so that Ctrl-C does not end it before it has cleaned up.
  const watchdog = spawn('/bin/sh', ['-c', watchdogScript, 'watchdog', directory, ...afterwards], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => watchdog.once('exit', () => resolve()));
  watchdog.unref();
  return {
    end: async () => {
      watchdog.ref();
      watchdog.stdin.end();
      await ended;
    },
  };
}

export async function waitUntilItAnswers(
  url: string,
  server: ChildProcess,
  log: () => string,
): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new Error(`PostgreSQL ended while starting:\n${log()}`);
    }
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined); // connect() already reports a connection closed during recovery
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not answer:\n${log()}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * Sends a signal to a server and its processes. The main process comes first, so that it cannot start more children
 * meanwhile.
 */
export function signalAll({ pid }: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return;
  process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  for (const child of children) process.kill(Number(child), signal);
}

/**
 * Starts a PostgreSQL server on 127.0.0.1 with a separate port, user `postgres`, without a password. It ends with
 * {@link Cluster.stop} or with this process.
 */
export async function startCluster({ fsync = true }: ClusterOptions = {}): Promise<Cluster> {
  const binaries = providePostgresBinaries();
  const account = accountFor();
  // Not os.tmpdir(), because the unprivileged account may have no access to a private TMPDIR of root.
  const directory = mkdtempSync('/tmp/lm-postgres-');
  chmodSync(directory, 0o700);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(directory, account.uid, account.gid);
  const watchdog = startWatchdog(directory);

  try {
    const data = join(directory, 'data');
    const asAccount = { ...account, cwd: directory, env: { ...process.env, HOME: directory } };
    initialise(binaries, data, asAccount);
    const fast = fsync
      ? []
      : ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'].flatMap((name) => [
          '-c',
          `${name}=off`,
        ]);
    let server: ChildProcess;
    let port = 0;
    let url = '';

    const start = async (): Promise<void> => {
      let log = '';
      const listen = [
        '-c',
        'listen_addresses=127.0.0.1',
        '-p',
        String(port),
        '-c',
        'unix_socket_directories=',
      ];
      server = spawn(
        join(binaries, 'postgres'),
        ['-D', data, ...listen, '-c', 'max_connections=300', '-c', 'timezone=UTC', ...fast],
        { ...asAccount, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
      );
      server.stderr?.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-8000);
      });
      server.unref();
      await waitUntilItAnswers(url, server, () => log);
    };

    const startOnAFreePort = async (attempts: number): Promise<void> => {
      port = await freePort();
      url = `postgres://postgres@127.0.0.1:${port}/postgres`;
      try {
        await start();
      } catch (error) {
        if (attempts <= 1) throw error;
        await startOnAFreePort(attempts - 1);
      }
    };
    await startOnAFreePort(3);

    let stopped: Promise<void> | undefined;
    return {
      freeze: () => signalAll(server, 'SIGSTOP'),
      thaw: () => signalAll(server, 'SIGCONT'),
      url,
      port,
      directory,
      start,
      crash: async () => {
        const ended = new Promise((resolve) => server.once('exit', resolve));
        server.ref();
        server.kill('SIGKILL');
        await ended;
      },
      stop: () => {
        stopped ??= watchdog.end();
        return stopped;
      },
    };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}
