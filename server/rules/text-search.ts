import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { normalizeForSearch } from '../../contract/base/text.ts';
import { isPostgres } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import { idsFoundBy, isLike, likeOf } from '../db/sqlite/search.ts';
import { isIndexedTable, type SearchedTable } from '../db/tables/searched.ts';
import type { Db } from '../db/tables.ts';
import { hasTaxKey, hasTaxKeyInIndex, taxKeyOf } from './tax-keys.ts';

/** Text search for all lists. Each searched table has a `search_text` and an index of its trigrams. */

export type { SearchedTable };

/** The normalized words of a search; a match must contain each of them (D053). */
export const searchWords = (text: string) => [
  ...new Set(normalizeForSearch(text).split(' ').filter(Boolean)),
];

/**
 * A condition for rows whose `search_text` contains the word, or whose tax id begins with it. `%` and `_` are
 * ordinary characters.
 */
export function holdsWord(table: SearchedTable, word: string) {
  const holds = isLike(table, likeOf(word));
  const key = table === 'clients' ? taxKeyOf(word) : null;
  return key === null ? holds : sql<SqlBool>`(${holds} or ${hasTaxKey(key)})`;
}

/** A shorter word contains no trigram, so the index cannot find it. */
const TRIGRAM = 3;

export const isIndexed = (word: string) => [...word].length >= TRIGRAM;

/**
 * The ids of rows that contain the words, found by the index if there is one. They are all such rows if there are
 * fewer than `limit`. On SQLite some rows contain the trigrams but not the words; {@link holdsWord} excludes those.
 */
export async function idsByIndex(
  db: Db,
  table: SearchedTable,
  words: string[],
  limit: number,
): Promise<number[]> {
  const found =
    isPostgres(db) || !isIndexedTable(table)
      ? sql`(select id from ${sql.table(table)} where ${everyWord(table, words)})`
      : withTaxKeys(table, words, idsFoundBy(table, words));
  const query = sql<{ id: number }>`select id from ${found} as found limit ${limit}`;
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/**
 * For SQLite: the found ids, preceded by the ids of clients whose tax id begins with one of the words. An id may
 * occur twice.
 */
function withTaxKeys(table: SearchedTable, words: string[], found: RawBuilder<unknown>) {
  const keys = table === 'clients' ? words.flatMap((word) => taxKeyOf(word) ?? []) : [];
  if (keys.length === 0) return found;
  const begun = keys.map((key) => sql`select id from clients where ${hasTaxKeyInIndex(key)}`);
  return sql`(${sql.join([...begun, sql`select id from ${found}`], sql` union all `)})`;
}

const everyWord = (table: SearchedTable, words: string[]) =>
  sql<SqlBool>`(${sql.join(
    words.map((word) => holdsWord(table, word)),
    sql` and `,
  )})`;
