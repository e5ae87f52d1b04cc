import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { createClient } from '../../test/factories.ts';
import { isAmong } from './dialect.ts';

test('a list of ids is one parameter, and an empty list matches no row', async () => {
  const t = await createTestApp();
  const [a, b, c] = [await createClient(t), await createClient(t), await createClient(t)];
  const among = (ids: number[]) =>
    t.db
      .selectFrom('clients')
      .select('id')
      .where((eb) => isAmong(t.db, eb.ref('clients.id'), ids))
      .orderBy('id');

  const many = among([c.id, a.id, ...Array.from({ length: 40_000 }, (_, number) => 1_000_000 + number)]);
  expect(many.compile().parameters).toHaveLength(1);
  expect((await many.execute()).map((row) => row.id)).toEqual([a.id, c.id]);
  expect((await among([b.id]).execute()).map((row) => row.id)).toEqual([b.id]);
  expect(await among([]).execute()).toEqual([]);
});

test('an undefined parameter is null on both engines', async () => {
  const { db } = await createTestApp();
  const { rows } = await sql<{ text: string | null }>`select cast(${undefined} as text) as text`.execute(db);
  expect(rows).toEqual([{ text: null }]);
});
