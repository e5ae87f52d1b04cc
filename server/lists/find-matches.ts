import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isAmong } from '../db/dialect.ts';
import { countKept } from '../db/kept-counts.ts';
import { idRanges } from '../db/long-reads.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';
import { allOf, type Condition } from './filters.ts';
import { type Ordering, orderTerms } from './orderings.ts';
import { candidates, mentions, type Scan, type SearchedText } from './search.ts';

/** The tables with a list. */
export type ListTable = 'clients' | 'licenses' | 'installations' | 'software' | 'license_types';

/** A query of a list: the conditions of its filters, and the words of its search. */
export type Asked = {
  table: ListTable;
  texts: readonly SearchedText[];
  conditions: Condition[];
  words: string[];
};

/** The number of matches, and where to find their rows. */
export type Matches = {
  count: number;
  /** False for a search with more matches than are counted (D045). */
  isExact: boolean;
  /**
   * The ids of all matches in the order of the list, when they are few; null for many, whose pages are read by a scan
   * in list order.
   */
  ids: number[] | null;
  /** Ids that include all matches, when the index found a limited number. */
  candidates: number[] | null;
};

/** The limit of a complete list of ids, and of the count of a search. */
const FEW = 1000;

/** The most index candidates that are compared with the query before the table is scanned instead. */
const CANDIDATES = 5000;

const counted = (count: number): Matches => ({ count, isExact: true, ids: null, candidates: null });
const completeMatches = (ids: number[]): Matches => ({
  count: ids.length,
  isExact: true,
  ids,
  candidates: null,
});
const many = (candidates: number[] | null): Matches => ({
  count: FEW,
  isExact: false,
  ids: null,
  candidates,
});

/** All filters and words as one condition on a row. */
export const matchCondition = ({ conditions, texts, words }: Asked, scan: Scan) =>
  allOf([...conditions.map(({ holds }) => holds), ...words.map((word) => mentions(texts, word, scan))]);

/** Finds the matches of all pages; the ids of few are in the given order. */
export async function findMatches(db: Db, asked: Asked, ordering: Ordering): Promise<Matches> {
  const { table, texts, conditions, words } = asked;
  const isNarrowed = conditions.some(({ byIndex }) => byIndex);
  const withOrder = async (found: Matches): Promise<Matches> =>
    found.ids && found.ids.length > 1
      ? completeMatches(await sorted(db, table, ordering, isAmong(db, idOf(table), found.ids)))
      : found;
  if (words.length === 0) {
    const known = await countWithoutScan(db, asked);
    if (known !== null) return counted(known);
    if (!isNarrowed) return withOrder(await scanTable(db, asked));
    const ids = await someIds(db, asked, [], 'all rows');
    return withOrder(ids.length > FEW ? counted(await countOf(db, asked, [])) : completeMatches(ids));
  }
  const ways = candidates(db, table, texts, words, CANDIDATES);
  if (isNarrowed) ways.unshift(async () => filteredCandidates(db, asked));
  for (const way of ways) {
    const { ids: some, areAll } = await way();
    if (areAll && some.length === 0) return completeMatches([]);
    const isSome = isAmong(db, idOf(table), some);
    if (!areAll) {
      if ((await someIds(db, asked, [isSome], 'first rows')).length > FEW) return many(null);
      continue;
    }
    const holds = allOf([isSome, matchCondition(asked, 'first rows')]);
    const ids = await sorted(db, table, ordering, holds, FEW + 1);
    return ids.length > FEW ? many(some) : completeMatches(ids);
  }
  return withOrder(await scanTable(db, asked));
}

/** The count without reading rows, from kept counts or from the only filter's own count; null where neither applies. */
async function countWithoutScan(db: Db, { table, conditions }: Asked): Promise<number | null> {
  if (table === 'software' || table === 'license_types') return null;
  const [only] = conditions;
  if (conditions.length === 1 && only?.count) return only.count(db);
  const kept = conditions.map((condition) => condition.kept);
  if (!kept.every((known) => known !== undefined)) return null;
  const names = kept.flatMap((known) => Object.keys(known));
  if (new Set(names).size < names.length) return null;
  return countKept(db, Object.assign({ table }, ...kept));
}

async function filteredCandidates(db: Db, asked: Asked) {
  const ids = await someIds(db, { ...asked, words: [] }, [], 'all rows', CANDIDATES + 1);
  return { ids, areAll: ids.length <= CANDIDATES };
}

/** Finds the matches by a scan of the table. */
async function scanTable(db: Db, asked: Asked): Promise<Matches> {
  let count = 0;
  let ids: number[] | null = [];
  for await (const { after, upTo } of idRanges(db, asked.table)) {
    const id = idOf(asked.table);
    const within = [sql<SqlBool>`${id} > ${after}`, sql<SqlBool>`${id} <= ${upTo}`];
    const some: number[] = ids
      ? await someIds(db, asked, within, after === 0 ? 'first rows' : 'all rows')
      : [];
    const isMany = count + some.length > FEW;
    if (isMany && asked.words.length > 0) return many(null);
    if (isMany || !ids) ids = null;
    else ids.push(...some);
    count += ids ? some.length : await countOf(db, asked, within);
  }
  return ids ? completeMatches(ids) : counted(count);
}

/** Counts all matches by a scan of the table. */
export async function countToEnd(db: Db, asked: Asked): Promise<number> {
  let count = 0;
  for await (const { after, upTo } of idRanges(db, asked.table)) {
    const id = idOf(asked.table);
    count += await countOf(db, asked, [sql<SqlBool>`${id} > ${after}`, sql<SqlBool>`${id} <= ${upTo}`]);
  }
  return count;
}

const idOf = (table: ListTable) => sql.ref<number>(`${table}.id`);

async function someIds(
  db: Db,
  asked: Asked,
  further: Expression<SqlBool>[],
  scan: Scan,
  limit = FEW + 1,
): Promise<number[]> {
  const query = sql<{ id: number }>`select ${idOf(asked.table)} as id from ${sql.table(asked.table)}
    where ${allOf([...further, matchCondition(asked, scan)])} limit ${limit}`;
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/** Ids of the rows that meet a condition, in the order of the list. */
export async function sorted(
  db: Db,
  table: ListTable,
  ordering: Ordering,
  holds: Expression<SqlBool>,
  limit = FEW,
  offset = 0,
): Promise<number[]> {
  const query = inOrder(db, table, ordering, holds, limit, offset);
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/** The query of {@link sorted}. */
export const inOrder = (
  db: Db,
  table: ListTable,
  ordering: Ordering,
  holds: Expression<SqlBool>,
  limit: number,
  offset: number,
): RawBuilder<{ id: number }> =>
  sql<{ id: number }>`select ${idOf(table)} as id from ${sql.table(table)} where ${holds}
    order by ${orderTerms(db, table, ordering)} limit ${limit} offset ${offset}`;

async function countOf(db: Db, asked: Asked, further: Expression<SqlBool>[]): Promise<number> {
  const query = sql<{ n: number }>`select count(*) as n from ${sql.table(asked.table)}
    where ${allOf([...further, matchCondition(asked, 'all rows')])}`;
  return (await runCompiled(db, query.compile(db)))[0]!.n;
}
