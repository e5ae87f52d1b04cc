import { describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { quiet } from '../../../test/deliver-mail.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import { maySee } from '../../http/access.ts';
import { claimJobs } from '../../jobs/jobs.queries.ts';
import { LEASE_MS, startJobs } from '../../jobs/runner.ts';
import type { Principal } from '../../principal.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';
import { bulkJob } from './bulk-job.ts';

/** A bulk call with more records than one request processes: it becomes a job, whose progress can be read. */

const NOW = '2026-11-21T18:00:00.000Z';
const MANY = 230;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Suspends all licences with a filter.
 * @returns the id of the job
 */
async function suspendAll(t: TestApp, headers: Record<string, string> = {}): Promise<number> {
  const answer = await t.call('POST', '/licenses/api/licenses/bulk_action/', {
    headers,
    body: { filters: { status: 'active' }, action: 'set_status', status: 'suspended' },
  });
  expect([answer.status, answer.body]).toEqual([202, { success: true, job: expect.any(Number) }]);
  return answer.body.job;
}

const progressOf = async (t: TestApp, job: number) =>
  (await t.call('GET', `/licenses/api/jobs/${job}/`)).body;

/** Runs the job until it is finished. */
async function finish(t: TestApp, job: number) {
  const runner = startJobs(t.context, quiet, [bulkJob]);
  await expect.poll(async () => (await progressOf(t, job)).result, { interval: 20 }).not.toBeNull();
  await runner.stop();
}

const changesOf = (t: TestApp) =>
  t.db
    .selectFrom('events')
    .select(['subject_id', 'actor_name', 'actor_kind'])
    .where('type', '=', 'license.updated')
    .execute();

test('an action on more than 100 records becomes a job that runs as its caller (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const gone = await t.db.selectFrom('licenses').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const job = await suspendAll(t);
  expect(await progressOf(t, job)).toEqual({
    state: 'waiting',
    total: MANY,
    done: 0,
    result: null,
    reason: null,
  });
  // A record that was deleted before its turn fails, and the others succeed.
  await t.db.deleteFrom('licenses').where('id', '=', gone.id).execute();
  await finish(t, job);
  expect(await progressOf(t, job)).toEqual({
    state: 'done',
    total: MANY,
    done: MANY,
    result: {
      done: MANY - 1,
      failed: [{ id: gone.id, code: 'not_found', message: 'Licencia no encontrada' }],
    },
    reason: null,
  });
  const changes = await changesOf(t);
  expect(new Set(changes.map(({ subject_id }) => subject_id)).size).toBe(MANY - 1);
  expect(changes).toHaveLength(MANY - 1);
  expect(changes[0]).toMatchObject({ actor_kind: 'user', actor_name: expect.stringMatching(/./) });
  const { body } = await t.call('GET', '/licenses/api/licenses/?status=suspended&page=1&page_size=1');
  expect(body.count).toBe(MANY - 1);
});

test('licences that match only after the call are not part of its job (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const job = await suspendAll(t);
  const later = await createLicense(t);
  await finish(t, job);
  expect((await t.call('GET', `/licenses/api/licenses/${later.id}/`)).body.status).toBe('active');
});

test('a killed job continues where it stopped, and each record is changed once (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const job = await suspendAll(t);

  // The process claims the job, does a part of it and dies; its lease is still held.
  const [row] = await claimJobs(t.db, bulkJob.kind, 1, LEASE_MS, t.context.now());
  const died = AbortSignal.abort();
  const run = { log: quiet, signal: died, tries: 1, isLastTry: false };
  for (let chunk = 0; chunk < 3; chunk += 1) {
    await expect(bulkJob.runStored(t.context, row!.payload, run)).rejects.toThrow();
  }
  const half = await progressOf(t, job);
  expect(half).toMatchObject({ state: 'running', total: MANY, result: null });
  expect(half.done).toBeGreaterThan(0);
  expect(half.done).toBeLessThan(MANY);
  expect(await changesOf(t)).toHaveLength(half.done);

  t.clock.advance(LEASE_MS);
  // Two processes, one of which had claimed the job earlier: no record is processed twice.
  const other = { ...run, signal: new AbortController().signal };
  await Promise.all([finish(t, job), bulkJob.runStored(t.context, row!.payload, other)]);
  const changes = await changesOf(t);
  expect(changes).toHaveLength(MANY);
  expect(new Set(changes.map(({ subject_id }) => subject_id)).size).toBe(MANY);
  expect(await progressOf(t, job)).toMatchObject({ state: 'done', done: MANY, result: { done: MANY } });
  expect(await t.db.selectFrom('bulk_chunks').selectAll().execute()).toEqual([]);
});

test('a job that fails for good shows its reason and the number of records it changed (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const job = await suspendAll(t);
  const [row] = await claimJobs(t.db, bulkJob.kind, 1, LEASE_MS, t.context.now());
  const run = { log: quiet, signal: AbortSignal.abort(), tries: 20, isLastTry: true };
  await expect(bulkJob.runStored(t.context, row!.payload, run)).rejects.toThrow();
  const progress = await progressOf(t, job);
  expect(progress).toMatchObject({
    state: 'failed',
    total: MANY,
    result: { done: progress.done, failed: [] },
  });
});

test('a repeated call with the same Idempotency-Key gets the same job (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const key = { 'idempotency-key': 'suspender-1' };
  const job = await suspendAll(t, key);
  await finish(t, job);
  expect(await suspendAll(t, key)).toBe(job);
  expect(await t.db.selectFrom('bulk_jobs').select('id').execute()).toHaveLength(1);
});

test('an action on a search with many matches reaches all of them (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, 1100);
  const { status, body } = await t.call('POST', '/licenses/api/licenses/bulk_action/', {
    body: { filters: { search: 'masivo' }, expected_count: 1100, action: 'release_seats' },
  });
  expect(status).toBe(202);
  expect((await progressOf(t, body.job)).total).toBe(1100);
});

test('an unknown job is 404, and without a session 401 (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  expect((await t.call('GET', '/licenses/api/jobs/1/')).status).toBe(404);
  expect((await t.call('GET', '/licenses/api/jobs/1/', { token: null })).status).toBe(401);
});

test('a job can be read by the user who started it, and by users who may read the audit (LIST-01)', () => {
  const job = { actor_kind: 'user', actor_id: 7 } as const;
  const reader: Principal = {
    kind: 'user',
    id: 7,
    name: 'Ana',
    permissions: new Set(),
    session: null,
    portal: null,
  };
  expect(maySee(reader, job)).toBe(true);
  expect(maySee({ ...reader, id: 8 }, job)).toBe(false);
  expect(maySee({ ...reader, kind: 'api_key' }, job)).toBe(false);
  expect(maySee({ ...reader, id: 8, permissions: new Set(['audit:read']) }, job)).toBe(true);
});

test('a finished job is deleted after a week (LIST-01)', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const finished = await suspendAll(t);
  await finish(t, finished);
  const cleanUp = () =>
    housekeepingJob.runStored(t.context, '{}', {
      log: quiet,
      signal: new AbortController().signal,
      tries: 1,
      isLastTry: false,
    });
  t.clock.advance(7 * DAY_MS - 60_000);
  t.token = await signInAs(t, 'admin', 'admin123');
  await createClient(t);
  await t.db.updateTable('licenses').set({ status: 'active' }).execute();
  const waiting = await suspendAll(t);
  await cleanUp();
  expect((await t.call('GET', `/licenses/api/jobs/${finished}/`)).status).toBe(200);
  t.clock.advance(2 * 60_000);
  await cleanUp();
  expect((await t.call('GET', `/licenses/api/jobs/${finished}/`)).status).toBe(404);
  expect((await t.call('GET', `/licenses/api/jobs/${waiting}/`)).status).toBe(200);
});

test('a job whose stored call was deleted does nothing (LIST-01)', async () => {
  const t = await createTestApp();
  const run = { log: quiet, signal: new AbortController().signal, tries: 1, isLastTry: false };
  await expect(bulkJob.runStored(t.context, '{"bulk":999}', run)).resolves.toBeUndefined();
});

describe('a job that is stopped early', () => {
  /** Processes the first records of a job. */
  async function begin(t: TestApp, job: number) {
    const stop = new AbortController();
    stop.abort();
    const run = bulkJob.runStored(t.context, JSON.stringify({ bulk: job }), {
      log: quiet,
      signal: stop.signal,
      tries: 1,
      isLastTry: false,
    });
    await expect(run).rejects.toThrow(/se detuvo/);
    expect(await progressOf(t, job)).toMatchObject({ state: 'running', done: 25 });
  }

  const operator = async (t: TestApp) => {
    const body = { username: 'operadora', password: 'secreta1', names: 'Olga', email: 'olga@example.com' };
    expect((await t.call('POST', '/api/auth/register/', { body })).status).toBe(201);
    await t.db.updateTable('users').set({ role: 'operator' }).where('username', '=', 'operadora').execute();
    return signInAs(t, body.username, body.password);
  };

  test.each([
    ['whose role was lowered', { role: 'viewer' as const }],
    ['who was deactivated', { is_active: false }],
  ])('stops before the next records and says why, for a person %s', async (_who, change) => {
    const t = await createTestApp({ now: NOW });
    await insertManyLicenses(t.db, MANY);
    const administrator = t.token;
    t.token = await operator(t);
    const job = await suspendAll(t);
    await begin(t, job);
    t.token = administrator;
    await t.db.updateTable('users').set(change).where('username', '=', 'operadora').execute();
    await finish(t, job);
    expect(await progressOf(t, job)).toEqual({
      state: 'failed',
      total: MANY,
      done: 25,
      result: { done: 25, failed: [] },
      reason: 'Quien lo pidió ya no tiene permiso para hacerlo',
    });
    expect(await changesOf(t)).toHaveLength(25);
  });

  test('is cancelled by its creator or an administrator, and finished changes stay', async () => {
    const t = await createTestApp({ now: NOW });
    await insertManyLicenses(t.db, MANY);
    const cancel = (id: number, token?: string | null) =>
      t.call('POST', `/licenses/api/jobs/${id}/cancel/`, { body: {}, ...(token !== undefined && { token }) });
    const job = await suspendAll(t);
    await begin(t, job);
    const stranger = await operator(t);
    expect((await cancel(job, null)).status).toBe(401);
    expect((await cancel(job, stranger)).status).toBe(404);
    expect((await cancel(999)).status).toBe(404);
    const answer = await cancel(job);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        state: 'cancelled',
        total: MANY,
        done: 25,
        result: { done: 25, failed: [] },
        reason: 'Se detuvo a petición',
      },
    ]);
    const again = await cancel(job);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    await finish(t, job);
    expect(await changesOf(t)).toHaveLength(25);
  });
});

test('a job that died in two tries is set aside with its reason', async () => {
  const t = await createTestApp({ now: NOW });
  await insertManyLicenses(t.db, MANY);
  const job = await suspendAll(t);
  for (let froze = 0; froze < 2; froze += 1) {
    expect(await claimJobs(t.db, bulkJob.kind, 1, 0, t.context.now())).toHaveLength(1);
  }
  await finish(t, job);
  expect(await progressOf(t, job)).toMatchObject({
    state: 'failed',
    done: 0,
    reason: 'Se interrumpió por un error',
  });
  const [row] = await t.db.selectFrom('jobs').selectAll().where('kind', '=', bulkJob.kind).execute();
  expect(row).toMatchObject({ failed_at: NOW, last_error: expect.stringMatching(/dejó de responder/) });
});
