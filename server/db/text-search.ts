import { type SqlBool, sql } from 'kysely';
import { normalizeForSearch } from '../../contract/text.ts';
import { isPostgres } from './dialect.ts';
import { runCompiled } from './prepared.ts';
import { idsFoundBy, isLike, likeOf, type SearchedTable } from './sqlite/search.ts';
import type { Db } from './tables.ts';

/** Text search for all lists. Each searched table has a `search_text` and an index of its trigrams. */

export type { SearchedTable };

/** The normalized words of a search; each must be found (D053). */
export const searchWords = (text: string) => [
  ...new Set(normalizeForSearch(text).split(' ').filter(Boolean)),
];

/** A condition for rows whose `search_text` contains the word; `%` and `_` are ordinary characters. */
export const holdsWord = (table: SearchedTable, word: string) => isLike(table, likeOf(word));

/** A shorter word has no trigram, so the index cannot find it. */
const TRIGRAM = 3;

export const isIndexed = (word: string) => [...word].length >= TRIGRAM;

/**
 * Ids of rows that contain some words, found by the index; all of them if they are fewer than `limit`. On SQLite the
 * result also has rows that contain the trigrams but not the words; {@link holdsWord} excludes them.
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
