import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { addDays } from '../contract/base/time.ts';
import { REPORT_KINDS } from '../contract/figures/reports.ts';
import { type Engine, forLongWork } from '../server/db/dialect.ts';
import { DATABASE_FILE, migrate, openDatabase } from '../server/db/open.ts';
import { foldDays } from '../server/features/figures/fold-days.ts';
import { foldRecurring } from '../server/features/reports/recurring/fold-recurring.ts';
import { percentile } from '../test/faults/http.ts';
import { type Ground, measureServer } from './measured-server.ts';
import { untilAtRest } from './processes.ts';
import { seedReports } from './reports-data.ts';

/**
 * node bench/reports.ts [--rows 1000000] [--engine sqlite|postgres] [--times 10] [--data folder] [--postgres url]
 * [--only revenue]
 *
 * Measures each report over HTTP, one request at a time, with `rows` licences and two terms, two payments and two
 * installations for each, and also the dashboard's figures. `first` is the first answer: it also computes stored figures
 * if the nightly job has not. The rows are created in an empty folder (TMPDIR), which takes minutes, and 5 GB for a
 * million licences.
 * `--data` names a folder that stores them, with the server's key, for the next run; `--postgres` names a database.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engine: { type: 'string', default: 'sqlite' },
    times: { type: 'string', default: '10' },
    data: { type: 'string' },
    postgres: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };
const today = new Date().toISOString().slice(0, 10);
const QUERIES = ['', 'software=3', 'currency=USD', `from=${addDays(today, -700)}&to=${today}`];
const PATHS = [
  'statistics/',
  'statistics/today/',
  ...REPORT_KINDS.flatMap((kind) => QUERIES.map((query) => `reports/${kind}/?${query}`)),
].filter((path) => path.includes(values.only));

const fail = (error: unknown) => {
  throw error;
};
await measureServer('reports', makeDatabase, async (server) => {
  await untilAtRest(server.cpuMs);
  const headers = { authorization: server.authorization };
  const send = async (path: string) => {
    const startedAt = performance.now();
    const answer = await fetch(`${server.origin}/licenses/api/${path}`, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return performance.now() - startedAt;
  };
  console.log(
    `${'request'.padEnd(52)}${['first ms', 'p50 ms', 'p95 ms', 'CPU ms'].map((name) => name.padStart(10)).join('')}`,
  );
  for (const path of PATHS) {
    const first = await send(path);
    const cpuBefore = server.cpuMs();
    const took: number[] = [];
    while (took.length < Number(values.times)) took.push(await send(path));
    const cpu = (server.cpuMs() - cpuBefore) / took.length;
    const at = (share: number) => percentile(took, share);
    console.log(
      `${path.padEnd(52)}${[first, at(0.5), at(0.95), cpu].map((ms) => ms.toFixed(1).padStart(10)).join('')}`,
    );
  }
});

async function makeDatabase({ folder, startDatabase }: Ground) {
  const dataDir = values.data ?? folder;
  if (values.engine === 'sqlite') {
    await fill({ kind: 'sqlite', file: join(dataDir, DATABASE_FILE) });
    return { dataDir };
  }
  const databaseUrl = values.postgres ?? (await startDatabase());
  await fill({ kind: 'postgres', url: databaseUrl, pool: 4 });
  return { dataDir, databaseUrl };
}

/** Creates the rows, unless an earlier run has created them. */
async function fill(engine: Engine): Promise<void> {
  const db = openDatabase(forLongWork(engine), fail);
  await migrate(db);
  if (!(await db.selectFrom('licenses').select('id').limit(1).executeTakeFirst())) {
    await seedReports(db, size, new Date());
    // PostgreSQL runs ANALYZE automatically after a while. SQLite plans without statistics, as in the product.
    if (engine.kind === 'postgres') await sql`vacuum analyze`.execute(db);
  }
  // Runs the work of the job that runs every minute.
  const { signal } = new AbortController();
  await foldDays(db, { signal });
  const startedAt = performance.now();
  const clients = await foldRecurring(
    { forLongWork: db, now: () => new Date(), config: { timeZone: 'America/Mexico_City' } },
    { signal },
  );
  if (clients > 0) console.log(`recurring revenue made in ${Math.round(performance.now() - startedAt)} ms`);
  await db.destroy();
}
