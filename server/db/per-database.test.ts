import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { perDatabase } from './per-database.ts';

test('what is kept for a database is made once, and its transactions have the same', async () => {
  const { db } = await createTestApp();
  const other = await createTestApp();
  const kept = perDatabase((_db, name: string) => ({ name }));
  const first = kept(db, 'first');
  expect(first).toEqual({ name: 'first' });
  expect(kept(db, 'again')).toBe(first);
  expect(await db.transaction().execute(async (tx) => kept(tx, 'again'))).toBe(first);
  expect(kept(other.db, 'other')).toEqual({ name: 'other' });
});
