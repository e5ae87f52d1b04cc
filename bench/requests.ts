import { cpSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { withClient } from '../ops/with-client.ts';
import { forLongWork } from '../server/db/dialect.ts';
import { DATABASE_FILE, openDatabase } from '../server/db/open.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { fillPostgres, sqliteCopy } from './data.ts';
import { connectionsCpuMs, signIn, startServer, untilAtRest } from './processes.ts';
import { insertRequestRows } from './request-rows.ts';
import { keyOf } from './seed.ts';

/**
 * node bench/requests.ts [--rows 1000000] [--engine sqlite|postgres] [--times 40] [--data folder] [--only payments]
 *
 * Measures the lists of Cobros over HTTP, one request at a time, with their searches and sums (MONEY-13), and what else
 * shows money, also a sale with and without a payment (MONEY-05), in a database with that many licences and twice as
 * many payments. Processor time is said too. `--data` names a folder with a SQLite database and its server's key, which
 * is filled if it is empty.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engine: { type: 'string', default: 'sqlite' },
    times: { type: 'string', default: '40' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses / 10 };
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const PATHS = [
  'payment-requests/?',
  'payment-requests/?state=paid',
  'payment-requests/?state=open',
  'payment-requests/?client=77',
  `payment-requests/?search=${keyOf(77)}`,
  'payment-requests/?search=COBRO-777',
  'payment-requests/?search=SPEI%2077785',
  'payment-requests/?search=cliente777%40',
  'payment-requests/?search=garcia',
  // The same words in the list of licences, to compare.
  'licenses/?search=SPEI%2077785',
  'licenses/?search=garcia',
  'payments/?',
  'payments/?state=refunded',
  'payments/?provider=manual',
  'payments/?provider=manual&state=approved',
  `payments/?from=${day(30)}`,
  `payments/?to=${day(900)}`,
  `payments/?from=${day(45)}&state=approved`,
  `payments/?from=${day(700)}&to=${day(670)}&state=approved`,
  `payments/?from=${day(700)}&to=${day(600)}&state=approved&provider=stripe`,
  'payments/?client=77',
  `payments/?client=77&from=${day(400)}&state=approved`,
  'clients/77/money/',
  'licenses/77/terms/',
  'statistics/today/',
  'reports/revenue/',
  'reports/revenue/?software=3',
  'reports/revenue/?currency=USD',
].filter((path) => path.includes(values.only));

const fail = (error: unknown) => {
  throw error;
};
const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-requests-'));
const logFd = openSync(join(folder, 'log'), 'a');
let stop = async () => {};
/** The files of the database server, whose connections' processor time is counted too. */
let files: string | null = null;
try {
  const server = await startServer(await target());
  const stopCluster = stop;
  stop = async () => {
    await server.stop();
    await stopCluster();
  };
  await untilAtRest(server.cpuMs);
  const authorization = `Bearer ${await signIn(server.origin)}`;
  const cpuMs = () => server.cpuMs() + (files === null ? 0 : connectionsCpuMs(files));
  const measure = async (name: string, send: () => Promise<Response>) => {
    const took: number[] = [];
    let said = '';
    const before = cpuMs();
    while (took.length < Number(values.times)) {
      const startedAt = performance.now();
      const answer = await send();
      const body = (await answer.json()) as { count?: number; sums?: unknown };
      took.push(performance.now() - startedAt);
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${JSON.stringify(body)}`);
      said = `${body.count ?? ''} ${JSON.stringify(body.sums ?? null)}`;
    }
    const cpu = ((cpuMs() - before) / took.length).toFixed(1);
    took.sort((a, b) => a - b);
    const ms = (share: number) =>
      took[Math.min(took.length - 1, Math.floor(took.length * share))]!.toFixed(1);
    console.log(`${name}: p50 ${ms(0.5)}, p95 ${ms(0.95)}, most ${ms(1)}, CPU ${cpu} ms · ${said}`);
  };
  const api = `${server.origin}/licenses/api/`;
  const headers = { authorization, 'content-type': 'application/json' };
  for (const path of PATHS) {
    const paged = /^(payments|payment-requests|licenses)\/\?/.test(path)
      ? `${path}&page=1&page_size=20`
      : path;
    await measure(path, () => fetch(api + paged, { headers }));
  }
  const sale = { client: 77, software: 3, license_type: 'basic', price: 100 };
  const payment = { method: 'transfer', reference: 'SPEI 1' };
  for (const [name, body] of [
    ['POST licenses/', sale],
    ['POST licenses/ with payment', { ...sale, payment }],
  ] as const)
    if (name.includes(values.only))
      await measure(name, () =>
        fetch(`${api}licenses/`, { method: 'POST', headers, body: JSON.stringify(body) }),
      );
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`load of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);

async function target(): Promise<Parameters<typeof startServer>[0]> {
  if (values.engine === 'sqlite') {
    const kept = values.data && join(values.data, DATABASE_FILE);
    if (kept && existsSync(kept)) return { dataDir: values.data!, logFd };
    const made = await sqliteCopy(size, folder);
    const dataDir = values.data ?? made;
    const file = join(dataDir, DATABASE_FILE);
    if (kept) cpSync(join(made, DATABASE_FILE), file);
    await addRows({ kind: 'sqlite', file });
    return { dataDir, logFd };
  }
  const cluster = await startCluster();
  stop = cluster.stop;
  const { url } = await createDatabase({ adminUrl: cluster.url });
  await fillPostgres(url, size);
  files = await withClient(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]!.data_directory;
  });
  await addRows({ kind: 'postgres', url, pool: 4 });
  return { dataDir: folder, databaseUrl: url, logFd };
}

async function addRows(engine: Parameters<typeof forLongWork>[0]): Promise<void> {
  const db = openDatabase(forLongWork(engine), fail);
  await insertRequestRows(db, licenses, new Date());
  if (engine.kind === 'postgres') await sql`vacuum analyze`.execute(db);
  await db.destroy();
}
