import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { quiet } from '../../../../test/deliver-mail.ts';
import { createClient, createSoftware } from '../../../../test/factories.ts';
import { startJobs } from '../../../jobs/runner.ts';
import { housekeepingJob } from './housekeeping-job.ts';

const TURN_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Bounds what hangs. */

const countOf = async (testApp: TestApp, table: 'sessions' | 'tokens' | 'throttles' | 'idempotency_keys') =>
  (
    await testApp.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

test('expired sessions, counters and stored answers are deleted, and no others', async () => {
  const testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
  const { id: client } = await createClient(testApp);
  const { id: software } = await createSoftware(testApp);
  const issue = (key: string, token: string) =>
    testApp.call('POST', '/licenses/api/licenses/', {
      token,
      headers: { 'idempotency-key': key },
      body: { client, software, license_type: 'basic', price: 1 },
    });
  await issue('una', testApp.token);
  await testApp.call('POST', '/licenses/api/license/validate/', {
    token: null,
    body: { license_key: 'nada', machine_id: 'x' },
  });
  const failures: unknown[] = [];
  const log = { ...quiet, warn: (entry: unknown) => failures.push(entry) };
  const runner = startJobs(testApp.context, log, [housekeepingJob]);
  const due = () =>
    testApp.db
      .selectFrom('jobs')
      .select(['run_at', 'last_error'])
      .where('kind', '=', 'housekeeping')
      .executeTakeFirst();
  const nextTurn = async () => {
    const before = (await due())?.run_at;
    runner.nudge();
    await expect.poll(async () => (await due())?.run_at).not.toBe(before);
  };
  // Its first run has ended when the next one is scheduled after now.
  const now = testApp.context.now().toISOString();
  await expect.poll(async () => (await due())?.run_at ?? '').toSatisfy((at: string) => at > now);

  // The windows of the counters have ended; a session lasts twelve hours, a stored answer seven days.
  testApp.clock.advance(60 * 60_000);
  await nextTurn();
  // The address of the sign-in is stored for a month.
  const counters = await testApp.db.selectFrom('throttles').select('key').execute();
  expect(counters.map(({ key }) => key.split(':')[0])).toEqual(['sign-in-known']);
  expect(await countOf(testApp, 'sessions')).toBe(1);
  expect(await countOf(testApp, 'idempotency_keys')).toBe(1);

  const token = await signInAs(testApp, 'admin', 'admin123');
  await issue('otra', token);
  testApp.clock.advance(7 * DAY_MS - 30 * 60_000);
  await nextTurn();
  expect(await countOf(testApp, 'idempotency_keys')).toBe(1);
  expect(await countOf(testApp, 'sessions')).toBe(0);
  const repeated = await issue('otra', await signInAs(testApp, 'admin', 'admin123'));
  expect(repeated.headers['idempotency-replayed']).toBe('true');

  testApp.clock.advance(DAY_MS);
  await nextTurn();
  expect(await countOf(testApp, 'idempotency_keys')).toBe(0);
  expect(await countOf(testApp, 'sessions')).toBe(0);
  expect(await countOf(testApp, 'tokens')).toBe(0);

  await testApp.db.schema.alterTable('throttles').renameTo('elsewhere').execute();
  testApp.clock.advance(TURN_MS);
  await nextTurn();
  expect((await due())?.last_error).toMatch(/throttles/);
  // Told after the next turn is stored.
  await expect.poll(() => failures).toHaveLength(1);

  await testApp.db.schema.alterTable('elsewhere').renameTo('throttles').execute();
  testApp.clock.advance(TURN_MS);
  await nextTurn();
  expect((await due())?.last_error).toBeNull();
  await runner.stop();
  expect(failures).toHaveLength(1);
});
