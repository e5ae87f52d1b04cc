import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startReceiver } from '../webhook-receiver.ts';
import { engineEnv, SHARED, startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';
import { startWriters } from './writers.ts';

const EVENTS = 10_000;
const WRITERS = 12;
/** The numbers of arrived messages at which the replicas are killed. */
const KILLED_AT = [500, 4000];
const PROMISE =
  '10,000 events with two replicas, each killed once: every one delivered at least once, in the order of the events';

/** The receiver always answers. Each replica is killed once, so the delivering one is killed too. */
test('10,000 events reach a webhook in order although each of two replicas is killed once', async (context) => {
  const receiver = await startReceiver();
  const env = await engineEnv('postgres');
  const settings = { ...env, ...SHARED };
  const replicas = [await startForTest(settings), await startForTest(settings)] as const;
  const { token } = await signIn(replicas[0]);
  const created = await call(replicas[0], 'POST', '/licenses/api/webhooks/', {
    token,
    body: { url: receiver.url, types: ['client.created'] },
  });
  expect(created.status).toBe(201);
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const received = () => receiver.received.length;

  const stored = () =>
    withDatabase(replicas[0], env, (db) =>
      db.selectFrom('webhook_deliveries').select(['event_id', 'status']).orderBy('event_id').execute(),
    );
  const events = () =>
    withDatabase(replicas[0], env, async (db) => {
      const rows = await db
        .selectFrom('events')
        .select('id')
        .where('type', '=', 'client.created')
        .where('at', '>=', created.body.created_at)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    });

  const writers = replicas.map((replica) => startWriters(replica, token, { count: WRITERS }));
  const killEach = async () => {
    for (const [number, replica] of replicas.entries()) {
      while (received() < KILLED_AT[number]!) await setTimeout(20);
      await replica.kill();
      await replica.restart();
    }
  };
  const killing = killEach();
  let written = 0;
  while (written < EVENTS) {
    await setTimeout(100);
    written = writers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  }
  await Promise.all(writers.map((writer) => writer.stop()));
  const writtenAfter = seconds();
  const all = await events();
  let arrived = new Set<number>();
  while (arrived.size < all.length && seconds() < 230) {
    await setTimeout(250);
    arrived = new Set(receiver.received.map(({ body }) => body.data.id as number));
  }
  const first = [...arrived];
  const outOfOrder = first.filter((id, index) => index > 0 && id < first[index - 1]!).length;
  const deliveredAfter = seconds();
  await killing;
  record(context, {
    promise: PROMISE,
    engine: 'postgres',
    tried:
      `${all.length} events in ${writtenAfter.toFixed(0)} s, ${arrived.size} of them delivered after ${deliveredAfter.toFixed(0)} s, ` +
      `${received() - arrived.size} twice, ${outOfOrder} out of order; killed after ${KILLED_AT.join(' and ')} messages`,
  });
  expect(all.length).toBeGreaterThanOrEqual(EVENTS);
  expect(all.filter((id) => !arrived.has(id))).toEqual([]);
  expect(outOfOrder).toBe(0);
  const rows = await stored();
  expect(rows.map(({ event_id }) => event_id)).toEqual(all);
});
