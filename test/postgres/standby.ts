import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../../ops/with-client.ts';
import { providePostgresBinaries } from './binaries.ts';
import { accountFor, type Cluster, signalAll, startWatchdog, waitUntilItAnswers } from './cluster.ts';
import { freePort } from './free-port.ts';

/** A standby of a cluster. */
export type Standby = Pick<Cluster, 'url' | 'freeze' | 'thaw' | 'stop'> & {
  /** Makes it the primary, as Patroni does when the primary is lost. */
  promote: () => Promise<void>;
};

const NAME = 'standby';

/**
 * Starts a standby of a primary.
 * @param synchronous commits of the primary wait for it (`synchronous_commit = on`)
 */
export async function startStandby(primary: Cluster, { synchronous = true } = {}): Promise<Standby> {
  const binaries = providePostgresBinaries();
  const account = accountFor();
  const directory = mkdtempSync('/tmp/lm-standby-');
  chmodSync(directory, 0o700);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(directory, account.uid, account.gid);
  const watchdog = startWatchdog(directory);
  try {
    const options = { ...account, cwd: directory, env: { ...process.env, HOME: directory } };
    const data = join(directory, 'data');
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${NAME}`;
    execFileSync(
      join(binaries, 'pg_basebackup'),
      ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', source],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=300',
      'timezone=UTC',
    ];
    const server: ChildProcess = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let log = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-8000);
    });
    server.unref();
    await waitUntilItAnswers(url, server, () => log);
    await withClient(primary.url, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${synchronous ? NAME : ''}'`);
      await client.query('select pg_reload_conf()');
      for (;;) {
        const { rows } = await client.query('select 1 from pg_stat_replication where sync_state = $1', [
          synchronous ? 'sync' : 'async',
        ]);
        if (rows.length > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    return {
      url,
      freeze: () => signalAll(server, 'SIGSTOP'),
      thaw: () => signalAll(server, 'SIGCONT'),
      promote: () =>
        withClient(url, async (client) => {
          // The setting was copied from the primary, so the new primary would wait for a standby too.
          await client.query('select pg_promote()');
          await client.query("alter system set synchronous_standby_names = ''");
          await client.query('select pg_reload_conf()');
        }),
      stop: watchdog.end,
    };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}
