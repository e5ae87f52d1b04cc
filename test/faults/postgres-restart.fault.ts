import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../postgres/cluster.ts';
import { createDatabase } from '../postgres/databases.ts';
import { startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

const ROUNDS = 4;

test('when PostgreSQL dies under load calls get 503 and work again after its return', async (context) => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const env = { DATABASE_URL: (await createDatabase({ adminUrl: cluster.url })).url, DATABASE_POOL: '10' };
  const server = await startForTest(env);
  const { token } = await signIn(server);
  const acknowledged = new Set<number>();
  let refused = 0;
  let slowest = 0;

  for (let round = 1; round <= ROUNDS; round += 1) {
    const writers = startWriters(server, token, { count: 16 });
    await writers.more(50);
    await cluster.crash();
    await setTimeout(1000);
    const readiness = await call(server, 'GET', '/api/health/ready/');
    expect([readiness.status, readiness.body.status]).toEqual([503, 'database_down']);
    expect(writers.others.length).toBeGreaterThan(0);

    await cluster.start();
    const back = performance.now();
    await writers.more(1);
    slowest = Math.max(slowest, performance.now() - back);
    await writers.more(50);
    await writers.stop();
    for (const id of writers.acknowledged) acknowledged.add(id);
    refused += writers.others.length;

    const answers = writers.others.map(({ answer, error }) => answer?.status ?? String(error));
    expect(new Set(answers)).toEqual(new Set([503]));
    for (const { answer } of writers.others) {
      expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer?.body.code).toBe('unavailable');
    }
    expect(await missingRows(server, env, 'clients', acknowledged)).toEqual([]);
    expect((await call(server, 'GET', '/api/health/ready/')).status).toBe(200);
    record(context, {
      promise:
        'PostgreSQL dies under load: 503 with Retry-After, recovery within 5 s of its return, every acknowledged write present',
      engine: 'postgres',
      tried: `${round} times SIGKILL, ${acknowledged.size} acknowledged, ${refused} answered 503, recovery after ${Math.round(slowest)} ms at most`,
    });
  }
  expect(slowest).toBeLessThan(5000);
});
