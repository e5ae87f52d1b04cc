import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { ensureConsole, projectRoot } from '../../tools/prepare.mjs';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, percentile } from './http.ts';
import { record } from './promises.ts';

const SIGN_INS = 600;
/**
 * With two cores, a call waits at most for the hash that is being computed on its core, not for hashes in the queue.
 */
const P95_MS = 250;
/** On a busy machine the limit is this multiple of the time that calls took before the flood. */
const TIMES = 10;

const MEANWHILE = ['/api/health/', '/login', '/api/health/ready/'];

const FLOODS = [
  ['one address', () => '192.0.2.1'],
  ['many addresses', (number: number) => `198.51.${number >> 8}.${number & 255}`],
] as const;

// A checkout that has only been installed has no console, and /login would be 404.
beforeAll(async () => {
  if (process.env.WEB_DIST === undefined) await ensureConsole(projectRoot);
}, 600_000);

for (const [from, addressOf] of FLOODS)
  test.for(ENGINES)(
    `during 600 concurrent sign-ins from ${from} health and the console answer, %s`,
    async (engine, context) => {
      const server = await startForTest({ ...(await engineEnv(engine)), ...SHARED, TRUST_PROXY: '1' });
      const took = new Map(MEANWHILE.map((path) => [path, [] as number[]]));
      let isOver = false;
      const watch = async (path: string) => {
        while (!isOver) {
          const start = performance.now();
          const { status } = await call(server, 'GET', path);
          expect(status, path).toBe(200);
          took.get(path)!.push(performance.now() - start);
          await delay(10);
        }
      };
      const watchers = MEANWHILE.map(watch);
      await delay(3000);
      const before = new Map([...took].map(([path, samples]) => [path, percentile(samples, 0.95)]));
      for (const path of MEANWHILE) took.set(path, []);
      const start = performance.now();
      const answers = await Promise.all(
        Array.from({ length: SIGN_INS }, (_, number) =>
          call(server, 'POST', '/api/auth/login/', {
            body: { username: `nadie-${number}`, password: 'equivocada' },
            headers: { 'x-forwarded-for': addressOf(number) },
            timeoutMs: 120_000,
          }),
        ),
      );
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      isOver = true;
      await Promise.all(watchers);
      const counts = Object.fromEntries(
        [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
      );
      const p95 = MEANWHILE.map(
        (path) =>
          `${path} ${Math.round(percentile(took.get(path)!, 0.95))} ms (before ${Math.round(before.get(path)!)} ms)`,
      );
      record(context, {
        promise: '600 sign-ins at once: health and the console answer meanwhile',
        engine,
        tried: `from ${from}: ${JSON.stringify(counts)} within ${seconds} s; p95 meanwhile of ${p95.join(', ')}`,
      });
      expect(Object.keys(counts).every((status) => ['401', '429', '503'].includes(status))).toBe(true);
      for (const { status, headers } of answers)
        if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      for (const path of MEANWHILE)
        expect(percentile(took.get(path)!, 0.95), path).toBeLessThan(
          Math.max(P95_MS, TIMES * before.get(path)!),
        );
    },
  );
