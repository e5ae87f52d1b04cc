import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { askedWord } from '../../test/asked-word.ts';
import fc from '../../test/properties.ts';
import { isAmong } from '../db/dialect.ts';
import { INDEXED_TABLES } from '../db/tables/searched.ts';
import type { Db } from '../db/tables.ts';
import { holdsWord, idsByIndex, isIndexed } from './text-search.ts';

const isSqlite = process.env.TEST_ENGINE !== 'postgres';
/** Waits until all rows are in the index, which SQLite writes a moment later; the bound only ends a test that hangs. */
const untilIndexed = (db: Db) => expect.poll(() => pendingOf(db)).toBe(0);

const STAMP = '2026-11-21T00:00:00.000Z';
const CLIENT = {
  ...{ company: '', company_order: '', phone: '', phone_secondary: '', address: '', city: '', state: '' },
  ...{ country: '', postal_code: '', contact_person: '', contact_position: '', tax_id: '', website: '' },
  ...{ client_type: 'individual' as const, status: 'active' as const, notes: '', last_contact: null },
  ...{ created_at: STAMP, updated_at: STAMP },
};

/**
 * Stores a row for each text.
 * @returns their ids, which are consecutive from 1
 */
async function insert(db: Db, texts: string[]): Promise<number[]> {
  const values = texts.map((text) => {
    const key = crypto.randomUUID();
    return { ...CLIENT, name: text, name_order: text, email: key, email_key: key, search_text: text };
  });
  const store = async (tx: Db) => {
    const ids: number[] = [];
    // A SQLite statement accepts at most 32,766 values.
    for (let from = 0; from < values.length; from += 1000) {
      const part = values.slice(from, from + 1000);
      const rows = await tx.insertInto('clients').values(part).returning('id').execute();
      ids.push(...rows.map(({ id }) => id));
    }
    return ids;
  };
  return db.isTransaction ? store(db) : db.transaction().execute(store);
}

const rename = (db: Db, id: number, text: string) =>
  db.updateTable('clients').set({ search_text: text }).where('id', '=', id).execute();

const remove = (db: Db, id: number) => db.deleteFrom('clients').where('id', '=', id).execute();

/** Searches as lists do: the index finds candidates, and then their texts are compared. */
async function find(db: Db, text: string): Promise<number[]> {
  const word = askedWord(text);
  const rows = db.selectFrom('clients').select('id').where(holdsWord('clients', word)).orderBy('id');
  const found = isIndexed(word) ? await idsByIndex(db, 'clients', [word], 10_000) : null;
  const some = found ? rows.where((eb) => isAmong(db, eb.ref('id'), found)) : rows;
  return (await some.execute()).map(({ id }) => id);
}

async function pendingOf(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from clients_search_pending`.execute(db);
  return rows[0]!.n;
}

/** Fails if the index differs from the texts of the rows. */
const checkIndex = (db: Db) =>
  sql`insert into clients_search (clients_search, rank) values ('integrity-check', 1)`.execute(db);

const WORDS = ['quetzal', 'jaguar', '50%_más', 'o"brien', 'ñandú'];
const word = fc.constantFrom(...WORDS);
const text = fc.tuple(word, word, fc.nat(999)).map((parts) => parts.join(' '));
/** `row` is any number, which selects an existing row; a change without a text deletes it. */
const change = fc.record({ row: fc.nat(), text: fc.option(text, { freq: 2 }) });
const round = fc.record({
  added: fc.array(text, { minLength: 120, maxLength: 120 }),
  changes: fc.array(change, { minLength: 40, maxLength: 40 }),
});
const rounds = fc.array(round, { minLength: 6, maxLength: 6 });

test('rows are found by their current text after any changes', async () => {
  const { db } = await createTestApp();
  const texts = new Map<number, string>();
  const compare = async () => {
    for (const word of [...WORDS, 'nadie lo dice']) {
      const expected = [...texts].filter(([, text]) => text.includes(word)).map(([id]) => id);
      expect(await find(db, word), word).toEqual(expected.sort((a, b) => a - b));
    }
  };

  const [plan] = fc.sample(rounds, { seed: 7, numRuns: 1 });
  for (const [number, { added, changes }] of plan!.entries()) {
    for (const [index, id] of (await insert(db, added)).entries()) texts.set(id, added[index]!);
    await compare();
    // Alternate rounds change rows that are not indexed yet and rows that are.
    if (isSqlite && number % 2 === 1) await untilIndexed(db);
    for (const { row, text } of changes) {
      const id = [...texts.keys()][row % texts.size]!;
      if (text === null) {
        await remove(db, id);
        texts.delete(id);
      } else {
        await rename(db, id, text);
        texts.set(id, text);
      }
    }
    await compare();
  }

  if (!isSqlite) return;
  await untilIndexed(db);
  await checkIndex(db);
  await compare();
});

test('rolled-back text is not found, and a changed row is found once', async () => {
  const { db } = await createTestApp();
  await insert(db, ['quetzal']);
  await expect(
    db.transaction().execute(async (tx) => {
      const [second] = await insert(tx, ['quetzal']);
      await rename(tx, 1, 'jaguar');
      expect(await find(tx, 'quetzal')).toEqual([second]);
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  expect(await find(db, 'quetzal')).toEqual([1]);
  await rename(db, 1, 'quetzal verde');
  await rename(db, 1, 'quetzal rojo');
  expect(await find(db, 'quetzal')).toEqual([1]);
  expect(await find(db, 'verde')).toEqual([]);
});

describe.runIf(isSqlite)('on SQLite, where the index is written with a delay', () => {
  test('a new row is found at once and indexed a moment later', async () => {
    const { db } = await createTestApp();
    await insert(db, ['quetzal']);
    expect(await pendingOf(db)).toBe(1);
    expect(await find(db, 'quetzal')).toEqual([1]);
    expect(await idsByIndex(db, 'clients', ['uetza'].map(askedWord), 10)).toEqual([1]);
    await untilIndexed(db);
    expect(await find(db, 'quetzal')).toEqual([1]);
    await checkIndex(db);
  });

  test('the index finds rows with the trigrams of a word, and the text decides whether they match', async () => {
    const { db } = await createTestApp();
    // 300 rows contain the trigrams of 'abcdef' separately: abcd, bcde and cdef without 'abcdef'.
    const decoys = Array.from({ length: 300 }, (_, index) => `abcd ${index} cdef bcde`);
    await insert(db, ['abcdef', ...decoys, 'quetzal 100%', 'quetzal 100x', 'jag_uar', 'jagxuar', 'o"brien']);
    await untilIndexed(db);
    expect(await idsByIndex(db, 'clients', ['abcdef'].map(askedWord), 1000)).toHaveLength(301);
    expect(await find(db, 'abcdef')).toEqual([1]);
    expect(await find(db, '100%')).toEqual([302]);
    expect(await find(db, 'jag_u')).toEqual([304]);
    expect(await find(db, 'o"b')).toEqual([306]);
    expect(await find(db, 'nadie lo dice')).toEqual([]);
    expect(await find(db, 'qu')).toEqual([302, 303]);
    // Rows that are not indexed yet are only found by their text.
    await insert(db, ['xx abcdef xx', 'abcd bcde cdef']);
    expect(await idsByIndex(db, 'clients', ['abcdef'].map(askedWord), 1000)).toHaveLength(302);
    expect(await find(db, 'abcdef')).toEqual([1, 307]);
  });

  test('a search returns at most the requested ids, and a row must contain every word', async () => {
    const { db } = await createTestApp();
    await insert(
      db,
      Array.from({ length: 2000 }, (_, index) => `norte ${index % 50 === 0 ? 'quetzal' : 'jaguar'} ${index}`),
    );
    await untilIndexed(db);
    await insert(db, ['norte quetzal', 'norte', 'quetzal']);
    expect(await idsByIndex(db, 'clients', ['norte'].map(askedWord), 500)).toHaveLength(500);
    expect(await idsByIndex(db, 'clients', ['quetzal', 'norte'].map(askedWord), 500)).toHaveLength(41);
  });

  test('thousands of rows in one transaction are indexed step by step', async () => {
    const { db } = await createTestApp();
    await insert(
      db,
      Array.from({ length: 2300 }, (_, index) => `quetzal ${index}`),
    );
    expect(await find(db, 'quetzal 2299')).toEqual([2300]);
    await untilIndexed(db);
    await checkIndex(db);
    expect(await find(db, 'quetzal 2299')).toEqual([2300]);
  });

  test('every indexed table has triggers that write its index', async () => {
    const { db } = await createTestApp();
    for (const table of INDEXED_TABLES) {
      const { rows } = await sql<{ name: string }>`select name from sqlite_master
        where type = 'trigger' and tbl_name = ${table} and sql like ${`%into%${table}_search%`}`.execute(db);
      // Those of payments run only for the few that have a text.
      const own = table === 'payments' ? 'payments_search' : table;
      expect(rows.map(({ name }) => name).sort(), table).toEqual([
        `${own}_deleted`,
        `${own}_inserted`,
        `${table}_search_update`,
      ]);
    }
  });
});
