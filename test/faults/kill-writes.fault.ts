import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { signIn } from './http.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

const ROUNDS = 12;
const WRITERS = 16;

test.for(ENGINES)('kill -9 during a stream of writes, %s', async (engine, context) => {
  const env = await engineEnv(engine);
  const server = await startForTest(env);
  // The token survives a kill as everything else does.
  const { token } = await signIn(server);
  const acknowledged = new Set<number>();
  let cutOff = 0;
  const refusals: string[] = [];

  for (let round = 1; round <= ROUNDS; round += 1) {
    const writers = startWriters(server, token, { count: WRITERS });
    await writers.more(20);
    await setTimeout(Math.random() * 400);
    await server.kill();
    await writers.stop();
    for (const id of writers.acknowledged) acknowledged.add(id);
    cutOff += writers.others.filter(({ answer }) => answer === null).length;
    refusals.push(...writers.others.flatMap(({ answer }) => (answer ? [answer.text] : [])));
    // No repair, no flag: the same start as on any other day.
    await server.restart();
    expect(await missingRows(server, env, 'clients', acknowledged)).toEqual([]);
    record(context, {
      promise:
        'kill -9 during a stream of writes: every acknowledged row is there, and it restarts by itself',
      engine,
      tried: `${round} kills, ${acknowledged.size} acknowledged rows, ${cutOff} calls cut off`,
    });
  }
  expect(refusals).toEqual([]);
});
