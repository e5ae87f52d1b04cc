import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../../test/at-night.ts';
import { quiet } from '../../../../test/deliver-mail.ts';
import { emptyFolder } from '../../../../test/empty-folder.ts';
import { createClient } from '../../../../test/factories.ts';
import { runJob } from '../../../../test/run-job.ts';
import { makeCopy } from '../../../db/copies/make-copy.ts';
import { BadCopyError, countRows, tryCopy } from '../../../db/copies/try-copy.ts';
import { engineOf } from '../../../db/open.ts';
import { startJobs } from '../../../jobs/runner.ts';
import { backup as backupCheck, jobs as jobsCheck } from '../checks/work.ts';
import { backupJob } from './backup-job.ts';
import { keepPlan, takeTry } from './backups.queries.ts';

const SYSTEM = '/licenses/api/system/';
/** 03:30 in Mexico City. */
const NOW = '2026-11-26T09:30:00.000Z';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function appWithCopies(env: Record<string, string> = {}) {
  const folder = emptyFolder();
  const dir = join(folder, 'copies');
  const keyDir = join(folder, 'keys');
  const t = await createTestApp({ now: NOW, env: { BACKUP_DIR: dir, BACKUP_KEY_DIR: keyDir, ...env } });
  return { t, dir, keyDir };
}

/** Signs in again for each call, because the session ends during these tests. */
async function get(t: TestApp, path: string) {
  t.token = await signInAs(t, 'admin', 'admin123');
  return (await t.call('GET', path)).body;
}

const systemOf = (t: TestApp) => get(t, SYSTEM);
const names = (dir: string) => (existsSync(dir) ? readdirSync(dir).sort() : []);

test('a backup copy is made and tested once a day, and is listed in the system (OPS-03)', async () => {
  const { t, dir } = await appWithCopies();
  await createClient(t);
  expect(await systemOf(t)).toMatchObject({ backups: [], backup_plan: null });
  await runJob(t.context, backupJob);
  await runJob(t.context, backupJob);
  const name = 'license-manager-20261126-093000Z.sqlite';
  expect(names(dir)).toEqual([name]);
  const { size, mode } = statSync(join(dir, name));
  expect(mode & 0o777).toBe(0o600);
  expect(await systemOf(t)).toMatchObject({
    backups: [{ name, at: NOW, size, tried_at: NOW, error: null }],
    backup_plan: {
      local_time: '03:00',
      next_at: '2026-11-27T09:00:00.000Z',
      last_tried_at: NOW,
      error: null,
    },
  });
  const copy = new Database(join(dir, name), { readonly: true });
  onTestFinished(() => void copy.close());
  expect(copy.prepare('select count(*) as n from clients').get()).toEqual({ n: 1 });

  t.clock.set('2026-11-27T08:59:00.000Z');
  await runJob(t.context, backupJob);
  expect(names(dir)).toHaveLength(1);
  t.clock.set('2026-11-27T09:00:00.000Z');
  await runJob(t.context, backupJob);
  expect(names(dir)).toHaveLength(2);
});

test('calls and writes continue while a copy is made (OPS-03)', { tags: [POSTGRES_AT_NIGHT] }, async () => {
  const { t, dir } = await appWithCopies();
  let isMade = false;
  const made = runJob(t.context, backupJob).then(() => {
    isMade = true;
  });
  const statuses = new Set<number>();
  let longest = 0;
  while (!isMade) {
    const from = performance.now();
    const answer = await t.call('POST', '/licenses/api/clients/', {
      body: { name: 'Ana', email: `ana-${Math.random()}@example.com`, phone: '5512345678' },
    });
    statuses.add(answer.status);
    longest = Math.max(longest, performance.now() - from);
  }
  await made;
  expect([...statuses]).toEqual([201]);
  expect(longest).toBeLessThan(5000);
  expect(names(dir)).toHaveLength(1);
});

test('the test of a copy finds damage and missing rows (OPS-03)', { tags: [POSTGRES_AT_NIGHT] }, async () => {
  const { t, dir } = await appWithCopies();
  await runJob(t.context, backupJob);
  const file = join(dir, names(dir)[0]!);
  const copy = new Database(file);
  const counts = countRows(copy);
  expect(() => tryCopy(file, counts)).not.toThrow();
  copy.exec('delete from users');
  copy.close();
  expect(() => tryCopy(file, counts)).toThrow(/La copia no está completa: \w+ tiene 0 de 1 filas/);

  const bytes = readFileSync(file);
  // Overwrites every page except the first.
  const damaged = join(dir, 'damaged');
  writeFileSync(damaged, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]));
  expect(() => tryCopy(damaged, counts)).toThrow(BadCopyError);
  writeFileSync(damaged, bytes);
  truncateSync(damaged, bytes.length / 2);
  expect(() => tryCopy(damaged, counts)).toThrow(BadCopyError);

  // A copy that has changed since it was verified is not listed as good.
  truncateSync(file, bytes.length / 2);
  t.clock.advance(DAY_MS);
  await runJob(t.context, backupJob);
  const { backups } = await systemOf(t);
  expect(backups.map(({ error }: { error: string | null }) => error)).toEqual([
    null,
    'El archivo cambió después de probarlo.',
  ]);
});

test('of several replicas with BACKUP_DIR exactly one makes the copy (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const { t, dir } = await appWithCopies();
  const without = { ...t.context, config: { ...t.context.config, backup: null } };
  const idle = startJobs(without, quiet, [backupJob]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await idle.stop();
  expect(names(dir)).toEqual([]);
  const runners = [t.context, t.context, without].map((context) => startJobs(context, quiet, [backupJob]));
  await expect.poll(async () => (await systemOf(t)).backups).toHaveLength(1);
  await Promise.all(runners.map((runner) => runner.stop()));
  // Both claim the same attempt, so only one of them makes the copy.
  await Promise.all([runJob(t.context, backupJob), runJob(t.context, backupJob)]);
  t.clock.advance(DAY_MS);
  await Promise.all([runJob(t.context, backupJob), runJob(t.context, backupJob)]);
  expect(names(dir)).toHaveLength(2);
});

test('an attempt that another process took at the same moment is not taken again (OPS-03)', async () => {
  const { t } = await appWithCopies();
  const now = t.context.now();
  const plan = await keepPlan(t.db, now);
  expect(await takeTry(t.db, plan, now)).toBe(true);
  // Refused with a plan read before the claim, and with one read after it at the same moment.
  expect(await takeTry(t.db, plan, now)).toBe(false);
  expect(await takeTry(t.db, await keepPlan(t.db, now), now)).toBe(false);
  // An interrupted attempt can be claimed again later.
  const later = new Date(now.getTime() + 1000);
  expect(await takeTry(t.db, await keepPlan(t.db, later), later)).toBe(true);
});

test('the key is written to BACKUP_KEY_DIR and never beside the copy (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const { t, dir, keyDir } = await appWithCopies();
  await runJob(t.context, backupJob);
  const [copy] = names(dir);
  expect(names(keyDir)).toEqual([`${copy}.key`]);
  const key = join(keyDir, `${copy}.key`);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(readFileSync(key)).toEqual(readFileSync(join(t.context.config.dataDir, 'secret.key')));

  const own = await appWithCopies({ SECRET_KEY: 'q0Vf7yXn2LsT9cWmB4hKdR1uJ6gZpE3a' });
  await runJob(own.t.context, backupJob);
  expect(names(own.dir)).toHaveLength(1);
  expect(names(own.keyDir)).toEqual([]);
});

test('when BACKUP_KEY_DIR is a link to BACKUP_DIR no key and no copy is written (OPS-03)', async () => {
  const { t, dir, keyDir } = await appWithCopies();
  mkdirSync(dir);
  symlinkSync(dir, keyDir);
  await runJob(t.context, backupJob);
  expect(names(dir)).toEqual([]);
  expect((await systemOf(t)).backup_plan.error).toContain('la clave no se guarda junto a las copias');
});

test('a failure is shown in the system and retried after an hour, until a copy succeeds (OPS-03)', async () => {
  const { t, dir } = await appWithCopies();
  writeFileSync(dir, 'no es una carpeta');
  await runJob(t.context, backupJob);
  const failed = await systemOf(t);
  expect(failed.backups).toMatchObject([{ at: NOW, size: 0, tried_at: null }]);
  expect(failed.backups[0].error).toContain('No se puede usar');
  expect(failed.backup_plan).toMatchObject({ last_tried_at: null, error: failed.backups[0].error });
  expect(await backupCheck.run(t.context)).toMatchObject({ state: 'warning' });

  rmSync(dir);
  t.clock.advance(HOUR_MS - 1000);
  await runJob(t.context, backupJob);
  expect(names(dir)).toEqual([]);
  t.clock.advance(1000);
  await runJob(t.context, backupJob);
  expect(names(dir)).toHaveLength(1);
  expect((await systemOf(t)).backups).toMatchObject([{ error: null }]);
  expect(await backupCheck.run(t.context)).toMatchObject({ state: 'ok' });
});

test('after 26 hours without a tested copy the bell and the health check warn (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const { t, dir } = await appWithCopies();
  const bell = async () =>
    (await get(t, '/licenses/api/notifications/')).results.filter(
      ({ kind }: { kind: string }) => kind === 'backup_late',
    );
  await runJob(t.context, backupJob);
  rmSync(dir, { recursive: true });
  writeFileSync(dir, 'un disco que no está');
  t.clock.advance(26 * HOUR_MS - 1000);
  await runJob(t.context, backupJob);
  expect(await bell()).toEqual([]);
  t.clock.advance(1000);
  expect(await bell()).toMatchObject([
    {
      at: '2026-11-27T11:30:00.000Z',
      message: expect.stringMatching(
        /^No hay una copia de seguridad probada desde el 26 de noviembre de 2026/,
      ),
      read: false,
    },
  ]);
  expect(await backupCheck.run(t.context)).toMatchObject({
    state: 'failure',
    message: expect.stringContaining('No se puede usar'),
  });
  // It stays the same notification as long as the delay lasts.
  await t.call('POST', '/licenses/api/notifications/read/', { body: {} });
  t.clock.advance(DAY_MS);
  expect(await bell()).toMatchObject([{ read: true }]);
  rmSync(dir);
  await runJob(t.context, backupJob);
  expect(await bell()).toEqual([]);
});

test('without BACKUP_DIR there is no plan and no notification, and the check says how to set it (OPS-03)', async () => {
  const t = await createTestApp({
    now: NOW,
    env: { NODE_ENV: 'production', PUBLIC_URL: 'https://a.example' },
  });
  expect(await backupCheck.run(t.context)).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('BACKUP_DIR'),
  });
  // A job that a server with BACKUP_DIR left behind does not count as late.
  const job = { kind: 'backup', name: 'backup', payload: '{}', run_at: '2026-11-20T09:00:00.000Z', tries: 0 };
  const never = { claimed_until: null, last_error: null, failed_at: null };
  await t.db
    .insertInto('jobs')
    .values({ ...job, ...never, created_at: NOW })
    .execute();
  expect(await jobsCheck.run(t.context)).toMatchObject({ state: 'ok' });
});

test('expired copies are deleted with their keys, and nothing else is deleted (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const { t, dir, keyDir } = await appWithCopies();
  mkdirSync(dir);
  mkdirSync(keyDir);
  const named = (day: string) => `license-manager-${day}-090000Z.sqlite`;
  const days = Array.from({ length: 12 }, (_, index) => `202611${String(index + 10)}`);
  for (const day of days) {
    writeFileSync(join(dir, named(day)), 'una copia');
    writeFileSync(join(keyDir, `${named(day)}.key`), 'una clave');
  }
  const foreign = ['notas.txt', 'license-manager-20261110.sqlite', 'license-manager-20261310-090000Z.sqlite'];
  for (const name of foreign) writeFileSync(join(dir, name), 'no es de este programa');
  // The draft of an interrupted attempt.
  writeFileSync(join(dir, '.license-manager-20261125-090000Z.sqlite.tmp'), 'media copia');
  await runJob(t.context, backupJob);
  const today = 'license-manager-20261126-093000Z.sqlite';
  // The last seven days with a copy, and the newest copy of the week before.
  const kept = ['20261115', '20261116', '20261117', '20261118', '20261119', '20261120', '20261121'];
  const copies = names(dir).filter((name) => !foreign.includes(name));
  expect(copies).toEqual([...kept.map(named), today].sort());
  expect(names(keyDir)).toEqual(copies.map((name) => `${name}.key`));
  expect(names(dir)).toEqual(expect.arrayContaining(foreign));
});

test('an interrupted copy leaves no partial file (OPS-03)', async () => {
  const { t, dir } = await appWithCopies();
  mkdirSync(dir);
  const abort = new AbortController();
  const made = makeCopy(
    {
      engine: engineOf(t.context.config),
      draft: join(dir, '.draft'),
      file: join(dir, 'copy'),
      rowsMax: 1_000_000,
    },
    abort.signal,
  );
  setTimeout(() => abort.abort(new Error('se detiene')), 100);
  await expect(made).rejects.toThrow('se detiene');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(names(dir)).toEqual([]);
});

test.runIf(process.env.TEST_ENGINE === 'postgres')(
  'a database with more rows than BACKUP_ROWS_MAX is skipped with a warning and without a notification (OPS-03)',
  async () => {
    const { t, dir } = await appWithCopies({ BACKUP_ROWS_MAX: '3' });
    await runJob(t.context, backupJob);
    expect(names(dir)).toEqual([]);
    expect((await systemOf(t)).backup_plan.error).toContain('más que BACKUP_ROWS_MAX');
    expect(await backupCheck.run(t.context)).toMatchObject({ state: 'warning' });
    t.clock.advance(3 * DAY_MS);
    expect((await get(t, '/licenses/api/notifications/')).results).toEqual([]);
  },
);
