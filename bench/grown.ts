import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../ops/with-client.ts';
import type { ApiDocument } from '../server/http/openapi.ts';
import { callsOf } from '../test/plans/calls.ts';
import { findPostgresBinaries } from '../test/postgres/binaries.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { fillPostgres, sqliteCopy } from './data.ts';
import { filesOf } from './measured-server.ts';
import { connectionsCpuMs, type Running, signIn, startServer, untilAtRest } from './processes.ts';
import { keyOf, type Size } from './seed.ts';

/**
 * Measures response times in databases that grew by use and on which nobody ran ANALYZE: every GET with each of its
 * filters and orders, and the calls of programs, one at a time. Prints the slowest calls of each kind by their 95th
 * percentile, then every call above the target.
 */

export const GROWN_SIZES = '10000,100000,1000000';

/** The target for the response time of all calls except exports. */
const AIM_MS = 50;
/** Each call is made this many times, or until its time is over, and at least twice. */
const TIMES = 20;
const LEAST = 2;
const LISTED_MAX = 40;

type Options = {
  engine: string | undefined;
  only: string | undefined;
  sizes: number[];
  /** The maximum time for all repetitions of one call. */
  seconds: number;
  /**
   * Databases on this machine that have already grown, used instead of new ones, the smallest first. Their encryption
   * key is SECRET_KEY in the environment. The calls of programs write to them.
   */
  databaseUrls: string[];
};

type Request = { kind: string; path: string; body?: () => unknown };
type Measured = Request & { first: number; p50: number; p95: number; cpu: number };

export async function measureGrown({ engine, only, sizes, seconds, databaseUrls }: Options): Promise<void> {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString()}`);
  const found = new Map<string, Sized[]>();
  for (const url of databaseUrls)
    await measure('PostgreSQL', await sizeOf(url), (_size, folder) => onDatabase(url, folder));
  for (const licenses of databaseUrls.length > 0 ? [] : sizes) {
    const size = { clients: licenses / 5, licenses, installations: licenses * 2 };
    if (engine !== 'postgres') await measure('SQLite', size, onSqlite);
    if (engine !== 'sqlite') {
      if (findPostgresBinaries()) await measure('PostgreSQL', size, onPostgres);
      else console.log('PostgreSQL: not measured, it is not installed here.');
    }
  }
  for (const [name, sized] of found) printGrowth(name, sized);
  console.log(`\nload of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);

  async function measure(name: string, size: Size, start: typeof onSqlite): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-grown-'));
    const { server, cpuMs, stop } = await start(size, folder);
    try {
      await untilAtRest(cpuMs);
      const token = await signIn(server.origin);
      const measured: Measured[] = [];
      for (const request of await requestsTo(server, size)) {
        if (
          only !== undefined &&
          !only.split(',').some((part) => `${request.kind} ${request.path}`.includes(part))
        )
          continue;
        const found = await repeat(server.origin, cpuMs, token, request, seconds * 1000);
        if (found) measured.push(found);
      }
      found.set(name, [...(found.get(name) ?? []), { size, measured }]);
      print(
        `${name}, ${size.licenses} licences, ${size.clients} clients, ${size.installations} installations`,
        measured,
      );
    } finally {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** A running server, with the processor time of server and database together. */
type Started = { server: Running; cpuMs: () => number; stop: () => Promise<void> };

async function onSqlite(size: Size, folder: string): Promise<Started> {
  const dataDir = await sqliteCopy(size, folder, { grown: true });
  const server = await startServer({ dataDir, logFd: openSync(join(folder, 'log'), 'a') });
  return { server, cpuMs: server.cpuMs, stop: server.stop };
}

const AUTOVACUUM_MAX_MS = 15 * 60_000;
const ANALYZED_EVERY_MS = 15_000;

/**
 * Waits until autovacuum, which PostgreSQL runs automatically, has analyzed each table once. A database that really
 * grew by calls was analyzed many times meanwhile.
 */
const untilAnalyzed = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (let waited = 0; waited < AUTOVACUUM_MAX_MS; waited += ANALYZED_EVERY_MS) {
      const { rows } = await client.query<{ left: number }>(
        `select count(*)::int as left from pg_stat_user_tables
          where last_autoanalyze is null and n_mod_since_analyze > 1000`,
      );
      if (rows[0]?.left === 0) return;
      await sleep(ANALYZED_EVERY_MS);
    }
    console.log('autovacuum had not looked at each table when the calls began');
  });

async function onPostgres(size: Size, folder: string): Promise<Started> {
  const cluster = await startCluster();
  try {
    const { url } = await createDatabase({ adminUrl: cluster.url });
    await fillPostgres(url, size, { grown: true });
    const started = await onDatabase(url, folder);
    return { ...started, stop: () => started.stop().finally(cluster.stop) };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function onDatabase(databaseUrl: string, folder: string): Promise<Started> {
  await untilAnalyzed(databaseUrl);
  const files = await filesOf(databaseUrl);
  const logFd = openSync(join(folder, 'log'), 'a');
  const { SECRET_KEY } = process.env;
  const env: Record<string, string> = SECRET_KEY === undefined ? {} : { SECRET_KEY };
  const server = await startServer({ dataDir: folder, databaseUrl, logFd, env });
  return { server, cpuMs: () => server.cpuMs() + connectionsCpuMs(files), stop: server.stop };
}

const sizeOf = (databaseUrl: string): Promise<Size> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Size>(
      `select (select count(*) from clients)::int as clients, (select count(*) from licenses)::int as licenses,
        (select count(*) from installations)::int as installations`,
    );
    return rows[0]!;
  });

async function requestsTo(server: Running, size: Size): Promise<Request[]> {
  const document = (await (await fetch(`${server.origin}/api/openapi.json`)).json()) as ApiDocument;
  let number = 0;
  // The newer half of the licences has not ended; every twelfth is suspended.
  const next = () => {
    number += 1;
    return { license_key: keyOf(size.licenses - 1 - 12 * number), machine_id: `maquina-${number % 2}` };
  };
  const programs = [
    { path: '/licenses/api/license/validate/', body: next },
    { path: '/licenses/api/installation/heartbeat/', body: next },
    { path: '/licenses/api/installations/', body: () => ({ ...next(), machine_id: `nueva-${number}` }) },
  ];
  return [
    ...programs.map((request) => ({ kind: 'program', ...request })),
    ...callsOf(document, new Date()).filter(({ kind }) => kind !== 'export'),
  ];
}

/**
 * Repeats a call.
 * @returns undefined if the call finds no record here
 */
async function repeat(
  origin: string,
  cpuMs: () => number,
  token: string,
  request: Request,
  mostMs: number,
): Promise<Measured | undefined> {
  const took: number[] = [];
  const cpuBefore = cpuMs();
  let cpuFirst = 0;
  const endsAt = performance.now() + mostMs;
  while (took.length < TIMES && (took.length < LEAST || performance.now() < endsAt)) {
    const body = request.body?.();
    const from = performance.now();
    const answer = await fetch(origin + request.path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    took.push(performance.now() - from);
    if (took.length === 1) cpuFirst = cpuMs() - cpuBefore;
    if (answer.status === 404 || answer.status === 400) return undefined;
    if (!answer.ok) {
      console.log(
        `${answer.status} after ${took.at(-1)?.toFixed(0)} ms: ${request.path} ${text.slice(0, 200)}`,
      );
      return undefined;
    }
  }
  // The first call is counted separately, because it may compute what later calls find in a cache.
  const cpu = took.length === 1 ? cpuFirst : (cpuMs() - cpuBefore - cpuFirst) / (took.length - 1);
  const first = took[0]!;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(took.length * share) - 1]!;
  return { ...request, first, p50: at(0.5), p95: at(0.95), cpu };
}

function print(title: string, measured: Measured[]): void {
  const numbers = ({ first, p50, p95, cpu }: Measured) =>
    [first, p50, p95, cpu].map((ms) => ms.toFixed(1).padStart(10)).join('');
  console.log(
    `\n${title}\n${'kind, number of calls'.padEnd(24)}${['first ms', 'p50 ms', 'p95 ms', 'CPU ms'].map((name) => name.padStart(10)).join('')}  slowest call`,
  );
  for (const [kind, calls] of Map.groupBy(measured, (call) => call.kind)) {
    const slowest = calls.reduce((worst, call) => (call.p95 > worst.p95 ? call : worst));
    console.log(`${`${kind}, ${calls.length}`.padEnd(24)}${numbers(slowest)}  ${slowest.path}`);
  }
  const above = measured.filter(({ p95 }) => p95 > AIM_MS).sort((a, b) => b.p95 - a.p95);
  console.log(`above ${AIM_MS} ms: ${above.length} of ${measured.length}`);
  for (const call of above.slice(0, LISTED_MAX))
    console.log(`${' '.repeat(24)}${numbers(call)}  ${call.path}`);
  const slowFirst = measured.filter(({ first, p95 }) => first > AIM_MS && p95 <= AIM_MS);
  console.log(`only the first of its calls above ${AIM_MS} ms: ${slowFirst.length} of ${measured.length}`);
  for (const call of slowFirst.sort((a, b) => b.first - a.first).slice(0, LISTED_MAX))
    console.log(`${' '.repeat(24)}${numbers(call)}  ${call.path}`);
  // On a busy machine the response times are not reliable; the processor time of server and database is.
  const working = measured.filter(({ cpu }) => cpu > AIM_MS).sort((a, b) => b.cpu - a.cpu);
  console.log(
    `above ${AIM_MS} ms of processor time, the first call apart: ${working.length} of ${measured.length}`,
  );
  for (const call of working.slice(0, LISTED_MAX))
    console.log(`${' '.repeat(24)}${numbers(call)}  ${call.path}`);
}

type Sized = { size: Size; measured: Measured[] };

/** Growth is computed only above this number of milliseconds of processor time; smaller values are too inexact. */
const GRAIN_MS = 5;

/**
 * Prints how the processor time of each call grows with the number of licences, as an exponent between the smallest
 * and the largest size: 0 if it is constant, 1 if it doubles for twice as many licences.
 */
function printGrowth(name: string, sized: Sized[]): void {
  const [first, last] = [sized[0]!, sized.at(-1)!];
  if (first === last) return;
  const ratio = Math.log(last.size.licenses / first.size.licenses);
  const calls = last.measured.map((call) => {
    const each = sized.map(({ measured }) => measured.find(({ path }) => path === call.path));
    const before = Math.max(GRAIN_MS, each[0]?.cpu ?? GRAIN_MS);
    return { call, each, exponent: Math.log(Math.max(GRAIN_MS, call.cpu) / before) / ratio };
  });
  const sizes = sized.map(({ size }) => size.licenses.toLocaleString('en'));
  console.log(
    `\n${name}: how it grows, the median and the 95th percentile in ms at ${sizes.join(', ')} licences, and the exponent of its work`,
  );
  for (const [kind, of] of Map.groupBy(calls, ({ call }) => call.kind)) {
    const [worst] = of.sort((a, b) => b.exponent - a.exponent);
    const share = of.filter(({ exponent }) => exponent > GROWS).length;
    console.log(
      `${kind.padEnd(10)} ${of.length} calls, ${share} above ${GROWS}; most: ${worst!.exponent.toFixed(2)} ${worst!.call.path}`,
    );
  }
  for (const { call, each, exponent } of calls.sort((a, b) => b.call.p95 - a.call.p95)) {
    const times = each.map((one) => (one ? `${one.p50.toFixed(1)} ${one.p95.toFixed(1)}` : '-').padStart(14));
    console.log(`${times.join('')}${exponent.toFixed(2).padStart(7)}  ${call.path}`);
  }
}

/** A smaller exponent counts as constant: with ten times the rows, the call takes a quarter more time. */
const GROWS = 0.1;
