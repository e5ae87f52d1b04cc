import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchWord } from '../../contract/reading/search-folding.ts';
import { jsonList } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import { testedOnRow } from '../db/row-tests.ts';
import type { CountsName, Db, Tables } from '../db/tables.ts';
import { after, type Place, rangesAfter } from './after.ts';
import { allOf, type Condition } from './filters.ts';
import { type Ordering, type OrderTerm, orderBy, termsOf } from './orderings.ts';
import { mentions, type Scan, type SearchedText } from './search.ts';

/** A request for a list: the conditions of its filters, and the words of its search. */
export type Asked = {
  table: keyof Tables;
  /** The stored counts (db/kept-counts.ts) that include its rows. */
  countedBy: CountsName | undefined;
  texts: readonly SearchedText[];
  conditions: Condition[];
  words: SearchWord[];
  /** True for a search text without letters and digits, which nothing matches (INPUT-08). */
  findsNothing: boolean;
  /** The default order of the list. */
  order: Ordering;
  limits: ReadLimits;
};

/** Limits on how much a search reads. */
export type ReadLimits = {
  /** Up to this many matches, all ids are read and sorted, and a search's count is exact. */
  few: number;
  /** The most candidates from an index that are compared with the query; with more, the table is scanned instead. */
  candidates: number;
  /** With several search words this many first rows of the list are tested before the text index is used. */
  first: number;
  /**
   * At most this many rows that one index finds are sorted. For more rows, all rows are read in list order until the
   * page is full.
   */
  sorted: number;
  /** Before thousands of matches are sorted, this many first rows of the list are searched for the page. */
  near: number;
  /** The most rows that are read only to count them. */
  counted: number;
  /** The most entries of one index that are counted without reading their rows. */
  indexed: number;
  /** The most ids that are collected from another table to find the rows that refer to them. */
  collected: number;
  /** A scan of the table reads only this many of the newest rows; the count is then not exact. */
  newest?: number;
};

/** The limits for lists (docs/decisions/060-counts-that-end.md). */
export const LIST_LIMITS: ReadLimits = {
  few: 1000,
  candidates: 5000,
  first: 15_000,
  sorted: 20_000,
  near: 5000,
  counted: 50_000,
  indexed: 100_000,
  collected: 20_000,
};

/**
 * What finds the rows of a statement; all other conditions are then tested on these rows. It is an index of the
 * filters, another condition (such as a range of ids), or the order of the list, in which rows are read until a page
 * is full.
 */
type DrivenBy = 'filters' | 'another condition' | 'default order' | 'other order';

/** The filters whose indexes may find the rows. */
function drivingConditions(conditions: Condition[], drivenBy: DrivenBy): Condition[] {
  if (drivenBy === 'default order') return conditions.filter(({ inOrder }) => inOrder).slice(0, 1);
  if (drivenBy !== 'filters') return [];
  const few = conditions.filter(({ byIndex }) => byIndex === 'few');
  return few.length > 0 ? few : conditions.filter(({ byIndex }) => byIndex);
}

/** All filters and search words as one condition on a row. */
export function matchCondition({ table, conditions, texts, words }: Asked, scan: Scan, drivenBy: DrivenBy) {
  const driving = new Set(drivingConditions(conditions, drivenBy));
  return allOf([
    ...conditions.map((condition) =>
      driving.has(condition) ? condition.holds : testedOnRow(condition.onRow ?? condition.holds),
    ),
    ...(words.length > 0 ? [mentions(table, texts, words, scan)] : []),
  ]);
}

export const idOf = (table: keyof Tables) => sql.ref<number>(`${table}.id`);

const drivenBeside = (further: Expression<SqlBool>[]): DrivenBy =>
  further.length > 0 ? 'another condition' : 'filters';

export async function someIds(
  db: Db,
  asked: Asked,
  further: Expression<SqlBool>[],
  scan: Scan,
  limit = asked.limits.few + 1,
): Promise<number[]> {
  const query = sql<{ id: number }>`select ${idOf(asked.table)} as id from ${sql.table(asked.table)}
    where ${allOf([...further, matchCondition(asked, scan, drivenBeside(further))])} limit ${limit}`;
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/** A row of a page: its id, and the values by which it is ordered (after.ts). */
export type PlacedRow = { id: number; place: (string | number | null)[] };

/** The columns of {@link PlacedRow} in a statement: the id is the value of the last term. */
export const placedColumns = (id: Expression<unknown>, terms: readonly OrderTerm[]) =>
  sql.join([
    sql`${id} as id`,
    ...terms.slice(0, -1).map(({ value }, index) => sql`${value} as ${sql.id(`p${index}`)}`),
  ]);

/** A row as a statement with {@link placedColumns} returns it. */
export type FoundRow = { id: number };

/** Reads the columns of {@link placedColumns}. */
export function toPlaced(row: FoundRow): PlacedRow {
  const { id, ...values } = row;
  return { id, place: [...(Object.values(values) as PlacedRow['place']), id] };
}

/** The matches among the first rows of a list, in its default order; at most one more than a few. */
export async function matchesAmongFirst(db: Db, asked: Asked, rows: number): Promise<PlacedRow[]> {
  const { limits, order, table } = asked;
  const terms = termsOf(db, table, false, order);
  const query = sql<FoundRow>`select ${placedColumns(idOf(table), terms)}
    from (select * from ${sql.table(table)} order by ${orderBy(terms)} limit ${rows}) as ${sql.table(table)}
    where ${matchCondition(asked, 'first rows', 'another condition')} order by ${orderBy(terms)} limit ${limits.few + 1}`;
  return (await runCompiled(db, query.compile(db))).map(toPlaced);
}

/**
 * The ids that a statement finds, in its order. They come as one text, because a driver takes long for thousands of rows.
 * @param query a statement whose only column is `id`
 */
export async function idsAsText(db: Db, query: RawBuilder<{ id: number }>): Promise<number[]> {
  const list = sql<{ ids: string }>`select ${jsonList(db, sql.ref('id'))} as ids from (${query}) as found`;
  return JSON.parse((await runCompiled(db, list.compile(db)))[0]!.ids);
}

/** Which rows of an order are read: `limit` rows after the first `offset`, or after a place instead. */
export type Sought = { limit: number; offset: number; after: Place | null };

/**
 * The rows that meet a condition, in the order of the list.
 * @param way 'walk' as for {@link inOrder}; after a place, each range of the order is then read by a statement of its
 * own. 'walk as text' is for thousands of rows, like {@link idsAsText}
 */
export async function sorted(
  db: Db,
  table: keyof Tables,
  ordering: Ordering,
  holds: Expression<SqlBool>,
  { limit, offset, after: place }: Sought,
  way: 'sort' | 'walk' | 'walk as text' = 'sort',
): Promise<PlacedRow[]> {
  const isWalk = way !== 'sort';
  const terms = termsOf(db, table, isWalk, ordering);
  const read = async (condition: Expression<SqlBool>, most: number, from: number) => {
    const query = inOrder(db, table, ordering, condition, most, from, isWalk);
    if (way === 'walk as text') return placedAsText(db, query, terms);
    return (await runCompiled(db, query.compile(db))).map(toPlaced);
  };
  if (place === null) return read(holds, limit, offset);
  if (!isWalk) return read(allOf([after(terms, place), holds]), limit, 0);
  const found: PlacedRow[] = [];
  for (const range of rangesAfter(terms, place)) {
    found.push(...(await read(allOf([range, holds]), limit - found.length, 0)));
    if (found.length >= limit) break;
  }
  return found;
}

/** The rows of a statement with {@link placedColumns}, which come as one text for each column. */
async function placedAsText(
  db: Db,
  query: RawBuilder<FoundRow>,
  terms: readonly OrderTerm[],
): Promise<PlacedRow[]> {
  const names = ['id', ...terms.slice(0, -1).map((_term, index) => `p${index}`)];
  const lists = names.map((name) => sql`${jsonList(db, sql.ref(name))} as ${sql.id(name)}`);
  const statement = sql<Record<string, string>>`select ${sql.join(lists)} from (${query}) as found`;
  const [row] = await runCompiled(db, statement.compile(db));
  const [ids, ...columns] = names.map((name) => JSON.parse(row![name]!));
  // In a JSON text, PostgreSQL writes an instant in another form.
  const valueAt = (column: PlacedRow['place'], index: number, at: number) =>
    terms[at]!.of === 'instant' && column[index] !== null
      ? new Date(String(column[index])).toISOString()
      : column[index]!;
  return ids.map((id: number, index: number) => ({
    id,
    place: [...columns.map((column, at) => valueAt(column, index, at)), id],
  }));
}

/**
 * The statement of {@link sorted}, without a place.
 * @param isWalk true for a page among many rows. If the order comes from another table, the rows of that table are
 * then read in order, joined with the rows of the list, until the page is full; a sort would read all rows
 */
export const inOrder = (
  db: Db,
  table: keyof Tables,
  ordering: Ordering,
  holds: Expression<SqlBool>,
  limit: number,
  offset: number,
  isWalk: boolean,
): RawBuilder<FoundRow> => {
  const { through } = ordering;
  const terms = termsOf(db, table, isWalk, ordering);
  const from =
    through && isWalk
      ? sql`${sql.table(through.table)} cross join ${sql.table(table)}
          where ${sql.ref(through.column)} = ${sql.ref(`${through.table}.${through.key ?? 'id'}`)} and`
      : sql`${sql.table(table)} where`;
  return sql<FoundRow>`select ${placedColumns(idOf(table), terms)} from ${from} ${holds}
    order by ${orderBy(terms)} limit ${limit} offset ${offset}`;
};

/** @param limit the most rows that are counted */
export async function countOf(
  db: Db,
  asked: Asked,
  further: Expression<SqlBool>[],
  limit?: number,
): Promise<number> {
  const rows = sql`${sql.table(asked.table)} where ${allOf([...further, matchCondition(asked, 'all rows', drivenBeside(further))])}`;
  const query =
    limit === undefined
      ? sql<{ n: number }>`select count(*) as n from ${rows}`
      : sql<{ n: number }>`select count(*) as n from (select 1 from ${rows} limit ${limit}) as counted`;
  return (await runCompiled(db, query.compile(db)))[0]!.n;
}
