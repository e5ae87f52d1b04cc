import { type SqlBool, sql } from 'kysely';

/**
 * Search by any part of a text on SQLite: an FTS5 index of trigrams for each searched table, written late.
 *
 * The index knows which rows hold a trigram and not where in their text (`detail=none`, a third of the size and half
 * of the work): what it finds by the trigrams of a word is compared with the word letter by letter.
 *
 * FTS5 writes what it was told at each savepoint and each commit, and that costs twice what all else of a new row does.
 * So a trigger only notes the id of a row whose text is new, in the row's own transaction, and the driver moves such
 * rows into the index some hundreds at a time (sqlite-driver.ts, Upkeep). Whoever searches looks into both: every row
 * is either in the index with the text that it has, or noted, so that nothing is found late or twice, not after a
 * crash either. PostgreSQL's GIN indexes do the same by themselves (docs/decisions/022-search-written-late.md).
 */

export const SEARCHED_TABLES = ['clients', 'software', 'license_types', 'licenses', 'installations'] as const;
export type SearchedTable = (typeof SEARCHED_TABLES)[number];

/** Rows that one step moves, and so how long it holds up whoever waits: some milliseconds. */
const STEP_ROWS = 500;

const indexName = (table: string) => `${table}_search`;
const pendingName = (table: string) => `${table}_search_pending`;

/**
 * Moves noted rows into their indexes, up to {@link STEP_ROWS} of each table. To be run in a transaction.
 * @param run runs a statement and tells how many rows it changed
 * @returns whether more may be left
 */
export function indexPending(run: (statement: string) => number): boolean {
  let isMore = false;
  for (const table of SEARCHED_TABLES) {
    const step = `select id from ${pendingName(table)} order by id limit ${STEP_ROWS}`;
    run(`insert into ${indexName(table)} (rowid, search_text)
      select id, search_text from ${table} where id in (${step})`);
    const moved = run(`delete from ${pendingName(table)} where id in (${step})`);
    if (moved === STEP_ROWS) isMore = true;
  }
  return isMore;
}

/** The pattern of `like` for any text around a word in which `%` and `_` are ordinary characters. */
export const likeOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** True for rows whose text is like a pattern of {@link likeOf}; the same on both engines. */
export const isLike = (table: SearchedTable, like: string) =>
  sql<SqlBool>`${sql.ref(`${table}.search_text`)} like ${like} escape '\\'`;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** As few trigrams of a word of three letters or more as have all of its letters. */
function trigramsOf(word: string): string[] {
  const letters = [...word];
  const trigrams = letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''));
  return trigrams.filter((_, index) => index % 3 === 0 || index === trigrams.length - 1).map(quoted);
}

/**
 * The ids of the rows in which the index finds the trigrams of all the words, and of those that wait for the index and
 * hold the words, as a query of one column, `id`. All rows that hold the words are among them, once.
 */
export function idsFoundBy(table: SearchedTable, words: string[]) {
  const index = sql.table(indexName(table));
  const match = [...new Set(words.flatMap(trigramsOf))].join(' AND ');
  const holds = sql.join(
    words.map((word) => isLike(table, likeOf(word))),
    sql` and `,
  );
  // Joined crosswise, so that the few that wait come first: the planner does not know that they are few.
  return sql<{ id: number }>`(select rowid as id from ${index} where ${index} match ${match}
    union all select pending.id from ${sql.table(pendingName(table))} as pending cross join ${sql.table(table)}
      on ${sql.ref(`${table}.id`)} = pending.id where ${holds})`;
}
