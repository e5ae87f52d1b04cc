import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';
import { adjustUsage } from './adjust-usage.ts';
import { mendUsage, wrongUsage } from './recount-usage.ts';
import { type Addition, type CountedRecord, storeAtOnce } from './write-counts.queries.ts';

const isPostgres = process.env.TEST_ENGINE === 'postgres';
const START = '2026-03-01T18:00:00.000Z';
const METERS = {
  facturas: { limit: null, period: 'year', overage: 'allow' },
  timbres: { limit: null, period: 'never', overage: 'allow' },
} as const;

async function metered(t: TestApp) {
  const license = await createLicense(t, { meters: METERS, expiry_days: 3000 });
  await activate(t, license.license_key, 'caja-1');
  const send = async (code: string, amount: number, request_id: string) => {
    const { body } = await t.call('POST', '/licenses/api/usage/', {
      token: null,
      body: {
        license_key: license.license_key,
        machine_id: 'caja-1',
        records: [{ code, amount, request_id }],
      },
    });
    return body.results[0];
  };
  return { license, send };
}

const countsOf = ({ db }: TestApp) =>
  db.selectFrom('usage_counts').select(['code', 'used']).orderBy('license_id').orderBy('code').execute();
const recordsOf = ({ db }: TestApp) => db.selectFrom('usage_records').select('id').execute();

describe('counts of meters that are computed again', { tags: ['SELL-03', 'OPS-01'] }, () => {
  test('a wrong, a corrected and a lost count get the right value, also after their records were deleted', async () => {
    const t = await createTestApp({ now: START });
    const { license, send } = await metered(t);
    await send('facturas', 7, 'factura-1');
    await send('timbres', 3, 'timbre-01');
    await asSystem(t, (scope) => adjustUsage(scope, license.id, 'timbres', { used: 1, reason: 'prueba' }));
    t.clock.set('2026-05-01T18:00:00.000Z');
    await runJob(t.context, housekeepingJob);
    expect(await recordsOf(t)).toEqual([]);
    await send('facturas', 5, 'factura-2');
    await send('timbres', 20, 'timbre-02');
    const right = [
      { code: 'facturas', used: 12 },
      { code: 'timbres', used: 21 },
    ];
    expect(await countsOf(t)).toEqual(right);
    expect(await wrongUsage(t.db)).toBe(0);

    await t.db.updateTable('usage_counts').set({ used: 2 }).execute();
    expect(await wrongUsage(t.db)).toBe(2);
    await t.db.transaction().execute(mendUsage);
    expect(await wrongUsage(t.db)).toBe(0);
    expect(await countsOf(t)).toEqual(right);
  });

  test('a count without its row is made again from its records; those of a deleted licence are left out', async () => {
    const t = await createTestApp({ now: START });
    const { send } = await metered(t);
    await send('facturas', 7, 'factura-1');
    const deleted = await metered(t);
    await deleted.send('facturas', 9, 'factura-1');
    await t.call('DELETE', `/licenses/api/licenses/${deleted.license.id}/`);
    expect(await wrongUsage(t.db)).toBe(0);
    await t.db.deleteFrom('usage_counts').execute();
    expect(await wrongUsage(t.db)).toBe(1);
    await t.db.transaction().execute(mendUsage);
    expect(await countsOf(t)).toEqual([{ code: 'facturas', used: 7 }]);
    expect((await send('facturas', 1, 'factura-2')).used).toBe(8);
    expect(await wrongUsage(t.db)).toBe(0);
  });

  test('a request_id that counts again after 40 days keeps the amount of its first record', async () => {
    const t = await createTestApp({ now: START });
    const { send } = await metered(t);
    await send('facturas', 7, 'factura-1');
    t.clock.set('2026-04-11T18:00:01.000Z');
    expect(await send('facturas', 2, 'factura-1')).toMatchObject({ duplicate: false, used: 9 });
    expect(await recordsOf(t)).toHaveLength(1);
    expect(await wrongUsage(t.db)).toBe(0);
  });

  test('records of the version before, which do not say what they added, make no count wrong', async () => {
    const t = await createTestApp({ now: START });
    const { send } = await metered(t);
    await send('facturas', 7, 'factura-1');
    await send('facturas', 2, 'factura-2');
    await sql`update usage_records set code = null, period = null, amount = null
      where request_id = 'factura-2'`.execute(t.db);
    expect(await wrongUsage(t.db)).toBe(0);
    await t.db.transaction().execute(mendUsage);
    expect(await countsOf(t)).toEqual([{ code: 'facturas', used: 9 }]);
    t.clock.set('2026-05-01T18:00:00.000Z');
    await runJob(t.context, housekeepingJob);
    await send('facturas', 1, 'factura-3');
    expect(await countsOf(t)).toEqual([{ code: 'facturas', used: 10 }]);
    expect(await wrongUsage(t.db)).toBe(0);
  });
});

describe('the statement that reads and writes without a transaction', { tags: ['SELL-03'] }, () => {
  const given = (license_id: number, used: number) => {
    const count = { license_id, code: 'facturas', period: '2026' };
    const addition = { ...count, added: 4, used, resets_at: null };
    const record = { ...count, request_id: `factura-${used}`, amount: 4 };
    return [addition, record] satisfies [Omit<Addition, 'base' | 'reached_at'>, CountedRecord];
  };

  test.runIf(isPostgres)(
    'it stores nothing if the count or a request_id is not as it was read, and else everything',
    async () => {
      const t = await createTestApp({ now: START });
      const { license } = await metered(t);
      const store = (used: number, again?: CountedRecord) => {
        const [addition, record] = given(license.id, used);
        return storeAtOnce(t.db, [addition], [again ?? record], t.context.now());
      };
      expect(await store(4)).toBe(true);
      expect(await store(4)).toBe(false);
      expect(await store(8, given(license.id, 4)[1])).toBe(false);
      expect(await store(8)).toBe(true);
      expect(await countsOf(t)).toEqual([{ code: 'facturas', used: 8 }]);
      expect(await recordsOf(t)).toHaveLength(2);
      const [addition, record] = given(999_999, 4);
      expect(await storeAtOnce(t.db, [addition], [record], t.context.now())).toBe(false);
      expect(await recordsOf(t)).toHaveLength(2);
    },
  );

  test.runIf(isPostgres)('it waits for a correction that has read the count', async () => {
    const t = await createTestApp({ now: START });
    const { license, send } = await metered(t);
    await send('facturas', 10, 'factura-1');
    let reported: ReturnType<typeof send> | undefined;
    let isAnswered = false;
    await asSystem(t, async (scope) => {
      await sql`select id from licenses where id = ${license.id} for update`.execute(scope.tx);
      reported = send('facturas', 5, 'factura-2').finally(() => {
        isAnswered = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(isAnswered).toBe(false);
      await adjustUsage(scope, license.id, 'facturas', { used: 4, reason: 'prueba' });
    });
    expect((await reported)?.used).toBe(9);
    expect(await wrongUsage(t.db)).toBe(0);
  });
});
