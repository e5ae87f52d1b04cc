import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { drive, median } from './load.ts';
import { projectRoot, type Running, stopOnSignal, untilAtRest } from './processes.ts';
import { STANDARD } from './seed.ts';

/**
 * Compares what a call costs in this version and in another one, beside each other: two servers, each with data that
 * its own version made, driven in turns. Both feel whatever else the machine does.
 *
 * git worktree add ../older v0.2.0 && npm ci --prefix ../older
 * node bench/beside.ts ../older [--engine postgres] [--only validate,create] [--rounds 7] [--seconds 2]
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
  },
});
const [other] = positionals;
if (other === undefined) {
  console.error('Which other version? node bench/beside.ts ../older');
  process.exit(2);
}
const seconds = Number(values.seconds);

const folder = mkdtempSync(join(tmpdir(), 'license-manager-beside-'));
const logFd = openSync(join(folder, 'server.log'), 'a');
const stops: (() => Promise<void>)[] = [];
const stopAll = stopOnSignal(stops);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

type Data = typeof import('./data.ts');
type Processes = typeof import('./processes.ts');
type Paths = typeof import('./paths.ts');
type Version = { server: Running; token: string; paths: ReturnType<Paths['pathsOn']> };

/** Starts the server of a version, with its own data and its own calls. */
async function startVersion(root: string): Promise<Version> {
  const part = (name: string) => import(join(root, 'bench', name));
  const data: Data = await part('data.ts');
  const processes: Processes = await part('processes.ts');
  const { pathsOn }: Paths = await part('paths.ts');
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const server =
    values.engine === 'postgres'
      ? await processes.startServer({ dataDir, databaseUrl: await filled(data), logFd })
      : await processes.startServer({ dataDir: await data.sqliteCopy(STANDARD, folder), logFd });
  stops.push(server.stop);
  return { server, token: await processes.signIn(server.origin), paths: pathsOn(STANDARD) };
}

async function filled(data: Data): Promise<string> {
  const cluster = await startCluster();
  stops.push(cluster.stop);
  const { url } = await createDatabase({ adminUrl: cluster.url });
  await data.fillPostgres(url, STANDARD);
  return url;
}

/** Drives one path of both versions in turns; the first round of each only warms up. */
async function compare(name: string, now: Version, then: Version): Promise<void> {
  const pathOf = ({ paths }: Version) => paths.find((path) => path.name === name);
  const [newer, older] = [pathOf(now), pathOf(then)];
  if (!newer || !older) {
    console.log(`${name}: the other version has no call of this name`);
    return;
  }
  const round = ({ server, token }: Version, { product }: NonNullable<typeof newer>) =>
    drive(server, product, { seconds, token });
  const ratios: number[] = [];
  const costs: number[] = [];
  const costsThen: number[] = [];
  for (let count = 0; count <= Number(values.rounds); count += 1) {
    const { cpuMicros: cost } = await round(now, newer);
    const { cpuMicros: earlier } = await round(then, older);
    if (count === 0) continue;
    ratios.push(cost / earlier);
    costs.push(cost);
    costsThen.push(earlier);
  }
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  console.log(
    `${name.padEnd(36)} ${median(costsThen).toFixed(0)} → ${median(costs).toFixed(0)} µs of the server's processor time, ` +
      `× ${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
  );
}

try {
  const now = await startVersion(projectRoot);
  const then = await startVersion(resolve(other));
  await Promise.all([now, then].map(({ server }) => untilAtRest(server.cpuMs)));
  const requested = values.only.split(',');
  for (const { name } of now.paths) {
    if (requested.some((part) => name.includes(part))) await compare(name, now, then);
  }
} finally {
  await stopAll();
}
