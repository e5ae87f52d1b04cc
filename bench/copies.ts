import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeCopy } from '../server/db/copies/make-copy.ts';
import type { Engine } from '../server/db/dialect.ts';
import { DATABASE_FILE } from '../server/db/open.ts';
import { percentile } from '../test/faults/http.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { fillPostgres, sqliteCopy } from './data.ts';
import type { HttpRequest } from './load.ts';
import { pathsOn } from './paths.ts';
import { cpuMsOf, memoryOf, signIn, startServer, stopOnSignal, untilAtRest } from './processes.ts';
import { STANDARD } from './seed.ts';

/**
 * node bench/copies.ts [--rows 100000] [--engine sqlite|postgres]
 *
 * Makes the daily copy of a database (OPS-03) while a few callers go on, and prints its time, its size, what its
 * process needed, and how long calls took before it and beside it.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: String(STANDARD.licenses) },
    engine: { type: 'string', default: 'sqlite' },
  },
});
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };
const paths = pathsOn(size).filter(({ name }) =>
  ['validate', 'licences page with total', 'create a client'].includes(name),
);
/** How long calls are measured without a copy. */
const ALONE_MS = 30_000;
/** A call at once after the answer of the one before would leave no processor to the copy. */
const PAUSE_MS = 20;
const SAMPLE_MS = 200;

const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-copies-'));
const stops: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
const stop = stopOnSignal(stops);

try {
  const engine = await database();
  const server = await startServer({
    dataDir: engine.kind === 'sqlite' ? join(engine.file, '..') : mkdtempSync(join(folder, 'data-')),
    ...(engine.kind === 'postgres' && { databaseUrl: engine.url }),
    logFd: openSync(join(folder, 'log'), 'a'),
  });
  stops.push(server.stop);
  await untilAtRest(server.cpuMs);
  const authorization = `Bearer ${await signIn(server.origin)}`;
  const send = async ({ method, path, body }: HttpRequest) => {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await fetch(server.origin + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}.`);
    return performance.now() - startedAt;
  };

  const alone = await timesUntil(send, sleep(ALONE_MS));
  const startedAt = performance.now();
  const file = join(folder, 'copy.sqlite');
  const order = { engine, draft: `${file}.draft`, file, rowsMax: Number.MAX_SAFE_INTEGER };
  const copying = makeCopy(order, new AbortController().signal);
  const used = watchChild(copying);
  const beside = await timesUntil(send, copying);
  const outcome = await copying;
  const seconds = (performance.now() - startedAt) / 1000;
  if (outcome.kind !== 'made') throw new Error(`The copy was not made: ${JSON.stringify(outcome)}`);

  const { cpuMs, memory } = await used;
  console.log(
    `${licenses} licences on ${values.engine}: a copy of ${(outcome.size / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s; ` +
      `its process needed ${(cpuMs / 1000).toFixed(1)} s of processor time and ${(memory / 2 ** 20).toFixed(0)} MB of memory`,
  );
  for (const { name } of paths) {
    const row = [alone, beside].map((times) => {
      const taken = times.get(name) ?? [];
      const at = (share: number) => percentile(taken, share).toFixed(1);
      return `${at(0.5)} and ${at(0.95)} (${taken.length} calls)`;
    });
    console.log(`${name}: p50 and p95 alone ${row[0]}, beside the copy ${row[1]} ms`);
  }
} finally {
  await stop();
}

async function database(): Promise<Engine> {
  if (values.engine === 'sqlite') {
    return { kind: 'sqlite', file: join(await sqliteCopy(size, folder), DATABASE_FILE) };
  }
  const cluster = await startCluster();
  stops.push(cluster.stop);
  const { url } = await createDatabase({ adminUrl: cluster.url });
  await fillPostgres(url, size);
  return { kind: 'postgres', url, pool: 4 };
}

/** One caller for each path. @returns the milliseconds of each call by path, until the given work has ended */
async function timesUntil(
  send: (request: HttpRequest) => Promise<number>,
  work: Promise<unknown>,
): Promise<Map<string, number[]>> {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  const times = new Map<string, number[]>(paths.map(({ name }) => [name, []]));
  const callers = paths.map(async ({ name, product }) => {
    while (!ended) {
      times.get(name)?.push(await send(product()));
      await sleep(PAUSE_MS);
    }
  });
  await Promise.all([end, ...callers]);
  return times;
}

/** What the process of the copy has used when it ends: the child of this process that runs its program. */
async function watchChild(work: Promise<unknown>): Promise<{ cpuMs: number; memory: number }> {
  let ended = false;
  void work.finally(() => {
    ended = true;
  });
  const used = { cpuMs: 0, memory: 0 };
  while (!ended) {
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
      .trim()
      .split(' ');
    for (const pid of children) {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('copy-process')) continue;
        used.cpuMs = cpuMsOf(Number(pid));
        used.memory = Math.max(used.memory, memoryOf(Number(pid), 'VmRSS'));
      } catch {
        // The process has just ended.
      }
    }
    await sleep(SAMPLE_MS);
  }
  return used;
}
