import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

const ROUNDS = 12;
const WRITERS = 16;
/**
 * The number of latest rows in each round that are searched: the index might not have contained them before the kill.
 */
const SEARCHED = 40;

test.for(ENGINES)(
  'after kill -9 during a stream of writes every acknowledged row is there, %s',
  async (engine, context) => {
    const env = await engineEnv(engine);
    const server = await startForTest(env);
    // The token is stored in the database, so it is valid after a kill.
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
      // A normal start, without a repair or an option.
      await server.restart();
      expect(await missingRows(server, env, 'clients', acknowledged)).toEqual([]);
      expect(await notFoundBySearch(server, token, [...writers.acknowledged].slice(-SEARCHED))).toEqual([]);
      record(context, {
        promise:
          'kill -9 during a stream of writes: every acknowledged row is there and is found, and it restarts by itself',
        engine,
        tried: `${round} kills, ${acknowledged.size} acknowledged rows, ${cutOff} calls cut off`,
      });
    }
    expect(refusals).toEqual([]);
  },
);

/** The clients that a search for their email address does not find. */
async function notFoundBySearch(server: { url: string }, token: string, ids: number[]): Promise<number[]> {
  const missing: number[] = [];
  for (const id of ids) {
    const { body: client } = await call(server, 'GET', `/licenses/api/clients/${id}/`, { token });
    const query = `search=${encodeURIComponent(client.email)}&page=1&page_size=5`;
    const { body: found } = await call(server, 'GET', `/licenses/api/clients/?${query}`, { token });
    if (found.results[0]?.id !== id) missing.push(id);
  }
  return missing;
}
