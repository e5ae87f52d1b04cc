import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FieldFault, FieldFaults } from '../../contract/base/field-errors.ts';
import { strictForm } from '../../contract/reading/described.ts';
import { type AppError, fault, invalid } from '../errors.ts';
import { unknownFields } from './unknown-fields.ts';
import { faultsIn } from './validation.ts';

/**
 * `Prefer: handling=strict` (RFC 7240): a call with this header is refused if it contains a field or a parameter that
 * the route does not have, a filter without a value (API-05), or a field that describes a machine in a form that other
 * calls would cut and clean (INPUT-12). Other calls have no extra cost
 * (docs/decisions/050-field-codes-and-strict-calls.md).
 */

/** The most unknown names that an answer lists. */
const NAMED_MAX = 100;

const APPLIED = 'handling=strict';

/** Refuses strict calls with unknown names, empty filters or described fields of another form; the answer also contains their other errors. */
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
 * Whether a Prefer header contains handling=strict. It has several preferences, separated by commas, each perhaps
 * with parameters after ';'. Names and values may be in any case, values also in quotes; if a preference is repeated,
 * the first counts.
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

/** The 400 that lists what only a strict call is refused for; undefined if there is nothing. */
function refusalOf(request: FastifyRequest): AppError | undefined {
  const { takes, record } = request.routeOptions.config;
  // The cast is safe: every route of the API has zod schemas (http/openapi.ts).
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
  const strict = takes || !schemas.body ? undefined : strictForm(schemas.body);
  const misread = faultsOfPart(strict, request.body);
  const hasMisread = strict !== schemas.body && misread.size > 0;
  if (found.length === 0 && empty.length === 0 && !hasMisread) return undefined;
  // The path is invalid, so no record has it. The 404 comes first, as in a call that is not strict.
  if (schemas.params?.safeParse(request.params).success === false) return undefined;
  return invalid(
    joined([
      misread,
      unread,
      ...empty.map((name) => new Map([[name, [fault('required', `El parámetro «${name}» está vacío`)]]])),
      ...found.slice(0, NAMED_MAX).map(([name, text]) => new Map([[name, [fault('unknown_field', text)]]])),
    ]),
  );
}

/** Parameters that may be empty, because they do not change which records are found. */
const OF_PAGES = new Set(['page', 'page_size', 'ordering']);

/**
 * The parameters that a route has and that are empty in the query. An empty filter counts as no filter, so a list
 * would answer records that nobody asked for: with an empty `email`, the first client of all.
 */
function emptyFilters(url: string, schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const names = [...new URLSearchParams(url.split('?', 2)[1] ?? '')].flatMap(([name, value]) =>
    value.trim() === '' && Object.hasOwn(schema.shape, name) && !OF_PAGES.has(name) ? [name] : [],
  );
  return [...new Set(names)];
}

/** The parameters of a query, also empty ones, which the route itself does not get. */
const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.split('?', 2)[1] ?? ''));

/**
 * The fields in the answer of a PUT or PATCH. A caller may send the whole answer back, so fields that the call does
 * not write are no error. A call whose answer is not what it writes, such as a bulk change, has none.
 */
function keptFields(method: string, { body, response }: Schemas, record: z.ZodType | undefined): Set<string> {
  const answer = record ?? response?.[200];
  if (method !== 'PUT' && method !== 'PATCH') return new Set();
  if (!(answer instanceof z.ZodObject) || !(body instanceof z.ZodObject)) return new Set();
  const names = Object.keys(answer.shape);
  return new Set(names.some((name) => Object.hasOwn(body.shape, name)) ? names : []);
}

/** The other errors in a part of a call. */
function faultsOfPart(schema: z.ZodType | undefined, part: unknown): Map<string, FieldFault[]> {
  const { error } = schema?.safeParse(part) ?? {};
  return new Map(Object.entries(error ? faultsIn(error.issues, part) : {}));
}

/** Joins errors by field. A field may have any name, even `__proto__`, so the object is made from entries. */
function joined(parts: Map<string, FieldFault[]>[]): FieldFaults {
  const all = Map.groupBy(
    parts.flatMap((part) => [...part]),
    ([field]) => field,
  );
  return Object.fromEntries([...all].map(([field, found]) => [field, found.flatMap(([, faults]) => faults)]));
}
