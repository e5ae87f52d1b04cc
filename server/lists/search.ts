import { type Expression, type SqlBool, sql } from 'kysely';
import type { SearchWord } from '../../contract/reading/search-folding.ts';
import { isAmong } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import { hasRow } from '../db/row-tests.ts';
import type { Db } from '../db/tables.ts';
import { holdsWord, idsByIndex, isIndexed, type SearchedTable } from '../rules/text-search.ts';
import { allOf } from './filters.ts';

/**
 * A text that a list searches: of its own table, or of a table to which its rows refer. `by` is the path there: its
 * columns ('table.column'), from the list's table on. `isSmall`: the table has few rows and the path one column, so the
 * rows with a word are collected once instead of looking up a row each time. `of`: the column of another table that
 * refers to the list's rows, any number to one of them; `by` then leads on from that table.
 */
export type SearchedText = { table: SearchedTable; by?: readonly string[]; isSmall?: boolean; of?: string };

const tableOf = (column: string) => column.slice(0, column.indexOf('.'));

/**
 * How a query scans. For 'all rows' PostgreSQL may first collect the referenced rows that contain the word. For
 * 'first rows' each row is tested alone, because the scan ends soon.
 */
export type Scan = 'all rows' | 'first rows';

/**
 * A condition for rows that contain each of the words in one of their texts.
 * @param list the table of the list
 */
export function mentions(
  list: string,
  texts: readonly SearchedText[],
  words: readonly SearchWord[],
  scan: Scan,
): Expression<SqlBool> {
  const everyWord = words.map((word) => {
    const found = texts.map(({ table, by = [], isSmall, of }) => {
      const holds = holdsWord(table, word);
      if (of !== undefined) return referringHolds(list, of, named(table, by, holds));
      if (scan === 'all rows') return named(table, by, holds);
      return isSmall
        ? sql<SqlBool>`${sql.ref(by[0]!)} in (select ${sql.ref(`${table}.id`)} from ${sql.table(table)} where ${holds})`
        : holds;
    });
    return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
  });
  return scan === 'all rows'
    ? allOf(everyWord)
    : besideReferred(
        texts.filter(({ isSmall, of }) => !isSmall && of === undefined),
        allOf(everyWord),
      );
}

/**
 * A condition on the texts of a row and of the rows that it refers to. Each of these rows is looked up once for all
 * words. The condition is a value of the row, so neither engine first collects a set of ids. The columns of the paths
 * must not be null.
 */
function besideReferred(texts: readonly SearchedText[], holds: Expression<SqlBool>): Expression<SqlBool> {
  const referred = new Map<string, string>();
  for (const { table, by = [] } of texts)
    for (const [place, column] of by.entries())
      referred.set(column, by[place + 1] === undefined ? table : tableOf(by[place + 1]!));
  return [...referred].reduceRight<Expression<SqlBool>>(
    (inner, [column, table]) =>
      sql<SqlBool>`(select ${inner} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(column)})`,
    holds,
  );
}

function named(table: string, by: readonly string[], holds: Expression<SqlBool>): Expression<SqlBool> {
  const [column, ...further] = by;
  if (column === undefined) return holds;
  const next = further[0] === undefined ? table : tableOf(further[0]);
  return sql<SqlBool>`exists (select 1 from ${sql.table(next)}
    where ${sql.ref(`${next}.id`)} = ${sql.ref(column)} and ${named(table, further, holds)})`;
}

/** Whether a row of another table that refers to the list's row meets a condition; they are looked up for each row. */
const referringHolds = (list: string, of: string, holds: Expression<SqlBool>) =>
  hasRow(sql`${sql.table(tableOf(of))} where ${sql.ref(of)} = ${sql.ref(`${list}.id`)} and ${holds}`);

/** A condition for rows to which rows of another table refer that lead to one of the given rows. */
const referredBy = (db: Db, list: string, of: string, by: readonly string[], ids: number[]) => {
  const leads = by.length > 0 ? leadsTo(db, by, ids) : isAmong(db, sql.ref<number>(`${tableOf(of)}.id`), ids);
  return sql<SqlBool>`${sql.ref(`${list}.id`)} in (
    select ${sql.ref(of)} from ${sql.table(tableOf(of))} where ${leads})`;
};

/** A condition for rows that refer to one of the given rows by at least one column; an index finds them. */
function leadsTo(db: Db, by: readonly string[], ids: number[]): Expression<SqlBool> {
  const [first, ...further] = by;
  const column = first!;
  const [following] = further;
  if (following === undefined) return isAmong(db, sql.ref<number>(column), ids);
  const next = tableOf(following);
  return sql<SqlBool>`${sql.ref(column)} in (select ${sql.ref(`${next}.id`)} from ${sql.table(next)}
    where ${leadsTo(db, further, ids)})`;
}

/** The ids of possible matches. `areAll` is false if there may be more than `most`. */
type Candidates = { ids: number[]; areAll: boolean };

/**
 * Finds candidates with the text index, and follows references from them to the rows of the list. A row that contains
 * all words has either all of them in the first text, or at least one in another text. So the first text is searched
 * for all words together, and each other text for each word. Each word is also tried alone, because it may be rare.
 * @param most the most ids of a text to follow, and the most rows to return
 * @returns functions that find the candidates, in the order to try them; none if every word is too short for the
 * index
 */
export function candidates(
  db: Db,
  table: string,
  texts: readonly SearchedText[],
  words: SearchWord[],
  most: number,
): (() => Promise<Candidates>)[] {
  const indexed = words.filter(isIndexed);
  const known = new Map<string, Promise<Candidates>>();
  const find = (text: SearchedText, sought: SearchWord[]) => {
    const key = [text.table, ...sought.map((word) => word.text)].join('\n');
    const found = known.get(key) ?? candidatesOf(db, table, text, sought, most);
    known.set(key, found);
    return found;
  };
  const [main, ...others] = texts;
  if (!main || indexed.length === 0) return [];
  const together = () =>
    union([
      () => find(main, indexed),
      ...indexed.flatMap((word) => others.map((text) => () => find(text, [word]))),
    ]);
  if (indexed.length === 1 || others.length === 0) return [together];
  const alone = indexed.map((word) => () => union(texts.map((text) => () => find(text, [word]))));
  return [together, ...alone];
}

/**
 * Runs the searches one after the other. It stops after one that finds too many, because the candidates are then
 * incomplete anyway.
 */
async function union(searches: (() => Promise<Candidates>)[]): Promise<Candidates> {
  const ids = new Set<number>();
  for (const search of searches) {
    const found = await search();
    for (const id of found.ids) ids.add(id);
    if (!found.areAll) return { ids: [...ids], areAll: false };
  }
  return { ids: [...ids], areAll: true };
}

async function candidatesOf(
  db: Db,
  table: string,
  { table: textTable, by = [], of }: SearchedText,
  words: SearchWord[],
  most: number,
): Promise<Candidates> {
  const found = await idsByIndex(db, textTable, words, most + 1);
  if ((by.length === 0 && of === undefined) || found.length === 0)
    return { ids: found, areAll: found.length <= most };
  const leads = of === undefined ? leadsTo(db, by, found) : referredBy(db, table, of, by, found);
  const query = sql<{ id: number }>`select ${sql.ref(`${table}.id`)} as id from ${sql.table(table)}
    where ${leads} limit ${most + 1}`;
  const rows = await runCompiled(db, query.compile(db));
  return {
    ids: rows.map(({ id }) => id),
    areAll: found.length <= most && rows.length <= most,
  };
}
