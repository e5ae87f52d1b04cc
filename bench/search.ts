import { parseArgs } from 'node:util';
import { percentile } from '../test/faults/http.ts';
import { fillPostgres, sqliteCopy } from './data.ts';
import { type Ground, measureServer } from './measured-server.ts';
import { keyOf, STANDARD } from './seed.ts';

/**
 * node bench/search.ts [--rows 100000] [--engine sqlite|postgres] [--times 20] [--sqlite file] [--postgres url]
 *
 * Measures searches in lists and over all kinds, with rare and frequent words, one request at a time. The processor
 * time is that of the server, which does not depend on other load on the machine; on PostgreSQL most of the work
 * happens in the database. If a database is given, it is searched; otherwise one is created.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: String(STANDARD.licenses) },
    engine: { type: 'string', default: 'sqlite' },
    times: { type: 'string', default: '20' },
    sqlite: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };

const REQUESTS = [
  'clients/?search=cliente777@',
  'clients/?search=quetzal',
  'clients/?search=norte',
  'clients/?search=ana%20lopez',
  'clients/?search=norte%20quetzal',
  'clients/?search=an',
  'clients/?search=xq',
  'clients/?search=nadie',
  'clients/?search=quetzal&status=inactive',
  'clients/?search=quetzal&ordering=name',
  'clients/?search=ana&page=300',
  'licenses/?search=cliente777@',
  `licenses/?search=${keyOf(777)}`,
  `licenses/?search=${keyOf(777).slice(6, 10)}`,
  'licenses/?search=quetzal',
  'licenses/?search=norte',
  'licenses/?search=programa',
  'licenses/?search=ana%20lopez',
  'licenses/?search=ana%20quetzal',
  'licenses/?search=programa%20quetzal',
  'licenses/?search=an',
  'licenses/?search=xq',
  'licenses/?search=nadie',
  'licenses/?search=quetzal&status=suspended',
  'licenses/?search=norte&client=3',
  'licenses/?search=quetzal&ordering=price',
  'licenses/?search=ana&page=300',
  'installations/?search=777',
  `installations/?search=equipo%20${licenses + 777}`,
  `installations/?search=${keyOf(777)}`,
  'installations/?search=cliente777@',
  'installations/?search=quetzal',
  'installations/?search=norte',
  'licenses/?page=1',
  'licenses/?status=suspended',
  'licenses/?software=3',
  'licenses/?is_active=true',
  'clients/?city=Ciudad%20de%20M%C3%A9xico',
  'search/?q=cliente777@',
  'search/?q=cliente777@example.com',
  `search/?q=${keyOf(777)}`,
  `search/?q=${keyOf(777).slice(6, 10)}`,
  'search/?q=ana',
  'search/?q=ana%20lopez',
  'search/?q=quetzal',
  'search/?q=norte%20quetzal',
  'search/?q=programa',
  'search/?q=maquina-1',
  `search/?q=equipo%20${licenses + 777}`,
  'search/?q=an',
  'search/?q=xq',
  'search/?q=nadie',
];

await measureServer('search', makeDatabase, async (server) => {
  const headers = { authorization: server.authorization };
  const send = async (path: string) => {
    const startedAt = performance.now();
    const answer = await fetch(`${server.origin}/licenses/api/${path}&page_size=5`, { headers });
    const body = (await answer.json()) as { count?: number };
    return { took: performance.now() - startedAt, count: body.count };
  };
  console.log(
    `${'request'.padEnd(52)}${'count'.padStart(9)}${'p50 ms'.padStart(9)}${'p95 ms'.padStart(9)}${'CPU ms'.padStart(9)}`,
  );
  for (const path of REQUESTS) {
    const { took: first, count } = await send(path);
    const took: number[] = [];
    const cpuBefore = server.cpuMs();
    // Slow requests are sent only three times.
    const times = first > 1000 ? 3 : Number(values.times);
    while (took.length < times) took.push((await send(path)).took);
    const cpu = (server.cpuMs() - cpuBefore) / times;
    const at = (share: number) => percentile(took, share).toFixed(1);
    console.log(
      `${path.slice(0, 50).padEnd(52)}${String(count).padStart(9)}${at(0.5).padStart(9)}${at(0.95).padStart(9)}${cpu.toFixed(1).padStart(9)}`,
    );
  }
});

async function makeDatabase({ folder, startDatabase }: Ground) {
  if (values.engine === 'sqlite') return { dataDir: values.sqlite ?? (await sqliteCopy(size, folder)) };
  if (values.postgres) return { dataDir: folder, databaseUrl: values.postgres };
  const databaseUrl = await startDatabase();
  await fillPostgres(databaseUrl, size);
  return { dataDir: folder, databaseUrl };
}
