import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { type Receiver, startReceiver } from '../../../test/webhook-receiver.ts';
import { deletePastReads } from '../notifications/notification-reads.queries.ts';
import { tidyDeliveries } from './deliveries.queries.ts';
import { webhookJob } from './webhook-job.ts';

/** Receivers that fail: order, waits, giving up, sending again (HOOK-02). */

const PATH = '/licenses/api/webhooks/';
const START = '2026-11-22T12:00:00.000Z';
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

async function start(): Promise<{ t: TestApp; receiver: Receiver }> {
  const t = await createTestApp({ now: START });
  const receiver = await startReceiver();
  await t.call('POST', PATH, { body: { url: receiver.url, types: ['client.*'] } });
  return { t, receiver };
}

const deliver = ({ context }: TestApp) => runJob(context, webhookJob);
const shown = async (t: TestApp) => (await t.call('GET', `${PATH}1/`)).body;
const deliveries = async (t: TestApp, query = '') =>
  (await t.call('GET', `${PATH}1/deliveries/${query}`)).body.results;
const namesOf = ({ received }: Receiver) => received.map(({ body }) => body.data.subject.name);

/** Moves the clock, and signs in again if the session has ended. */
async function later(t: TestApp, milliseconds: number): Promise<void> {
  t.clock.advance(milliseconds);
  if (milliseconds >= 30 * MINUTE_MS) t.token = await signInAs(t, 'admin', 'admin123');
}

test('messages are sent in the order of their events, each once, while the receiver answers', async () => {
  const { t, receiver } = await start();
  for (const name of ['Ana', 'Beto', 'Caro']) await createClient(t, { name });
  expect(await shown(t)).toMatchObject({ waiting: 3, last_delivered_at: null });
  await deliver(t);
  await deliver(t);
  expect(namesOf(receiver)).toEqual(['Ana', 'Beto', 'Caro']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  expect(await shown(t)).toMatchObject({ waiting: 0, last_delivered_at: START, failing_since: null });
  // One connection was used for all of them.
  expect(receiver.connections()).toBe(1);
});

test('a failing receiver is tried again within a minute, then after longer waits, and in order', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => 503;
  await createClient(t, { name: 'Ana' });
  await createClient(t, { name: 'Beto' });
  await deliver(t);
  expect(await shown(t)).toMatchObject({
    failing_since: START,
    next_attempt_at: '2026-11-22T12:00:30.000Z',
    waiting: 2,
  });
  t.clock.advance(29 * SECOND_MS);
  await deliver(t);
  expect(namesOf(receiver)).toEqual(['Ana']);
  t.clock.advance(SECOND_MS);
  await deliver(t);
  expect(namesOf(receiver)).toEqual(['Ana', 'Ana']);
  expect((await shown(t)).next_attempt_at).toBe('2026-11-22T12:02:30.000Z');
  receiver.answer = () => 200;
  t.clock.advance(2 * MINUTE_MS);
  await deliver(t);
  expect(namesOf(receiver)).toEqual(['Ana', 'Ana', 'Ana', 'Beto']);
  expect(await shown(t)).toMatchObject({ failing_since: null, next_attempt_at: null, waiting: 0 });
  const [, ana] = await deliveries(t);
  expect(ana).toMatchObject({ status: 'delivered', type: 'client.created' });
  expect(
    ana.attempts.map(({ status, problem }: { status: number; problem: string }) => [status, problem]),
  ).toEqual([
    [200, null],
    [503, 'status'],
    [503, 'status'],
  ]);
  const ids = receiver.received.slice(0, 3).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set([ana.message_id]));
});

test('the waits grow up to four hours', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => 500;
  await createClient(t);
  const waits: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    await deliver(t);
    const { next_attempt_at } = await t.db
      .selectFrom('webhooks')
      .select('next_attempt_at')
      .executeTakeFirstOrThrow();
    const wait = Date.parse(next_attempt_at!) - t.context.now().getTime();
    waits.push(wait / SECOND_MS);
    t.clock.advance(wait);
  }
  expect(waits).toEqual([30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 14_400]);
});

test('when only one message is refused it is set aside, and the others are sent in order', async () => {
  const { t, receiver } = await start();
  receiver.answer = ({ body }) => (body.data.subject.name === 'Beto' ? 400 : 204);
  for (const name of ['Ana', 'Beto', 'Caro', 'Dani']) await createClient(t, { name });
  await deliver(t);
  t.clock.advance(30 * SECOND_MS);
  await deliver(t);
  t.clock.advance(2 * MINUTE_MS);
  await deliver(t);
  expect(namesOf(receiver)).toEqual(['Ana', 'Beto', 'Beto', 'Beto', 'Caro', 'Dani']);
  expect(await shown(t)).toMatchObject({ failing_since: null, waiting: 1 });
  await createClient(t, { name: 'Eva' });
  await deliver(t);
  expect(namesOf(receiver).slice(6)).toEqual(['Eva']);
  t.clock.advance(10 * MINUTE_MS);
  await createClient(t, { name: 'Fide' });
  await deliver(t);
  expect(namesOf(receiver).slice(7)).toEqual(['Beto', 'Fide']);
  expect(await shown(t)).toMatchObject({ failing_since: null, is_active: true });
  receiver.answer = () => 204;
  await later(t, 30 * MINUTE_MS);
  await deliver(t);
  expect(namesOf(receiver).slice(9)).toEqual(['Beto']);
  expect((await shown(t)).waiting).toBe(0);
});

test('no message is set aside while the receiver refuses all of them', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => 500;
  for (const name of ['Ana', 'Beto', 'Caro']) await createClient(t, { name });
  for (const wait of [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]) {
    await deliver(t);
    t.clock.advance(wait);
  }
  // After the third failure, the next message is tried too.
  expect(namesOf(receiver)).toEqual(['Ana', 'Ana', 'Ana', 'Beto', 'Ana', 'Beto']);
  receiver.answer = () => 204;
  await deliver(t);
  expect(namesOf(receiver).slice(6)).toEqual(['Ana', 'Beto', 'Caro']);
});

test('a message is given up three days after its event, and can then be sent again with the same id', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => 500;
  await createClient(t, { name: 'Ana' });
  await deliver(t);
  await later(t, DAY_MS);
  await createClient(t, { name: 'Beto' });
  await later(t, 2 * DAY_MS - 1);
  await deliver(t);
  receiver.answer = () => 204;
  await later(t, 4 * HOUR_MS);
  await deliver(t);
  expect(namesOf(receiver)).toEqual(['Ana', 'Ana', 'Beto']);
  const [failed] = await deliveries(t, '?status=failed');
  expect(failed).toMatchObject({ status: 'failed', finished_at: t.context.now().toISOString() });
  expect(await deliveries(t, '?status=waiting')).toEqual([]);

  const resend = `${PATH}1/deliveries/${failed.id}/resend/`;
  receiver.answer = () => 500;
  expect((await t.call('POST', resend)).body.status).toBe('failed');
  receiver.answer = () => 204;
  const { status, body } = await t.call('POST', resend);
  expect([status, body.status, body.attempts[0].by_hand, body.attempts.length]).toEqual([
    200,
    'delivered',
    true,
    4,
  ]);
  const sent = receiver.received.filter(({ headers }) => headers['webhook-id'] === failed.message_id);
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ text }) => text))).toEqual(new Set([body.body]));
  expect((await t.call('GET', `${PATH}1/deliveries/${failed.id}/`)).body).toEqual(body);
});

test('a successful test message sends the waiting messages at once', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => 500;
  await createClient(t, { name: 'Ana' });
  await deliver(t);
  receiver.answer = () => 204;
  await t.call('POST', `${PATH}1/test/`);
  await deliver(t);
  expect(namesOf(receiver).at(-1)).toBe('Ana');
  expect(await shown(t)).toMatchObject({ failing_since: null, waiting: 0 });
});

test('410 disables the webhook with a mail and an event, and waiting messages are sent when it is active again', async () => {
  const { t, receiver } = await start();
  await t.call('POST', PATH, { body: { url: `${receiver.url}?otro=1`, types: ['webhook.disabled'] } });
  receiver.answer = ({ body }) => (body.type === 'webhook.disabled' ? 204 : 410);
  await createClient(t, { name: 'Ana' });
  await deliver(t);
  expect(await shown(t)).toMatchObject({
    is_active: false,
    disabled_reason: 'gone',
    disabled_at: START,
    waiting: 1,
  });
  await createClient(t, { name: 'Beto' });
  await deliver(t);
  const disabled = receiver.received.filter(({ body }) => body.type === 'webhook.disabled');
  expect(
    disabled.map(({ body }) => [body.data.actor.kind, body.data.reason, body.data.record.is_active]),
  ).toEqual([['system', 'El receptor respondió que ya no existe (410)', false]]);
  const [mail] = (await t.deliveredMail()).filter(({ subject }) => subject?.includes('webhook'));
  expect(mail!.text).toContain(receiver.url);
  expect(mail!.text).toContain('El receptor respondió que ya no existe (410)');
  const bell = (await t.call('GET', '/licenses/api/notifications/')).body.results;
  expect(bell.map(({ kind, message }: { kind: string; message: string }) => [kind, message])).toEqual([
    ['webhook_disabled', `Se desactivó el webhook ${receiver.url}`],
  ]);

  await t.call('POST', '/licenses/api/notifications/read/', { body: {} });
  await deletePastReads(t.db, t.context.now());
  expect(await t.db.selectFrom('notification_reads').select('kind').execute()).toEqual([
    { kind: 'webhook_disabled' },
  ]);
  receiver.answer = () => 204;
  const { body } = await t.call('PUT', `${PATH}1/`, { body: { is_active: true } });
  expect(body).toMatchObject({ is_active: true, disabled_reason: null, disabled_at: null });
  await deliver(t);
  expect(namesOf(receiver).at(-1)).toBe('Ana');
  await deletePastReads(t.db, t.context.now());
  expect(await t.db.selectFrom('notification_reads').select('kind').execute()).toEqual([]);
  expect((await t.call('GET', '/licenses/api/notifications/')).body.results).toEqual([]);
});

test('a webhook that fails for five days is disabled with a reason, one turned off by a person has no reason', async () => {
  const { t, receiver } = await start();
  receiver.answer = () => 500;
  await createClient(t, { name: 'Ana' });
  await deliver(t);
  await later(t, 3 * DAY_MS);
  await createClient(t, { name: 'Beto' });
  await deliver(t);
  await later(t, 2 * DAY_MS - 1);
  await deliver(t);
  expect((await shown(t)).is_active).toBe(true);
  await later(t, 4 * HOUR_MS);
  await deliver(t);
  expect(await shown(t)).toMatchObject({ is_active: false, disabled_reason: 'failing' });
  const mails = (await t.deliveredMail()).filter(({ subject }) => subject?.includes('webhook'));
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain('22/11/2026');
  await t.call('PUT', `${PATH}1/`, { body: { is_active: true } });
  const { body } = await t.call('PUT', `${PATH}1/`, { body: { is_active: false } });
  expect(body).toMatchObject({ is_active: false, disabled_reason: null, failing_since: null });
});

test('the deliveries are listed in pages', async () => {
  const { t } = await start();
  for (let count = 0; count < 3; count += 1) await createClient(t);
  const { body } = await t.call('GET', `${PATH}1/deliveries/?page=2&page_size=2&status=waiting`);
  expect([body.count, body.total_pages, body.results.length, body.results[0].attempts]).toEqual([
    3,
    2,
    1,
    [],
  ]);
  expect((await t.call('GET', `${PATH}1/deliveries/?page=x`)).status).toBe(404);
  expect((await t.call('GET', `${PATH}1/deliveries/?status=x`)).status).toBe(400);
  expect((await t.call('GET', `${PATH}1/deliveries/?page=9&page_size=2`)).body.results).toEqual([]);
});

test('housekeeping deletes finished messages after 30 days and those of deleted webhooks', async () => {
  const { t, receiver } = await start();
  await t.call('POST', PATH, { body: { url: receiver.url, types: ['client.*'], description: 'B' } });
  await createClient(t);
  await deliver(t);
  const ids = async () =>
    (await t.db.selectFrom('webhook_deliveries').select('webhook_id').orderBy('webhook_id').execute()).map(
      ({ webhook_id }) => webhook_id,
    );
  await t.call('DELETE', `${PATH}2/`);
  await tidyDeliveries(t.db, t.context.now());
  expect(await ids()).toEqual([1]);
  await later(t, 30 * DAY_MS);
  await tidyDeliveries(t.db, t.context.now());
  expect(await ids()).toEqual([1]);
  t.clock.advance(1);
  await tidyDeliveries(t.db, t.context.now());
  expect(await ids()).toEqual([]);
  expect(await t.db.selectFrom('webhook_attempts').select('id').execute()).toEqual([]);
});
