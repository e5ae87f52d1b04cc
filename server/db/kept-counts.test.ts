import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../test/factories.ts';
import { countKept } from './kept-counts.ts';

/** The stored counts and the real counts, by status and kind. */
async function bothCounts({ db }: TestApp) {
  const kept = await db
    .selectFrom('row_counts')
    .select((eb) => ['table_name', 'status', 'kind', eb.fn.sum<number>('n').as('n')])
    .groupBy(['table_name', 'status', 'kind'])
    .having((eb) => eb(eb.fn.sum<number>('n'), '<>', 0))
    .execute();
  const clients = await db
    .selectFrom('clients')
    .select((eb) => ['status', 'client_type as kind', eb.fn.countAll<number>().as('n')])
    .groupBy(['status', 'client_type'])
    .execute();
  const licenses = await db
    .selectFrom('licenses')
    .select((eb) => ['status', 'license_type as kind', eb.fn.countAll<number>().as('n')])
    .groupBy(['status', 'license_type'])
    .execute();
  const bySoftware = await db
    .selectFrom('licenses')
    .select((eb) => ['software_id as kind', eb.fn.countAll<number>().as('n')])
    .groupBy('software_id')
    .execute();
  const byType = await db
    .selectFrom('licenses')
    .select((eb) => ['license_type_id as kind', eb.fn.countAll<number>().as('n')])
    .groupBy('license_type_id')
    .execute();
  const { n: installations } = await db
    .selectFrom('installations')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const text = (table: string, row: { status: string; kind: string; n: number }) =>
    `${table} ${row.status} ${row.kind} ${row.n}`;
  return {
    kept: kept.map((row) => text(row.table_name, row)).sort(),
    there: [
      ...clients.map((row) => text('clients', row)),
      ...licenses.map((row) => text('licenses', row)),
      ...bySoftware.map(({ kind, n }) => text('licenses_by_software', { status: '', kind: `${kind}`, n })),
      ...byType.map(({ kind, n }) => text('licenses_by_type', { status: '', kind: `${kind ?? ''}`, n })),
      ...(installations > 0 ? [text('installations', { status: '', kind: '', n: installations })] : []),
    ].sort(),
  };
}

test('the stored counts follow inserts, changes of status or kind, and deletions, cascades included', async () => {
  const testApp = await createTestApp();
  const client = await createClient(testApp, { client_type: 'enterprise' });
  const second = await createClient(testApp, { status: 'pending' });
  const software = await createSoftware(testApp);
  const license = await createLicense(testApp, { client: client.id, software: software.id });
  const trial = await createLicense(testApp, {
    client: client.id,
    software: software.id,
    license_type: 'trial',
    status: 'trial',
  });
  await activate(testApp, license.license_key, 'caja-01');
  await activate(testApp, license.license_key, 'caja-02');
  await activate(testApp, trial.license_key, 'caja-01');

  let { kept, there } = await bothCounts(testApp);
  expect(kept).toEqual(there);
  expect(kept).toContain('licenses trial trial 1');
  expect(kept).toContain('installations   3');

  await testApp.call('PUT', `/licenses/api/licenses/${trial.id}/`, { body: { status: 'cancelled' } });
  await testApp.call('PATCH', '/licenses/api/clients/bulk_update/', {
    body: { ids: [client.id, second.id], updates: { status: 'suspended' } },
  });
  await testApp.call('DELETE', `/licenses/api/licenses/${license.id}/`);
  ({ kept, there } = await bothCounts(testApp));
  expect(kept).toEqual(there);
  expect(await countKept(testApp.db, { table: 'clients', status: 'suspended' })).toBe(2);
  expect(await countKept(testApp.db, { table: 'clients', kind: 'enterprise' })).toBe(1);
  expect(await countKept(testApp.db, { table: 'licenses', status: 'cancelled', kind: 'trial' })).toBe(1);
  expect(await countKept(testApp.db, { table: 'licenses', status: 'active' })).toBe(0);
  expect(await countKept(testApp.db, { table: 'installations' })).toBe(1);
});

test('the stored counts of licences by software and type follow changes and the deletion of the type', async () => {
  const testApp = await createTestApp();
  const [first, second] = [await createSoftware(testApp), await createSoftware(testApp)];
  const type = await createLicenseType(testApp);
  const license = await createLicense(testApp, { software: first.id });
  await createLicense(testApp, { software: first.id, license_type_config: type.id });
  await testApp.call('PUT', `/licenses/api/licenses/${license.id}/`, {
    body: { software: second.id, license_type_config: type.id },
  });
  let { kept, there } = await bothCounts(testApp);
  expect(kept).toEqual(there);
  expect(kept).toContain(`licenses_by_type  ${type.id} 2`);

  await testApp.db.deleteFrom('license_types').where('id', '=', type.id).execute();
  ({ kept, there } = await bothCounts(testApp));
  expect(kept).toEqual(there);
  expect(kept).toContain('licenses_by_type   2');
});

test('a rollback leaves the counts unchanged, and concurrent writers lose no count', async () => {
  const testApp = await createTestApp();
  await expect(
    testApp.db.transaction().execute(async (tx) => {
      await tx.updateTable('clients').set({ status: 'inactive' }).execute();
      await tx.deleteFrom('clients').execute();
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  await Promise.all(Array.from({ length: 30 }, () => createClient(testApp)));
  const { kept, there } = await bothCounts(testApp);
  expect(kept).toEqual(there);
  expect(await countKept(testApp.db, { table: 'clients' })).toBe(30);
});
