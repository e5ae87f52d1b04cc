import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { readsInProcess } from './dialect.ts';
import type { Db } from './tables.ts';
import { askTogether } from './together.ts';

/**
 * Doubles a number in the database. On PostgreSQL it also returns the time of the statement, which shows whether
 * queries shared one.
 */
const double = askTogether({ n: 'bigint' }, (db, asked) =>
  db.selectNoFrom([
    sql<number>`2 * ${asked.n}`.as('doubled'),
    sql<string>`${sql.raw(readsInProcess(db) ? "''" : 'statement_timestamp()::text')}`.as('statement'),
  ]),
);

const numbers = Array.from({ length: 50 }, (_, index) => index);

test('concurrent queries in one batch each get their own answer (promises)', async () => {
  const { db } = (await createTestApp()).context;
  const answers = await Promise.all(numbers.map((n) => double(db, { n })));
  expect(answers.map((answer) => answer?.doubled)).toEqual(numbers.map((n) => 2 * n));
  // On SQLite a read is answered at once and not batched, and its statement time is ''.
  expect(new Set(answers.map((answer) => answer!.statement)).size).toBeLessThan(5);
});

test('a query in a transaction is not batched and sees the writes of the transaction', async () => {
  const { db } = (await createTestApp()).context;
  const nameOf = askTogether({ username: 'text' }, (on, asked) =>
    on.selectFrom('users').where('username', '=', asked.username).select('names'),
  );
  const renamed = async (tx: Db) => {
    await tx.updateTable('users').set({ names: 'Otra' }).execute();
    return Promise.all([nameOf(tx, { username: 'admin' }), nameOf(tx, { username: 'nobody' })]);
  };
  const [known, unknown] = await db.transaction().execute(renamed);
  expect(known?.names).toBe('Otra');
  expect(unknown).toBeUndefined();
  expect(await db.transaction().execute((tx) => double(tx, { n: 2 }))).toMatchObject({ doubled: 4 });
});

test('an invalid query does not fail the others of its batch', async () => {
  const { db } = (await createTestApp()).context;
  const read = askTogether({ json: 'text' }, (on, asked) =>
    on.selectNoFrom(
      (readsInProcess(on) ? sql<unknown>`json(${asked.json})` : sql<unknown>`${asked.json}::json`).as('read'),
    ),
  );
  const results = await Promise.allSettled(['1', 'bad', '3'].map((json) => read(db, { json })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(read(db, { json: 'bad' })).rejects.toThrow(/JSON|json/);
  expect(Number((await read(db, { json: '4' }))?.read)).toBe(4);
});
