import { expect, test } from 'vitest';
import { WEBHOOK_PROBLEM_LABELS } from '../../../contract/system/webhooks.ts';
import { createTestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { signatureOf, startReceiver } from '../../../test/webhook-receiver.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { webhookJob } from './webhook-job.ts';

/** A webhook whose secret was encrypted with another key, as after a lost SECRET_KEY (HOOK-02). */

const PATH = '/licenses/api/webhooks/';
const START = '2026-11-22T12:00:00.000Z';

/** Two webhooks for clients; the secret of the first one cannot be read. */
async function start() {
  const t = await createTestApp({ now: START });
  const [lost, other] = [await startReceiver(), await startReceiver()];
  for (const { url } of [lost, other]) await t.call('POST', PATH, { body: { url, types: ['client.*'] } });
  const sealed = createSecretBox('otra clave que ya nadie tiene').seal('whsec_AAAA', 'webhook:1');
  await t.db.updateTable('webhooks').set({ secret: sealed }).where('id', '=', 1).execute();
  return { t, lost, other };
}

test('a webhook whose secret cannot be read fails alone, with its reason, and the others deliver', async () => {
  const { t, lost, other } = await start();
  await createClient(t, { name: 'Ana' });
  await createClient(t, { name: 'Beto' });
  await runJob(t.context, webhookJob);
  expect(other.received.map(({ body }) => body.data.subject.name)).toEqual(['Ana', 'Beto']);
  expect(lost.received).toEqual([]);

  expect((await t.call('GET', `${PATH}1/`)).body).toMatchObject({ waiting: 2, failing_since: START });
  const { results } = (await t.call('GET', `${PATH}1/deliveries/`)).body;
  expect(results.at(-1)).toMatchObject({
    status: 'waiting',
    attempts: [{ status: null, problem: 'secret', answer: null, by_hand: false }],
  });
  expect(WEBHOOK_PROBLEM_LABELS.secret).toContain('Rótalo');
  const tested = await t.call('POST', `${PATH}1/test/`);
  expect([tested.status, tested.body.attempts[0].problem]).toEqual([200, 'secret']);
});

test('a new secret replaces one that cannot be read, and what waited is delivered with it at once', async () => {
  const { t, lost } = await start();
  await createClient(t, { name: 'Ana' });
  await runJob(t.context, webhookJob).catch(() => {});
  const { secret } = (await t.call('POST', `${PATH}1/rotate_secret/`)).body;
  expect((await t.call('GET', `${PATH}1/`)).body).toMatchObject({ waiting: 1, failing_since: null });
  await runJob(t.context, webhookJob);
  expect(lost.received.map(({ body }) => body.data.subject.name)).toEqual(['Ana']);
  // Nobody has the lost secret any more, so there is one signature.
  expect(lost.received[0]!.headers['webhook-signature']).toBe(signatureOf(lost.received[0]!, secret));
});
