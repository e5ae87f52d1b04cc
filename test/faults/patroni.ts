import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { findPostgresBinaries } from '../postgres/binaries.ts';
import { accountFor } from '../postgres/cluster.ts';
import { freePort } from '../postgres/free-port.ts';

/**
 * Three PostgreSQL servers under Patroni with etcd, and HAProxy in front, as described in docs/reliability.md. Needs
 * the Debian packages patroni, etcd-server and haproxy; everything runs on the loopback interface.
 */

const NODES = ['uno', 'dos', 'tres'] as const;
export type NodeName = (typeof NODES)[number];

export type PatroniCluster = {
  /** The URL through HAProxy, which leads to the primary, database `postgres`. */
  url: string;
  leader: () => Promise<NodeName>;
  /** The URL of a node itself, without HAProxy. */
  urlOf: (node: NodeName) => string;
  /** Kills Patroni and PostgreSQL of a node (SIGKILL). */
  kill: (node: NodeName) => void;
  /** Suspends both (SIGSTOP) until {@link PatroniCluster.thaw}. */
  freeze: (node: NodeName) => void;
  thaw: (node: NodeName) => void;
  start: (node: NodeName) => void;
  /** Requests another primary, as an administrator does before working on one. */
  switchOver: () => Promise<void>;
  freezeEtcd: () => void;
  thawEtcd: () => void;
  restartHaproxy: () => Promise<void>;
  /** Resolves when there is a primary and a synchronous standby, and all nodes are part of the cluster. */
  untilWhole: () => Promise<unknown>;
};

/** The programs missing on this machine; empty if the cluster can be started. */
export const missingPrograms = (): string[] =>
  [...['patroni', 'etcd', '/usr/sbin/haproxy'].filter((path) => spawnSync(path, ['--version']).error)].concat(
    findPostgresBinaries() ? [] : ['postgres'],
  );

/** Patroni's states of a working PostgreSQL. Newer releases call a standby that follows 'streaming'. */
const RUNS = /^(running|streaming)$/;
const WAIT_MS = 120_000;

type Member = { name: NodeName; role: string; state: string };

export async function startPatroni(): Promise<PatroniCluster> {
  const account = accountFor();
  const directory = mkdtempSync('/tmp/lm-patroni-');
  chmodSync(directory, 0o755);
  const processes: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const { pid } of processes) if (pid !== undefined) signalTree(pid, 'SIGKILL');
    await setTimeout(500);
    rmSync(directory, { recursive: true, force: true });
  });
  const log = (name: string) => openSync(join(directory, `${name}.log`), 'a');
  const run = (name: string, program: string, args: string[], asPostgres = false) => {
    const file = log(name);
    const child = spawn(program, args, {
      ...(asPostgres && account),
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: directory, PATRONI_LOG_LEVEL: 'WARNING' },
      stdio: ['ignore', file, file],
    });
    processes.push(child);
    return child;
  };

  const [etcdPort, peerPort, entry] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const etcd = run('etcd', 'etcd', [
    ...['--name', 'etcd', '--data-dir', join(directory, 'etcd')],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
    ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peerPort}`],
    ...['--initial-cluster', `etcd=http://127.0.0.1:${peerPort}`],
  ]);
  const nodes = new Map<NodeName, { port: number; api: number; file: string }>();
  for (const name of NODES) {
    const [port, api] = [await freePort(), await freePort()];
    const data = join(directory, name);
    mkdirSync(data, { mode: 0o700 });
    if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
    const file = join(directory, `${name}.yml`);
    writeFileSync(file, configuration({ name, port, api, etcdPort, data: join(data, 'pg') }));
    nodes.set(name, { port, api, file });
  }
  const haproxyFile = join(directory, 'haproxy.cfg');
  writeFileSync(haproxyFile, balancer(entry, [...nodes.values()]));
  const balance = () => run('haproxy', '/usr/sbin/haproxy', ['-db', '-f', haproxyFile]);

  const patronis = new Map<NodeName, ChildProcess>();
  const start = (name: NodeName) => {
    patronis.set(name, run(name, 'patroni', [nodes.get(name)!.file], true));
  };
  const apiOf = (name: NodeName) => `http://127.0.0.1:${nodes.get(name)!.api}`;
  const members = async (): Promise<Member[]> => {
    for (const name of NODES) {
      const answer = await fetch(`${apiOf(name)}/cluster`, { signal: AbortSignal.timeout(1000) }).catch(
        () => null,
      );
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const until = async <Found>(look: (found: Member[]) => Found | undefined): Promise<Found> => {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const found = await members();
      const expected = look(found);
      if (expected !== undefined) return expected;
      if (performance.now() > deadline) throw new Error(`Patroni has: ${JSON.stringify(found)}`);
      await setTimeout(200);
    }
  };
  const leader = () =>
    until((found) => found.find(({ role, state }) => role === 'leader' && state === 'running')?.name);
  const untilWhole = () =>
    until((found) => {
      const roles = found.filter(({ state }) => RUNS.test(state)).map(({ role }) => role);
      const isWhole =
        roles.length === NODES.length && roles.includes('leader') && roles.includes('sync_standby');
      return isWhole || undefined;
    });
  /** Patroni starts PostgreSQL as a separate process, whose pid is in its folder. */
  const signalNode = (name: NodeName, signal: NodeJS.Signals) => {
    signalTree(patronis.get(name)!.pid!, signal);
    const pid = readFileSync(join(directory, name, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0];
    signalTree(Number(pid), signal);
  };

  let haproxy = balance();
  start('uno');
  await leader();
  start('dos');
  start('tres');
  await untilWhole();
  return {
    url: `postgres://postgres@127.0.0.1:${entry}/postgres`,
    urlOf: (name) => `postgres://postgres@127.0.0.1:${nodes.get(name)!.port}/postgres`,
    leader,
    start,
    untilWhole,
    kill: (name) => signalNode(name, 'SIGKILL'),
    freeze: (name) => signalNode(name, 'SIGSTOP'),
    thaw: (name) => signalNode(name, 'SIGCONT'),
    switchOver: async () => {
      const from = await leader();
      const answer = await fetch(`${apiOf(from)}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from }),
      });
      if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
    },
    freezeEtcd: () => void etcd.kill('SIGSTOP'),
    thawEtcd: () => void etcd.kill('SIGCONT'),
    restartHaproxy: async () => {
      haproxy.kill('SIGKILL');
      await setTimeout(1000);
      haproxy = balance();
    },
  };
}

/** Sends a signal to a process and its children, the children first. */
function signalTree(pid: number, signal: NodeJS.Signals): void {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    for (const child of children ? children.split(' ') : []) signalTree(Number(child), signal);
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

type Node = { name: NodeName; port: number; api: number; etcdPort: number; data: string };

/**
 * The leader's lock lasts 20 s. One of two standbys is synchronous, and only a standby with all acknowledged commits
 * may become the primary.
 */
const configuration = ({ name, port, api, etcdPort, data }: Node) => `scope: licencias
name: ${name}
restapi: { listen: '127.0.0.1:${api}', connect_address: '127.0.0.1:${api}' }
etcd3: { hosts: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_log_hints: 'on', synchronous_commit: 'on' }
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, { auth-host: trust }, { auth-local: trust } ]
postgresql:
  listen: '127.0.0.1:${port}'
  connect_address: '127.0.0.1:${port}'
  data_dir: ${data}
  pgpass: ${data}pass
  bin_dir: ${findPostgresBinaries()}
  pg_hba: [ 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust' ]
  authentication:
    superuser: { username: postgres, password: sin-uso }
    replication: { username: replicador, password: sin-uso }
  parameters: { unix_socket_directories: '', timezone: UTC }
`;

/**
 * Routes to the node that is the primary according to Patroni, and closes open connections when it is not any more.
 */
const balancer = (entry: number, nodes: { port: number; api: number }[]) => `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${entry}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ port, api }, at) => `  server node${at} 127.0.0.1:${port} check port ${api}`).join('\n')}
`;
