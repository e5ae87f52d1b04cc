import type { z } from 'zod';
import { can, type RouteFacts } from '../http/access.ts';
import { createOnce } from '../http/idempotency.ts';
import type { Tag } from '../http/openapi-words/calls.ts';
import { type Routes, routesOf } from '../http/routes.ts';
import type { List } from '../lists/define-list.ts';
import type { PageQuery } from '../lists/paging.ts';
import type { Scope } from '../scope.ts';
import {
  type Advise,
  addBulkUpdateRoute,
  addDeleteRoute,
  addListRoutes,
  addRecordRoutes,
  type ListCalls,
  type Versioned,
} from './record-routes.ts';
import type { RecordKind, Removable } from './save-record.ts';

/** A body, what stores it, and what the answer says beside the stored record. */
type Write<Body extends z.ZodType, Run, Saved> = { body: Body; run: Run; advise?: Advise<Saved> };

/**
 * A kind of record with nothing of its own in how it is listed, created, read, saved and deleted: its routes follow
 * from this description. Other routes that it has are `ofList` and `ofOne`.
 */
type PlainKind<
  Row extends Versioned,
  Plain extends object,
  Answer extends Versioned,
  Query extends PageQuery,
  Listed extends object,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Bulk extends { ids: number[] },
> = {
  tag: Tag;
  /** The first part of its permissions; with hyphens, that of its path. */
  area: 'clients' | 'software' | 'license_types';
  /** The summaries of its routes on the API's page; export and bulk update have their own. */
  summaries: { list: string; create: string; read: string; update: string; delete: string };
  record: RecordKind<Row, Plain, Answer> & Removable & { name: 'client' | 'software' | 'license_type' };
  list: List<Query, Listed>;
  page: z.ZodType;
  /** Default: the list has no export. */
  file?: ListCalls<Query, Listed>['exports'];
  answer: z.ZodType;
  /** The answer to a save. Default: `answer`. */
  saved?: z.ZodType;
  create: Write<Create, (scope: Scope, body: z.output<Create>) => Promise<Answer>, Answer>;
  update: Write<Update, (scope: Scope, id: number, body: z.output<Update>) => Promise<Answer>, Answer>;
  /** Sets the same values on many records. Default: no such route. */
  bulk?: { summary: string; body: z.ZodType<Bulk>; run: (scope: Scope, body: Bulk) => Promise<number[]> };
  /** The message of a deletion, and its further answers. */
  deletion: { message: string } & Pick<RouteFacts, 'errors'>;
  /** Further routes: those of the list, and those of one record. */
  ofList?: Routes['add'];
  ofOne?: Routes['add'];
};

/** All routes of a plain kind of record. */
export function recordRoutes<
  Row extends Versioned,
  Plain extends object,
  Answer extends Versioned,
  Query extends PageQuery,
  Listed extends object,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Bulk extends { ids: number[] } = never,
>(kind: PlainKind<Row, Plain, Answer, Query, Listed, Create, Update, Bulk>): Routes {
  const { area, summaries, record, answer, file, bulk } = kind;
  const url = `/licenses/api/${area.replaceAll('_', '-')}/`;
  const one = `${url}:id(^\\d+$)/`;
  const saved = kind.saved ?? answer;
  const reads = can(`${area}:read`);

  return routesOf(kind.tag, async (app, context) => {
    addListRoutes(app, context, kind.list, {
      url,
      config: reads,
      summary: summaries.list,
      page: kind.page,
      ...(file && { exports: file }),
    });
    const { create } = kind;
    const config = can(`${area}:write`, { writes: [`${record.name}.created`], once: true });
    const schema = { summary: summaries.create, body: create.body, response: { 201: saved } };
    app.post(url, { config, schema }, (request, reply) =>
      // The cast is safe: fastify has checked the body with this schema, but the type of a generic schema is not known
      // here.
      createOnce(context, request, reply, async (scope) => {
        const made = await create.run(scope, request.body as z.output<Create>);
        return { ...made, ...(await create.advise?.(scope, made, request)) };
      }),
    );
    await kind.ofList?.(app, context);
    if (bulk) {
      const changes = can(`${area}:write`, { writes: [`${record.name}.updated`] });
      addBulkUpdateRoute(app, context, { url: `${url}bulk_update/`, config: changes, ...bulk });
    }
    addRecordRoutes(app, context, record, {
      url: one,
      read: { config: reads, summary: summaries.read, answer },
      save: {
        config: can(`${area}:write`, { writes: [`${record.name}.updated`], once: true }),
        summary: summaries.update,
        answer: saved,
        ...kind.update,
      },
    });
    const { message, ...facts } = kind.deletion;
    addDeleteRoute(app, context, record, {
      url: one,
      config: can(`${area}:delete`, { writes: [`${record.name}.deleted`], ...facts }),
      summary: summaries.delete,
      message,
    });
    await kind.ofOne?.(app, context);
  });
}
