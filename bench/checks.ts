import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { forLongWork } from '../server/db/dialect.ts';
import { DATABASE_FILE, openDatabase } from '../server/db/open.ts';
import { sqliteCopy } from './data.ts';
import { drive } from './load.ts';
import { startServer } from './processes.ts';

/**
 * node bench/checks.ts [--machines 20000] [--seconds 26]
 *
 * Measures which share of the server's processor time 'Actividad' takes while programs validate (SELL-07): the profile
 * samples in functions that record and store checks, divided by all samples. Comparing runs with and without these
 * functions would not work, because chance differences are larger.
 */

const { values } = parseArgs({
  options: {
    machines: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '26' },
  },
});
const machines = Number(values.machines);
/** After this time the code is compiled, and every machine has its row. */
const WARM_UP_MICROS = 4e6;

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-checks-'));
try {
  const size = { clients: machines / 20, licenses: machines / 2, installations: machines };
  const dataDir = await sqliteCopy(size, folder);
  const keys = await keysAndMachines(dataDir);
  const server = await startServer({
    dataDir,
    logFd: openSync(join(folder, 'log'), 'w'),
    nodeOptions: ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`],
  });
  let asked = 0;
  const next = () => ({
    method: 'POST' as const,
    path: '/licenses/api/license/validate/',
    body: JSON.stringify({ ...keys[asked++ % keys.length], app_version: '3.1.0' }),
  });
  const { rate } = await drive(server, next, { seconds: Number(values.seconds) });
  await server.stop();
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error('The server left no profile.');
  const { collect, store, rest } = sharesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const percent = (part: number) => `${((part / rest) * 100).toFixed(2)} %`;
  console.log(`${machines} machines, ${rate.toFixed(0)} validations a second`);
  console.log(
    `collecting ${percent(collect)}, storing ${percent(store)}, together ${percent(collect + store)} of the rest`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * All licence keys with their machines, in random order. The calls use them in turn, so every machine calls once before
 * any calls again.
 */
async function keysAndMachines(dataDir: string) {
  const file = join(dataDir, DATABASE_FILE);
  const db = openDatabase(forLongWork({ kind: 'sqlite', file }), (error) => {
    throw error;
  });
  const rows = await db
    .selectFrom('installations')
    .innerJoin('licenses', 'licenses.id', 'installations.license_id')
    .select(['license_key', 'machine_id'])
    .execute();
  await db.destroy();
  return rows
    .map((row) => ({ row, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

/** Adds up a profile after the warm-up, in microseconds: recording checks, storing them, other work, idle time. */
function sharesOf({ nodes, samples, timeDeltas }: Profile) {
  const parents = new Map<number, number>();
  for (const { id, children } of nodes) for (const child of children ?? []) parents.set(child, id);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const kindOf = (id: number): 'collect' | 'store' | 'rest' | 'idle' => {
    let kind: 'collect' | 'rest' = 'rest';
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = frames.get(at)!;
      if (functionName === '(idle)') return 'idle';
      if (functionName === 'storeCollectedChecks' || url.endsWith('/store-checks.ts')) return 'store';
      if (functionName === 'collectCheck') kind = 'collect';
    }
    return kind;
  };
  const kinds = new Map(nodes.map(({ id }) => [id, kindOf(id)]));
  const sums = { collect: 0, store: 0, rest: 0, idle: 0 };
  let since = 0;
  for (const [index, id] of samples.entries()) {
    since += timeDeltas[index]!;
    if (since > WARM_UP_MICROS) sums[kinds.get(id)!] += timeDeltas[index]!;
  }
  return sums;
}
