import { type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { Page } from '../../contract/base/page.ts';
import { idRanges } from '../db/long-reads.ts';
import { prepared, runCompiled } from '../db/prepared.ts';
import type { CountsName, Db, Tables } from '../db/tables.ts';
import { readingsOf } from '../rules/text-search.ts';
import { afterOf, readAfter, wholePlace } from './after.ts';
import { BATCH, inBatches, inParts } from './batches.ts';
import { allOf, type Condition, conditionsOf, type FiltersOf, type Moment } from './filters.ts';
import { findMatches } from './find-matches.ts';
import { countIn, type Matches } from './matches.ts';
import { type OrderBy, type Ordering, readOrdering, termsOf } from './orderings.ts';
import { isBeyondEnd, rowsOfPage } from './pages.ts';
import { offsetOf, type PageQuery, pageRequestOf, toPage } from './paging.ts';
import type { SearchedText } from './search.ts';
import {
  type Asked,
  idOf,
  inOrder,
  LIST_LIMITS,
  matchCondition,
  type ReadLimits,
  toPlaced,
} from './statements.ts';
import { type Sums, sumsOf } from './sums.ts';

type Definition<Query, Row> = {
  table: keyof Tables;
  /** The query schema in the contract, which the routes also use. */
  query: z.ZodType<Query>;
  /** A filter for each query parameter that is not one of paging. */
  filters: FiltersOf<Omit<Query, keyof PageQuery>>;
  /** The orders, by their name in `ordering`. */
  orderings: Record<string, OrderBy>;
  order: Ordering;
  /** The texts to search. The first is the one that most searches look for. Default: none. */
  searched?: readonly SearchedText[];
  /** Whether the searched texts hold licence keys, which are found in any spelling (API-02, INPUT-10). Default: no. */
  searchesKeys?: boolean;
  /**
   * Finds the id of the one row that a searched text names by itself. It is tried before the words of the text.
   * Default: none.
   */
  namedIn?: (text: string) => number | null;
  /** The stored counts (db/kept-counts.ts) that include these rows. Default: none; rows are counted by reading them. */
  countedBy?: CountsName;
  /** What is summed over all rows that match (sums.ts). Default: nothing, and the answer has no `sums`. */
  sums?: Sums;
  /** Reads complete rows for an answer, in any order. */
  rows: (db: Db, ids: number[], moment: Moment) => Promise<Row[]>;
};

/** A page of a list. `sums` is there if the list sums its rows; null while the count of the rows is not exact. */
type ListPage<Row> = Page<Row> & { sums?: object[] | null };

export type List<Query, Row> = {
  query: z.ZodType<Query>;
  /** The query parameters that narrow the list: filters and `search`, without order and paging. */
  filterNames: readonly string[];
  /**
   * One page for the pagination control.
   * @param url path and query of the request, for the links to other pages
   * @param limits how much a search may read; less than the default where an answer must come at once
   */
  page: (
    db: Db,
    query: Query & PageQuery,
    moment: Moment,
    url: string,
    limits?: ReadLimits,
  ) => Promise<ListPage<Row>>;
  /** Ids of all matching rows, in batches, ordered by id. */
  ids: (db: Db, query: Query, moment: Moment) => AsyncGenerator<number[]>;
  /** Whether more rows match than this. A count that is known is used; otherwise their ids are read. */
  hasMoreThan: (db: Db, query: Query, moment: Moment, rows: number) => Promise<boolean>;
  /**
   * All matching rows, in batches, ordered by id; no transaction stays open between batches. With `ids`, only rows
   * with these ids that exist.
   */
  export: (db: Db, query: Query & { ids?: number[] | undefined }, moment: Moment) => AsyncGenerator<Row[]>;
};

/**
 * Defines a list: filters, search, order, pages, counts, exports. A page is first found as ids; then only its rows
 * are read completely.
 */
export function defineList<Query extends PageQuery, Row extends { id: number }>(
  definition: Definition<Query, Row>,
): List<Query, Row> {
  const { table, filters, orderings, order, searched = [], countedBy, searchesKeys = false } = definition;
  const { namedIn, sums } = definition;

  /** What a query asks for: by the words of its text; where these find nothing, by the key in the text. */
  function read(query: Query, moment: Moment, limits: ReadLimits): Asked[] {
    const conditions = conditionsOf(filters, query, moment);
    const text = query.search?.trim() ?? '';
    const readings = text === '' ? [[]] : readingsOf(text, searchesKeys);
    const rest = { table, countedBy, texts: searched, conditions, order, limits };
    const named = namedIn?.(text) ?? null;
    return [
      ...(named === null
        ? []
        : [{ ...rest, conditions: [...conditions, hasId(named)], words: [], findsNothing: false }]),
      ...readings.map((words) => ({ ...rest, words, findsNothing: text !== '' && words.length === 0 })),
    ];
  }

  async function matchesOf(db: Db, readings: Asked[]): Promise<{ asked: Asked; matches: Matches }> {
    const [asked, ...others] = readings;
    const matches = await findMatches(db, asked!);
    const isLast = others.length === 0 || countIn(matches).count > 0;
    return isLast ? { asked: asked!, matches } : matchesOf(db, others);
  }

  const hasId = (id: number): Condition => ({
    holds: sql<SqlBool>`${idOf(table)} = ${id}`,
    byIndex: 'few',
  });

  type Order = { name: string; descending: boolean };
  const readOrder = ({ ordering }: PageQuery): Order =>
    readOrdering(ordering, Object.keys(orderings), { name: '', descending: order.descending });

  function toOrdering({ name, descending }: Order): Ordering {
    const known = orderings[name];
    return known ? { ...known, descending } : order;
  }

  const isDefault = (requested: Order) => toOrdering(requested).by === order.by;
  /** The list and its order, for which an `after` is made. */
  const nameOf = ({ name, descending }: Order) => `${table} ${descending ? '-' : ''}${name}`;

  /** @throws invalid (400) at `after` */
  async function readPlace(db: Db, { after }: PageQuery, requested: Order) {
    if (after === undefined) return null;
    const terms = termsOf(db, table, false, toOrdering(requested));
    return wholePlace(db, table, terms, readAfter(after, nameOf(requested), terms));
  }

  /** The statement of the most frequent query, a page of the unfiltered list, is compiled once. */
  const wholePage = prepared((db, page: { limit: number; offset: number }, order: Order) => {
    const query = inOrder(db, table, toOrdering(order), allOf([]), page.limit, page.offset, true);
    return { compile: () => query.compile(db) };
  });

  async function rowsOf(db: Db, ids: number[], moment: Moment): Promise<Row[]> {
    if (ids.length === 0) return [];
    const rows = new Map((await definition.rows(db, ids, moment)).map((row) => [row.id, row]));
    // The two reads share no transaction, so a row may be deleted between them.
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  async function* ids(db: Db, query: Query, moment: Moment): AsyncGenerator<number[]> {
    const readings = read(query, moment, LIST_LIMITS);
    const [first] = readings;
    if (query.search?.trim() || first!.conditions.some(({ byIndex }) => byIndex)) {
      const { asked, matches } = await matchesOf(db, readings);
      if (matches.kind === 'all') {
        if (matches.ids.length > 0) yield matches.ids.sort((a, b) => a - b);
        return;
      }
      yield* allIds(db, asked);
    } else yield* allIds(db, first!);
  }

  return {
    query: definition.query,
    filterNames: [...Object.keys(filters), 'search'],
    ids,
    page: async (db, query, moment, url, limits = LIST_LIMITS) => {
      const request = pageRequestOf(query);
      const requested = readOrder(query);
      const after = await readPlace(db, query, requested);
      const { asked, matches } = await matchesOf(db, read(query, moment, limits));
      const { pageSize } = request;
      // One more row shows whether another page follows.
      const sought = { limit: pageSize + 1, offset: offsetOf(request) };
      const isWhole = asked.conditions.length === 0 && asked.words.length === 0 && matches.kind === 'many';
      const find = async () =>
        isWhole && after === null
          ? (await wholePage(db, sought, requested)).map(toPlaced)
          : await rowsOfPage(
              db,
              asked,
              matches,
              { ...toOrdering(requested), isDefault: isDefault(requested) },
              { ...sought, after },
            );
      const found = (await isBeyondEnd(db, asked, matches, { ...sought, after })) ? [] : await find();
      const shown = found.slice(0, pageSize);
      const last = found.length > pageSize ? shown.at(-1) : undefined;
      const rows = await rowsOf(
        db,
        shown.map(({ id }) => id),
        moment,
      );
      const answer = toPage(
        request,
        { ...countIn(matches), next: last ? afterOf(nameOf(requested), last.place) : null },
        rows,
        url,
      );
      return sums ? { ...answer, sums: await sumsOf(db, asked, matches, sums, moment) } : answer;
    },
    hasMoreThan: async (db, query, moment, rows) => {
      const readings = read(query, moment, LIST_LIMITS);
      const { count, isExact } = countIn((await matchesOf(db, readings)).matches);
      if (isExact || count > rows) return count > rows;
      let matched = 0;
      for await (const batch of ids(db, query, moment)) {
        matched += batch.length;
        if (matched > rows) return true;
      }
      return false;
    },
    export: async function* (db, query, moment) {
      const given = query.ids && [...new Set(query.ids)].sort((a, b) => a - b);
      for await (const batch of given ? [given] : ids(db, query, moment))
        for await (const part of inParts(batch)) yield await rowsOf(db, part, moment);
    },
  };
}

/** All matching ids, by a scan over ranges of ids. */
async function* allIds(db: Db, asked: Asked): AsyncGenerator<number[]> {
  const id = sql.ref<number>(`${asked.table}.id`);
  for await (const { after: start, upTo } of idRanges(db, asked.table, { stride: BATCH })) {
    const read = async (after: number, limit: number) => {
      const query = sql<{ id: number }>`select ${id} as id from ${sql.table(asked.table)}
        where ${id} > ${after} and ${id} <= ${upTo} and ${matchCondition(asked, 'first rows', 'another condition')}
        order by ${id} limit ${limit}`;
      return runCompiled(db, query.compile(db));
    };
    for await (const rows of inBatches(read, start)) yield rows.map((row) => row.id);
  }
}
