import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sqliteCopy } from './data.ts';
import { type HttpRequest, median } from './load.ts';
import { type Path, pathsOn } from './paths.ts';
import { signIn, startServer } from './processes.ts';
import { STANDARD } from './seed.ts';

/**
 * node bench/steady.ts [--minutes 10] [--rows 100000]
 *
 * Mixed load on SQLite: programs validate, send heartbeats and activate; users list, search, read, create and export.
 * It samples the resident memory every second. In the last third it must not be higher than in the second.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rows: { type: 'string', default: String(STANDARD.licenses) },
  },
});
const licenses = Number(values.rows);
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };
/** Concurrent callers. Each pauses between two calls, like programs and users. */
const CALLERS = 8;
const PAUSE_MS = 5;
const REFRESH_MS = 10 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-steady-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const server = await startServer({
  dataDir: await sqliteCopy(size, folder),
  logFd: openSync(join(folder, 'log'), 'a'),
});

let token = await signIn(server.origin);
const refresh = setInterval(async () => {
  token = await signIn(server.origin);
}, REFRESH_MS);

const endsAt = Date.now() + Number(values.minutes) * 60_000;
const paths = pathsOn(size);
const counts = new Map<string, number>();
let refused = 0;

async function call({ method, path, body }: HttpRequest): Promise<number> {
  const answer = await fetch(server.origin + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function caller(): Promise<void> {
  while (Date.now() < endsAt) {
    const path: Path = paths[Math.floor(Math.random() * paths.length)]!;
    const isExport = Math.random() < 0.0005;
    const status = await call(
      isExport ? { method: 'GET', path: '/licenses/api/licenses/export/?status=suspended' } : path.product(),
    );
    const name = isExport ? 'export' : path.name;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (status >= 400) refused += 1;
    await sleep(PAUSE_MS);
  }
}

const memory: number[] = [];
const sampling = setInterval(() => memory.push(server.memory() / 2 ** 20), 1000);
await Promise.all(Array.from({ length: CALLERS }, caller));
clearInterval(sampling);
clearInterval(refresh);
await server.stop();

const third = Math.floor(memory.length / 3);
const [first, second, last] = [0, 1, 2].map((part) => median(memory.slice(part * third, (part + 1) * third)));
console.log(`${values.minutes} minutes at ${licenses} licences, ${CALLERS} callers; ${refused} refused`);
for (const [name, count] of counts) console.log(`  ${name.padEnd(36)}${String(count).padStart(9)}`);
console.log(
  `resident memory, median of each third: ${first?.toFixed(0)}, ${second?.toFixed(0)}, ${last?.toFixed(0)} MB; ` +
    `highest ${Math.max(...memory).toFixed(0)} MB; last / second ${(last! / second!).toFixed(3)}`,
);
