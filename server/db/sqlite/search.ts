import { type SqlBool, sql } from 'kysely';
import { INDEXED_TABLES, type IndexedTable, type SearchedTable } from '../tables/searched.ts';

/**
 * Substring search on SQLite: an FTS5 index of trigrams for each large table, written with a delay.
 *
 * The index stores which rows contain a trigram, but not at which position (`detail=none`: a third of the size, half
 * of the work). So each candidate from the index is then compared with the word.
 *
 * FTS5 writes at each savepoint and each commit, which takes twice as long as everything else for a new row. So a
 * trigger only stores the id of a row with a new text, in the row's own transaction. Later the driver moves some
 * hundreds of these rows into the index at once (driver.ts, Upkeep). A search reads both. Every row is either in the
 * index with its current text, or in the list of stored ids, so a search misses no row and finds none twice, also
 * after a crash. PostgreSQL's GIN indexes do the same (docs/decisions/022-search-written-late.md).
 */

/** The number of rows that one step moves; it blocks other writes for some milliseconds. */
const STEP_ROWS = 500;

const indexName = (table: string) => `${table}_search`;
const pendingName = (table: string) => `${table}_search_pending`;

/**
 * Moves rows whose id is stored into their index, at most {@link STEP_ROWS} of each table. Call it in a transaction.
 * @returns whether more rows are left
 */
export function indexPending(run: (statement: string) => number): boolean {
  let isMore = false;
  for (const table of INDEXED_TABLES) {
    const step = `select id from ${pendingName(table)} order by id limit ${STEP_ROWS}`;
    run(`insert into ${indexName(table)} (rowid, search_text)
      select id, search_text from ${table} where id in (${step})`);
    const moved = run(`delete from ${pendingName(table)} where id in (${step})`);
    if (moved === STEP_ROWS) isMore = true;
  }
  return isMore;
}

/** The `like` pattern for texts that contain a word; `%` and `_` in the word are escaped. */
export const likeOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** A condition for rows whose text contains a word; the same on both engines. */
export const isLike = (table: SearchedTable, word: string) =>
  sql<SqlBool>`${sql.ref(`${table}.search_text`)} like ${likeOf(word)} escape '\\'`;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The smallest set of trigrams that covers all letters of a word of three letters or more. */
function trigramsOf(word: string): string[] {
  const letters = [...word];
  const trigrams = letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''));
  return trigrams.filter((_, index) => index % 3 === 0 || index === trigrams.length - 1).map(quoted);
}

/**
 * A query with one column, `id`: rows for which the index finds the trigrams of all words, and rows that are not
 * indexed yet and contain the words. It contains every matching row once.
 */
export function idsFoundBy(table: IndexedTable, words: readonly string[]) {
  const index = sql.table(indexName(table));
  const match = [...new Set(words.flatMap(trigramsOf))].join(' AND ');
  const holds = sql.join(
    words.map((word) => isLike(table, word)),
    sql` and `,
  );
  // `cross join` makes the few rows that are not indexed yet the first table; the planner cannot tell that they are
  // few.
  return sql<{ id: number }>`(select rowid as id from ${index} where ${index} match ${match}
    union all select pending.id from ${sql.table(pendingName(table))} as pending cross join ${sql.table(table)}
      on ${sql.ref(`${table}.id`)} = pending.id where ${holds})`;
}
