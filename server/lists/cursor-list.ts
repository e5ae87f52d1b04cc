import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Page } from '../../contract/base/page.ts';
import { isAmong } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { afterOf, readAfter } from './after.ts';
import { FILE_BATCH, inBatches, inParts } from './batches.ts';
import { allOf, conditionsOf, type FiltersOf, type Moment } from './filters.ts';
import { offsetOf, type PageQuery, pageRequestOf, toPage } from './paging.ts';
import { idsAsText } from './statements.ts';

/**
 * The number of ids that one statement finds for a file, if a filter collects all its rows in each statement. With a part
 * of the file for each statement, a file of ten thousand rows would collect them a hundred times.
 */
const COLLECTED_BATCH = 10_000;

/** The order of a log in an `after`. */
const BY_ID = { of: 'number', nullable: false } as const;

type Definition<Query, Table extends keyof Tables, Column, Row> = {
  table: Table;
  /** The columns to read beside the id, which is the cursor. Default: all. */
  columns?: readonly Column[];
  filters: FiltersOf<Query>;
  /** Turns database rows into answers, in the same order. */
  rows: (
    db: Db,
    found: Pick<Selectable<Tables[Table]>, Column & keyof Selectable<Tables[Table]>>[],
  ) => Promise<Row[]>;
};

type CursorList<Query, Row> = {
  /**
   * The newest rows that match and are older than the row with the id `before`.
   * @returns `next` is the value of `before` for the following rows; null at the end
   */
  newest: (
    db: Db,
    query: Query,
    cursor: { before: number | undefined; limit: number },
    moment: Moment,
  ) => Promise<{ rows: Row[]; next: number | null }>;
  /**
   * A page by its number, with the exact count of all matches.
   * @param url path and query of the request, for the links to other pages
   * @throws notFound (404) for a malformed page, invalid (400) for an `after` of another list
   */
  page: (
    db: Db,
    query: Query & Pick<PageQuery, 'page' | 'page_size' | 'after'>,
    moment: Moment,
    url: string,
  ) => Promise<Page<Row>>;
  /** All rows that match, in batches, oldest first; no transaction stays open between batches. */
  export: (db: Db, query: Query, moment: Moment) => AsyncGenerator<Row[]>;
};

/**
 * Defines a list whose rows are only added, such as a log. Rows are read in the order of their ids, newest first. It
 * has no search and no other order. Each filter is one condition with an index; one with `byIndex` collects its rows
 * before the first is known.
 */
export function defineCursorList<
  Query extends object,
  Table extends keyof Tables,
  Column extends string & keyof Selectable<Tables[Table]>,
  Row extends { id: number },
>({ table, columns, filters, rows }: Definition<Query, Table, Column, Row>): CursorList<Query, Row> {
  type Found = Pick<Selectable<Tables[Table]>, Column & keyof Selectable<Tables[Table]>>;
  const id = sql.ref<number>(`${table}.id`);
  const listed = columns ? sql.join(columns.map((column) => sql.ref(`${table}.${column}`))) : sql`*`;
  const matching = (query: Query, moment: Moment) =>
    conditionsOf(filters, query, moment).map(({ holds }) => holds);

  async function read(
    db: Db,
    conditions: ReturnType<typeof matching>,
    way: 'asc' | 'desc',
    limit: number,
    offset = 0,
  ) {
    const statement = sql<Found>`select ${listed} from ${sql.table(table)} where ${allOf(conditions)}
      order by ${id} ${sql.raw(way)} limit ${limit} offset ${offset}`;
    return rows(db, await runCompiled(db, statement.compile(db)));
  }

  return {
    newest: async (db, query, { before, limit }, moment) => {
      const older = before === undefined ? [] : [sql<SqlBool>`${id} < ${before}`];
      // One extra row shows whether older ones follow.
      const found = await read(db, [...matching(query, moment), ...older], 'desc', limit + 1);
      const shown = found.slice(0, limit);
      return { rows: shown, next: found.length > limit ? shown.at(-1)!.id : null };
    },
    page: async (db, query, moment, url) => {
      const request = pageRequestOf(query);
      const conditions = matching(query, moment);
      const place = query.after === undefined ? null : readAfter(query.after, table, [BY_ID]);
      const counting = sql<{
        n: number;
      }>`select count(*) as n from ${sql.table(table)} where ${allOf(conditions)}`;
      const [all] = await runCompiled(db, counting.compile(db));
      const { pageSize } = request;
      // One more row shows whether another page follows.
      const found =
        place === null
          ? await read(db, conditions, 'desc', pageSize + 1, offsetOf(request))
          : await read(db, [...conditions, sql<SqlBool>`${id} < ${place[0]}`], 'desc', pageSize + 1);
      const shown = found.slice(0, pageSize);
      const next = found.length > pageSize ? afterOf(table, [shown.at(-1)!.id]) : null;
      return toPage(request, { count: all!.n, isExact: true, next }, shown, url);
    },
    export: async function* (db, query, moment) {
      const conditions = matching(query, moment);
      const after = (afterId: number) => [...conditions, sql<SqlBool>`${id} > ${afterId}`];
      if (!conditionsOf(filters, query, moment).some(({ byIndex }) => byIndex)) {
        yield* inBatches((last, limit) => read(db, after(last), 'asc', limit), 0, FILE_BATCH);
        return;
      }
      const ids = async (last: number, limit: number) => {
        const found = sql<{ id: number }>`select ${id} as id from ${sql.table(table)}
          where ${allOf(after(last))} order by ${id} limit ${limit}`;
        return (await idsAsText(db, found)).map((one) => ({ id: one }));
      };
      for await (const found of inBatches(ids, 0, COLLECTED_BATCH))
        for await (const part of inParts(found.map((row) => row.id)))
          yield await read(db, [isAmong(db, id, part)], 'asc', part.length);
    },
  };
}
