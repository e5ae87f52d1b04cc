import { sql } from 'kysely';
import { isAmong, joinsIndexes } from '../db/dialect.ts';
import { highestId } from '../db/long-reads.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { allOf, type Condition } from './filters.ts';
import { allMatches, exactly, type Matches } from './matches.ts';
import { type Asked, countOf, idOf, idsAsText, someIds } from './statements.ts';

/**
 * A filter that finds rows, with their number.
 * @property n the number of rows; above `most` they are too many
 */
export type DrivingFilter = { condition: Condition; n: number; most: number };

/** Counting or looking up more ids than this takes longer than anybody waits. */
const COLLECTED_MAX = 250_000;

/**
 * The first 'few' filter, else the best 'many' filter, whose number of rows is small enough to read. The search stops
 * at a filter that finds few.
 * @returns null if every filter finds too many rows
 */
export async function findDrivingFilter(db: Db, asked: Asked): Promise<DrivingFilter | null> {
  const { conditions, limits, table } = asked;
  // For a larger table more ids may be collected: if few of its rows match, a scan in list order needs long to find
  // them.
  const part = Math.min(COLLECTED_MAX, Math.floor((await highestId(db, table)) / 20));
  const collected = Math.max(limits.collected, part);
  for (const requested of ['few', 'many'] as const) {
    let best: DrivingFilter | null = null;
    for (const condition of conditions.filter(({ byIndex }) => byIndex === requested)) {
      const driving = await reachOf(db, asked, condition, collected);
      if (driving.n <= driving.most && driving.n < (best?.n ?? Number.POSITIVE_INFINITY)) best = driving;
      if (driving.n <= limits.few) break;
    }
    if (best) return best;
  }
  return null;
}

async function reachOf(
  db: Db,
  { limits, table }: Asked,
  condition: Condition,
  collected: number,
): Promise<DrivingFilter> {
  const { found, looksUp } = condition;
  const most = !found ? limits.counted : looksUp ? limits.collected : collected;
  const rows = found ?? sql`select ${idOf(table)} from ${sql.table(table)} where ${condition.holds}`;
  const query = sql<{ n: number }>`select count(*) as n from (${rows} limit ${most + 1}) as driven`;
  return { condition, n: (await runCompiled(db, query.compile(db)))[0]!.n, most };
}

/**
 * The matches that a driving filter finds, in any order. Ids that it finds in another table are read first, because
 * PostgreSQL would join all rows with that table.
 */
export async function matchesOfDriving(
  db: Db,
  asked: Asked,
  { condition, most }: DrivingFilter,
): Promise<Matches> {
  const { conditions, limits, table } = asked;
  const { found } = condition;
  const ids = found ? [...new Set(await idsAsText(db, sql`${found} limit ${most}`))] : null;
  const others = conditions
    .filter((one) => one !== condition)
    .map((one) =>
      joinsIndexes(db) && !one.found && !ids ? besideDriving(one, condition) : withoutIndex(one),
    );
  const driving = ids ? amongIds(db, table, ids, condition) : condition;
  const driven = { ...asked, conditions: [driving, ...others] };
  const all = isAllFound(conditions) ? ids : null;
  const few = all ?? (await someIds(db, driven, [], 'all rows'));
  if (few.length <= limits.few) return allMatches(few);
  const count = all?.length ?? (await countOf(db, driven, []));
  return {
    ...exactly(count, ids ? { from: 'driven', asked: driven, ids: all } : undefined),
    counted: driven,
  };
}

/** Whether the query has one filter and the ids that it finds in another table are all matches. */
export const isAllFound = ([only, ...others]: Condition[]) =>
  others.length === 0 && only?.found !== undefined && only.also === undefined;

const amongIds = (db: Db, table: keyof Tables, ids: number[], { also }: Condition): Condition => ({
  holds: allOf([isAmong(db, idOf(table), ids), ...(also ? [also] : [])]),
  byIndex: 'few',
});

/** The condition tested on rows that another one finds. */
export const withoutIndex = ({ byIndex: _byIndex, ...condition }: Condition): Condition => condition;

/**
 * A filter of the same kind ('few' or 'many') as the driving filter keeps its index, so that both indexes can find the
 * rows together.
 */
const besideDriving = (condition: Condition, { byIndex }: Condition): Condition =>
  condition.byIndex && byIndex ? { ...condition, byIndex } : condition;
