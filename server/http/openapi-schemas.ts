import type { ApiDocument, ApiOperation, ApiParameter, ApiSchema } from './openapi-document.ts';
import { requestName } from './openapi-names.ts';
import { PARAMETER_WORDS } from './openapi-words/calls.ts';
import { FIGURE_WORDS } from './openapi-words/figures.ts';
import { KIND_WORDS } from './openapi-words/kinds.ts';
import { PAYMENT_WORDS } from './openapi-words/payments.ts';
import { RECORD_WORDS } from './openapi-words/records.ts';

/** Completes the schemas of routes in the document: names of bodies, descriptions, formats. */

const SCHEMAS = '#/components/schemas/';
const WORDS: Readonly<Record<string, string>> = {
  ...RECORD_WORDS,
  ...FIGURE_WORDS,
  ...PAYMENT_WORDS,
  ...KIND_WORDS,
};

/** The schema itself, or the schema in the document to which it refers. */
function resolved({ components }: ApiDocument, schema: ApiSchema): ApiSchema {
  if (typeof schema.$ref !== 'string') return schema;
  return components.schemas[schema.$ref.slice(SCHEMAS.length)] ?? schema;
}

/** The JSON body of an operation, with references resolved; undefined if it takes none. */
export function jsonBodyOf(
  document: ApiDocument,
  { requestBody }: ApiOperation,
): { schema: ApiSchema; example?: unknown } | undefined {
  const body = requestBody?.content['application/json'];
  return body && { ...body, schema: resolved(document, body.schema) };
}

/** Turns each JSON body into a named schema; PUT and PATCH of a path share one. */
export function nameBodies(document: ApiDocument): void {
  for (const operations of Object.values(document.paths)) {
    const named = new Map<string, string>();
    for (const { operationId, requestBody } of Object.values(operations)) {
      const body = requestBody?.content['application/json'];
      if (!body || '$ref' in body.schema) continue;
      const text = JSON.stringify(body.schema);
      const name = named.get(text) ?? requestName(operationId);
      named.set(text, name);
      document.components.schemas[name] = body.schema;
      body.schema = { $ref: SCHEMAS + name };
    }
  }
}

/** Adds to each property of a schema its description, and marks texts that are instants. */
export function describeProperties(document: ApiDocument): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) describe(schema, name);
  for (const operations of Object.values(document.paths)) {
    for (const { operationId, responses } of Object.values(operations)) {
      for (const { content } of Object.values(responses)) {
        for (const { schema } of Object.values(content)) describe(schema, operationId);
      }
    }
  }
}

const INNER = ['items', 'additionalProperties'] as const;
const FORMS = ['anyOf', 'oneOf', 'allOf'] as const;

function describe(schema: ApiSchema, owner: string): void {
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, ApiSchema>)) {
    property.description ??= WORDS[`${owner}.${name}`] ?? WORDS[name] ?? WORDS[name.replace(/\.\d+\./, '.')];
    if (isInstant(name, owner)) markInstant(property);
    describe(property, owner);
  }
  for (const keyword of INNER) {
    const inner = schema[keyword];
    if (typeof inner === 'object' && inner !== null) describe(inner as ApiSchema, owner);
  }
  for (const keyword of FORMS)
    for (const form of (schema[keyword] ?? []) as ApiSchema[]) describe(form, owner);
}

/** Instants whose name has none of the usual endings. */
const INSTANTS: ReadonlySet<string> = new Set([
  'at',
  'starts',
  'ends',
  'issued_date',
  'expiry_date',
  'installation_date',
  'last_heartbeat',
  'last_updated',
  'as_of',
  'timestamp',
]);

/** Whether a property is an instant. In a request, `expiry_date` may also be a day. */
const isInstant = (name: string, owner: string): boolean =>
  // `updates_until` is a local day, and its schema already says it.
  (/_(?:at|until|since)$/.test(name) && name !== 'updates_until') ||
  (INSTANTS.has(name) &&
    !(name === 'expiry_date' && owner.endsWith('Request')) &&
    // In the catalogue, `ends` is the last day of a promotion.
    !(name === 'ends' && owner === 'Catalog'));

function markInstant(schema: ApiSchema): void {
  for (const form of (schema.anyOf ?? []) as ApiSchema[]) markInstant(form);
  const isText = [schema.type].flat().includes('string') && schema.enum === undefined;
  if (isText) schema.format ??= 'date-time';
}

/** Parameters that are numbers although their schema is a text: a wrong value there has a special answer (D045). */
const COUNTED: Readonly<Record<string, ApiSchema>> = {
  page: { type: 'integer', minimum: 1, examples: [1] },
  page_size: { type: 'integer', minimum: 1, maximum: 100, examples: [20] },
  limit: { type: 'integer', minimum: 1, examples: [20] },
};

/** A parameter with its description; its numbers (ids, days, pages) are marked as integers. */
export function completeParameter(parameter: ApiParameter): ApiParameter {
  // fastify-swagger copies the first example of the text that the route reads (D045) to `example`: of a parameter
  // that is counted it would be a text beside an integer (CODE-08).
  const { in: place, name, schema, example, ...rest } = parameter;
  const isNumber = place !== 'header' && (schema.type === 'number' || schema.type === 'integer');
  const whole = isNumber
    ? { ...withoutNoLimits(schema), type: 'integer', minimum: name === 'after' ? 0 : 1 }
    : schema;
  const counted = place === 'query' ? COUNTED[name] : undefined;
  return {
    in: place,
    name,
    description: PARAMETER_WORDS[name],
    ...(example !== undefined && !counted && { example }),
    ...rest,
    schema: counted ?? (name === 'updated_since' ? { ...schema, format: 'date-time' } : whole),
  };
}

/** Removes the safe-integer limits that zod adds to every integer. */
const withoutNoLimits = (schema: ApiSchema): ApiSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(([, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER),
  );
