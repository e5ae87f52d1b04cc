import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { quiet } from '../../../test/deliver-mail.ts';
import { createClient } from '../../../test/factories.ts';
import { openEvent } from '../../../test/open-event.ts';
import { runJob } from '../../../test/run-job.ts';
import { startReceiver } from '../../../test/webhook-receiver.ts';
import { earlierEnded } from '../../db/dialect.ts';
import { startJobs } from '../../jobs/runner.ts';
import { webhookJob } from './webhook-job.ts';

/** The order of messages when events are written concurrently and several processes deliver (HOOK-02). */

async function start() {
  const t = await createTestApp();
  const receiver = await startReceiver();
  const events = () => receiver.received.map(({ body }) => body.data.id as number);
  await t.call('POST', '/licenses/api/webhooks/', { body: { url: receiver.url, types: ['client.*'] } });
  return { t, receiver, events };
}

const EVENTS = 40;

test('two processes deliver the events of many concurrent transactions, each once and in order', async () => {
  const { t, events } = await start();
  const runners = [startJobs(t.context, quiet, [webhookJob]), startJobs(t.context, quiet, [webhookJob])];
  t.context.nudgeJobs = (kind) => {
    for (const runner of runners) runner.nudge(kind);
  };
  await Promise.all(Array.from({ length: EVENTS }, () => createClient(t)));
  await expect.poll(events).toHaveLength(EVENTS);
  await Promise.all(runners.map((runner) => runner.stop()));
  expect(events()).toEqual([...new Set(events())].sort((a, b) => a - b));
});

test('a later event waits for an earlier one whose transaction is still open', async () => {
  const { t, receiver, events } = await start();
  const earlier = await openEvent(t);
  // On SQLite this waits for the transaction that is still open.
  const later = createClient(t);
  await Promise.race([later, setTimeout(300)]);
  const delivery = runJob(t.context, webhookJob);
  await setTimeout(200);
  expect(receiver.received).toEqual([]);
  earlier.end();
  await Promise.all([earlier.ended, later, delivery]);
  await runJob(t.context, webhookJob);
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['client.updated', 'client.created']);
  expect(events()).toEqual([...events()].sort((a, b) => a - b));
});

test('a transaction that hangs does not block deliveries forever', async () => {
  const { t } = await start();
  const hanging = await openEvent(t);
  await earlierEnded(t.db, 30);
  hanging.end();
  await hanging.ended;
});

test('a run that is stopped with the server leaves its message waiting', async () => {
  const { t, receiver } = await start();
  const [arrived, stop] = [Promise.withResolvers<void>(), new AbortController()];
  receiver.answer = () => () => arrived.resolve();
  await createClient(t);
  const run = runJob(t.context, webhookJob, stop.signal);
  await arrived.promise;
  stop.abort(new Error('stopping'));
  await run;
  receiver.answer = () => 204;
  await runJob(t.context, webhookJob);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  const attempts = await t.db.selectFrom('webhook_attempts').select('status').execute();
  expect(attempts).toEqual([{ status: 204 }]);
});

test('a webhook can be deleted or changed while a message is being sent', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => async (response) => {
    await t.call('DELETE', '/licenses/api/webhooks/1/');
    response.writeHead(500).end();
  };
  await createClient(t);
  await createClient(t);
  await runJob(t.context, webhookJob);
  expect(receiver.received).toHaveLength(1);
});

test('a database error ends the run with that error', async () => {
  const { t, receiver } = await start();
  await createClient(t);
  receiver.answer = () => async (response) => {
    await t.db.schema.alterTable('webhook_attempts').renameTo('elsewhere').execute();
    response.writeHead(204).end();
  };
  await expect(runJob(t.context, webhookJob)).rejects.toThrow('webhook_attempts');
  await t.db.schema.alterTable('elsewhere').renameTo('webhook_attempts').execute();
  receiver.answer = () => 204;
  await runJob(t.context, webhookJob);
  expect(receiver.received).toHaveLength(2);
});
