import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '../server/db/dialect.ts';
import { DATABASE_FILE } from '../server/db/open.ts';
import { addRows, fillPostgres, sqliteCopy } from './data.ts';
import { type Ground, measureServer, summaryOf } from './measured-server.ts';
import { untilAtRest } from './processes.ts';
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

await measureServer('requests', makeDatabase, async (server) => {
  await untilAtRest(server.cpuMs);
  const measure = async (name: string, send: () => Promise<Response>) => {
    const took: number[] = [];
    let said = '';
    const before = server.cpuMsInAll();
    while (took.length < Number(values.times)) {
      const startedAt = performance.now();
      const answer = await send();
      const body = (await answer.json()) as { count?: number; sums?: unknown };
      took.push(performance.now() - startedAt);
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${JSON.stringify(body)}`);
      said = `${body.count ?? ''} ${JSON.stringify(body.sums ?? null)}`;
    }
    const cpuMs = (server.cpuMsInAll() - before) / took.length;
    console.log(`${name}: ${summaryOf(took, cpuMs)} · ${said}`);
  };
  const api = `${server.origin}/licenses/api/`;
  const headers = { authorization: server.authorization, 'content-type': 'application/json' };
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
});

async function makeDatabase({ folder, startDatabase }: Ground) {
  const addPayments = (engine: Engine) =>
    addRows(engine, (db) => insertRequestRows(db, licenses, new Date()));
  if (values.engine === 'sqlite') {
    const kept = values.data && join(values.data, DATABASE_FILE);
    if (kept && existsSync(kept)) return { dataDir: values.data! };
    const made = await sqliteCopy(size, folder);
    const dataDir = values.data ?? made;
    const file = join(dataDir, DATABASE_FILE);
    if (kept) cpSync(join(made, DATABASE_FILE), file);
    await addPayments({ kind: 'sqlite', file });
    return { dataDir };
  }
  const url = await startDatabase();
  await fillPostgres(url, size);
  await addPayments({ kind: 'postgres', url, pool: 4 });
  return { dataDir: folder, databaseUrl: url };
}
