import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/postgres/free-port.ts';

/** The processes that are measured: the real server and the floor, each apart from the one that measures. */

export const projectRoot = join(import.meta.dirname, '..');

/** The administrator that every measured server is started with. */
export const ADMIN = { username: 'bench', password: 'a-password-of-the-bench' };

export type Running = {
  origin: string;
  child: ChildProcess;
  /** Milliseconds from the start of the process to its first good answer. */
  readyAfterMs: number;
  /** Processor time that it has used so far, in milliseconds, of all its threads. */
  cpuMs: () => number;
  /** Resident memory, in bytes. */
  memory: () => number;
  /** The part of it that the process made itself: without the pages of files, which the kernel shares and takes back. */
  ownMemory: () => number;
  /** Memory and processor counters of a process read from the kernel are the last thing it gives. */
  stop: () => Promise<void>;
};

/** Ticks of the kernel's clock a second; 100 on every Linux that runs this. */
const TICKS = 100;

/** Processor time of a process in milliseconds, user and system, as the kernel counts it. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold blanks; what follows it does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

/** Resident memory of a process in bytes: all of it, or what it made itself. */
export function memoryOf(pid: number, kind: 'VmRSS' | 'RssAnon'): number {
  const line = new RegExp(`${kind}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

export type ServerOptions = {
  dataDir: string;
  databaseUrl?: string;
  /** Options of node, such as `--cpu-prof`, before the program. */
  nodeOptions?: string[];
  env?: Record<string, string>;
  /** Where its log goes; a file, as in production. */
  logFd: number;
};

/** Starts the real server, as production starts it, and waits for its first good answer. */
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

/** Starts the hand-written floor on a database of its own; see floor.ts. */
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
