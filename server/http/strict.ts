import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FieldFault, FieldFaults } from '../../contract/base/field-errors.ts';
import { type AppError, fault, invalid } from '../errors.ts';
import { unknownFields } from './unknown-fields.ts';
import { faultsIn } from './validation.ts';

/**
 * `Prefer: handling=strict` (RFC 7240): a call that asks for it is refused when it has a field or a parameter that the
 * route does not know, or a filter without a value (API-05). Only such a call pays for it
 * (docs/decisions/050-field-codes-and-strict-calls.md).
 */

/** The most unknown names in an answer. */
const NAMED_MAX = 100;

const APPLIED = 'handling=strict';

/** Refuses unknown names and empty filters of calls that ask for it, together with what else is wrong with them. */
export function refuseUnknownNames(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    const { prefer } = request.headers;
    if (prefer === undefined || request.is404 || !asksForStrictness(String(prefer))) {
      done();
      return;
    }
    reply.header('preference-applied', APPLIED);
    done(refusalOf(request));
  });
}

/**
 * Whether a Prefer header asks for strict handling. It holds several preferences, separated by commas, each with
 * parameters after ';'. Names and values in any case, values also in quotes; of a repeated preference the first counts.
 */
export function asksForStrictness(header: string): boolean {
  const [value] = splitOutsideQuotes(header).flatMap((preference) => {
    const [, name, text] = /^\s*([^\s=;]+)\s*(?:=\s*("[^"]*"|[^\s;]*))?/.exec(preference) ?? [];
    return name?.toLowerCase() === 'handling' ? [text ?? ''] : [];
  });
  return value?.replaceAll('"', '').toLowerCase() === 'strict';
}

const splitOutsideQuotes = (header: string): string[] => header.match(/(?:"[^"]*"|[^,"])+/g) ?? [];

type Schemas = Partial<Record<'body' | 'querystring' | 'params', z.ZodType>> & {
  response?: Record<number, unknown>;
};

/** The 400 that names what a call has and its route does not know, and its empty filters; undefined where there is neither. */
function refusalOf(request: FastifyRequest): AppError | undefined {
  const { takes, record } = request.routeOptions.config;
  // Every route of the API has schemas of zod (http/openapi.ts).
  const schemas = (request.routeOptions.schema ?? {}) as Schemas;
  const sent = queryOf(request.url);
  const kept = keptFields(request.method, schemas, record);
  // A file has no fields.
  const fields = takes ? [] : unknownFields(schemas.body ?? z.object({}), request.body);
  const parameters = unknownFields(schemas.querystring ?? z.object({}), sent);
  const found = [
    ...fields
      .filter((path) => path.length > 1 || !kept.has(path[0]))
      .map((path) => [path[0], `No existe el campo «${path.join('.')}»`] as const),
    ...parameters.map((path) => [path[0], `No existe el parámetro «${path.join('.')}»`] as const),
  ];
  const unread = faultsOfPart(schemas.querystring, request.query);
  const empty = emptyFilters(request.url, schemas.querystring).filter((name) => !unread.has(name));
  if (found.length === 0 && empty.length === 0) return undefined;
  // No record has such a path: 404 comes first, as without strictness.
  if (schemas.params?.safeParse(request.params).success === false) return undefined;
  return invalid(
    joined([
      faultsOfPart(takes ? undefined : schemas.body, request.body),
      unread,
      ...empty.map((name) => new Map([[name, [fault('required', `El parámetro «${name}» está vacío`)]]])),
      ...found.slice(0, NAMED_MAX).map(([name, text]) => new Map([[name, [fault('unknown_field', text)]]])),
    ]),
  );
}

/** An empty one of these finds no other records. */
const OF_PAGES = new Set(['page', 'page_size', 'ordering']);

/**
 * The parameters that a route knows and that have no value. A filter without one is no filter, so a list would answer
 * with records that nobody asked for: the first client for the one with an address that is not known yet.
 */
function emptyFilters(url: string, schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const names = [...new URLSearchParams(url.split('?', 2)[1] ?? '')].flatMap(([name, value]) =>
    value.trim() === '' && Object.hasOwn(schema.shape, name) && !OF_PAGES.has(name) ? [name] : [],
  );
  return [...new Set(names)];
}

/** The parameters of a query; an empty one counts too, although its route does not see it. */
const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.split('?', 2)[1] ?? ''));

/**
 * The fields of the answer of a PUT, which may be sent back whole: those that it does not write are no mistake. A
 * call that writes other things than it answers with, such as a bulk change, has none.
 */
function keptFields(method: string, { body, response }: Schemas, record: z.ZodType | undefined): Set<string> {
  const answer = record ?? response?.[200];
  if (method !== 'PUT' && method !== 'PATCH') return new Set();
  if (!(answer instanceof z.ZodObject) || !(body instanceof z.ZodObject)) return new Set();
  const names = Object.keys(answer.shape);
  return new Set(names.some((name) => Object.hasOwn(body.shape, name)) ? names : []);
}

/** What else is wrong with a part of a call. */
function faultsOfPart(schema: z.ZodType | undefined, part: unknown): Map<string, FieldFault[]> {
  const { error } = schema?.safeParse(part) ?? {};
  return new Map(Object.entries(error ? faultsIn(error.issues, part) : {}));
}

/** Joins by field. A field may have any name, `__proto__` too, so the object is made of entries. */
function joined(parts: Map<string, FieldFault[]>[]): FieldFaults {
  const all = Map.groupBy(
    parts.flatMap((part) => [...part]),
    ([field]) => field,
  );
  return Object.fromEntries([...all].map(([field, found]) => [field, found.flatMap(([, faults]) => faults)]));
}
