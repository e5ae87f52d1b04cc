import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { readsInProcess } from './dialect.ts';
import type { Db } from './tables.ts';
import { together } from './together.ts';

/** Doubles numbers in the database, and tells how many it was asked for at a time. */
function doubling() {
  const sizes: number[] = [];
  const ask = async (db: Db, texts: string[]) => {
    sizes.push(texts.length);
    const columns = texts.map(
      (text, index) => sql`${sql.lit(2)} * cast(${text} as integer) as ${sql.id(`n${index}`)}`,
    );
    const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(db);
    return texts.map((_, index) => rows[0]?.[`n${index}`]);
  };
  return { sizes, double: together(async (db: Db, text: string) => (await ask(db, [text]))[0], ask, 2) };
}

const numbers = Array.from({ length: 50 }, (_, index) => index);

test('promises: each gets the answer to its own question, however many come at once', async () => {
  const { db } = (await createTestApp()).context;
  const { sizes, double } = doubling();
  expect(await Promise.all(numbers.map((n) => double(db, String(n))))).toEqual(numbers.map((n) => 2 * n));
  // A read of SQLite is there at once: nothing is won by waiting for others.
  if (readsInProcess(db)) expect(sizes).toEqual(numbers.map(() => 1));
  else expect(sizes.length).toBeLessThan(5);
});

test('within a transaction a question is its own, and sees what the transaction has written', async () => {
  const { db } = (await createTestApp()).context;
  const { sizes, double } = doubling();
  const answers = await db
    .transaction()
    .execute(async (tx) => [await double(tx, '1'), await double(tx, '2')]);
  expect(answers).toEqual([2, 4]);
  expect(sizes).toEqual([1, 1]);
});

test('a question that the database cannot take fails alone', async () => {
  const { db } = (await createTestApp()).context;
  const failing = together<string, number | undefined>(
    async (executor, text) => {
      if (text === 'bad') await sql`select * from no_such_table`.execute(executor);
      return Number(text);
    },
    async (executor, texts) => {
      if (texts.includes('bad')) await sql`select * from no_such_table`.execute(executor);
      return texts.map(Number);
    },
    1,
  );
  const results = await Promise.allSettled(['1', 'bad', '3'].map((text) => failing(db, text)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(failing(db, 'bad')).rejects.toThrow('no_such_table');
  expect(await failing(db, '4')).toBe(4);
});
