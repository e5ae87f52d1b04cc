import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { licenseKeyIn, wholeLicenseKey } from '../../contract/reading/license-keys.ts';
import { foldCode, type SearchWord, searchReadings } from '../../contract/reading/search-folding.ts';
import { isPostgres } from '../db/dialect.ts';
import { isFolded } from '../db/folds.ts';
import { runCompiled } from '../db/prepared.ts';
import { idsFoundBy, isLike } from '../db/sqlite/search.ts';
import { isIndexedTable, type SearchedTable } from '../db/tables/searched.ts';
import type { Db } from '../db/tables.ts';
import { hasTaxKey, hasTaxKeyInIndex, taxKeyOf } from './tax-keys.ts';

/** Text search for all lists. Each searched table has a `search_text` and an index of its trigrams. */

export type { SearchedTable };

/** A word as the database is asked for it. */
export type AskedWord = SearchWord & {
  /**
   * The form in which rows of earlier versions contain the word; null if it is the folded one, or once all rows have
   * their folded text.
   */
  former: string | null;
};

/**
 * The words for which a search may ask, in the order to try: those of the text, then the licence key that was pasted
 * with other text around it (INPUT-10), or else the words in their parts (INPUT-08). A text that is a whole key asks for nothing else.
 * @param hasKeys whether the searched texts hold licence keys
 */
export async function readingsOf(db: Db, text: string, hasKeys: boolean): Promise<AskedWord[][]> {
  const whole = hasKeys ? wholeLicenseKey(text) : null;
  const pasted = hasKeys && whole === null ? licenseKeyIn(text) : null;
  const [words = [], ...looser] = searchReadings(text);
  const readings = [
    whole === null ? words : [wordOfKey(whole)],
    ...(pasted === null ? (whole === null ? looser : []) : [[wordOfKey(pasted)]]),
  ];
  const isDone = readings.every((words) => words.every(isSame)) || (await isFolded(db, 'search_texts'));
  const withFormer = (word: SearchWord) => ({
    ...word,
    former: isDone || isSame(word) ? null : word.written,
  });
  return readings.map((words) => words.map(withFormer));
}

const isSame = ({ text, written }: SearchWord) => text === written;

const wordOfKey = (key: string): SearchWord => ({ text: foldCode(key), written: key.toLowerCase() });

/**
 * A condition for rows whose `search_text` contains the word, or whose tax id begins with it. `%` and `_` are
 * ordinary characters.
 */
export function holdsWord(table: SearchedTable, word: AskedWord) {
  const holds = isLike(table, word);
  const key = table === 'clients' ? taxKeyOf(word.written) : null;
  return key === null ? holds : sql<SqlBool>`(${holds} or ${hasTaxKey(key)})`;
}

/** A shorter word contains no trigram, so the index cannot find it. */
const TRIGRAM = 3;

export const isIndexed = ({ text }: AskedWord) => [...text].length >= TRIGRAM;

/**
 * The ids of rows that contain the words, found by the index if there is one. They are all such rows if there are
 * fewer than `limit`. On SQLite some rows contain the trigrams but not the words; {@link holdsWord} excludes those.
 */
export async function idsByIndex(
  db: Db,
  table: SearchedTable,
  words: AskedWord[],
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
function withTaxKeys(table: SearchedTable, words: AskedWord[], found: RawBuilder<unknown>) {
  const keys = table === 'clients' ? words.flatMap((word) => taxKeyOf(word.written) ?? []) : [];
  if (keys.length === 0) return found;
  const begun = keys.map((key) => sql`select id from clients where ${hasTaxKeyInIndex(key)}`);
  return sql`(${sql.join([...begun, sql`select id from ${found}`], sql` union all `)})`;
}

const everyWord = (table: SearchedTable, words: AskedWord[]) =>
  sql<SqlBool>`(${sql.join(
    words.map((word) => holdsWord(table, word)),
    sql` and `,
  )})`;
