import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPostgresBinaries } from '../test/postgres/binaries.ts';
import { type Cluster, startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { measureExport, measureSignIn } from './apart.ts';
import { fillPostgres, sqliteCopy } from './data.ts';
import { GROWN_SIZES, measureGrown } from './grown.ts';
import { drive, medianRound, ROUNDS_MIN, type Round, ratioOf, spreadOf } from './load.ts';
import { type Path, pathsOn } from './paths.ts';
import { pgbenchRate } from './pgbench.ts';
import { type Running, signIn, startFloor, startServer, stopOnSignal, untilAtRest } from './processes.ts';
import { type Size, STANDARD } from './seed.ts';

/**
 * npm run bench [-- --rows 1000000] [--engine sqlite] [--only validate,search] [--rounds 3] [--seconds 4]
 *
 * With `--grown [--sizes 10000,100000,1000000]` it measures response times in grown databases instead (grown.ts); with
 * `--database-url` in existing PostgreSQL databases on this machine that have already grown.
 *
 * Measures the real server under load, path by path, alternately with the floor server and with an empty answer of the
 * same size. Prints one table for each engine; docs/performance.md explains it.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: String(STANDARD.licenses) },
    engine: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: String(ROUNDS_MIN) },
    seconds: { type: 'string', default: '4' },
    'cpu-prof': { type: 'string' },
    grown: { type: 'boolean', default: false },
    sizes: { type: 'string', default: GROWN_SIZES },
    'database-url': { type: 'string', multiple: true, default: [] },
  },
});
if (values.grown) {
  const { engine, only, seconds, 'database-url': databaseUrls } = values;
  const sizes = values.sizes.split(',').map(Number);
  await measureGrown({ engine, only, sizes, seconds: Number(seconds), databaseUrls });
  process.exit();
}
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
if (!(rounds >= ROUNDS_MIN)) {
  console.error(`At least ${ROUNDS_MIN} rounds: a ratio of fewer says nothing.`);
  process.exit(2);
}
const licenses = Number(values.rows);
const size: Size = { clients: licenses / 5, licenses, installations: licenses * 2 };
const requested = (path: { name: string }) =>
  values.only === undefined || values.only.split(',').some((part) => path.name.includes(part));

const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-run-'));
const logFd = openSync(join(folder, 'log'), 'a');
const stops: (() => Promise<void>)[] = [];
const stopAll = stopOnSignal(stops);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString()}`);
console.log(
  `${size.clients} clients, ${size.licenses} licences, ${size.installations} installations; ` +
    `16 connections, ${rounds} rounds of ${seconds} s in turns, medians.`,
);
const COLUMNS = [34, 9, 9, 9, 9, 9, 11, 9, 9, 9, 18, 9] as const;
const line = (cells: string[]) =>
  console.log(
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[index] ?? 10)))
      .join(''),
  );

if (values.engine !== 'postgres') await measure('SQLite', () => onSqlite());
if (values.engine !== 'sqlite') {
  if (findPostgresBinaries()) await measure('PostgreSQL', () => onPostgres());
  else console.log('\nPostgreSQL: not measured, it is not installed here.');
}

type Targets = { product: Running; floor: Running; cluster?: Cluster; databaseUrl?: string };

async function onSqlite(): Promise<Targets> {
  const [own, floors] = [await sqliteCopy(size, folder), await sqliteCopy(size, folder)];
  return startBoth({ dataDir: own, logFd, nodeOptions: profiling() }, { dataDir: floors, logFd });
}

async function onPostgres(): Promise<Targets> {
  const cluster = await startCluster();
  stops.push(cluster.stop);
  const database = await createDatabase({ adminUrl: cluster.url });
  await fillPostgres(database.url, size);
  const options = { dataDir: join(folder, 'postgres'), databaseUrl: database.url, logFd };
  const both = await startBoth({ ...options, nodeOptions: profiling() }, options);
  return { ...both, cluster, databaseUrl: database.url };
}

async function startBoth(
  own: Parameters<typeof startServer>[0],
  floors: Parameters<typeof startFloor>[0],
): Promise<Targets> {
  const product = await startServer(own);
  stops.push(product.stop);
  const floor = await startFloor(floors);
  stops.push(floor.stop);
  return { product, floor };
}

function profiling(): string[] {
  return values['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`];
}

async function measure(engine: string, begin: () => Promise<Targets>): Promise<void> {
  console.log(`\n${engine}`);
  try {
    const targets = await begin();
    await untilAtRest(targets.product.cpuMs);
    const idle = targets.product.memory();
    console.log(`ready after ${Math.round(targets.product.readyAfterMs)} ms, idle ${megabytes(idle)}`);
    printHead();
    for (const path of pathsOn(size).filter(requested)) await measurePath(path, targets);
    if (requested({ name: 'export' })) await measureExport(targets.product);
    if (requested({ name: 'sign-in' })) await measureSignIn(targets.product, seconds, rounds);
    if (targets.databaseUrl && requested({ name: 'pgbench' })) {
      const { pgbench, product } = await pgbenchRate(
        targets.product,
        targets.databaseUrl,
        size,
        rounds,
        seconds,
      );
      const ratio = ratioOf(product, pgbench);
      const rates = `${medianRound(product).rate.toFixed(0)}/s and ${medianRound(pgbench).rate.toFixed(0)}/s`;
      console.log(`validate beside pgbench with its statement: ${ratio.toFixed(2)} (${rates})`);
    }
  } finally {
    await stopAll();
  }
}

async function measurePath(path: Path, { product, floor }: Targets): Promise<void> {
  const token = path.staff ? await signIn(product.origin) : undefined;
  const bytes = await answerBytes(product, path, token);
  const bare = () => ({ method: 'GET' as const, path: `/bare?bytes=${bytes}` });
  const results: Record<'product' | 'floor' | 'bare', Round[]> = { product: [], floor: [], bare: [] };
  // The warm-up is as long as a round. Otherwise just-in-time compilation would be measured too, and the product has
  // more code to compile.
  await drive(product, path.product, { seconds, token });
  await drive(floor, path.floor, { seconds });
  for (let round = 0; round < rounds; round += 1) {
    results.product.push(await drive(product, path.product, { seconds, token }));
    results.floor.push(await drive(floor, path.floor, { seconds }));
    results.bare.push(await drive(floor, bare, { seconds: seconds / 2 }));
  }
  printRow(path, results);
}

async function answerBytes(product: Running, path: Path, token: string | undefined): Promise<number> {
  const { method, path: url, body } = path.product();
  const answer = await fetch(product.origin + url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path.name}: ${answer.status} ${text}`);
  return Buffer.byteLength(text);
}

function printHead(): void {
  line([
    'path',
    'rate/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'floor/s',
    'CPU µs',
    '÷ floor',
    'in CPU',
    '÷ bare',
    'floor is',
    'noise',
  ]);
}

function printRow(path: Path, results: Record<'product' | 'floor' | 'bare', Round[]>): void {
  const product = medianRound(results.product);
  const floor = medianRound(results.floor);
  const noise = Math.max(spreadOf(results.product), spreadOf(results.floor));
  line([
    path.name,
    product.rate.toFixed(0),
    product.p50.toFixed(2),
    product.p99.toFixed(2),
    product.cpuMicros.toFixed(0),
    floor.rate.toFixed(0),
    floor.cpuMicros.toFixed(0),
    ratioOf(results.product, results.floor).toFixed(2),
    (floor.cpuMicros / product.cpuMicros).toFixed(2),
    ratioOf(results.product, results.bare).toFixed(2),
    path.against,
    `±${(noise * 50).toFixed(0)} %`,
  ]);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}

console.log(`\nload of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);
