import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../server/db/open.ts';
import { freePort } from './postgres/free-port.ts';

/** Environment variables of the product (docs/operating.md); undefined removes one. */
export type ServerEnv = Record<string, string | undefined>;

/** The real server as a separate process. */
export type RunningServer = {
  url: string;
  dataDir: string;
  /** The folder for messages as .eml files while SMTP_URL is not set. */
  mailDir: string;
  /** Its output so far. */
  output: () => string;
  /**
   * Sends SIGTERM, waits for its exit, and starts it on the same port and folder. `env` is added to its environment
   * from now on.
   */
  restart: (env?: ServerEnv) => Promise<void>;
  /** Sends SIGKILL; {@link RunningServer.restart} starts it again on the same data folder. */
  kill: () => Promise<void>;
  /**
   * Sends SIGTERM and waits for its exit.
   * @returns its exit code, or null if a signal ended it
   */
  stop: () => Promise<number | null>;
};

const projectRoot = join(import.meta.dirname, '..');
// Long, because several servers may start at once on a busy machine.
const startTimeout = 60_000;
const stopTimeout = 15_000;

const running = new Set<ChildProcess>();
// Kills the servers if the test process exits early.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function answersHealth(url: string): Promise<boolean> {
  try {
    // Longer than a busy machine needs for an answer: a call that is given up is begun anew.
    const response = await fetch(`${url}/api/health/`, { signal: AbortSignal.timeout(10_000) });
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * A new data folder. Where a run of tests has migrated a file (test/sqlite-template.ts), the folder contains a copy of
 * it, because a third of the start's processor time is migrating. A test of a first start gives an empty DATA_DIR.
 */
function newDataDir({ DATABASE_URL }: ServerEnv): string {
  const folder = mkdtempSync(join(tmpdir(), 'lm-e2e-'));
  const migrated = process.env.LM_TEST_SQLITE_TEMPLATE;
  if (migrated && !DATABASE_URL) copyFileSync(migrated, join(folder, DATABASE_FILE));
  return folder;
}

/**
 * Starts `node server/main.ts` on a free port with a separate data folder, and waits until its health is good.
 * @param env added to a clean environment, so that the developer's own settings do not reach the server
 * @param root the folder of the program; default: this project
 * @throws Error with the server's output if it exits or does not answer
 */
export async function startServer(env: ServerEnv = {}, root = projectRoot): Promise<RunningServer> {
  const dataDir = env.DATA_DIR ?? newDataDir(env);
  const ownsDataDir = env.DATA_DIR === undefined;
  const port = env.PORT ? Number(env.PORT) : await freePort();
  const url = `http://127.0.0.1:${port}`;
  let extra = env;
  let printed = '';
  let child: ChildProcess;
  let ended: Promise<number | null>;

  const start = async (): Promise<void> => {
    const environment: ServerEnv = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO: '1',
      BUSINESS_TIMEZONE: 'America/Mexico_City',
      LOG_LEVEL: 'warn',
      // The path of a console that was built into another folder, if set.
      WEB_DIST: process.env.WEB_DIST,
      ...extra,
    };
    const printedBefore = printed.length;
    const started = spawn(process.execPath, ['server/main.ts'], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    running.add(started);
    const collect = (chunk: Buffer) => {
      printed += chunk.toString();
    };
    started.stdout.on('data', collect);
    started.stderr.on('data', collect);
    ended = new Promise((resolve) => {
      started.once('exit', (code) => {
        running.delete(started);
        resolve(code);
      });
    });

    const deadline = Date.now() + startTimeout;
    // Checks the port in the output too, because if the port was taken, another server would answer.
    const isUp = async () => printed.slice(printedBefore).includes(`:${port}`) && (await answersHealth(url));
    while (!(await isUp())) {
      if (!running.has(started)) throw new Error(`The server ended while starting:\n${printed}`);
      if (Date.now() > deadline) {
        started.kill('SIGKILL');
        throw new Error(`The server did not report good health within ${startTimeout / 1000} s:\n${printed}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const end = async (): Promise<number | null> => {
    if (!running.has(child)) return ended;
    child.kill('SIGTERM');
    let hangs = false;
    const timer = setTimeout(() => {
      hangs = true;
      child.kill('SIGKILL');
    }, stopTimeout);
    const code = await ended;
    clearTimeout(timer);
    if (hangs)
      throw new Error(`The server did not end within ${stopTimeout / 1000} s of SIGTERM:\n${printed}`);
    return code;
  };

  try {
    await start();
  } catch (error) {
    if (ownsDataDir) rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }

  return {
    url,
    dataDir,
    mailDir: join(dataDir, 'outbox'),
    output: () => printed,
    restart: async (change) => {
      await end();
      extra = { ...extra, ...change };
      await start();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      try {
        return await end();
      } finally {
        if (ownsDataDir) rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}
