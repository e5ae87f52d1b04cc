import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { licenseKeyIn, wholeLicenseKey } from '../../contract/reading/license-keys.ts';
import { foldCode, type SearchWord, searchReadings } from '../../contract/reading/search-folding.ts';
import { isPostgres } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import { idsFoundBy, isLike } from '../db/sqlite/search.ts';
import { isIndexedTable, type SearchedTable } from '../db/tables/searched.ts';
import type { Db } from '../db/tables.ts';
import { hasTaxKey, hasTaxKeyInIndex, taxKeyOf } from './tax-keys.ts';

/** Text search for all lists. Each searched table has a `search_text` and an index of its trigrams. */

export type { SearchedTable };

/**
 * The words for which a search may ask, in the order to try: those of the text, then the licence key that was pasted
 * with other text around it (INPUT-10), or else the words in their parts (INPUT-08). A text that is a whole key asks for nothing else.
 * @param hasKeys whether the searched texts hold licence keys
 */
export function readingsOf(text: string, hasKeys: boolean): SearchWord[][] {
  const whole = hasKeys ? wholeLicenseKey(text) : null;
  if (whole !== null) return [[wordOfKey(whole)]];
  const pasted = hasKeys ? licenseKeyIn(text) : null;
  const [words = [], ...looser] = searchReadings(text);
  return [words, ...(pasted === null ? looser : [[wordOfKey(pasted)]])];
}

const wordOfKey = (key: string): SearchWord => ({ text: foldCode(key), written: key.toLowerCase() });

/**
 * A condition for rows whose `search_text` contains the word, or whose tax id begins with it. `%` and `_` are
 * ordinary characters.
 */
export function holdsWord(table: SearchedTable, word: SearchWord) {
  const holds = isLike(table, word.text);
  const key = table === 'clients' ? taxKeyOf(word.written) : null;
  return key === null ? holds : sql<SqlBool>`(${holds} or ${hasTaxKey(key)})`;
}

/** A shorter word contains no trigram, so the index cannot find it. */
const TRIGRAM = 3;

export const isIndexed = ({ text }: SearchWord) => [...text].length >= TRIGRAM;

/**
 * The ids of rows that contain the words, found by the index if there is one. They are all such rows if there are
 * fewer than `limit`. On SQLite some rows contain the trigrams but not the words; {@link holdsWord} excludes those.
 */
export async function idsByIndex(
  db: Db,
  table: SearchedTable,
  words: SearchWord[],
  limit: number,
): Promise<number[]> {
  const found =
    isPostgres(db) || !isIndexedTable(table)
      ? sql`(select id from ${sql.table(table)} where ${everyWord(table, words)})`
      : withTaxKeys(
          table,
          words,
          idsFoundBy(
            table,
            words.map(({ text }) => text),
          ),
        );
  const query = sql<{ id: number }>`select id from ${found} as found limit ${limit}`;
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/**
 * For SQLite: the found ids, preceded by the ids of clients whose tax id begins with one of the words. An id may
 * occur twice.
 */
function withTaxKeys(table: SearchedTable, words: SearchWord[], found: RawBuilder<unknown>) {
  const keys = table === 'clients' ? words.flatMap((word) => taxKeyOf(word.written) ?? []) : [];
  if (keys.length === 0) return found;
  const begun = keys.map((key) => sql`select id from clients where ${hasTaxKeyInIndex(key)}`);
  return sql`(${sql.join([...begun, sql`select id from ${found}`], sql` union all `)})`;
}

const everyWord = (table: SearchedTable, words: SearchWord[]) =>
  sql<SqlBool>`(${sql.join(
    words.map((word) => holdsWord(table, word)),
    sql` and `,
  )})`;
