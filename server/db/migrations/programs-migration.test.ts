import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { emptyDatabase, openForTest } from '../../../test/empty-database.ts';
import { codeFromName } from '../../features/software/software-code.ts';
import { migrate } from '../open.ts';
import type { Tables } from '../tables.ts';
import { migrationProvider } from './index.ts';

async function insertSoftware(db: Kysely<Tables>, name: string, version: string): Promise<void> {
  const at = '2026-01-15T12:00:00.000Z';
  const yes = process.env.TEST_ENGINE === 'postgres' ? sql`true` : sql`1`;
  await sql`insert into software (name, name_order, version, identity_key, description, is_active, search_text, created_at, updated_at)
    values (${name}, ${name.toLowerCase()}, ${version}, ${`${name}\n${version}`.toLowerCase()}, '', ${yes}, '', ${at}, ${at})`.execute(
    db,
  );
}

test('existing software gets codes: the versions of one name share a code, different names get different ones', {
  tags: ['PROG-01'],
}, async () => {
  const db = openForTest(await emptyDatabase());
  const { error } = await new Migrator({ db, provider: migrationProvider }).migrateTo('021-people');
  expect(error).toBeUndefined();
  const rows: [name: string, version: string, code: string][] = [
    ['Punto de Venta', '1.0', 'punto-de-venta'],
    ['punto de venta', '2.0', 'punto-de-venta'],
    ['Punto-de-Venta', '1.0', 'punto-de-venta-2'],
    ['Punto de venta 2', '1.0', 'punto-de-venta-2-2'],
    ['Склад', '1.0', 'software'],
    ['倉庫', '1.0', 'software-2'],
    ['Punto de Venta', '3.0', 'punto-de-venta'],
    ['360', '1.0', 'software-360'],
  ];
  for (const [name, version] of rows) await insertSoftware(db, name, version);
  await migrate(db);

  const stored = await db.selectFrom('software').select(['name', 'version', 'code']).orderBy('id').execute();
  expect(stored.map(({ name, version, code }) => [name, version, code])).toEqual(rows);
});

test('the migration computes the same codes as the application', { tags: ['PROG-01'] }, async () => {
  const db = openForTest(await emptyDatabase());
  await new Migrator({ db, provider: migrationProvider }).migrateTo('021-people');
  const names = ['Ñandú Ágil', 'a', '¡!', `${'x'.repeat(49)} y`, '2026', 'ＦＵＬＬ width', 'Straße'];
  for (const name of names) await insertSoftware(db, name, '1');
  await migrate(db);
  const stored = await db.selectFrom('software').select('code').orderBy('id').execute();
  expect(stored.map(({ code }) => code)).toEqual(names.map(codeFromName));
});
