import { type DialectAdapter, type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

/**
 * Search by any part of a text on SQLite: an FTS5 index of trigrams for each searched table, written late.
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

/** The index as the first version had it, written with each row. For the migration that makes the table. */
export async function createTrigramIndex(db: Kysely<unknown>, table: string): Promise<void> {
  const index = sql.table(indexName(table));
  await sql`create virtual table ${index} using fts5(
    search_text, content=${sql.lit(table)}, content_rowid='id', tokenize='trigram'
  )`.execute(db);
  const add = sql`insert into ${index}(rowid, search_text) values (new.id, new.search_text);`;
  const remove = sql`insert into ${index}(${index}, rowid, search_text) values ('delete', old.id, old.search_text);`;
  await createTriggers(db, table, { add, remove, replace: sql`${remove} ${add}` });
}

/** From now on rows are noted, and indexed by {@link indexPending}. For a migration, once for each table. */
export async function writeIndexLate(db: Kysely<unknown>, table: SearchedTable): Promise<void> {
  const index = sql.table(indexName(table));
  const pending = sql.table(pendingName(table));
  await sql`create table ${pending} (id integer primary key)`.execute(db);
  for (const event of EVENTS) await sql`drop trigger ${triggerName(table, event)}`.execute(db);
  // What the index holds can only be taken out with the text that it was put in with: now, while that is known.
  const unindex = sql`insert into ${index}(${index}, rowid, search_text)
    select 'delete', old.id, old.search_text where old.id not in (select id from ${pending});`;
  await createTriggers(db, table, {
    add: sql`insert into ${pending} (id) values (new.id);`,
    // A noted row that goes stays noted: its id is never given again, and the step finds nothing under it.
    remove: unindex,
    replace: sql`${unindex}
      insert into ${pending} (id) select new.id where new.id not in (select id from ${pending});`,
  });
}

const EVENTS = ['insert', 'delete', 'update'] as const;

const triggerName = (table: string, event: (typeof EVENTS)[number]) => sql.id(`${table}_search_${event}`);

type Bodies = { add: RawBuilder<unknown>; remove: RawBuilder<unknown>; replace: RawBuilder<unknown> };

async function createTriggers(
  db: Kysely<unknown>,
  table: string,
  { add, remove, replace }: Bodies,
): Promise<void> {
  const on = sql.table(table);
  await sql`create trigger ${triggerName(table, 'insert')} after insert on ${on} begin ${add} end`.execute(
    db,
  );
  await sql`create trigger ${triggerName(table, 'delete')} after delete on ${on} begin ${remove} end`.execute(
    db,
  );
  await sql`create trigger ${triggerName(table, 'update')} after update of search_text on ${on}
    when old.search_text is not new.search_text begin ${replace} end`.execute(db);
}

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

/** What is asked of the index, and of the text of each row that waits for it. */
export type Needle = { match: string; like: string };

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Looks for a word, of three letters or more, as it is written. */
export const needleOf = (word: string): Needle => ({ match: quoted(word), like: likeOf(word) });

/** The pattern of `like` for any text around a word in which `%` and `_` are ordinary characters. */
export const likeOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * The ids of the rows that the index finds, and of those that wait for it, as a query of one column, `id`. Rows found
 * with a needle of {@link findNeedle} are still to be compared with its pattern.
 */
export function idsFoundBy(table: SearchedTable, { match, like }: Needle) {
  const index = sql.table(indexName(table));
  return sql<{ id: number }>`(select rowid as id from ${index} where ${index} match ${match}
    union all select id from ${sql.table(table)}
      where id in (select id from ${sql.table(pendingName(table))}) and search_text like ${like} escape '\\')`;
}

/** Trigrams up to here are asked for alone; of commoner ones several that must all be there. */
const RARE_TRIGRAM = 256;
const TRIGRAMS_ASKED = 3;
const COUNT_MAX = 5000;
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
  const letters = [...word];
  const trigrams = letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''));
  const counted = await countEach(db, table, [...new Set(trigrams)].map(quoted));
  counted.sort((a, b) => a.count - b.count);
  const rarest = counted[0]!;
  const like = likeOf(word);
  if (rarest.count <= Math.min(RARE_TRIGRAM, most)) return { match: rarest.match, like };
  const asked = counted.slice(0, TRIGRAMS_ASKED).map(({ match }) => match);
  const match = asked.join(' AND ');
  if ((await countFound(db, { match, most: most + 1 }, table))[0]!.n <= most) return { match, like };
  // Its rarest trigrams may come apart from one another in many rows that do not hold it.
  const whole = needleOf(word);
  return (await countFound(db, { match: whole.match, most: most + 1 }, table))[0]!.n <= most ? whole : null;
}
