import { setTimeout as sleep } from 'node:timers/promises';
import { drive, medianRound } from './load.ts';
import { ADMIN, type Running, signIn } from './processes.ts';

/** Measurements that are not in the table: the export and the sign-in. */

/** Exports all rows three times and prints rows per second and the growth of memory. */
export async function measureExport(product: Running): Promise<void> {
  const headers = { authorization: `Bearer ${await signIn(product.origin)}` };
  for (const list of ['licenses', 'clients'] as const) {
    const rates: number[] = [];
    let risen = 0;
    for (let round = 0; round < 3; round += 1) {
      const before = product.ownMemory();
      let reading = true;
      const watch = (async () => {
        while (reading) {
          risen = Math.max(risen, product.ownMemory() - before);
          await sleep(20);
        }
      })();
      const startedAt = performance.now();
      const answer = await fetch(`${product.origin}/licenses/api/${list}/export/`, { headers });
      const rows = await countLines(answer);
      rates.push((rows / (performance.now() - startedAt)) * 1000);
      reading = false;
      await watch;
    }
    const rate = rates.sort((a, b) => a - b)[1] ?? 0;
    console.log(
      `export of all ${list}: ${rate.toFixed(0)} rows/s, own memory at most +${(risen / 1024 / 1024).toFixed(0)} MB`,
    );
  }
}

async function countLines(answer: Response): Promise<number> {
  let lines = 0;
  if (!answer.ok || answer.body === null) throw new Error(`The export answered ${answer.status}.`);
  for await (const chunk of answer.body) {
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return lines - 1;
}

/**
 * Measures the sign-in, whose main cost is argon2id (about 19 MB and two passes). There is no floor to compare it
 * with.
 */
export async function measureSignIn(product: Running, seconds: number, rounds: number): Promise<void> {
  const request = () => ({
    method: 'POST' as const,
    path: '/api/auth/login/',
    body: JSON.stringify(ADMIN),
  });
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push(await drive(product, request, { seconds, connections: 4 }));
  }
  const { rate, p50, p99 } = medianRound(results);
  console.log(
    `sign-in, 4 connections: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}
