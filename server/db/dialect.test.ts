import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { createClient } from '../../test/factories.ts';
import { isAmong } from './dialect.ts';

test('a list of ids is bound as one parameter, and an empty list matches no row', async () => {
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

test('an undefined parameter is sent as null on both engines', async () => {
  const { db } = await createTestApp();
  const { rows } = await sql<{ text: string | null }>`select cast(${undefined} as text) as text`.execute(db);
  expect(rows).toEqual([{ text: null }]);
});

test.runIf(process.env.TEST_ENGINE !== 'postgres')(
  'writes to a file that became read-only get 503, and reads still work',
  async () => {
    const t = await createTestApp();
    const { id, name } = await createClient(t);
    const path = `/licenses/api/clients/${id}/`;
    // Simulates a disk that became read-only: every write fails with SQLITE_READONLY.
    await t.db.transaction().execute((tx) => sql`pragma query_only = on`.execute(tx));
    const refused = await t.call('PATCH', path, { body: { name: 'Otro' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    expect((await t.call('GET', path)).body.name).toBe(name);
    const health = await t.call('GET', '/api/health/', { token: null });
    expect([health.status, health.body.problem]).toEqual([
      503,
      expect.stringMatching(/^El archivo de la base de datos no admite cambios\./),
    ]);
  },
);
