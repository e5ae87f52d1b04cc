import { type Kysely, type RawBuilder, sql } from 'kysely';

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

/** The ids of the rows that hold a word of three letters or more, as a query of one column, `id`. */
export function idsHolding(table: SearchedTable, word: string, like: RawBuilder<unknown>) {
  const index = sql.table(indexName(table));
  const phrase = `"${word.replaceAll('"', '""')}"`;
  return sql<{ id: number }>`select rowid as id from ${index} where ${index} match ${phrase}
    union all select id from ${sql.table(table)} where id in (select id from ${sql.table(pendingName(table))}) and ${like}`;
}
