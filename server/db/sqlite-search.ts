import { type DialectAdapter, type SqlBool, sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

/**
 * Search by any part of a text on SQLite: an FTS5 index of trigrams for each searched table, written late.
 *
 * The index knows which rows hold a trigram and not where in their text (`detail=none`, a third of the size and half
 * of the work): what it finds by some trigrams of a word is compared with the word letter by letter.
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

/** Which trigrams the index is asked for, and what the text of a row must then be like. */
export type Needle = { match: string; like: string };

/** The pattern of `like` for any text around a word in which `%` and `_` are ordinary characters. */
export const likeOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** True for rows whose text is like a pattern of {@link likeOf}; the same on both engines. */
export const isLike = (table: SearchedTable, like: string) =>
  sql<SqlBool>`${sql.ref(`${table}.search_text`)} like ${like} escape '\\'`;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A question for each trigram of a word of three letters or more, in their order. */
function trigramsOf(word: string): string[] {
  const letters = [...word];
  return letters.slice(2).map((_, index) => quoted(letters.slice(index, index + 3).join('')));
}

/** Looks for a word without knowing anything of it: by as many trigrams as have all of its letters. */
export function needleOf(word: string): Needle {
  const trigrams = trigramsOf(word);
  const covering = trigrams.filter((_, index) => index % 3 === 0 || index === trigrams.length - 1);
  return { match: covering.join(' AND '), like: likeOf(word) };
}

/**
 * The ids of the rows that the index finds, and of those that wait for it, as a query of one column, `id`. All rows that
 * hold the word are among them; the others are told by the needle's pattern.
 */
export function idsFoundBy(table: SearchedTable, { match }: Needle) {
  const index = sql.table(indexName(table));
  return sql<{ id: number }>`(select rowid as id from ${index} where ${index} match ${match}
    union all select id from ${sql.table(pendingName(table))})`;
}

/** The ids of the rows that hold a word, as a query of one column, `id`. */
export function idsHolding(table: SearchedTable, needle: Needle) {
  const rows = sql.table(table);
  // Joined crosswise, so that what the index finds comes first: the planner does not know how little that is.
  return sql<{ id: number }>`(select found.id from ${idsFoundBy(table, needle)} as found cross join ${rows}
    on ${rows}.id = found.id where ${isLike(table, needle.like)})`;
}

/** Trigrams up to here are asked for alone; of commoner ones several that must all be there. */
const RARE_TRIGRAM = 256;
const TRIGRAMS_ASKED = 3;
/** Counting ends here: a trigram with so many is common, whatever its number. More than any caller calls few. */
const COUNT_MAX = 10_000;
/** Counts choose the way alone, never what is found: they may be a little old. */
const COUNTS_KEPT_MS = 10_000;

const countFound = prepared((db, { match, most }: { match: string; most: number }, table: SearchedTable) => {
  const index = sql.table(indexName(table));
  const found = sql<{
    one: number;
  }>`(select 1 as one from ${index} where ${index} match ${match} limit ${most})`;
  return db.selectFrom(found.as('found')).select((eb) => eb.fn.countAll<number>().as('n'));
});

const keptCounts = new WeakMap<DialectAdapter, { since: number; counts: Map<string, number> }>();

/** How many rows the index finds for each of some questions. */
async function countEach(db: Db, table: SearchedTable, matches: string[]) {
  const { adapter } = db.getExecutor();
  let kept = keptCounts.get(adapter);
  if (!kept || performance.now() - kept.since > COUNTS_KEPT_MS) {
    kept = { since: performance.now(), counts: new Map() };
    keptCounts.set(adapter, kept);
  }
  const counted: { match: string; count: number }[] = [];
  for (const match of matches) {
    const key = `${table} ${match}`;
    let count = kept.counts.get(key);
    if (count === undefined) {
      count = (await countFound(db, { match, most: COUNT_MAX }, table))[0]!.n;
      kept.counts.set(key, count);
    }
    counted.push({ match, count });
  }
  return counted;
}

/**
 * How to find a word that few rows hold: by its rarest trigrams, since to follow all of them through the index takes
 * several times as long; null where more than `most` rows may hold it.
 */
export async function findNeedle(
  db: Db,
  table: SearchedTable,
  word: string,
  most: number,
): Promise<Needle | null> {
  const counted = await countEach(db, table, [...new Set(trigramsOf(word))]);
  counted.sort((a, b) => a.count - b.count);
  const [rarest] = counted;
  const like = likeOf(word);
  const atMost = (few: number) => rarest!.count < COUNT_MAX && rarest!.count <= few;
  if (atMost(Math.min(RARE_TRIGRAM, most))) return { match: rarest!.match, like };
  const asked = counted.slice(0, TRIGRAMS_ASKED).map(({ match }) => match);
  const few = { match: asked.join(' AND '), like };
  if (atMost(most) || (await isFoundRarely(db, table, few, most))) return few;
  // Its rarest trigrams may be together in many rows that do not hold it.
  const all = needleOf(word);
  return (await isFoundRarely(db, table, all, most)) ? all : null;
}

async function isFoundRarely(db: Db, table: SearchedTable, { match }: Needle, most: number) {
  const [found] = await countFound(db, { match, most: most + 1 }, table);
  return found!.n <= most;
}
