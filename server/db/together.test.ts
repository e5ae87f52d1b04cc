import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { readsInProcess } from './dialect.ts';
import type { Db } from './tables.ts';
import { askTogether } from './together.ts';

/** Doubles a number in the database and records the size of its batch. */
const double = askTogether(
  { n: 'bigint' },
  (db, asked) =>
    db
      .selectFrom(asked)
      .select([sql<number>`2 * asked.n`.as('doubled'), sql<number>`count(*) over ()`.as('size')])
      .select('asked.position'),
  2,
);

const numbers = Array.from({ length: 50 }, (_, index) => index);

test('concurrent queries each get their own answer (promises)', async () => {
  const { db } = (await createTestApp()).context;
  const answers = await Promise.all(numbers.map((n) => double(db, { n })));
  expect(answers.map((answer) => answer?.doubled)).toEqual(numbers.map((n) => 2 * n));
  const sizes = answers.map((answer) => answer!.size);
  // SQLite reads answer at once, so they are not batched.
  if (readsInProcess(db)) expect(sizes).toEqual(numbers.map(() => 1));
  else expect(sizes.reduce((statements, size) => statements + 1 / size, 0)).toBeLessThan(5);
});

test('a query in a transaction is not batched and sees the writes of the transaction', async () => {
  const { db } = (await createTestApp()).context;
  const nameOf = askTogether({ username: 'text' }, (on, asked) =>
    on
      .selectFrom(asked)
      .innerJoin('users', 'users.username', 'asked.username')
      .select(['users.names', 'asked.position']),
  );
  const renamed = async (tx: Db) => {
    await tx.updateTable('users').set({ names: 'Otra' }).execute();
    return Promise.all([nameOf(tx, { username: 'admin' }), nameOf(tx, { username: 'nobody' })]);
  };
  const [known, unknown] = await db.transaction().execute(renamed);
  expect(known?.names).toBe('Otra');
  expect(unknown).toBeUndefined();
  expect(await db.transaction().execute((tx) => double(tx, { n: 2 }))).toMatchObject({ doubled: 4, size: 1 });
});

test('an invalid query does not fail the others of its batch', async () => {
  const { db } = (await createTestApp()).context;
  const read = askTogether({ json: 'text' }, (on, asked) =>
    on
      .selectFrom(asked)
      .select(
        sql<unknown>`${sql.raw(readsInProcess(on) ? 'json(asked.json)' : 'asked.json::json')}`.as('read'),
      )
      .select('asked.position'),
  );
  const results = await Promise.allSettled(['1', 'bad', '3'].map((json) => read(db, { json })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(read(db, { json: 'bad' })).rejects.toThrow(/JSON|json/);
  expect(Number((await read(db, { json: '4' }))?.read)).toBe(4);
});
