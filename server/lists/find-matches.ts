import { type SqlBool, sql } from 'kysely';
import { isAmong, joinsIndexes } from '../db/dialect.ts';
import { highestId, idRanges } from '../db/long-reads.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';
import { findDrivingFilter, isAllFound, matchesOfDriving, withoutIndex } from './driving-filter.ts';
import { allOf, type Condition } from './filters.ts';
import { allMatches, exactly, type Matches, moreThan } from './matches.ts';
import { type Known, type Plan, planOf } from './plan.ts';
import { candidates } from './search.ts';
import { type Asked, countOf, idOf, matchesAmongFirst, type PlacedRow, someIds } from './statements.ts';

/** Finds the matches of all pages. */
export async function findMatches(db: Db, asked: Asked): Promise<Matches> {
  const known: Known = {};
  for (;;) {
    const plan = planOf(asked, known);
    if (plan === 'driving') known.driving = await findDrivingFilter(db, asked);
    else if (plan === 'first') known.first = await manyAmongFirst(db, asked);
    else return run(db, asked, plan);
  }
}

async function run(db: Db, asked: Asked, plan: Plan): Promise<Matches> {
  switch (plan.by) {
    case 'nothing':
      return allMatches([]);
    case 'stored':
      return exactly(await plan.count(db));
    case 'firstRows':
      return moreThan(asked.limits.few, { from: 'first', rows: plan.rows });
    case 'texts':
      return matchesOfWords(db, asked);
    case 'oneIndex':
      return matchesOfIndex(db, asked);
    case 'driving':
      return matchesOfDriving(db, asked, plan.driving);
    case 'scan':
      return matchesOfScan(db, asked);
  }
}

async function matchesOfIndex(db: Db, asked: Asked): Promise<Matches> {
  const { few, indexed } = asked.limits;
  const inIndex = async (): Promise<Matches> => {
    const count = await countOf(db, asked, [], indexed + 1);
    return count > indexed ? moreThan(indexed) : exactly(count);
  };
  if (asked.conditions[0]?.byIndex === 'many') {
    const counted = await inIndex();
    if (counted.kind === 'many' && counted.atLeast > few) return counted;
  }
  const ids = await someIds(db, asked, [], 'all rows');
  return ids.length > few ? inIndex() : allMatches(ids);
}

/** The matches of filters, if each filter finds more rows than may be read. */
async function matchesOfScan(db: Db, asked: Asked): Promise<Matches> {
  const { few } = asked.limits;
  if (await isManyFound(db, asked)) return moreThan(few);
  const byIndexes = asked.conditions.map((one) => (one.found ? withoutIndex(one) : one));
  if (!byIndexes.some(({ byIndex }) => byIndex)) return scanTable(db, asked);
  if (!joinsIndexes(db))
    return (await areManyInIndex(db, asked, byIndexes)) ? moreThan(few) : scanTable(db, asked);
  const ids = await someIds(db, { ...asked, conditions: byIndexes }, [], 'all rows');
  return ids.length > few ? moreThan(few) : allMatches(ids);
}

/**
 * Whether the first rows in the index of a filter already show more matches than are counted. The scan of a table begins
 * with its oldest rows, where filters may find none.
 */
async function areManyInIndex(db: Db, { limits, table }: Asked, conditions: Condition[]): Promise<boolean> {
  for (const driving of conditions.filter(({ byIndex }) => byIndex)) {
    const others = conditions.filter((one) => one !== driving).map(({ onRow, holds }) => onRow ?? holds);
    const query = sql<{ n: number }>`select count(*) as n from (
      select 1 from (select * from ${sql.table(table)} where ${driving.holds} limit ${limits.first}) as ${sql.table(table)}
      where ${allOf(others)} limit ${limits.few + 1}) as found`;
    if ((await runCompiled(db, query.compile(db)))[0]!.n > limits.few) return true;
  }
  return false;
}

/** Whether there is only one filter and its first rows in another table already show more matches than are counted. */
async function isManyFound(db: Db, { conditions, limits, table }: Asked): Promise<boolean> {
  const [only] = conditions;
  if (!only?.found || !isAllFound(conditions) || (await highestId(db, table)) <= limits.counted) return false;
  const query = sql<{
    n: number;
  }>`select count(distinct driven.id) as n from (${only.found} limit ${limits.candidates}) as driven`;
  return (await runCompiled(db, query.compile(db)))[0]!.n > limits.few;
}

/**
 * The ways to find the matches of search words, in the order to try them: by the filters if they find few rows, and
 * by the texts.
 */
async function waysToFind(db: Db, asked: Asked) {
  const { conditions, table, texts, words, limits } = asked;
  const byText = candidates(db, table, texts, words, limits.candidates);
  if (!conditions.some(({ byIndex }) => byIndex)) return byText;
  const filtered = await filteredCandidates(db, asked);
  // With a filter that many rows match, its first rows seldom contain a rare word, so the texts are tried first.
  return filtered.areAll ? [async () => filtered, ...byText] : [...byText, async () => filtered];
}

async function filteredCandidates(db: Db, asked: Asked) {
  const most = asked.limits.candidates;
  const ids = await someIds(db, { ...asked, words: [] }, [], 'all rows', most + 1);
  return { ids, areAll: ids.length <= most };
}

async function matchesOfWords(db: Db, asked: Asked): Promise<Matches> {
  const { few } = asked.limits;
  const matching = new Set<number>();
  const tested = new Set<number>();
  for (const way of await waysToFind(db, asked)) {
    const { ids, areAll } = await way();
    if (areAll) return matchesAmong(db, asked, ids);
    const untested = ids.filter((id) => !tested.has(id));
    for (const id of untested) tested.add(id);
    for (const id of await someIds(db, asked, [isAmong(db, idOf(asked.table), untested)], 'first rows'))
      matching.add(id);
    if (matching.size > few) return moreThan(few);
  }
  const scanned = await scanTable(db, asked);
  if (scanned.isExact || scanned.kind === 'many') return scanned;
  // The scan left out the older rows, but the index has found some of them.
  for (const id of scanned.ids) matching.add(id);
  return allMatches([...matching], false);
}

/** The matches, when the given ids include all of them. */
async function matchesAmong(db: Db, asked: Asked, some: number[]): Promise<Matches> {
  if (some.length === 0) return allMatches([]);
  const { few } = asked.limits;
  const ids = await someIds(db, asked, [isAmong(db, idOf(asked.table), some)], 'first rows');
  return ids.length > few ? moreThan(few, { from: 'candidates', ids: some }) : allMatches(ids);
}

/** The part of a list's first rows that is tested before the other first rows. */
const SAMPLE = 1 / 8;

/** The first matches, if the first rows of the list have more than a few matches; otherwise null. */
async function manyAmongFirst(db: Db, asked: Asked): Promise<PlacedRow[] | null> {
  const { few, first } = asked.limits;
  const sample = await matchesAmongFirst(db, asked, Math.ceil(first * SAMPLE));
  if (sample.length <= few * SAMPLE) return null;
  const rows = await matchesAmongFirst(db, asked, first);
  return rows.length > few ? rows : null;
}

/**
 * Finds the matches by a scan of the table, or of its newest rows. If there are more than a few, they are counted to
 * the end only in a small table, and never for search words.
 */
async function scanTable(db: Db, asked: Asked): Promise<Matches> {
  const isCounted = asked.words.length === 0 && (await highestId(db, asked.table)) <= asked.limits.counted;
  let count = 0;
  let ids: number[] | null = [];
  let start: number | null = null;
  for await (const { after, upTo } of idRanges(db, asked.table, { newest: asked.limits.newest })) {
    start ??= after;
    const within = idsWithin(asked, after, upTo);
    const some: number[] = ids
      ? await someIds(db, asked, within, after === start ? 'first rows' : 'all rows')
      : [];
    const isMany = count + some.length > asked.limits.few;
    if (isMany && !isCounted) return moreThan(asked.limits.few);
    if (isMany || !ids) ids = null;
    else ids.push(...some);
    count += ids ? some.length : await countOf(db, asked, within);
  }
  const isWhole = start === null || start === 0;
  if (ids) return allMatches(ids, isWhole);
  return isWhole ? exactly(count) : moreThan(count);
}

const idsWithin = ({ table }: Asked, after: number, upTo: number) => [
  sql<SqlBool>`${idOf(table)} > ${after}`,
  sql<SqlBool>`${idOf(table)} <= ${upTo}`,
];

/** Counts all matches by a scan of the table. */
export async function countToEnd(db: Db, asked: Asked): Promise<number> {
  let count = 0;
  for await (const { after, upTo } of idRanges(db, asked.table))
    count += await countOf(db, asked, idsWithin(asked, after, upTo));
  return count;
}
