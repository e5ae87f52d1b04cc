import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { insertManyLicenses } from '../../test/many-licenses.ts';
import { idOfTypedKey } from './license-keys.ts';

test('looking up an unknown key reads indexes only, those of all keys and of imported keys (API-02)', async () => {
  const { db } = await createTestApp();
  await insertManyLicenses(db, 2000);
  const isPostgres = process.env.TEST_ENGINE === 'postgres';
  const plan = await db.transaction().execute(async (tx) => {
    if (isPostgres) await sql`analyze licenses`.execute(tx);
    const explain = sql.raw(isPostgres ? 'explain' : 'explain query plan');
    const { rows } = await sql`${explain} select ${idOfTypedKey('nadie-1')} as id`.execute(tx);
    return JSON.stringify(rows);
  });
  expect(plan).toContain('licenses_by_foreign_key');
  expect(plan).not.toMatch(/licenses_pkey|SCAN licenses|Seq Scan/);
});
