import { sql } from 'kysely';
import type { z } from 'zod';
import type { Page } from '../../contract/page.ts';
import { isAmong } from '../db/dialect.ts';
import { idRanges } from '../db/long-reads.ts';
import { prepared, runCompiled } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';
import { searchWords } from '../db/text-search.ts';
import { BATCH, inBatches } from './batches.ts';
import { allOf, type Filter, type Moment } from './filters.ts';
import {
  type Asked,
  countToEnd,
  findMatches,
  inOrder,
  type ListTable,
  type Matches,
  matchCondition,
  sorted,
} from './find-matches.ts';
import { type OrderBy, type Ordering, readOrdering } from './orderings.ts';
import { offsetOf, pageRequestOf, toPage } from './paging.ts';
import type { SearchedText } from './search.ts';

/** What every list is asked with (contract/page.ts); all else in a query is a filter. */
type PageQuery = {
  page?: string | undefined;
  page_size?: string | undefined;
  search?: string | undefined;
  ordering?: string | undefined;
};

/** A filter for each parameter that the contract names, so that none is forgotten. */
type Filters<Query> = {
  [Name in Exclude<keyof Query, keyof PageQuery>]-?: Filter<NonNullable<Query[Name]>>;
};

type Definition<Query, Row> = {
  table: ListTable;
  /** The contract's schema of the query, as the routes have it. */
  query: z.ZodType<Query>;
  filters: Filters<Query>;
  /** By the names that `ordering` may have. */
  orderings: Record<string, OrderBy>;
  /** The order of a list that is asked for none. */
  order: Ordering;
  /** The texts that a search looks through; first the one that most searches are for. */
  search: readonly SearchedText[];
  /** Whole rows, as they are answered, in any order. */
  rows: (db: Db, ids: number[], moment: Moment) => Promise<Row[]>;
};

export type List<Query, Row> = {
  query: z.ZodType<Query>;
  /** One page, with the facts that the pagination control needs. @param url of the request, for links to the neighbours */
  page: (db: Db, query: Query & PageQuery, moment: Moment, url: string) => Promise<Page<Row>>;
  /** How many rows match; `isExact` is false where words are searched and more are found than are counted. */
  count: (db: Db, query: Query, moment: Moment) => Promise<Pick<Matches, 'count' | 'isExact'>>;
  /** Ids of all rows that match, a batch at a time, in their order. */
  ids: (db: Db, query: Query, moment: Moment) => AsyncGenerator<number[]>;
  /** All rows that match, a batch at a time, in the order of their ids; between batches nothing is held. */
  export: (db: Db, query: Query, moment: Moment) => AsyncGenerator<Row[]>;
};

/**
 * One way for every list: filters, search, order, pages, counts, exports.
 * A page is found by ids alone and only its rows are read whole.
 */
export function defineList<Query extends PageQuery, Row extends { id: number }>(
  definition: Definition<Query, Row>,
): List<Query, Row> {
  const { table, filters, orderings, order, search } = definition;

  function read(query: Query, moment: Moment): Asked {
    const conditions = Object.entries(filters).flatMap(([name, filter]) => {
      const value = query[name as keyof Query];
      return value === undefined || value === null ? [] : [(filter as Filter<unknown>)(value, moment)];
    });
    return { table, texts: search, conditions, words: searchWords(query.search ?? '') };
  }

  const readOrder = ({ ordering }: PageQuery) =>
    readOrdering(ordering, Object.keys(orderings), { name: '', descending: order.descending });

  function toOrdering({ name, descending }: ReturnType<typeof readOrder>): Ordering {
    const known = orderings[name];
    return known ? { ...known, descending } : order;
  }

  /** What is asked more often than all else is compiled once: a page of the whole list. */
  const wholePage = prepared((db, page: Sought, order: ReturnType<typeof readOrder>) => {
    const query = inOrder(db, table, toOrdering(order), allOf([]), page.limit, page.offset);
    return { compile: () => query.compile(db) };
  });

  async function rowsOf(db: Db, ids: number[], moment: Moment): Promise<Row[]> {
    if (ids.length === 0) return [];
    const rows = new Map((await definition.rows(db, ids, moment)).map((row) => [row.id, row]));
    // Who reads without a transaction may miss a row that was deleted in between.
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  async function* ids(db: Db, query: Query, moment: Moment): AsyncGenerator<number[]> {
    const asked = read(query, moment);
    if (asked.words.length > 0 || asked.conditions.some(({ byIndex }) => byIndex)) {
      const { ids: few } = await findMatches(db, asked, order);
      if (few) {
        if (few.length > 0) yield few.sort((a, b) => a - b);
        return;
      }
    }
    yield* allIds(db, asked);
  }

  return {
    query: definition.query,
    ids,
    count: async (db, query, moment) => findMatches(db, read(query, moment), order),
    page: async (db, query, moment, url) => {
      const request = pageRequestOf(query);
      const asked = read(query, moment);
      const wanted = readOrder(query);
      const matches = await findMatches(db, asked, toOrdering(wanted));
      const { count, isExact } = matches;
      const { pageSize } = request;
      // Where the count does not tell it, one row more than the page has tells whether any follows.
      const sought = { limit: isExact ? pageSize : pageSize + 1, offset: offsetOf(request) };
      const isWhole = asked.conditions.length === 0 && asked.words.length === 0 && matches.ids === null;
      const find = async () =>
        isWhole
          ? (await wholePage(db, sought, wanted)).map(({ id }) => id)
          : await idsOfPage(db, asked, matches, toOrdering(wanted), sought);
      const found = (await isBeyondEnd(db, asked, matches, sought)) ? [] : await find();
      const rows = await rowsOf(db, found.slice(0, pageSize), moment);
      return toPage(request, { count, isExact, isMore: found.length > pageSize }, rows, url);
    },
    export: async function* (db, query, moment) {
      for await (const batch of ids(db, query, moment)) yield await rowsOf(db, batch, moment);
    },
  };
}

type Sought = { limit: number; offset: number };

/** Where a search is not counted to its end, a page from here on is looked for only if it is there. */
const DEEP = 10_000;

/** Whether a page begins after the last row. A walk that finds nothing would be the longest of all. */
async function isBeyondEnd(
  db: Db,
  asked: Asked,
  { count, isExact, candidates }: Matches,
  { offset }: Sought,
) {
  if (isExact) return offset >= count;
  return candidates === null && offset >= DEEP && offset >= (await countToEnd(db, asked));
}

/** Ids of matching rows in their order. */
async function idsOfPage(
  db: Db,
  asked: Asked,
  { ids, candidates }: Matches,
  ordering: Ordering,
  { limit, offset }: Sought,
): Promise<number[]> {
  if (ids) return ids.slice(offset, offset + limit);
  const holds = matchCondition(asked, 'first rows');
  const id = sql.ref<number>(`${asked.table}.id`);
  const among = candidates ? allOf([isAmong(db, id, candidates), holds]) : holds;
  return sorted(db, asked.table, ordering, among, limit, offset);
}

/** All that match, found by walking the ids. */
async function* allIds(db: Db, asked: Asked): AsyncGenerator<number[]> {
  const id = sql.ref<number>(`${asked.table}.id`);
  for await (const { after: start, upTo } of idRanges(db, asked.table, BATCH)) {
    const read = async (after: number, limit: number) => {
      const query = sql<{ id: number }>`select ${id} as id from ${sql.table(asked.table)}
        where ${id} > ${after} and ${id} <= ${upTo} and ${matchCondition(asked, 'first rows')}
        order by ${id} limit ${limit}`;
      return runCompiled(db, query.compile(db));
    };
    for await (const rows of inBatches(read, start)) yield rows.map((row) => row.id);
  }
}
