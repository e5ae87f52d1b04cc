import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type TodayList, todayList } from '../contract/desk/today.ts';
import type { Engine } from '../server/db/dialect.ts';
import { DATABASE_FILE } from '../server/db/open.ts';
import { addRows, fillPostgres, sqliteCopy } from './data.ts';
import { type Ground, measureServer, summaryOf } from './measured-server.ts';
import { untilAtRest } from './processes.ts';
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

await measureServer('today', makeDatabase, async (server) => {
  await untilAtRest(server.cpuMs);
  const headers = { authorization: server.authorization };
  const send = async (method: string, path: string) => {
    const startedAt = performance.now();
    const answer = await fetch(server.origin + path, { method, headers });
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
    const before = server.cpuMsInAll();
    while (took.length < Number(values.times)) took.push((await send(method, path)).took);
    const cpuMs = (server.cpuMsInAll() - before) / took.length;
    console.log(`${method} ${path}: ${summaryOf(took, cpuMs)}`);
  }
});

async function makeDatabase({ folder, startDatabase }: Ground) {
  if (values.data !== undefined) return { dataDir: values.data };
  const addWork = (engine: Engine) => addRows(engine, (db) => insertTodayRows(db, licenses, new Date()));
  if (values.engine === 'sqlite') {
    const dataDir = await sqliteCopy(size, folder, { grown: true });
    await addWork({ kind: 'sqlite', file: join(dataDir, DATABASE_FILE) });
    return { dataDir };
  }
  const url = await startDatabase();
  await fillPostgres(url, size, { grown: true });
  await addWork({ kind: 'postgres', url, pool: 4 });
  return { dataDir: folder, databaseUrl: url };
}
