import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type TodayList, todayList } from '../contract/desk/today.ts';
import { withClient } from '../ops/with-client.ts';
import { forLongWork } from '../server/db/dialect.ts';
import { DATABASE_FILE, openDatabase } from '../server/db/open.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { fillPostgres, sqliteCopy } from './data.ts';
import { connectionsCpuMs, signIn, startServer, untilAtRest } from './processes.ts';
import { insertTodayRows } from './today-rows.ts';

/**
 * node bench/today.ts [--rows 1000000] [--engine sqlite|postgres] [--times 100] [--data folder]
 *
 * Measures 'Para hoy' over HTTP, one request at a time, as an administrator sees it, in a grown database that nobody
 * analyzed (PostgreSQL does by itself): the list, and marking its first row as done and taking that back (DESK-01). Rows
 * and processor time are said too. `--data` names a folder with an SQLite database that has these rows.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engine: { type: 'string', default: 'sqlite' },
    times: { type: 'string', default: '100' },
    data: { type: 'string' },
  },
});
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };
const TODAY = '/licenses/api/today/';

const fail = (error: unknown) => {
  throw error;
};
const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-today-'));
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
  const send = async (method: string, path: string) => {
    const startedAt = performance.now();
    const answer = await fetch(server.origin + path, { method, headers: { authorization } });
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return { body, took: performance.now() - startedAt };
  };
  const list = async (): Promise<TodayList> => todayList.parse((await send('GET', TODAY)).body);

  const { count, results } = await list();
  const kinds = new Map<string, number>();
  for (const { kind } of results) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  console.log(
    `${values.engine}, ${licenses} licences; ${count} rows: ${JSON.stringify(Object.fromEntries(kinds))}`,
  );
  const first = results[0];
  if (!first) throw new Error('Nothing is to be done.');
  for (const [method, path] of [
    ['GET', TODAY],
    ['POST', `${TODAY}${first.id}/done/`],
    ['POST', `${TODAY}${first.id}/reopen/`],
    ['GET', '/licenses/api/notifications/'],
  ] as const) {
    const took: number[] = [];
    const cpuMs = () => server.cpuMs() + (files === null ? 0 : connectionsCpuMs(files));
    const before = cpuMs();
    while (took.length < Number(values.times)) took.push((await send(method, path)).took);
    const cpu = ((cpuMs() - before) / took.length).toFixed(1);
    took.sort((a, b) => a - b);
    const at = (share: number) =>
      took[Math.min(took.length - 1, Math.floor(took.length * share))]!.toFixed(1);
    console.log(`${method} ${path}: p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}, CPU ${cpu} ms`);
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`load of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);

async function target(): Promise<Parameters<typeof startServer>[0]> {
  if (values.data !== undefined) return { dataDir: values.data, logFd };
  if (values.engine === 'sqlite') {
    const dataDir = await sqliteCopy(size, folder, { grown: true });
    await addRows({ kind: 'sqlite', file: join(dataDir, DATABASE_FILE) });
    return { dataDir, logFd };
  }
  const cluster = await startCluster();
  stop = cluster.stop;
  const { url } = await createDatabase({ adminUrl: cluster.url });
  await fillPostgres(url, size, { grown: true });
  files = await withClient(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]!.data_directory;
  });
  await addRows({ kind: 'postgres', url, pool: 4 });
  return { dataDir: folder, databaseUrl: url, logFd };
}

async function addRows(engine: Parameters<typeof forLongWork>[0]): Promise<void> {
  const db = openDatabase(forLongWork(engine), fail);
  await insertTodayRows(db, licenses, new Date());
  if (engine.kind === 'postgres') await sql`vacuum analyze`.execute(db);
  await db.destroy();
}
