import { type Expression, type SqlBool, sql } from 'kysely';
import { isAmong } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';
import { holdsWord, idsByIndex, isIndexed, type SearchedTable } from '../db/text-search.ts';

/**
 * A text in which the words of a list are looked for: that of the row itself, or that of a row which it names.
 * `by` has the columns that lead there from the list's own table, such as `licenses.client_id`.
 */
export type SearchedText = { table: SearchedTable; by?: readonly string[] };

const tableOf = (column: string) => column.slice(0, column.indexOf('.'));

/**
 * How many rows are looked at: of all, PostgreSQL may first gather the named rows that hold the word; of the first that
 * hold it, each is to be asked by itself, which soon ends.
 */
export type Scan = 'all rows' | 'first rows';

/** True for rows of the list in one of whose texts the word is found. */
export function mentions(texts: readonly SearchedText[], word: string, scan: Scan): Expression<SqlBool> {
  const found = texts.map(({ table, by = [] }) => {
    const holds = holdsWord(table, word);
    return scan === 'all rows' ? named(table, by, holds) : sql<SqlBool>`${heldBy(table, by, holds)}`;
  });
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}

/** The same as {@link named}, as a value: of one, neither engine makes a set beforehand. */
function heldBy(table: string, by: readonly string[], holds: Expression<SqlBool>): Expression<SqlBool> {
  const [column, ...further] = by;
  if (column === undefined) return holds;
  const next = further[0] === undefined ? table : tableOf(further[0]);
  return sql<SqlBool>`(select ${heldBy(table, further, holds)} from ${sql.table(next)}
    where ${sql.ref(`${next}.id`)} = ${sql.ref(column)})`;
}

function named(table: string, by: readonly string[], holds: Expression<SqlBool>): Expression<SqlBool> {
  const [column, ...further] = by;
  if (column === undefined) return holds;
  const next = further[0] === undefined ? table : tableOf(further[0]);
  return sql<SqlBool>`exists (select 1 from ${sql.table(next)}
    where ${sql.ref(`${next}.id`)} = ${sql.ref(column)} and ${named(table, further, holds)})`;
}

/** True for rows of the list that lead to one of some rows; an index leads back from those. */
function leadsTo(db: Db, by: readonly string[], table: string, ids: number[]): Expression<SqlBool> {
  const [column, ...further] = by;
  if (column === undefined) return isAmong(db, sql.ref<number>(`${table}.id`), ids);
  const [following] = further;
  if (following === undefined) return isAmong(db, sql.ref<number>(column), ids);
  const next = tableOf(following);
  return sql<SqlBool>`${sql.ref(column)} in (select ${sql.ref(`${next}.id`)} from ${sql.table(next)}
    where ${leadsTo(db, further, table, ids)})`;
}

/** Ids of rows that may match. `areAll` is false where more may match than were asked for. */
export type Candidates = { ids: number[]; areAll: boolean };

/**
 * Scan for words by the index in each text, and follows what it finds to the rows of the list. Whoever holds all words
 * holds them in one text, or one of them in a text beside the first: so the first text is asked for all words at once
 * and the others for each. The same is asked for each word alone: it may be the one that few hold.
 * @param most how many ids of a text are followed, and how many rows they may lead to
 * @returns ways to the matching rows, to be tried in turn; none where no word is long enough for the index
 */
export function candidates(
  db: Db,
  table: string,
  texts: readonly SearchedText[],
  words: string[],
  most: number,
): (() => Promise<Candidates>)[] {
  const indexed = words.filter(isIndexed);
  const known = new Map<string, Promise<Candidates>>();
  const find = (text: SearchedText, sought: string[]) => {
    const key = `${text.table} ${sought.join(' ')}`;
    const found = known.get(key) ?? candidatesOf(db, table, text, sought, most);
    known.set(key, found);
    return found;
  };
  const [main, ...others] = texts;
  if (!main || indexed.length === 0) return [];
  const together = async () =>
    union([
      await find(main, indexed),
      ...(await inTurn(indexed.flatMap((word) => others.map((text) => () => find(text, [word]))))),
    ]);
  if (indexed.length === 1 || others.length === 0) return [together];
  const alone = indexed.map(
    (word) => async () => union(await inTurn(texts.map((text) => () => find(text, [word])))),
  );
  return [together, ...alone];
}

async function inTurn<Result>(questions: (() => Promise<Result>)[]): Promise<Result[]> {
  const answers: Result[] = [];
  for (const ask of questions) answers.push(await ask());
  return answers;
}

const union = (found: Candidates[]): Candidates => ({
  ids: [...new Set(found.flatMap(({ ids }) => ids))],
  areAll: found.every(({ areAll }) => areAll),
});

async function candidatesOf(
  db: Db,
  table: string,
  { table: textTable, by = [] }: SearchedText,
  words: string[],
  most: number,
): Promise<Candidates> {
  const found = await idsByIndex(db, textTable, words, most + 1);
  if (by.length === 0 || found.length === 0) return { ids: found, areAll: found.length <= most };
  const query = sql<{ id: number }>`select ${sql.ref(`${table}.id`)} as id from ${sql.table(table)}
    where ${leadsTo(db, by, textTable, found)} limit ${most + 1}`;
  const rows = await runCompiled(db, query.compile(db));
  return {
    ids: rows.map(({ id }) => id),
    areAll: found.length <= most && rows.length <= most,
  };
}
