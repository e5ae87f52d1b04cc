import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sqliteCopy } from './data.ts';
import { median } from './load.ts';
import { type Hold, longestHold, WATCHED } from './longest-hold.ts';
import { signIn, startServer } from './processes.ts';
import { keyOf, STANDARD } from './seed.ts';

/**
 * node bench/event-loop.ts [--rows 100000]
 *
 * SQLite runs in the server's main thread, so a slow request delays all others. Each request is sent three times,
 * alone. The table shows its duration and the longest block of the event loop, in wall-clock and processor time. On a
 * shared machine only the processor time is reliable.
 */

const { values } = parseArgs({ options: { rows: { type: 'string', default: String(STANDARD.licenses) } } });
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };

/** Requests of the console, roughly the most expensive first. */
const REQUESTS: [method: string, path: string, body?: unknown][] = [
  ['GET', 'clients/?page=1&page_size=5'],
  ['GET', 'clients/'],
  ['GET', `clients/?page=${size.clients / 100}&page_size=100`],
  ['GET', 'clients/?search=quetzal&page=1&page_size=5'],
  ['GET', 'clients/?search=cliente777@&page=1&page_size=5'],
  ['GET', 'clients/?search=a&page=1&page_size=5'],
  ['GET', 'clients/?search=xq&page=1&page_size=5'],
  ['GET', 'clients/?search=norte&page=1&page_size=5'],
  ['GET', 'clients/?search=norte'],
  ['GET', 'clients/?search=norte%20ana&page=1&page_size=5'],
  ['GET', 'clients/?status=inactive&page=1&page_size=5'],
  ['GET', 'clients/?city=Ciudad%20de%20M%C3%A9xico&page=1&page_size=5'],
  ['GET', 'clients/?ordering=name&page=1&page_size=5'],
  ['GET', 'clients/?ordering=-company&page=1&page_size=5'],
  ['GET', 'licenses/?page=1&page_size=5'],
  ['GET', 'licenses/'],
  ['GET', `licenses/?page=${size.licenses / 100}&page_size=100`],
  ['GET', 'licenses/?search=quetzal&page=1&page_size=5'],
  ['GET', 'licenses/?search=cliente777@&page=1&page_size=5'],
  ['GET', `licenses/?search=${keyOf(777)}&page=1&page_size=5`],
  ['GET', 'licenses/?search=a&page=1&page_size=5'],
  ['GET', 'licenses/?search=xq&page=1&page_size=5'],
  ['GET', 'licenses/?search=norte&page=1&page_size=5'],
  ['GET', 'licenses/?search=programa&page=1&page_size=5'],
  ['GET', 'licenses/?search=norte%20programa&page=1&page_size=5'],
  ['GET', 'licenses/?status=active&page=1&page_size=5'],
  ['GET', 'licenses/?status=suspended&page=1&page_size=5'],
  ['GET', 'licenses/?status=cancelled&page=1&page_size=5'],
  ['GET', 'licenses/?license_type=trial&page=1&page_size=5'],
  ['GET', 'licenses/?license_type=3&page=1&page_size=5'],
  ['GET', 'licenses/?software=3&page=1&page_size=5'],
  ['GET', 'licenses/?client=3&page=1&page_size=5'],
  ['GET', 'licenses/?is_active=true&page=1&page_size=5'],
  ['GET', 'licenses/?is_active=false&page=1&page_size=5'],
  ['GET', 'licenses/?status=active&is_active=false&license_type=trial&page=1&page_size=5'],
  ['GET', 'licenses/?ordering=price&page=1&page_size=5'],
  ['GET', 'licenses/?ordering=-expiry_date&page=1&page_size=5'],
  ['GET', 'licenses/?ordering=status&page=1&page_size=5'],
  ['GET', 'licenses/?ordering=client_name&page=1&page_size=5'],
  ['GET', 'installations/?page=1&page_size=5'],
  ['GET', 'installations/'],
  ['GET', 'installations/?search=equipo%20777&page=1&page_size=5'],
  ['GET', 'installations/?search=a&page=1&page_size=5'],
  ['GET', 'installations/?is_active=true&page=1&page_size=5'],
  ['GET', 'installations/?is_active=false&page=1&page_size=5'],
  ['GET', 'installations/?client=3&page=1&page_size=5'],
  ['GET', 'installations/?software=3&page=1&page_size=5'],
  ['GET', 'software/'],
  ['GET', 'license-types/'],
  ['GET', 'clients/3/'],
  ['GET', 'licenses/3/'],
  ['GET', 'statistics/'],
  ['GET', 'statistics/licenses/'],
  ['GET', 'statistics/clients/'],
  ['GET', 'statistics/revenue/'],
  ['GET', 'statistics/usage/'],
  ['GET', 'clients/export/'],
  ['GET', 'licenses/export/'],
  ['GET', 'clients/export/?search=norte'],
  ['GET', 'licenses/export/?search=norte'],
  [
    'PATCH',
    'clients/bulk_update/',
    { ids: Array.from({ length: 100 }, (_, index) => index + 1), updates: { status: 'pending' } },
  ],
  [
    'PATCH',
    'licenses/bulk_update/',
    { ids: Array.from({ length: 100 }, (_, index) => index + 1), updates: { expiry_days: 400 } },
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-loop-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const server = await startServer({
  dataDir: await sqliteCopy(size, folder),
  logFd: openSync(join(folder, 'log'), 'a'),
  nodeOptions: WATCHED,
});
try {
  const headers = {
    authorization: `Bearer ${await signIn(server.origin)}`,
    'content-type': 'application/json',
  };
  console.log(`${size.licenses} licences on SQLite; medians of three\n`);
  console.log(
    `${'request'.padEnd(74)}${'took ms'.padStart(11)}${'held ms'.padStart(11)}${'in CPU ms'.padStart(11)}`,
  );
  for (const [method, path, body] of REQUESTS) {
    const took: number[] = [];
    const holds: Hold[] = [];
    for (let round = 0; round < 3; round += 1) {
      await sleep(30);
      await longestHold(server);
      const startedAt = performance.now();
      const answer = await fetch(`${server.origin}/licenses/api/${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      took.push(performance.now() - startedAt);
      holds.push(await longestHold(server));
    }
    const columns = [took, holds.map((hold) => hold.clockMs), holds.map((hold) => hold.cpuMs)];
    const cells = columns.map((column) => median(column).toFixed(1).padStart(11));
    console.log(`${`${method} ${path}`.slice(0, 72).padEnd(74)}${cells.join('')}`);
  }
} finally {
  await server.stop();
}
console.log(`\nload of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);
