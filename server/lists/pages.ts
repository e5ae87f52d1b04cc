import { type Expression, type SqlBool, sql } from 'kysely';
import { indexedDay, isAmong } from '../db/dialect.ts';
import { givenRows } from '../db/given-rows.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { allOf } from './filters.ts';
import { countToEnd, type Matches } from './find-matches.ts';
import { type Ordering, orderTerms } from './orderings.ts';
import { type Asked, idOf, idsAsText, inOrder, matchCondition, sorted } from './statements.ts';

export type Sought = { limit: number; offset: number };

/** In a search whose count is not exact, a page at this offset or later is read only if it exists. */
const DEEP = 10_000;

/** Whether the page begins after the last row. This check avoids the longest scan, which would find nothing. */
export async function isBeyondEnd(
  db: Db,
  asked: Asked,
  { count, isExact, candidates }: Matches,
  { offset }: Sought,
) {
  if (isExact || offset < count) return offset >= count;
  return candidates === null && offset >= DEEP && offset >= (await countToEnd(db, asked));
}

/** An order by one column that is never null. */
type PlainOrdering = Ordering & { by: string };

const isPlain = (ordering: Ordering): ordering is PlainOrdering =>
  typeof ordering.by === 'string' &&
  !ordering.nullable &&
  !ordering.ties &&
  !ordering.through &&
  !ordering.within;

/** The ids among the given ones that are in the first rows of the list, in list order. */
async function amongFirst(
  db: Db,
  { table, effort }: Asked,
  ordering: Ordering,
  ids: number[],
  most: number,
): Promise<number[]> {
  const first = inOrder(db, table, ordering, allOf([]), effort.near, 0, true);
  const wanted = new Set(ids);
  return (await idsAsText(db, first)).filter((id) => wanted.has(id)).slice(0, most);
}

/**
 * The given ids in the order of their rows. The value that orders a row is looked up for each id. With a condition on
 * the id, PostgreSQL would read all rows in order until the page is full.
 */
const lookedUp = (
  db: Db,
  table: keyof Tables,
  { by, descending }: PlainOrdering,
  ids: number[],
  { limit, offset }: Sought,
) => {
  const given = givenRows(
    db,
    { id: 'bigint' },
    ids.map((id) => ({ id })),
  );
  const direction = descending ? sql`desc` : sql`asc`;
  return sql<{ id: number }>`select id from (
      select given.id as id, (select ${sql.ref(by)} from ${sql.table(table)} where ${idOf(table)} = given.id) as place
      from ${given}) as placed
    order by place ${direction}, id ${direction} limit ${limit} offset ${offset}`;
};

/** More rows than any day has. This limit makes the engine find the rows of the days before it sorts them. */
const ALL_ROWS = 2 ** 31;

/**
 * The ids of a page whose matches an index groups by day ({@link Condition.byDay}). Days are tried from the newest one
 * on, and only the days that fill the page are read. The work grows with the number of days, not with that of rows.
 */
function inDays(
  db: Db,
  table: keyof Tables,
  ordering: PlainOrdering,
  holds: Expression<SqlBool>,
  { limit, offset }: Sought,
) {
  const dayOfRow = indexedDay(db, sql.ref(ordering.by));
  const wanted = limit + offset;
  return sql<{ id: number }>`with recursive
    days (day) as (
      select max(${dayOfRow}) from ${sql.table(table)}
      union all
      select (select max(${dayOfRow}) from ${sql.table(table)} where ${dayOfRow} < days.day) from days
      where day is not null
    ),
    counted as (
      select day, n from (
        select day, (select count(*) from (
          select 1 from ${sql.table(table)} where ${dayOfRow} = days.day and ${holds} limit ${wanted}) as matching) as n
        from days) as each_day
      where n > 0 limit ${wanted}
    ),
    summed as (select day, sum(n) over (order by day desc) - n as newer from counted)
    select ${idOf(table)} as id from (
      select ${idOf(table)}, ${sql.ref(ordering.by)} from summed cross join ${sql.table(table)}
      where summed.newer < ${wanted} and ${dayOfRow} = summed.day and ${holds}
      limit ${ALL_ROWS}) as ${sql.table(table)}
    order by ${orderTerms(db, table, false, ordering)} limit ${limit} offset ${offset}`;
}

/** The statement for a page in the default order, if it need not read all rows up to the page; otherwise null. */
function inPlainOrder(
  db: Db,
  { table, conditions, words, order }: Asked,
  { all }: Matches,
  ordering: PlainOrdering,
  sought: Sought,
  isSorted: boolean,
) {
  if (all) return lookedUp(db, table, ordering, all, sought);
  const areByDay = conditions.length > 0 && words.length === 0 && conditions.every(({ byDay }) => byDay);
  if (!areByDay || isSorted || ordering.descending !== order.descending) return null;
  return inDays(db, table, ordering, allOf(conditions.map(({ holds }) => holds)), sought);
}

/** The ids of a page's rows, in their order. */
export async function idsOfPage(
  db: Db,
  asked: Asked,
  matches: Matches,
  { isDefault, ...ordering }: Ordering & { isDefault: boolean },
  sought: Sought,
): Promise<number[]> {
  const { ids, candidates, count, isExact, led, all, first } = matches;
  const { table, conditions, effort } = asked;
  const { limit, offset } = sought;
  if (ids) return ids.slice(offset, offset + limit);
  const end = offset + limit;
  const isFirst = isDefault && ordering.descending === asked.order.descending;
  if (first && isFirst && end <= first.length) return first.slice(offset, end);
  const near = all && isDefault ? await amongFirst(db, asked, ordering, all, end) : [];
  if (near.length === end) return near.slice(offset);
  const [only, ...others] = conditions;
  const isSorted = isExact && count <= effort.sorted && others.length === 0 && only?.byIndex !== undefined;
  const plain =
    isDefault && isPlain(ordering) ? inPlainOrder(db, asked, matches, ordering, sought, isSorted) : null;
  if (plain) return (await runCompiled(db, plain.compile(db))).map(({ id }) => id);
  if (led || (isSorted && !(isDefault && only.inOrder))) {
    const matching = matchCondition(led ?? asked, 'all rows', 'filters');
    return sorted(db, table, ordering, matching, limit, offset);
  }
  const holds = candidates
    ? allOf([isAmong(db, idOf(table), candidates), matchCondition(asked, 'first rows', 'another condition')])
    : matchCondition(asked, 'first rows', isDefault ? 'default order' : 'other order');
  return sorted(db, table, ordering, holds, limit, offset, candidates === null);
}
