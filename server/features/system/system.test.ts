import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { quiet } from '../../../test/deliver-mail.ts';
import { runJob } from '../../../test/run-job.ts';
import { startJobs } from '../../jobs/runner.ts';
import type { Check } from './checks/check.ts';
import { runChecks } from './checks/run-checks.ts';
import { systemChecksJob } from './checks/system-checks-job.ts';

const SYSTEM = '/licenses/api/system/';
const NOW = '2026-11-22T12:00:00.000Z';

async function addJob({ db }: TestApp, values: object = {}): Promise<number> {
  const row = {
    kind: 'bulk',
    name: null,
    payload: '{"secreto":"xochitl@example.com"}',
    run_at: NOW,
    claimed_until: null,
    tries: 2,
    last_error: null,
    created_at: NOW,
    failed_at: null,
    ...values,
  };
  const { id } = await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

const FAILED = { failed_at: NOW, last_error: 'No hubo respuesta' };

test('the system page gets versions, sizes, the checks of the last run and its jobs (OPS-02)', async () => {
  // Of its own, because the answer says when the application was started.
  const t = await createTestApp({ now: NOW, ownApp: true });
  await t.db.deleteFrom('jobs').execute();
  await addJob(t);
  await addJob(t, FAILED);
  await addJob(t, { claimed_until: '2026-11-22T12:00:30.000Z' });
  const before = await t.call('GET', SYSTEM);
  expect(before.status).toBe(200);
  expect(before.body).toMatchObject({
    version: t.context.config.version,
    engine: process.env.TEST_ENGINE,
    started_at: NOW,
    checks: [],
    jobs: { waiting: 1, running: 1, failed: 1 },
    backups: [],
  });
  expect(before.body.database_version).toMatch(/^\d+\.\d+/);
  expect(before.body.sizes.database).toBeGreaterThan(100_000);
  expect(before.body.sizes.free_disk).toBeGreaterThan(0);

  await runJob(t.context, systemChecksJob);
  const { checks } = (await t.call('GET', SYSTEM)).body;
  expect(checks).toContainEqual({
    id: 'jobs',
    state: 'warning',
    message: '1 trabajo falló y no se reintentará.',
    remedy: expect.stringContaining('Reintentar'),
    checked_at: NOW,
  });
  const ids = checks.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(['configuration', 'database', 'secret_key', 'migrations', 'smtp']),
  );
  // Only the doctor runs the checks that read whole files and tables.
  for (const id of ['quick_check', 'counts', 'seats', 'sums', 'trust_proxy']) expect(ids).not.toContain(id);
});

test('a requested check runs at once and is stored (OPS-02)', async () => {
  const t = await createTestApp();
  const runner = startJobs(t.context, quiet, [systemChecksJob]);
  const checkedAt = async () =>
    (await t.db.selectFrom('system_checks').select('checked_at').execute()).map((row) => row.checked_at)[0];
  try {
    await expect.poll(checkedAt).toBeDefined();
    const first = await checkedAt();
    t.context.nudgeJobs = runner.nudge;
    const answer = await t.call('POST', `${SYSTEM}check/`);
    expect([answer.status, answer.body]).toEqual([202, { success: true, message: 'La comprobación empezó' }]);
    await expect.poll(checkedAt).not.toBe(first);
  } finally {
    await runner.stop();
  }
});

test('the list of jobs can be filtered by state and contains no payload (OPS-02)', async () => {
  const t = await createTestApp({ now: NOW });
  await t.db.deleteFrom('jobs').execute();
  const waiting = await addJob(t, { claimed_until: '2026-11-22T11:00:00.000Z' });
  const failed = await addJob(t, FAILED);
  const running = await addJob(t, { claimed_until: '2026-11-22T12:00:30.000Z' });
  const listed = async (query: string) => (await t.call('GET', `${SYSTEM}jobs/${query}`)).body;
  expect((await listed('')).results.map(({ id }: { id: number }) => id)).toEqual([running, failed, waiting]);
  expect((await listed('?state=failed')).results).toEqual([
    {
      id: failed,
      kind: 'bulk',
      label: 'Acción con muchos registros',
      state: 'failed',
      tries: 2,
      run_at: NOW,
      last_error: 'No hubo respuesta',
    },
  ]);
  expect((await listed('?state=running')).results).toMatchObject([{ id: running, state: 'running' }]);
  expect((await listed('?state=waiting')).results).toMatchObject([{ id: waiting, state: 'waiting' }]);
  expect(JSON.stringify(await listed(''))).not.toContain('xochitl');
  expect((await t.call('GET', `${SYSTEM}jobs/?state=nada`)).status).toBe(400);
});

test('a failed job can be tried again, and trying any other job is a conflict (OPS-02)', async () => {
  const t = await createTestApp({ now: NOW });
  const id = await addJob(t, { ...FAILED, unended: 2, run_at: '2026-11-20T12:00:00.000Z' });
  const again = await t.call('POST', `${SYSTEM}jobs/${id}/retry/`);
  expect([again.status, again.body]).toEqual([
    200,
    {
      id,
      kind: 'bulk',
      label: 'Acción con muchos registros',
      state: 'waiting',
      tries: 0,
      run_at: NOW,
      last_error: 'No hubo respuesta',
    },
  ]);
  const row = await t.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect([row.failed_at, row.unended]).toEqual([null, 0]);
  const twice = await t.call('POST', `${SYSTEM}jobs/${id}/retry/`);
  expect([twice.status, twice.body.code, twice.body.message]).toEqual([
    409,
    'conflict',
    'Solo se reintenta un trabajo que falló',
  ]);
  expect((await t.call('POST', `${SYSTEM}jobs/999999/retry/`)).status).toBe(404);
  const events = (await t.call('GET', '/licenses/api/events/?type=job.retried')).body.results;
  expect(events).toMatchObject([
    {
      actor: { kind: 'user', name: 'Administrador Demo' },
      subject: { kind: 'job', id, name: 'Acción con muchos registros' },
      changes: {},
    },
  ]);
});

test('a check that throws or hangs is reported as a failure, and the others still run (OPS-02)', async () => {
  const t = await createTestApp();
  const base = { needs: 'nothing' as const };
  const checks: Check[] = [
    { ...base, id: 'disk', run: () => Promise.reject(new Error('se cayó')) },
    { ...base, id: 'smtp', limitMs: 50, run: () => new Promise(() => {}) },
    { ...base, id: 'jobs', run: async () => ({ state: 'ok', message: 'Bien.', remedy: null }) },
    { ...base, id: 'mails', run: async () => null },
  ];
  const found = await runChecks(checks, t.context);
  expect(found.map(({ id, state, message }) => [id, state, message])).toEqual([
    ['disk', 'failure', 'No se pudo comprobar: se cayó'],
    ['smtp', 'failure', 'No terminó en 0.05 segundos.'],
    ['jobs', 'ok', 'Bien.'],
  ]);
});
