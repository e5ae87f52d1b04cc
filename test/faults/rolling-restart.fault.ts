import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { engineEnv, SHARED, startForTest } from './engines.ts';
import { startHaproxy } from './haproxy.ts';
import { call, connections, signIn } from './http.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

const ROUNDS = 2;
const PROMISE = 'two replicas behind HAProxy, restarted one after the other under load: 0 failed requests';

test('no request fails during a rolling restart behind a balancer', async (context) => {
  const env = await engineEnv('postgres');
  const settings = { ...env, ...SHARED, DRAIN_SECONDS: '5', TRUST_PROXY: '1' };
  const replicas = [await startForTest(settings), await startForTest(settings)] as const;
  const balancer = await startHaproxy([
    Number(new URL(replicas[0].url).port),
    Number(new URL(replicas[1].url).port),
  ]);
  if (balancer === null) {
    record(context, { promise: PROMISE, engine: 'postgres', tried: 'not run: HAProxy is not installed' });
    return context.skip();
  }
  const { token } = await signIn(balancer);
  const writers = startWriters(balancer, token, { count: 16 });

  let going = true;
  let reads = 0;
  const failures: string[] = [];
  const agent = connections(8);
  onTestFinished(() => agent.destroy());
  const reader = async () => {
    while (going) {
      try {
        const answer = await call(balancer, 'GET', '/licenses/api/clients/?page_size=5', { token, agent });
        if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`);
        reads += 1;
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const readers = Array.from({ length: 8 }, reader);

  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const replica of replicas) {
      await writers.more(20);
      await replica.restart();
      // The load balancer checks every half second.
      await setTimeout(1500);
    }
  }
  await writers.more(20);
  await writers.stop();
  going = false;
  await Promise.all(readers);

  record(context, {
    promise: PROMISE,
    engine: 'postgres',
    tried: `${ROUNDS * 2} restarts, ${writers.acknowledged.size} writes and ${reads} reads, ${writers.others.length + failures.length} failed`,
  });
  expect(writers.others.map(({ answer, error }) => answer?.text ?? String(error))).toEqual([]);
  expect(failures).toEqual([]);
  expect(await missingRows(replicas[0], env, 'clients', writers.acknowledged)).toEqual([]);
});
