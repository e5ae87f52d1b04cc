import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { done } from '../../contract/base/errors.ts';
import type { FileColumn } from '../../contract/base/file-columns.ts';
import { bulkResult, idParams } from '../../contract/base/page.ts';
import type { AppContext } from '../context.ts';
import type { RoutePolicy } from '../http/access.ts';
import { type ExportForm, sendTable } from '../http/file-reply.ts';
import { SAVING, saveOnce } from '../http/idempotency.ts';
import { listUrl } from '../http/list-url.ts';
import { inRequest, saveInRequest } from '../http/request-scope.ts';
import type { RoutesApp } from '../http/routes.ts';
import { withEtag } from '../http/version.ts';
import { bulkAnswer } from '../lists/bulk.ts';
import type { List } from '../lists/define-list.ts';
import type { PageQuery } from '../lists/paging.ts';
import type { Scope } from '../scope.ts';
import { deleteRecord, gone, type ReadScope, type RecordKind, type Removable } from './save-record.ts';

export type Versioned = { updated_at: string };

/** The policy of a route, and its summary on the API's page. */
type Call = { config: RoutePolicy; summary: string };

/** Wraps a call that may be refused, so that its 412 contains the current record in the form for this caller. */
type Refused = <Result>(
  context: AppContext,
  request: FastifyRequest,
  call: Promise<Result>,
) => Promise<Result>;
const asItIs: Refused = (_context, _request, call) => call;

type ExportQuery = { ids?: number[] | undefined } & ExportForm;

/**
 * What the answer to a save says beside its record (contract/base/advice.ts). It is asked in the transaction of the
 * save, so that a repeated call with the same Idempotency-Key gets the same answer.
 */
export type Advise<Saved> = (scope: Scope, saved: Saved, request: FastifyRequest) => object | Promise<object>;

/** What differs between lists. */
export type ListCalls<Query, Row> = Call & {
  url: string;
  /** The schema of a page in the contract. */
  page: z.ZodType;
  /** Adds to the rows of a page the fields that depend on the caller. */
  shown?: (context: AppContext, request: FastifyRequest, rows: Row[]) => Promise<object[]>;
  /**
   * The list's file, at `export/` below the list. Its name begins with `name`, the sheet of a workbook has `title`;
   * `query` has the filters, `ids` and the form of the file.
   */
  exports?: {
    summary: string;
    name: string;
    title: string;
    columns: readonly FileColumn<Row>[];
    query: z.ZodType<Query & ExportQuery>;
  };
};

/** Adds the route that sets the same values on many records; it answers how many have changed. */
export function addBulkUpdateRoute<Body extends { ids: number[] }>(
  app: RoutesApp,
  context: AppContext,
  {
    url,
    config,
    summary,
    body,
    run,
  }: Call & { url: string; body: z.ZodType<Body>; run: (scope: Scope, body: Body) => Promise<number[]> },
): void {
  app.patch(url, { config, schema: { summary, body, response: { 200: bulkResult } } }, async (request) => {
    const asked = request.body as Body;
    return bulkAnswer(asked.ids, await inRequest(context, request, (scope) => run(scope, asked)));
  });
}

/** Adds the route that reads a page of a list, and the route that exports its rows. */
export function addListRoutes<Query extends PageQuery, Row extends object>(
  app: RoutesApp,
  context: AppContext,
  list: List<Query, Row>,
  { url, config, summary, page, shown, exports }: ListCalls<Query, Row>,
): void {
  const { db, now } = context;
  const { timeZone } = context.config;

  app.get(
    url,
    { config, schema: { summary, querystring: list.query, response: { 200: page } } },
    async (request) => {
      // The cast is safe: fastify has checked the query with its schema, but the type of a generic schema is not
      // known here.
      const query = request.query as Query;
      const found = await list.page(db, query, { now: now(), timeZone }, listUrl(context, request));
      return shown ? { ...found, results: await shown(context, request, found.results) } : found;
    },
  );

  if (!exports) return;
  app.get(
    `${url}export/`,
    { config, schema: { summary: exports.summary, querystring: exports.query } },
    (request, reply) => {
      const query = request.query as Query & ExportQuery;
      const moment = { now: now(), timeZone };
      return sendTable(context, reply, query, {
        ...exports,
        batches: list.export(db, query, moment),
        hasMoreThan: async (rows) => query.ids === undefined && list.hasMoreThan(db, query, moment, rows),
      });
    },
  );
}

/** What differs between kinds of records that are read and saved by id. */
type RecordCalls<Answer extends Versioned, Body extends z.ZodType, Saved extends Versioned> = {
  /** The path of one record, with `:id`. */
  url: string;
  read: Call & {
    answer: z.ZodType;
    /** Reads the whole answer with one query. Default: `find` and then `complete` of the record kind. */
    find?: (at: ReadScope, id: number) => Promise<Answer | undefined>;
  };
  save: Call & {
    body: Body;
    answer: z.ZodType;
    /** Checks the body before the transaction begins. */
    check?: (body: z.output<Body>) => Promise<void>;
    run: (scope: Scope, id: number, body: z.output<Body>, request: FastifyRequest) => Promise<Saved>;
    advise?: Advise<Saved>;
  };
  /** Adds to the record the fields that depend on the caller. */
  shown?: (context: AppContext, request: FastifyRequest, record: Answer | Saved) => object | Promise<object>;
  refused?: Refused;
};

/**
 * Adds the routes that read and save one record. GET answers it; PUT and PATCH change the fields that are present in
 * the body. Both send its ETag. A save takes an Idempotency-Key if its policy has `once`.
 */
export function addRecordRoutes<
  Row extends Versioned,
  Plain extends object,
  Answer extends Versioned,
  Body extends z.ZodType,
  Saved extends Versioned,
>(
  app: RoutesApp,
  context: AppContext,
  kind: RecordKind<Row, Plain, Answer>,
  {
    url,
    read,
    save,
    shown = (_context, _request, record) => record,
    refused = asItIs,
  }: RecordCalls<Answer, Body, Saved>,
): void {
  async function find(at: ReadScope, id: number): Promise<Answer | undefined> {
    const plain = await kind.find(at, id);
    return plain && kind.complete(at, plain);
  }

  app.get(
    url,
    {
      config: read.config,
      schema: { summary: read.summary, params: idParams, response: { 200: read.answer } },
    },
    async (request, reply) => {
      const at = { tx: context.db, now: context.now(), timeZone: context.config.timeZone };
      const found = await (read.find ?? find)(at, request.params.id);
      if (!found) throw await gone(context.db, kind, request.params.id);
      return shown(context, request, withEtag(reply, found));
    },
  );

  app.route({
    method: SAVING,
    url,
    config: save.config,
    schema: { summary: save.summary, params: idParams, body: save.body, response: { 200: save.answer } },
    handler: async (request, reply) => {
      // The cast is safe: fastify has checked the body with its schema, but the type of a generic schema is not known
      // here.
      const body = request.body as z.output<Body>;
      const { id } = request.params;
      await save.check?.(body);
      const run = async (scope: Scope) => {
        const saved = await save.run(scope, id, body, request);
        return { ...saved, ...(await save.advise?.(scope, saved, request)) };
      };
      const call = save.config.once
        ? saveOnce(context, request, reply, run)
        : saveInRequest(context, request, reply, run);
      return shown(context, request, await refused(context, request, call));
    },
  });
}

/** Adds the route that deletes a record; it answers with a message. */
export function addDeleteRoute<Row extends Versioned, Plain extends object, Answer extends object>(
  app: RoutesApp,
  context: AppContext,
  kind: RecordKind<Row, Plain, Answer> & Removable,
  {
    url,
    config,
    summary,
    message,
    refused = asItIs,
    check,
  }: Call & {
    url: string;
    message: string;
    refused?: Refused;
    /** Refuses a deletion by throwing, in its transaction. */
    check?: (scope: Scope, id: number, request: FastifyRequest) => Promise<void>;
  },
): void {
  app.delete(
    url,
    { config, schema: { summary, params: idParams, response: { 200: done } } },
    async (request) => {
      const { id } = request.params;
      const call = inRequest(context, request, async (scope) => {
        await check?.(scope, id, request);
        return deleteRecord(scope, kind, id);
      });
      await refused(context, request, call);
      return { success: true as const, message };
    },
  );
}
