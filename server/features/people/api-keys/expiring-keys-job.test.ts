import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { runJob } from '../../../../test/run-job.ts';
import type { AppContext } from '../../../context.ts';
import { expiringKeysJob } from './expiring-keys-job.ts';

/** The mail before an API key ends (PEOPLE-07). */

const KEYS = '/licenses/api/api-keys/';
const START = '2026-11-22T12:00:00.000Z';
const DAY_MS = 24 * 3_600_000;

const create = async (t: TestApp, values: object = {}) =>
  (await t.call('POST', KEYS, { body: { name: 'Tienda', permissions: ['clients:read'], ...values } })).body;

const mailsOf = (t: TestApp) =>
  t.db.selectFrom('outbox').selectAll().where('kind', '=', 'api_key_expiring').orderBy('id').execute();

async function runAfter(t: TestApp, milliseconds: number): Promise<void> {
  t.clock.advance(milliseconds);
  await runJob(t.context, expiringKeysJob);
}

/** The same context, but its process dies at the statement with this number, so its transaction is rolled back. */
function dyingAt(context: AppContext, statement: number): AppContext {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1;
      if (count >= statement) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...context, db: context.db.withPlugin(plugin) };
}

test('the mail about an expiring key is sent to its creator 14 days before, once, also with two replicas (PEOPLE-07)', async () => {
  const t = await createTestApp({ now: START, env: { PUBLIC_URL: 'https://licencias.example.com' } });
  const { last_four } = await create(t, { name: 'Tienda <b>en línea</b>' });
  await runAfter(t, 351 * DAY_MS - 1);
  expect(await mailsOf(t)).toEqual([]);
  t.clock.advance(1);
  await Promise.all([runJob(t.context, expiringKeysJob), runJob(t.context, expiringKeysJob)]);
  await runAfter(t, 3 * DAY_MS);
  const [mail, ...more] = await mailsOf(t);
  expect(more).toEqual([]);
  expect([mail?.to_address, mail?.user_id, mail?.subject]).toEqual([
    'admin@example.com',
    1,
    'La clave de API «Tienda <b>en línea</b>» vence en 14 días',
  ]);
  for (const text of [last_four, '22/11/2027', 'https://licencias.example.com/settings/claves']) {
    expect(mail?.body_text).toContain(text);
  }
  expect(mail?.body_html).toContain('Tienda &lt;b&gt;en línea&lt;/b&gt;');
});

test('no mail is sent for a revoked, replaced or shorter key, or when its creator is deactivated (PEOPLE-07)', async () => {
  const t = await createTestApp({ now: START });
  const revoked = await create(t);
  const replaced = await create(t);
  await create(t, { expires_at: new Date(Date.parse(START) + 10 * DAY_MS).toISOString() });
  await t.call('DELETE', `${KEYS}${revoked.id}/`);
  const successor = (await t.call('POST', `${KEYS}${replaced.id}/rotate/`)).body;
  await runAfter(t, 60_000);
  await runAfter(t, 2 * DAY_MS);
  expect(await mailsOf(t)).toEqual([]);

  t.token = await signInAs(t, 'admin', 'admin123');
  await t.db.updateTable('users').set({ is_active: false }).execute();
  await runAfter(t, 351 * DAY_MS);
  expect(await mailsOf(t)).toEqual([]);
  // Only the key that replaced the other one was due.
  const rows = await t.db.selectFrom('api_keys').select(['id', 'warned_at']).execute();
  expect(rows.find(({ id }) => id === successor.id)?.warned_at).not.toBeNull();
  expect(rows.find(({ id }) => id === revoked.id)?.warned_at).toBeNull();
});

test('the mail is sent once for each key when the process is killed half-way (PEOPLE-07)', async () => {
  const t = await createTestApp({ now: START });
  for (const name of ['Una', 'Dos', 'Tres']) await create(t, { name });
  t.clock.advance(352 * DAY_MS);
  let runs = 0;
  for (let statement = 1; ; statement += 3, runs += 1) {
    const ended = await runJob(dyingAt(t.context, statement), expiringKeysJob).then(
      () => true,
      (error: Error) => {
        if (error.message !== 'killed') throw error;
        return false;
      },
    );
    const mailed = (await mailsOf(t)).length;
    const warned = await t.db
      .selectFrom('api_keys')
      .select('id')
      .where('warned_at', 'is not', null)
      .execute();
    expect(mailed).toBe(warned.length);
    if (ended) break;
  }
  expect(runs).toBeGreaterThan(2);
  expect((await mailsOf(t)).map(({ subject }) => /«(.+)»/.exec(subject)?.[1])).toEqual([
    'Una',
    'Dos',
    'Tres',
  ]);
});

test('the mails of a stopped run are sent by the next run (PEOPLE-07)', async () => {
  const t = await createTestApp({ now: START });
  await create(t);
  t.clock.advance(352 * DAY_MS);
  await runJob(t.context, expiringKeysJob, AbortSignal.abort());
  expect(await mailsOf(t)).toEqual([]);
  await runJob(t.context, expiringKeysJob);
  expect(await mailsOf(t)).toHaveLength(1);
});
