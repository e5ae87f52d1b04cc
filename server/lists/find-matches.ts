import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isAmong, joinsIndexes } from '../db/dialect.ts';
import { countKept } from '../db/kept-counts.ts';
import { highestId, idRanges } from '../db/long-reads.ts';
import { runCompiled } from '../db/prepared.ts';
import { testedOnRow } from '../db/row-tests.ts';
import type { CountsName, Db, Tables } from '../db/tables.ts';
import { allOf, type Condition, type FoundId } from './filters.ts';
import { type Ordering, orderTerms } from './orderings.ts';
import { candidates, mentions, type Scan, type SearchedText } from './search.ts';

/** What a request for a list asks: the conditions of its filters, and the words of its search. */
export type Asked = {
  table: keyof Tables;
  /** The stored counts (db/kept-counts.ts) that include its rows. */
  countedBy: CountsName | undefined;
  texts: readonly SearchedText[];
  conditions: Condition[];
  words: string[];
  effort: Effort;
};

/** Limits on how much a search reads. */
export type Effort = {
  /** Up to this many matches, all ids are read and sorted, and a search's count is exact. */
  few: number;
  /** The most candidates from an index that are compared with the query; with more, the table is scanned instead. */
  candidates: number;
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
export const LIST_EFFORT: Effort = {
  few: 1000,
  candidates: 5000,
  counted: 50_000,
  indexed: 100_000,
  collected: 20_000,
};

/** The number of matches, and where to find their rows. */
export type Matches = {
  count: number;
  /** False for a search with more matches than it counts (D045), and for a scan that left out the older rows. */
  isExact: boolean;
  /**
   * The ids of all matches in the order of the list, if they are few. Null for many: a page is then read by a scan in
   * list order.
   */
  ids: number[] | null;
  /** Ids that include all matches, if the index found a limited number. */
  candidates: number[] | null;
  /** The same query after one filter has been replaced by the ids that this filter finds in another table. */
  led?: Asked;
  /** The ids that replaced the filter, if they are all matches. */
  all?: number[] | null;
};

const counted = (count: number): Matches => ({ count, isExact: true, ids: null, candidates: null });
const completeMatches = (ids: number[]): Matches => ({
  count: ids.length,
  isExact: true,
  ids,
  candidates: null,
});
const moreThan = (count: number, candidates: number[] | null = null): Matches => ({
  count,
  isExact: false,
  ids: null,
  candidates,
});

/**
 * What finds the rows of a statement; all other conditions are then tested on these rows. It is an index of the
 * filters, another condition (such as a range of ids), or the order of the list, in which rows are read until a page
 * is full.
 */
type Lead = 'filters' | 'another condition' | 'default order' | 'other order';

/** True for a single condition that one index answers alone: its rows are counted without reading them. */
const isIndexOnly = ({ conditions: [only, ...others] }: Asked) =>
  others.length === 0 && only?.byIndex !== undefined && only.found === undefined && only.onRow === undefined;

/**
 * A query in which one filter, the leader, finds the rows.
 * @property isRead whether the query contains the leader's ids, because they were read from another table
 * @property all the ids of all matches, if the leader's ids are all of them
 */
type Led = { asked: Asked; isRead: boolean; all: number[] | null };

/**
 * Makes one filter the leader: the first 'few' filter, else the best 'many' filter, whose number of rows is small
 * enough to read. Ids that the leader finds in another table are read first, because PostgreSQL would join all rows
 * with that table.
 * @returns null if every filter finds too many rows; then they are better read in ranges of ids or in list order
 */
async function withOneLeader(db: Db, asked: Asked): Promise<Led | null> {
  if (isIndexOnly(asked)) return { asked, isRead: false, all: null };
  const { conditions, table } = asked;
  const best = await findLeader(db, asked);
  if (!best) return null;
  const { leader, most } = best;
  const ids = best.ids ?? (leader.found ? (await idsFound(db, leader.found, most)).ids : null);
  const others = conditions
    .filter((one) => one !== leader)
    .map((one) => (joinsIndexes(db) && !one.found && !ids ? besideLeader(one, leader) : withoutIndex(one)));
  return {
    asked: { ...asked, conditions: [ids ? amongIds(db, table, ids, leader) : leader, ...others] },
    isRead: ids !== null,
    all: isAllFound(conditions) ? ids : null,
  };
}

/**
 * A filter that finds rows, with their number.
 * @property n the number of rows; above `most` they are too many
 * @property ids the ids that it finds in another table, if they were read in order to count them
 */
type Leader = { leader: Condition; n: number; most: number; ids: number[] | null };

/** The filter that finds the fewest rows. The search stops at a filter that finds few. */
async function findLeader(db: Db, asked: Asked): Promise<Leader | null> {
  const { conditions, effort, table } = asked;
  // For a larger table more ids may be collected: if few of its rows match, a scan in list order needs long to find
  // them.
  const collected = Math.floor(Math.max(effort.collected, (await highestId(db, table)) / 20));
  for (const wanted of ['few', 'many'] as const) {
    let best: Leader | null = null;
    for (const condition of conditions.filter(({ byIndex }) => byIndex === wanted)) {
      const led = await reachOf(db, asked, condition, collected);
      if (led.n <= led.most && led.n < (best?.n ?? Number.POSITIVE_INFINITY)) best = led;
      if (led.n <= effort.few) break;
    }
    if (best) return best;
  }
  return null;
}

async function reachOf(
  db: Db,
  { effort, table }: Asked,
  leader: Condition,
  collected: number,
): Promise<Leader> {
  const { found, looksUp } = leader;
  const most = !found ? effort.counted : looksUp ? effort.collected : collected;
  if (found && !looksUp && most <= effort.counted) {
    return { leader, most, ...(await idsFound(db, found, most + 1)) };
  }
  const rows = found ?? sql`select ${idOf(table)} from ${sql.table(table)} where ${leader.holds}`;
  const query = sql<{ n: number }>`select count(*) as n from (${rows} limit ${most + 1}) as led`;
  return { leader, n: (await runCompiled(db, query.compile(db)))[0]!.n, most, ids: null };
}

/** Whether the query has one filter and the ids that it finds in another table are all matches. */
const isAllFound = ([only, ...others]: Condition[]) =>
  others.length === 0 && only?.found !== undefined && only.also === undefined;

/** @property n the number of rows that were read; one id may be in several */
async function idsFound(
  db: Db,
  found: RawBuilder<FoundId>,
  most: number,
): Promise<{ ids: number[]; n: number }> {
  const query = sql<FoundId>`${found} limit ${most}`;
  const rows = await runCompiled(db, query.compile(db));
  return { ids: [...new Set(rows.map(({ id }) => id))], n: rows.length };
}

const amongIds = (db: Db, table: keyof Tables, ids: number[], { also }: Condition): Condition => ({
  holds: allOf([isAmong(db, idOf(table), ids), ...(also ? [also] : [])]),
  byIndex: 'few',
});

const withoutIndex = ({ byIndex: _byIndex, ...condition }: Condition): Condition => condition;

/**
 * A filter of the same kind ('few' or 'many') as the leader keeps its index, so that both indexes can find the rows
 * together.
 */
const besideLeader = (condition: Condition, { byIndex }: Condition): Condition =>
  condition.byIndex && byIndex ? { ...condition, byIndex } : condition;

/** The filters whose indexes may find the rows. */
function leaders(conditions: Condition[], lead: Lead): Condition[] {
  if (lead === 'default order') return conditions.filter(({ inOrder }) => inOrder).slice(0, 1);
  if (lead !== 'filters') return [];
  const few = conditions.filter(({ byIndex }) => byIndex === 'few');
  return few.length > 0 ? few : conditions.filter(({ byIndex }) => byIndex);
}

/** All filters and search words as one condition on a row. */
export function matchCondition({ conditions, texts, words }: Asked, scan: Scan, lead: Lead) {
  const leading = new Set(leaders(conditions, lead));
  return allOf([
    ...conditions.map((condition) =>
      leading.has(condition) ? condition.holds : testedOnRow(condition.onRow ?? condition.holds),
    ),
    ...words.map((word) => mentions(texts, word, scan)),
  ]);
}

/** Finds the matches of all pages. If they are few, their ids are in the given order. */
export async function findMatches(db: Db, asked: Asked, ordering: Ordering): Promise<Matches> {
  if (asked.words.length > 0) return matchesOfWords(db, asked, ordering);
  return withOrder(db, asked, ordering, await matchesWithoutWords(db, asked));
}

async function withOrder(db: Db, { table }: Asked, ordering: Ordering, found: Matches): Promise<Matches> {
  if (!found.ids || found.ids.length < 2) return found;
  const ids = await sorted(db, table, ordering, isAmong(db, idOf(table), found.ids));
  return { ...completeMatches(ids), isExact: found.isExact };
}

async function matchesWithoutWords(db: Db, asked: Asked): Promise<Matches> {
  const known = await countWithoutScan(db, asked);
  if (known !== null) return counted(known);
  const led = isNarrowed(asked) ? await withOneLeader(db, asked) : null;
  if (!led) return (await isManyFound(db, asked)) ? moreThan(asked.effort.few) : scanTable(db, asked);
  const ids = led.all ?? (await someIds(db, led.asked, [], 'all rows'));
  const { few, indexed } = asked.effort;
  if (ids.length <= few) return completeMatches(ids);
  if (led.isRead)
    return {
      ...counted(led.all?.length ?? (await countOf(db, led.asked, []))),
      led: led.asked,
      all: led.all,
    };
  if (!isIndexOnly(asked)) return counted(await countOf(db, led.asked, []));
  const count = await countOf(db, led.asked, [], indexed + 1);
  return count > indexed ? moreThan(indexed) : counted(count);
}

/** Whether there is only one filter and its first rows in another table already show more matches than are counted. */
async function isManyFound(db: Db, { conditions, effort, table }: Asked): Promise<boolean> {
  const [only] = conditions;
  if (!only?.found || !isAllFound(conditions) || (await highestId(db, table)) <= effort.counted) return false;
  const query = sql<{
    n: number;
  }>`select count(distinct led.id) as n from (${only.found} limit ${effort.candidates}) as led`;
  return (await runCompiled(db, query.compile(db)))[0]!.n > effort.few;
}

const isNarrowed = ({ conditions }: Asked) => conditions.some(({ byIndex }) => byIndex);

/**
 * The ways to find the matches of search words, in the order to try them: by the filters if they find few rows, and
 * by the texts.
 */
async function waysToFind(db: Db, asked: Asked) {
  const { table, texts, words, effort } = asked;
  const byText = candidates(db, table, texts, words, effort.candidates);
  if (!isNarrowed(asked)) return byText;
  const filtered = await filteredCandidates(db, asked);
  // With a filter that many rows match, its first rows seldom contain a rare word, so the texts are tried first.
  return filtered.areAll ? [async () => filtered, ...byText] : [...byText, async () => filtered];
}

async function matchesOfWords(db: Db, asked: Asked, ordering: Ordering): Promise<Matches> {
  const { table, effort } = asked;
  const ways = await waysToFind(db, asked);
  const seen = new Set<number>();
  for (const way of ways) {
    const { ids: some, areAll } = await way();
    if (areAll && some.length === 0) return completeMatches([]);
    const isSome = isAmong(db, idOf(table), some);
    if (!areAll) {
      const held = await someIds(db, asked, [isSome], 'first rows');
      if (held.length > effort.few) return moreThan(asked.effort.few);
      for (const id of held) seen.add(id);
      continue;
    }
    const holds = allOf([isSome, matchCondition(asked, 'first rows', 'another condition')]);
    const ids = await sorted(db, table, ordering, holds, effort.few + 1);
    return ids.length > effort.few ? moreThan(asked.effort.few, some) : completeMatches(ids);
  }
  const scanned = await scanTable(db, asked);
  if (scanned.isExact || !scanned.ids) return withOrder(db, asked, ordering, scanned);
  // The scan left out the older rows, but the index has found some of them.
  for (const id of scanned.ids) seen.add(id);
  return withOrder(db, asked, ordering, { ...completeMatches([...seen]), isExact: false });
}

/**
 * The count without reading rows: from stored counts, or from the `count` of the only filter. Null if neither
 * applies.
 */
async function countWithoutScan(db: Db, { countedBy, conditions }: Asked): Promise<number | null> {
  if (countedBy === undefined) return null;
  const [only] = conditions;
  if (conditions.length === 1 && only?.count) return only.count(db);
  const kept = conditions.map((condition) => condition.kept);
  if (!kept.every((known) => known !== undefined)) return null;
  const names = kept.flatMap((known) => Object.keys(known));
  if (new Set(names).size < names.length) return null;
  return countKept(db, Object.assign({ table: countedBy }, ...kept));
}

async function filteredCandidates(db: Db, asked: Asked) {
  const most = asked.effort.candidates;
  const ids = await someIds(db, { ...asked, words: [] }, [], 'all rows', most + 1);
  return { ids, areAll: ids.length <= most };
}

/**
 * Finds the matches by a scan of the table, or of its newest rows. If there are more than a few, they are counted to
 * the end only in a small table, and never for search words.
 */
async function scanTable(db: Db, asked: Asked): Promise<Matches> {
  const isCounted = asked.words.length === 0 && (await highestId(db, asked.table)) <= asked.effort.counted;
  let count = 0;
  let ids: number[] | null = [];
  let start: number | null = null;
  for await (const { after, upTo } of idRanges(db, asked.table, { newest: asked.effort.newest })) {
    start ??= after;
    const id = idOf(asked.table);
    const within = [sql<SqlBool>`${id} > ${after}`, sql<SqlBool>`${id} <= ${upTo}`];
    const some: number[] = ids
      ? await someIds(db, asked, within, after === start ? 'first rows' : 'all rows')
      : [];
    const isMany = count + some.length > asked.effort.few;
    if (isMany && !isCounted) return moreThan(asked.effort.few);
    if (isMany || !ids) ids = null;
    else ids.push(...some);
    count += ids ? some.length : await countOf(db, asked, within);
  }
  const isWhole = start === null || start === 0;
  return { ...(ids ? completeMatches(ids) : counted(count)), isExact: isWhole };
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

const idOf = (table: keyof Tables) => sql.ref<number>(`${table}.id`);

const leadBeside = (further: Expression<SqlBool>[]): Lead =>
  further.length > 0 ? 'another condition' : 'filters';

async function someIds(
  db: Db,
  asked: Asked,
  further: Expression<SqlBool>[],
  scan: Scan,
  limit = asked.effort.few + 1,
): Promise<number[]> {
  const query = sql<{ id: number }>`select ${idOf(asked.table)} as id from ${sql.table(asked.table)}
    where ${allOf([...further, matchCondition(asked, scan, leadBeside(further))])} limit ${limit}`;
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/** The ids of the rows that meet a condition, in the order of the list. */
export async function sorted(
  db: Db,
  table: keyof Tables,
  ordering: Ordering,
  holds: Expression<SqlBool>,
  limit = LIST_EFFORT.few,
  offset = 0,
  isWalk = false,
): Promise<number[]> {
  const query = inOrder(db, table, ordering, holds, limit, offset, isWalk);
  return (await runCompiled(db, query.compile(db))).map(({ id }) => id);
}

/**
 * The statement of {@link sorted}.
 * @param isWalk true for a page among many rows. If the order comes from another table, the rows of that table are
 *   then read in order, joined with the rows of the list, until the page is full; a sort would read all rows
 */
export const inOrder = (
  db: Db,
  table: keyof Tables,
  ordering: Ordering,
  holds: Expression<SqlBool>,
  limit: number,
  offset: number,
  isWalk: boolean,
): RawBuilder<{ id: number }> => {
  const { through } = ordering;
  const from =
    through && isWalk
      ? sql`${sql.table(through.table)} cross join ${sql.table(table)}
          where ${sql.ref(through.column)} = ${sql.ref(`${through.table}.${through.key ?? 'id'}`)} and`
      : sql`${sql.table(table)} where`;
  return sql<{ id: number }>`select ${idOf(table)} as id from ${from} ${holds}
    order by ${orderTerms(db, table, isWalk, ordering)} limit ${limit} offset ${offset}`;
};

/** @param limit the highest number that is counted */
async function countOf(
  db: Db,
  asked: Asked,
  further: Expression<SqlBool>[],
  limit?: number,
): Promise<number> {
  const rows = sql`${sql.table(asked.table)} where ${allOf([...further, matchCondition(asked, 'all rows', leadBeside(further))])}`;
  const query =
    limit === undefined
      ? sql<{ n: number }>`select count(*) as n from ${rows}`
      : sql<{ n: number }>`select count(*) as n from (select 1 from ${rows} limit ${limit}) as counted`;
  return (await runCompiled(db, query.compile(db)))[0]!.n;
}
