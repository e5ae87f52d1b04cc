import { type SqlBool, sql } from 'kysely';
import { normalizeForSearch } from '../../contract/text.ts';
import { isPostgres } from './dialect.ts';
import { runCompiled } from './prepared.ts';
import { idsFoundBy, isLike, likeOf, type SearchedTable } from './sqlite/search.ts';
import type { Db } from './tables.ts';

/** Search in texts, for all lists. Each searched table has a `search_text` and an index of its trigrams. */

export type { SearchedTable };

/** The words of a search, as they are compared; each must be found (D053). */
export const searchWords = (text: string) => [
  ...new Set(normalizeForSearch(text).split(' ').filter(Boolean)),
];

/** True for rows whose `search_text` holds the word as it is written: `%` and `_` are ordinary characters. */
export const holdsWord = (table: SearchedTable, word: string) => isLike(table, likeOf(word));

/** A shorter word has no trigram: only the rows themselves can tell where it is. */
const TRIGRAM = 3;

export const isIndexed = (word: string) => [...word].length >= TRIGRAM;

/**
 * Ids of rows that hold some words, found by the index: all of them if they are fewer than `limit`. On SQLite rows are
 * among them that hold the letters of the words and not the words; {@link holdsWord} tells them.
 * @param words at least one, each of which {@link isIndexed}
 */
export async function idsByIndex(
  db: Db,
  table: SearchedTable,
  words: string[],
  limit: number,
): Promise<number[]> {
  const found = isPostgres(db)
    ? sql`(select id from ${sql.table(table)} where ${everyWord(table, words)})`
    : idsFoundBy(table, words);
  const query = sql<{ id: number }>`select id from ${found} as found limit ${limit}`;
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

const everyWord = (table: SearchedTable, words: string[]) =>
  sql<SqlBool>`(${sql.join(
    words.map((word) => holdsWord(table, word)),
    sql` and `,
  )})`;
