import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/postgres/free-port.ts';

/** Starts the measured processes: the real server and the floor server, each separate from the measuring process. */

export const projectRoot = join(import.meta.dirname, '..');

/** The administrator of every measured server. */
export const ADMIN = { username: 'bench', password: 'a-password-of-the-measurement' };

export type Running = {
  origin: string;
  child: ChildProcess;
  /** Milliseconds from the start of the process to its first successful answer. */
  readyAfterMs: number;
  /** The processor time of all threads so far, in milliseconds. */
  cpuMs: () => number;
  /** Resident memory, in bytes. */
  memory: () => number;
  /** The anonymous part of the memory: without file pages, which the kernel can share and reclaim. */
  ownMemory: () => number;
  /** Ends the process. Read memory and processor time before. */
  stop: () => Promise<void>;
};

/** Kernel clock ticks per second: 100 on every Linux in use here. */
const TICKS = 100;

/** Processor time of a process in milliseconds, user and system, from the kernel. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name may contain spaces; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

/**
 * Processor time of the connections of a PostgreSQL server, in milliseconds, without its background work on files.
 * @param files its `data_directory`
 */
export function connectionsCpuMs(files: string): number {
  const [pid] = readFileSync(join(files, 'postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const isConnection = (child: string) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(' 127.0.0.1(');
  return children.filter(isConnection).reduce((sum, child) => sum + cpuMsOf(Number(child)), 0);
}

/** Resident memory of a process in bytes, or its anonymous part. */
export function memoryOf(pid: number, kind: 'VmRSS' | 'RssAnon'): number {
  const line = new RegExp(`${kind}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

export type ServerOptions = {
  dataDir: string;
  databaseUrl?: string;
  /** Node options such as `--cpu-prof`, placed before the program. */
  nodeOptions?: string[];
  env?: Record<string, string>;
  /** The file descriptor of the log, a file as in production. */
  logFd: number;
};

/** Starts the real server as in production, and waits for its first successful answer. */
export function startServer(options: ServerOptions): Promise<Running> {
  return start(['server/main.ts'], options, '/api/health/', {
    NODE_ENV: 'production',
    DATA_DIR: options.dataDir,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  });
}

/** Starts the floor server (floor.ts) on a separate database. */
export function startFloor(options: Omit<ServerOptions, 'env'>): Promise<Running> {
  return start(['bench/floor.ts', options.databaseUrl ?? options.dataDir], options, '/bare', {
    NODE_ENV: 'production',
  });
}

async function start(
  program: string[],
  options: Pick<ServerOptions, 'nodeOptions' | 'logFd'>,
  healthPath: string,
  env: Record<string, string>,
): Promise<Running> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), ...program], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', options.logFd, 'inherit', 'ipc'],
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${program.join(' ')} could not be started.`);
  await untilItAnswers(origin + healthPath, child);
  return {
    origin,
    child,
    readyAfterMs: performance.now() - startedAt,
    cpuMs: () => cpuMsOf(pid),
    memory: () => memoryOf(pid, 'VmRSS'),
    ownMemory: () => memoryOf(pid, 'RssAnon'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error('A measured process ended while it was starting.');
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(5);
  }
  throw new Error(`Nobody answers at ${url}.`);
}

/** Signs in to a server and returns the token. */
export async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string') {
    return body.token;
  }
  throw new Error(`The sign-in was refused: ${JSON.stringify(body)}`);
}

/**
 * Stops what a measurement has started when a signal ends it, because its servers would run on.
 * @param stops one function for each thing; more may be added later
 * @returns stops all of them, the newest first; call it at the end
 */
export function stopOnSignal(stops: (() => Promise<void>)[]): () => Promise<void> {
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void stopAll().finally(() => process.exit(1)));
  }
  return stopAll;
}

/** A new server first runs jobs: it finds licences that have ended, and adds up days. They begin within this time. */
const FIRST_JOBS_MS = 75_000;
const SETTLE_MS = 15_000;
const SETTLE_MAX_MS = 10 * 60_000;
const AT_REST = 0.1;

/**
 * Waits until the first jobs of a server have run, and it uses less than a tenth of one processor. Measured earlier,
 * each call would seem to need the processor time of these jobs too.
 * @param cpuMs the processor time so far, of the server and perhaps of its database
 */
export async function untilAtRest(cpuMs: () => number): Promise<void> {
  await sleep(FIRST_JOBS_MS);
  for (let waited = 0; waited < SETTLE_MAX_MS; waited += SETTLE_MS) {
    const before = cpuMs();
    await sleep(SETTLE_MS);
    if (cpuMs() - before < SETTLE_MS * AT_REST) return;
  }
  console.log('the server was not at rest when the calls began');
}
