import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { call, percentile, signIn } from './http.ts';
import { record } from './promises.ts';

const BATCHES = 10;
const QUANTITY = 500;
const P95_MS = 100;

test.for(ENGINES)(
  'staff go on while 500 licences are issued at once, again and again, %s (SELL-05)',
  async (engine, context) => {
    const server = await startForTest(await engineEnv(engine));
    const { token } = await signIn(server);
    let issuing = true;
    const times: number[] = [];
    const failures: string[] = [];
    const calls = [
      ['GET', '/licenses/api/clients/?page_size=20', undefined],
      ['GET', '/licenses/api/licenses/?page_size=20', undefined],
      ['PATCH', '/licenses/api/clients/1/', { notes: 'Llamó hoy' }],
      ['GET', '/licenses/api/statistics/', undefined],
    ] as const;
    const staff = async () => {
      while (issuing) {
        const [method, path, body] = calls[times.length % calls.length]!;
        const start = performance.now();
        const answer = await call(server, method, path, { token, body });
        times.push(performance.now() - start);
        if (answer.status !== 200) failures.push(answer.text);
        await setTimeout(20);
      }
    };
    const people = [staff(), staff()];
    const body = { client: 1, software: 1, license_type: 'premium', price: 100, quantity: QUANTITY };
    const start = performance.now();
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const answer = await call(server, 'POST', '/licenses/api/licenses/batch/', { token, body });
      expect([answer.status, answer.body.licenses.length]).toEqual([201, QUANTITY]);
    }
    const took = performance.now() - start;
    issuing = false;
    await Promise.all(people);
    const p95 = percentile(times, 0.95);
    record(context, {
      promise: 'while 500 licences are issued at once, others are answered within 100 ms (p95)',
      engine,
      tried: `${BATCHES} batches of ${QUANTITY} in ${(took / 1000).toFixed(1)} s; ${times.length} staff requests meanwhile, p95 ${Math.round(p95)} ms`,
    });
    expect(failures).toEqual([]);
    expect(p95).toBeLessThan(P95_MS);
  },
  120_000,
);
