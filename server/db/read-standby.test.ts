import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { NIGHT } from '../../test/at-night.ts';
import { openForTest } from '../../test/empty-database.ts';
import { createClient, createLicense, createSoftware } from '../../test/factories.ts';
import { startCluster } from '../../test/postgres/cluster.ts';
import { createDatabase } from '../../test/postgres/databases.ts';
import { startStandby } from '../../test/postgres/standby.ts';
import { readStandby } from '../features/system/checks/read-standby.ts';
import { migrate, openDatabase } from './open.ts';
import { LONG_WORK_TIMEOUTS } from './postgres/timeouts.ts';
import { followStandby, standbyEngine } from './read-standby.ts';

/** Reports on a real standby of PostgreSQL (OPS-05, docs/decisions/100-reports-on-a-standby.md). */

const API = '/licenses/api/';
/** Bounds what hangs. */
/**
 * @param behindMaxMs short for a test that waits for it
 * @param patient a slow answer of the standby is waited for; else, as in the server, the primary answers instead
 */
async function withStandby({ behindMaxMs = 10 * 60_000, patient = true } = {}) {
  const primary = await startCluster();
  onTestFinished(primary.stop);
  const { url } = await createDatabase({ adminUrl: primary.url });
  await migrate(openForTest({ kind: 'postgres', url, pool: 2 }));
  const standby = await startStandby(primary, { synchronous: false });
  onTestFinished(standby.stop);
  const address = new URL(url);
  address.port = new URL(standby.url).port;
  const t = await createTestApp({ env: { DATABASE_URL: url, DATABASE_READ_URL: address.toString() } });
  const engine = standbyEngine(t.context.config)!;
  const follow = followStandby(
    t.db,
    openDatabase(patient ? { ...engine, timeouts: LONG_WORK_TIMEOUTS } : engine, () => {}),
    {
      everyMs: 100,
      behindMaxMs,
    },
  );
  onTestFinished(follow.close);
  t.context.readLately = follow.read;
  /** A separate connection that pauses the replay on the standby. */
  const control = openForTest({ ...engine, pool: 1 });
  const replay = (action: 'pause' | 'resume') =>
    sql`select ${sql.raw(`pg_wal_replay_${action}()`)}`.execute(control);
  /** Where reports are read now. */
  const reader = () => follow.read(async (_db, asOf) => (asOf === null ? 'primary' : 'standby'));
  const check = () => readStandby.run(t.context);
  return { t, standby, replay, reader, check };
}

describe.runIf(process.env.TEST_ENGINE === 'postgres')('reports on a standby (OPS-05)', () => {
  test('a report is read from the standby and says of which moment it is, everything else is read from the primary', async () => {
    const { t, replay, reader, check } = await withStandby();
    await expect.poll(reader).toBe('standby');
    expect(await check()).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^Los reportes se leen en una réplica, \d+ s atrás\.$/),
    });
    await replay('pause');
    await createClient(t);
    const report = (await t.call('GET', `${API}reports/clients/`)).body;
    expect(report.clients).toBe(0);
    expect(Date.parse(report.as_of)).toBeLessThan(Date.now());
    expect((await t.call('GET', `${API}clients/`)).body.count).toBe(1);
    // Issued after the pause, so the standby does not have it.
    const { license_key } = await createLicense(t);
    expect((await t.call('GET', `${API}reports/fiscal/check/`)).body.terms).toBe(1);
    expect((await t.call('GET', `${API}reports/fiscal/export/`)).text).toContain(license_key);
    expect((await t.call('GET', `${API}statistics/`)).body.statistics.total_licenses).toBe(1);
    expect((await t.call('GET', `${API}reports/clients/`)).body.clients).toBe(0);
    await replay('resume');
    await expect.poll(async () => (await t.call('GET', `${API}reports/clients/`)).body.clients).toBe(2);
  });

  test('a standby that is too far behind is not used until it has caught up', { tags: [NIGHT] }, async () => {
    const { t, replay, reader, check } = await withStandby({ behindMaxMs: 1500 });
    await expect.poll(reader).toBe('standby');
    await replay('pause');
    await createClient(t);
    await expect.poll(reader).toBe('primary');
    expect((await t.call('GET', `${API}reports/clients/`)).body.clients).toBe(1);
    expect(await check()).toMatchObject({ state: 'ok' });
    await replay('resume');
    await expect.poll(reader).toBe('standby');
  });

  test('a report succeeds when the standby does not answer or is gone', { tags: [NIGHT] }, async () => {
    const { t, standby, reader, check } = await withStandby({ patient: false });
    await createSoftware(t);
    await expect.poll(reader).toBe('standby');
    standby.freeze();
    const began = Date.now();
    expect((await t.call('GET', `${API}reports/versions/`)).status).toBe(200);
    expect(Date.now() - began).toBeLessThan(10_000);
    standby.thaw();
    await expect.poll(reader).toBe('standby');
    await standby.stop();
    expect((await t.call('GET', `${API}reports/revenue/`)).status).toBe(200);
    await expect.poll(reader).toBe('primary');
    expect(await check()).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('no responde'),
    });
  });

  test('a column that the standby does not have yet is read from the primary', {
    tags: [NIGHT],
  }, async () => {
    const { t, replay, reader } = await withStandby();
    await expect.poll(reader).toBe('standby');
    await replay('pause');
    await sql`alter table clients add column since_now integer`.execute(t.db);
    const read = () => t.context.readLately((db) => sql`select since_now from clients`.execute(db));
    expect((await read()).rows).toEqual([]);
    await replay('resume');
    await expect.poll(reader).toBe('standby');
    // An error that occurs on both is thrown to the caller.
    await expect(
      t.context.readLately((db) => sql`select nothing_of_the_kind from clients`.execute(db)),
    ).rejects.toThrow('nothing_of_the_kind');
  });

  test('a database that is not a standby is not used', { tags: [NIGHT] }, async () => {
    const { t, standby, reader, check } = await withStandby();
    await expect.poll(reader).toBe('standby');
    await standby.promote();
    await expect.poll(reader).toBe('primary');
    expect((await t.call('GET', `${API}reports/renewals/`)).status).toBe(200);
    expect(await check()).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('no lleva a una réplica'),
    });
  });
});
