import { sql } from 'kysely';
import { isAmong } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { allOf } from './filters.ts';
import { countToEnd, type Matches } from './find-matches.ts';
import type { Ordering } from './orderings.ts';
import { type Asked, inOrder, matchCondition, sorted } from './statements.ts';

export type Sought = { limit: number; offset: number };

/** In a search that is not counted to its end, pages from this offset on are read only if they exist. */
const DEEP = 10_000;

/** Whether a page begins after the last row. This avoids the longest scan, which finds nothing. */
export async function isBeyondEnd(
  db: Db,
  asked: Asked,
  { count, isExact, candidates }: Matches,
  { offset }: Sought,
) {
  if (isExact || offset < count) return offset >= count;
  return candidates === null && offset >= DEEP && offset >= (await countToEnd(db, asked));
}

/** So many rows of one index are put into order; the pages of more are found by walking all rows in order. */
const SORTED_MAX = 20_000;

/** So many of the first rows of a list are looked through for a page before thousands of matches are put into order. */
const NEAR = 5000;

/** Those of many ids that stand among the first rows of a list, in its order. */
async function amongFirst(
  db: Db,
  table: keyof Tables,
  ordering: Ordering,
  ids: number[],
  most: number,
): Promise<number[]> {
  const first = inOrder(db, table, ordering, allOf([]), NEAR, 0, true);
  const wanted = new Set(ids);
  const rows = await runCompiled(db, first.compile(db));
  return rows
    .map(({ id }) => id)
    .filter((id) => wanted.has(id))
    .slice(0, most);
}

/** Ids of matching rows in their order. */
export async function idsOfPage(
  db: Db,
  asked: Asked,
  { ids, candidates, count, isExact, led, all, first }: Matches,
  { isDefault, ...ordering }: Ordering & { isDefault: boolean },
  { limit, offset }: Sought,
): Promise<number[]> {
  if (ids) return ids.slice(offset, offset + limit);
  if (first && isDefault && ordering.descending === asked.order.descending && offset + limit <= first.length)
    return first.slice(offset, offset + limit);
  const id = sql.ref<number>(`${asked.table}.id`);
  const [only, ...others] = asked.conditions;
  const isSorted = isExact && count <= SORTED_MAX && others.length === 0 && only?.byIndex !== undefined;
  const near = all && isDefault ? await amongFirst(db, asked.table, ordering, all, offset + limit) : [];
  if (near.length === offset + limit) return near.slice(offset);
  if (led || (isSorted && !(isDefault && only.inOrder))) {
    const matching = matchCondition(led ?? asked, 'all rows', 'filters');
    return sorted(db, asked.table, ordering, matching, limit, offset);
  }
  const holds = candidates
    ? allOf([isAmong(db, id, candidates), matchCondition(asked, 'first rows', 'another condition')])
    : matchCondition(asked, 'first rows', isDefault ? 'default order' : 'other order');
  return sorted(db, asked.table, ordering, holds, limit, offset, candidates === null);
}
