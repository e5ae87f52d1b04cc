import { afterEach, expect, test, vi } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import { startHousekeeping } from './housekeeping.ts';

const TURN_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

const countOf = async (testApp: TestApp, table: 'sessions' | 'tokens' | 'throttles' | 'idempotency_keys') =>
  (
    await testApp.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

test('sessions, counters and kept answers go when they have had their day, and not before', async () => {
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
  const errors: unknown[] = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stop = startHousekeeping(testApp.context, { error: (entry: unknown) => errors.push(entry) });

  // The counters' windows of minutes have ended; the session lasts twelve hours, the answer seven days.
  testApp.clock.advance(60 * 60_000);
  await vi.advanceTimersByTimeAsync(TURN_MS);
  await vi.waitFor(async () => expect(await countOf(testApp, 'throttles')).toBe(0));
  expect(await countOf(testApp, 'sessions')).toBe(1);
  expect(await countOf(testApp, 'idempotency_keys')).toBe(1);

  const token = await signInAs(testApp, 'admin', 'admin123');
  await issue('otra', token);
  testApp.clock.advance(7 * DAY_MS - 30 * 60_000);
  await vi.advanceTimersByTimeAsync(TURN_MS);
  await vi.waitFor(async () => expect(await countOf(testApp, 'idempotency_keys')).toBe(1));
  expect(await countOf(testApp, 'sessions')).toBe(0);
  const repeated = await issue('otra', await signInAs(testApp, 'admin', 'admin123'));
  expect(repeated.headers['idempotency-replayed']).toBe('true');

  testApp.clock.advance(DAY_MS);
  await vi.advanceTimersByTimeAsync(TURN_MS);
  await vi.waitFor(async () => expect(await countOf(testApp, 'idempotency_keys')).toBe(0));
  expect(await countOf(testApp, 'sessions')).toBe(0);
  expect(await countOf(testApp, 'tokens')).toBe(0);

  await testApp.db.schema.alterTable('throttles').renameTo('elsewhere').execute();
  await vi.advanceTimersByTimeAsync(TURN_MS);
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  stop();
  await vi.advanceTimersByTimeAsync(3 * TURN_MS);
  expect(errors).toHaveLength(1);
});
