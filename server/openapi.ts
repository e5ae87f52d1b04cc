import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Access, PUBLIC } from './context.ts';
import { KEPT_DAYS } from './lib/idempotency.ts';

/**
 * The contract of the API as an OpenAPI 3.1 document, made from the schemas that the routes are checked with. What
 * holds for many routes alike (who may call, which errors) is added here, by rule, so that no route can forget it.
 */

export const DOCUMENT_URL = '/api/openapi.json';

/** The parts of an OpenAPI 3.1 document that are written or read here; a schema is JSON Schema 2020-12. */
export type ApiSchema = { [keyword: string]: unknown };
export type ApiParameter = {
  in: 'path' | 'query' | 'header';
  name: string;
  description?: string;
  required?: boolean;
  schema: ApiSchema;
};
type ApiContent = Record<string, { schema: ApiSchema }>;
type ApiResponse = { description: string; content: ApiContent };
export type ApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: [tag: string];
  security: Record<string, string[]>[];
  'x-access': Access;
  parameters?: ApiParameter[];
  requestBody?: { content: ApiContent };
  responses: Record<string, ApiResponse>;
};
export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, ApiSchema> };
};

const DESCRIPTION = `Todas las llamadas usan JSON (UTF-8), salvo las exportaciones, que responden CSV.

**Quién llama.** El personal envía \`Authorization: Bearer <token>\`, que obtiene al iniciar sesión. Un programa
instalado no tiene cuenta: su clave de licencia, en el cuerpo, es su credencial.

**Errores.** Todos tienen la misma forma (\`Error\`). Decide por \`code\`, nunca por el texto de \`message\`;
\`errors\` nombra los campos. Antes de llegar a una ruta también pueden responderse 405 (método; \`Allow\`
nombra los que la ruta admite), 408 (solicitud demasiado lenta), 417 (\`Expect\` que no se puede cumplir) y 431
(encabezados de más de 16 kB), con esa misma forma. \`OPTIONS\` se responde con 204 y \`Allow\`.

**Listas.** Con \`page\` o \`page_size\` se obtiene esa página (\`page_size\` entre 1 y 100); sin ninguno de los dos,
todas las filas, hasta 1000. Los filtros vacíos y los desconocidos se ignoran.

**Fechas.** Los instantes son ISO 8601 en UTC; los días, \`AAAA-MM-DD\`, en la zona horaria del negocio.`;

const STATUS_TEXTS: Record<number, string> = {
  200: 'Hecho',
  201: 'Creado',
  400: 'Datos inválidos (invalid); errors nombra cada campo',
  401: 'Sin sesión válida (unauthorized)',
  403: 'No permitido (forbidden)',
  404: 'No existe (not_found)',
  409: 'En conflicto con otros datos (conflict)',
  412: 'El registro cambió desde que se leyó (stale); current trae el actual',
  413: 'Cuerpo de más de 100 kB (too_large)',
  415: 'El contenido no es JSON en UTF-8, o está comprimido (unsupported_media_type)',
  429: 'Demasiados intentos (rate_limited); Retry-After dice cuántos segundos esperar',
  500: 'Error en el servidor (server_error)',
  503: 'La base de datos no está disponible (unavailable); se puede reintentar',
};

/** What a route answers besides what follows from its kind, with the codes that it gives then. */
const MORE_ERRORS: Record<string, Record<number, string>> = {
  'post /api/auth/login/': {
    401: 'Usuario desconocido o contraseña incorrecta (unauthorized)',
    403: 'Usuario inactivo (user_inactive)',
    429: STATUS_TEXTS[429]!,
  },
  'post /api/auth/refresh/': { 401: 'El token no es válido o ya se usó (unauthorized)' },
  'post /api/auth/register/': { 403: 'El registro está cerrado (forbidden)' },
  'delete /licenses/api/clients/{id}/': { 409: 'Tiene licencias asociadas (in_use)' },
  'delete /licenses/api/software/{id}/': { 409: 'Tiene licencias asociadas (in_use)' },
  'post /licenses/api/software/register/': { 409: STATUS_TEXTS[409]! },
  'post /licenses/api/license/validate/': { 429: STATUS_TEXTS[429]! },
  'post /licenses/api/installations/': {
    403: 'La licencia no se puede usar (inactive, suspended, cancelled, expired)',
    404: 'La clave no existe (license_not_found)',
    409: 'No quedan instalaciones (installation_limit)',
    429: STATUS_TEXTS[429]!,
  },
  'post /licenses/api/installation/heartbeat/': {
    404: 'La clave no existe (license_not_found) o la máquina no está activada (not_found)',
    429: STATUS_TEXTS[429]!,
  },
};

/** Calls that create a record and take an Idempotency-Key. */
const CREATING = [
  'post /licenses/api/clients/',
  'post /licenses/api/software/',
  'post /licenses/api/license-types/',
  'post /licenses/api/licenses/',
  'post /licenses/api/license/generate/',
];

/** Collects the routes that are declared from now on; call it before the first of them. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'License Manager', version, description: DESCRIPTION },
      servers: [{ url: '/', description: 'Este servidor' }],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'Token de la sesión' } },
      },
    },
    transform: (route) => {
      const access = route.route.config?.access;
      if (route.schema?.hide === true) return { schema: { hide: true }, url: route.url };
      // Silence would leave it out of the document, and its answers unchecked.
      if (route.schema === undefined) throw new Error(`The route ${route.url} has no schema.`);
      const { schema, url } = jsonSchemaTransform(route);
      const body = withExamples(schema.body, route.schema.body);
      return { schema: Object.assign(schema, { 'x-access': access }, body && { body }), url };
    },
    transformObject: (documentObject) =>
      complete(jsonSchemaTransformObject(documentObject) as unknown as ApiDocument),
  });
  app.get(DOCUMENT_URL, { config: PUBLIC, schema: { hide: true } }, async () => apiDocument(app));
}

/** The provider leaves out what a schema as a whole says of itself; the examples are wanted. */
function withExamples(made: unknown, source: unknown) {
  const examples = source instanceof z.ZodType ? source.meta()?.examples : undefined;
  return examples === undefined ? undefined : Object.assign({}, made, { examples });
}

/** The finished document. Ask for it when the application is ready. */
export function apiDocument(app: FastifyInstance): ApiDocument {
  return app.swagger() as unknown as ApiDocument;
}

function complete(document: ApiDocument): ApiDocument {
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method} ${path}`;
      operation.operationId = operationId(method, path, ids);
      ids.add(operation.operationId);
      operation.security = operation['x-access'] === 'staff' ? [{ bearer: [] }] : [];
      const parameters = [...(operation.parameters ?? []), ...headersOf(method, name, 'put' in operations)];
      operation.responses = responsesOf(operation, parameters, method, path);
      if (parameters.length > 0) operation.parameters = parameters;
    }
  }
  dropUnused(document);
  return document;
}

/** `getClientsExport` and the like; the prefix is left out where that leaves the name the only one of its kind. */
function operationId(method: string, path: string, taken: ReadonlySet<string>): string {
  const words = path.split(/[^a-z]+/).filter((word) => word !== '' && word !== 'api');
  const name = (parts: string[]) =>
    method + parts.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const short = name(path.startsWith('/licenses/api/') ? words.slice(1) : words);
  return taken.has(short) ? name(words) : short;
}

function headersOf(method: string, name: string, hasVersions: boolean): ApiParameter[] {
  const header = (key: string, description: string): ApiParameter => ({
    in: 'header',
    name: key,
    description,
    required: false,
    schema: { type: 'string' },
  });
  if (CREATING.includes(name)) {
    return [
      header(
        'Idempotency-Key',
        `Durante ${KEPT_DAYS} días, repetir la llamada con la misma clave responde lo mismo y no crea otro registro`,
      ),
    ];
  }
  // What nobody can save has no versions: an installation is released as it stands.
  if (!hasVersions || (method !== 'put' && method !== 'delete')) return [];
  return [
    header(
      'If-Match',
      'El ETag leído: si el registro cambió desde entonces, se responde 412; * admite cualquiera',
    ),
  ];
}

function responsesOf(
  operation: ApiOperation,
  parameters: ApiParameter[],
  method: string,
  path: string,
): ApiOperation['responses'] {
  const declared: Record<string, Partial<ApiResponse>> = operation.responses;
  const responses: ApiOperation['responses'] = {};
  for (const [status, response] of Object.entries(declared)) {
    responses[status] = {
      ...response,
      description: STATUS_TEXTS[Number(status)]!,
      // A route without a schema of its answer is an export.
      content: response.content ?? { 'text/csv': { schema: { type: 'string' } } },
    };
  }
  for (const [status, description] of Object.entries(errorsOf(operation, parameters, method, path))) {
    responses[status] ??= {
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

function errorsOf(
  operation: ApiOperation,
  parameters: ApiParameter[],
  method: string,
  path: string,
): Record<number, string> {
  const name = `${method} ${path}`;
  const isIn = (place: ApiParameter['in']) => parameters.some((parameter) => parameter.in === place);
  const statuses = [500, 503];
  if (operation['x-access'] === 'staff') statuses.push(401);
  if (isIn('path') || parameters.some((parameter) => parameter.name === 'page')) statuses.push(404);
  if (operation.requestBody || isIn('query') || method !== 'get') statuses.push(400);
  if (method !== 'get') statuses.push(413, 415);
  if (parameters.some((parameter) => parameter.name === 'If-Match')) statuses.push(412);
  const errors: Record<number, string> = Object.fromEntries(
    statuses.map((status) => [status, STATUS_TEXTS[status]!]),
  );
  if (CREATING.includes(name)) errors[409] = 'La clave de idempotencia ya se usó (idempotency_conflict)';
  return { ...errors, ...MORE_ERRORS[name] };
}

/** The registry gives each schema as input and as output; only those that something refers to are of use. */
function dropUnused(document: ApiDocument): void {
  const { schemas } = document.components;
  for (let isDone = false; !isDone; ) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((id) => !text.includes(`"#/components/schemas/${id}"`));
    for (const id of unused) delete schemas[id];
    isDone = unused.length === 0;
  }
}
