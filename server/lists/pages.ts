import { sql } from 'kysely';
import { indexedDay, instant, isAmong } from '../db/dialect.ts';
import { givenRows } from '../db/given-rows.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { after } from './after.ts';
import { allOf } from './filters.ts';
import { countToEnd } from './find-matches.ts';
import { countIn, type Many, type Matches, type Start } from './matches.ts';
import { type Ordering, orderBy, termsOf } from './orderings.ts';
import {
  type Asked,
  type FoundRow,
  idOf,
  matchCondition,
  type PlacedRow,
  placedColumns,
  type Sought,
  sorted,
  toPlaced,
} from './statements.ts';

/** An order, and whether it follows the column of the list's default order. */
type PageOrder = Ordering & { isDefault: boolean };

/** In a search whose count is not exact, a page at this offset or later is read only if it exists. */
const DEEP = 10_000;

/** Whether the page begins after the last row. This check avoids the longest scan, which would find nothing. */
export async function isBeyondEnd(db: Db, asked: Asked, matches: Matches, { offset, after }: Sought) {
  const { count, isExact } = countIn(matches);
  if (after !== null) return isExact && count === 0;
  if (isExact || offset < count) return offset >= count;
  if (offset < DEEP || (matches.kind === 'many' && matches.start.from === 'candidates')) return false;
  return offset >= (await countToEnd(db, asked));
}

/** An order by one column that is never null. */
type PlainOrdering = Ordering & { by: string };

const isPlain = (ordering: Ordering): ordering is PlainOrdering =>
  typeof ordering.by === 'string' &&
  !ordering.nullable &&
  !ordering.ties &&
  !ordering.through &&
  !ordering.within;

/** The rows among the given ones that are in the first rows of the list, or in the first after a place, in list order. */
async function amongFirst(
  db: Db,
  { table, limits }: Asked,
  ordering: Ordering,
  ids: number[],
  { limit, offset, after: place }: Sought,
): Promise<PlacedRow[]> {
  const requested = new Set(ids);
  const first = { limit: limits.near, offset: 0, after: place };
  const near = await sorted(db, table, ordering, allOf([]), first, 'walk as text');
  return near.filter(({ id }) => requested.has(id)).slice(0, offset + limit);
}

/**
 * The given ids in the order of their rows. The value that orders a row is looked up for each id. With a condition on
 * the id, PostgreSQL would read all rows in order until the page is full.
 */
const lookedUp = (
  db: Db,
  table: keyof Tables,
  { by, of, descending }: PlainOrdering,
  ids: number[],
  { limit, offset, after: place }: Sought,
) => {
  const given = givenRows(
    db,
    { id: 'bigint' },
    ids.map((id) => ({ id })),
  );
  const terms = [
    { value: sql.ref('place'), of, nullable: false, descending },
    { value: sql.ref('id'), of: 'number' as const, nullable: false, descending },
  ];
  return sql<FoundRow>`select ${placedColumns(sql.ref('id'), terms)} from (
      select given.id as id, (select ${sql.ref(by)} from ${sql.table(table)} where ${idOf(table)} = given.id) as place
      from ${given}) as placed
    where ${place === null ? allOf([]) : after(terms, place)}
    order by ${orderBy(terms)} limit ${limit} offset ${offset}`;
};

/** More rows than any day has. This limit makes the engine find the rows of the days before it sorts them. */
const ALL_ROWS = 2 ** 31;

/**
 * The ids of a page whose matches an index groups by day ({@link Condition.byDay}). Days are tried from the newest one
 * on, and only the days that fill the page are read. The work grows with the number of days, not with that of rows.
 */
function inDays(
  db: Db,
  { table, conditions }: Asked,
  ordering: PlainOrdering,
  { limit, offset, after: place }: Sought,
) {
  const terms = termsOf(db, table, false, ordering);
  const further = place === null ? [] : [after(terms, place)];
  const holds = allOf([...conditions.map((condition) => condition.holds), ...further]);
  const dayOfRow = indexedDay(db, sql.ref(ordering.by));
  const newest =
    place === null ? sql`` : sql` where ${dayOfRow} <= ${indexedDay(db, instant(db, String(place[0])))}`;
  const requested = limit + offset;
  return sql<FoundRow>`with recursive
    days (day) as (
      select max(${dayOfRow}) from ${sql.table(table)}${newest}
      union all
      select (select max(${dayOfRow}) from ${sql.table(table)} where ${dayOfRow} < days.day) from days
      where day is not null
    ),
    counted as (
      select day, n from (
        select day, (select count(*) from (
          select 1 from ${sql.table(table)} where ${dayOfRow} = days.day and ${holds} limit ${requested}) as matching) as n
        from days) as each_day
      where n > 0 limit ${requested}
    ),
    summed as (select day, sum(n) over (order by day desc) - n as newer from counted)
    select ${placedColumns(idOf(table), terms)} from (
      select ${idOf(table)}, ${sql.ref(ordering.by)} from summed cross join ${sql.table(table)}
      where summed.newer < ${requested} and ${dayOfRow} = summed.day and ${holds}
      limit ${ALL_ROWS}) as ${sql.table(table)}
    order by ${orderBy(terms)} limit ${limit} offset ${offset}`;
}

/** A page's rows, in their order. */
export async function rowsOfPage(
  db: Db,
  asked: Asked,
  matches: Matches,
  { isDefault, ...ordering }: PageOrder,
  sought: Sought,
): Promise<PlacedRow[]> {
  const { table, order } = asked;
  const { limit, offset, after: place } = sought;
  const end = offset + limit;
  if (matches.kind === 'all')
    return sorted(db, table, ordering, isAmong(db, idOf(table), matches.ids), sought);
  const { start } = matches;
  if (start.from === 'driven') return pageOfDriven(db, asked, start, { isDefault, ...ordering }, sought);
  if (start.from === 'candidates') {
    const rest = matchCondition(asked, 'first rows', 'another condition');
    const holds = allOf([isAmong(db, idOf(table), start.ids), rest]);
    return sorted(db, table, ordering, holds, sought);
  }
  const isFirst = isDefault && ordering.descending === order.descending;
  if (start.from === 'first' && isFirst && place === null && end <= start.rows.length)
    return start.rows.slice(offset, end);
  const only = sortedFilter(asked, matches);
  if (only && !(isDefault && only.inOrder))
    return sorted(db, table, ordering, matchCondition(asked, 'all rows', 'filters'), sought);
  if (!only && isFirst && isPlain(ordering) && isByDay(asked)) {
    const days = inDays(db, asked, ordering, sought);
    return (await runCompiled(db, days.compile(db))).map(toPlaced);
  }
  const holds = matchCondition(asked, 'first rows', isDefault ? 'default order' : 'other order');
  return sorted(db, table, ordering, holds, sought, 'walk');
}

/** The only filter, if it finds by an index so few rows that these are sorted. */
const sortedFilter = ({ conditions: [only, ...others], limits }: Asked, { isExact, atLeast }: Many) =>
  isExact && atLeast <= limits.sorted && others.length === 0 && only?.byIndex !== undefined ? only : null;

/** Whether an index groups the matches of each filter by the day of the default order. */
const isByDay = ({ conditions, words }: Asked) =>
  conditions.length > 0 && words.length === 0 && conditions.every(({ byDay }) => byDay);

/** The page of matches whose ids, or those of one filter, were read from another table. */
async function pageOfDriven(
  db: Db,
  asked: Asked,
  driven: Extract<Start, { from: 'driven' }>,
  { isDefault, ...ordering }: PageOrder,
  sought: Sought,
): Promise<PlacedRow[]> {
  const { table } = asked;
  const { limit, offset } = sought;
  if (driven.ids && isDefault) {
    const near = await amongFirst(db, asked, ordering, driven.ids, sought);
    if (near.length === offset + limit) return near.slice(offset);
    if (isPlain(ordering)) {
      const placed = lookedUp(db, table, ordering, driven.ids, sought);
      return (await runCompiled(db, placed.compile(db))).map(toPlaced);
    }
  }
  return sorted(db, table, ordering, matchCondition(driven.asked, 'all rows', 'filters'), sought);
}
