import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isAmong, joinsIndexes } from '../db/dialect.ts';
import { countKept } from '../db/kept-counts.ts';
import { highestId, idRanges } from '../db/long-reads.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { allOf, type Condition, type FoundId } from './filters.ts';
import type { Ordering } from './orderings.ts';
import { candidates } from './search.ts';
import {
  type Asked,
  countOf,
  idOf,
  idsAsText,
  matchCondition,
  matchesAmongFirst,
  someIds,
  sorted,
} from './statements.ts';

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
  /** The ids of the first matches in the default order, if they were read to find out whether there are many. */
  first?: number[];
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
 * @returns null if every filter finds too many rows, or if many matches are among the first rows of the list anyway;
 * then they are better read in ranges of ids or in list order
 */
async function withOneLeader(db: Db, asked: Asked): Promise<Led | null> {
  if (isIndexOnly(asked)) return { asked, isRead: false, all: null };
  const { conditions, table } = asked;
  const best = await findLeader(db, asked);
  if (!best) return null;
  const { leader, most, n } = best;
  if (leader.found && n > asked.effort.counted && (await manyAmongFirst(db, asked))) return null;
  const ids = leader.found ? await idsFound(db, leader.found, most) : null;
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
 */
type Leader = { leader: Condition; n: number; most: number };

/** Counting or looking up more ids than this takes longer than anybody waits. */
const COLLECTED_MAX = 250_000;

/** The filter that finds the fewest rows. The search stops at a filter that finds few. */
async function findLeader(db: Db, asked: Asked): Promise<Leader | null> {
  const { conditions, effort, table } = asked;
  // For a larger table more ids may be collected: if few of its rows match, a scan in list order needs long to find
  // them.
  const part = Math.min(COLLECTED_MAX, Math.floor((await highestId(db, table)) / 20));
  const collected = Math.max(effort.collected, part);
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
  const rows = found ?? sql`select ${idOf(table)} from ${sql.table(table)} where ${leader.holds}`;
  const query = sql<{ n: number }>`select count(*) as n from (${rows} limit ${most + 1}) as led`;
  return { leader, n: (await runCompiled(db, query.compile(db)))[0]!.n, most };
}

/** Whether the query has one filter and the ids that it finds in another table are all matches. */
const isAllFound = ([only, ...others]: Condition[]) =>
  others.length === 0 && only?.found !== undefined && only.also === undefined;

const idsFound = async (db: Db, found: RawBuilder<FoundId>, most: number): Promise<number[]> => [
  ...new Set(await idsAsText(db, sql`${found} limit ${most}`)),
];

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
  const stored = await countWithoutScan(db, asked);
  if (stored !== null) return counted(stored);
  const led = isNarrowed(asked) ? await withOneLeader(db, asked) : null;
  if (!led) return manyMatches(db, asked);
  const { few } = asked.effort;
  const isMany = isIndexOnly(asked) && asked.conditions[0]?.byIndex === 'many';
  const known = isMany ? await countInIndex(db, asked) : null;
  if (known && known.count > few) return known;
  const ids = led.all ?? (await someIds(db, led.asked, [], 'all rows'));
  if (ids.length <= few) return completeMatches(ids);
  if (isIndexOnly(asked)) return countInIndex(db, asked);
  const count = led.all?.length ?? (await countOf(db, led.asked, []));
  return led.isRead ? { ...counted(count), led: led.asked, all: led.all } : counted(count);
}

/** The number of rows that one index finds, counted up to a limit. */
async function countInIndex(db: Db, asked: Asked): Promise<Matches> {
  const { indexed } = asked.effort;
  const count = await countOf(db, asked, [], indexed + 1);
  return count > indexed ? moreThan(indexed) : counted(count);
}

/** The matches of filters, if each filter finds more rows than may be read. */
async function manyMatches(db: Db, asked: Asked): Promise<Matches> {
  const { few } = asked.effort;
  if (await isManyFound(db, asked)) return moreThan(few);
  const byIndexes = asked.conditions.map((one) => (one.found ? withoutIndex(one) : one));
  if (!joinsIndexes(db) || !byIndexes.some(({ byIndex }) => byIndex)) return scanTable(db, asked);
  const ids = await someIds(db, { ...asked, conditions: byIndexes }, [], 'all rows');
  return ids.length > few ? moreThan(few) : completeMatches(ids);
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
  const { few } = asked.effort;
  const first = asked.words.length > 1 ? await manyAmongFirst(db, asked) : null;
  if (first) return { ...moreThan(few), first };
  const held = new Set<number>();
  const tested = new Set<number>();
  for (const way of await waysToFind(db, asked)) {
    const { ids, areAll } = await way();
    if (areAll) return matchesAmong(db, asked, ordering, ids);
    const untested = ids.filter((id) => !tested.has(id));
    for (const id of untested) tested.add(id);
    for (const id of await someIds(db, asked, [isAmong(db, idOf(asked.table), untested)], 'first rows'))
      held.add(id);
    if (held.size > few) return moreThan(few);
  }
  const scanned = await scanTable(db, asked);
  if (scanned.isExact || !scanned.ids) return withOrder(db, asked, ordering, scanned);
  // The scan left out the older rows, but the index has found some of them.
  for (const id of scanned.ids) held.add(id);
  return withOrder(db, asked, ordering, { ...completeMatches([...held]), isExact: false });
}

/** The part of a list's first rows that is tested before the other first rows. */
const SAMPLE = 1 / 8;

/**
 * The ids of the first matches, if the first rows of the list have more than a few matches; otherwise null. For several
 * frequent words this is faster than the text index, which finds thousands of rows for each word. The same is true for
 * a filter that finds very many ids in another table.
 */
async function manyAmongFirst(db: Db, asked: Asked): Promise<number[] | null> {
  const { few, first } = asked.effort;
  const sample = await matchesAmongFirst(db, asked, Math.ceil(first * SAMPLE));
  if (sample.length <= few * SAMPLE) return null;
  const ids = await matchesAmongFirst(db, asked, first);
  return ids.length > few ? ids : null;
}

/** The matches, when the given ids include all of them. */
async function matchesAmong(db: Db, asked: Asked, ordering: Ordering, some: number[]): Promise<Matches> {
  const { effort, table } = asked;
  if (some.length === 0) return completeMatches([]);
  const holds = allOf([
    isAmong(db, idOf(table), some),
    matchCondition(asked, 'first rows', 'another condition'),
  ]);
  const ids = await sorted(db, table, ordering, holds, effort.few + 1);
  return ids.length > effort.few ? moreThan(effort.few, some) : completeMatches(ids);
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
