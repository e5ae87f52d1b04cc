import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { FILE_TYPES } from '../../contract/base/file-columns.ts';
import { API_KEY_PREFIX } from '../../contract/people/api-keys.ts';
import { KEY_PERMISSIONS } from '../../contract/people/permissions.ts';
import { type Access, NOTHING } from './access.ts';
import { bodyExample } from './api-docs/body-examples.ts';
import { PORTAL_COOKIE } from './cookies.ts';
import { KEPT_DAYS } from './idempotency.ts';
import {
  type ApiContent,
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  FACTS,
  ownParameters,
  type ParameterRef,
} from './openapi-document.ts';
import { asksForToken, errorsOf, STATUS_TEXTS } from './openapi-errors.ts';
import { nameHeaders } from './openapi-headers.ts';
import { operationId } from './openapi-names.ts';
import { completeParameter, describeProperties, nameBodies } from './openapi-schemas.ts';
import { addWebhooks } from './openapi-webhooks.ts';
import { TAG_WORDS, type Tag } from './openapi-words/calls.ts';

/**
 * The API as an OpenAPI 3.1 document, generated from the schemas of the routes. Facts that are common to many routes
 * (access, errors) are added here, so that no route can omit them.
 */

const PORTAL_HEADER_NAME = 'X-Portal';

/** The type of {@link apiDocument}, for files that need none of its parts. */
export type { ApiDocument } from './openapi-document.ts';

const DESCRIPTION = `Todas las llamadas usan JSON (UTF-8), salvo las exportaciones, que responden CSV, las importaciones, que
lo reciben, y el logo, que es una imagen.

**Quién llama.** El personal envía \`Authorization: Bearer <token>\`, que obtiene al iniciar sesión. Un programa
instalado no tiene cuenta: su clave de licencia, en el cuerpo, es su credencial.

Un cliente en el portal tiene una cookie de sesión; ningún token cuenta ahí, ni su cookie en otra parte.

**Errores.** Todos tienen la misma forma (\`Error\`). Decide por \`code\`, nunca por el texto de \`message\`;
\`errors\` nombra los campos, y \`error_codes\` dice de cada texto qué está mal: los mismos campos, en el mismo orden,
con códigos de una lista cerrada (\`FieldErrorCode\`). Antes de llegar a una ruta también pueden responderse 405 (método; \`Allow\`
nombra los que la ruta admite), 408 (solicitud demasiado lenta), 417 (\`Expect\` que no se puede cumplir) y 431
(encabezados de más de 16 kB), con esa misma forma. \`OPTIONS\` se responde con 204 y \`Allow\`.

**Listas.** Con \`page\` o \`page_size\` se obtiene esa página (\`page_size\` entre 1 y 100); sin ninguno de los dos,
todas las filas, hasta 1000. Los filtros vacíos y los desconocidos se ignoran.

**Llamadas estrictas.** Con \`Prefer: handling=strict\` (RFC 7240) un campo o parámetro desconocido se responde con 400 \`invalid\`
y el código \`unknown_field\`, y un filtro vacío con el código \`required\`; la respuesta lleva \`Preference-Applied: handling=strict\`. Un PUT admite de vuelta el registro leído.

**Fechas.** Los instantes son ISO 8601 en UTC; los días, \`AAAA-MM-DD\`, en la zona horaria del negocio.`;

/** The header Prefer, which every operation takes. */
const PREFER: ApiParameter = {
  in: 'header',
  name: 'Prefer',
  description:
    'Con handling=strict, un campo o parámetro desconocido es un error (unknown_field), y un filtro vacío también (required) / With handling=strict, an unknown field or parameter is an error (unknown_field), and so is an empty filter (required)',
  required: false,
  schema: { type: 'string', examples: ['handling=strict'] },
};
const PREFER_REF: ParameterRef = { $ref: '#/components/parameters/Prefer' };

/** The header with which a caller sets the id of the request. */
const REQUEST_ID: ApiParameter = {
  in: 'header',
  name: 'X-Request-Id',
  description:
    'Id de la llamada, de 8 a 128 letras, dígitos, - y _ / Id of the call, 8 to 128 letters, digits, - and _',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
};
const REQUEST_ID_REF: ParameterRef = { $ref: '#/components/parameters/X-Request-Id' };

const SECURITY_SCHEMES: ApiDocument['components']['securitySchemes'] = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token de la sesión de una persona / Token of a person’s session',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${API_KEY_PREFIX}…`,
    description: `Clave de API (${API_KEY_PREFIX}…), con los permisos que le dieron / API key, with the permissions that it was given`,
  },
  portalSession: {
    type: 'apiKey',
    in: 'cookie',
    name: PORTAL_COOKIE,
    description:
      'Sesión de un cliente en el portal; con https, __Host- delante / Session of a client in the portal; __Host- in front under https',
  },
};

/** Routes that require a person's password, so that no API key may call them, whatever its permissions. */
const OF_PEOPLE: ReadonlySet<string> = new Set([
  'post /licenses/api/signing-keys/rotate/',
  'post /licenses/api/payments/{id}/refund/',
  'put /licenses/api/settings/payments/',
  'patch /licenses/api/settings/payments/',
  'post /licenses/api/settings/payments/{provider}/test/',
  'get /licenses/api/settings/mail/',
  'put /licenses/api/settings/mail/',
  'patch /licenses/api/settings/mail/',
  'post /licenses/api/settings/mail/test/',
  'post /licenses/api/clients/{id}/portal/view/',
]);

/** The credentials that a route takes; one of them is enough. */
function securityOf(access: Access, call: string): Record<string, string[]>[] {
  if (access === 'client') return [{ portalSession: [] }];
  if (!asksForToken(access)) return [];
  const takesKeys = access === 'token' || (KEY_PERMISSIONS as ReadonlySet<string>).has(access);
  return takesKeys && !OF_PEOPLE.has(call) ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }];
}

/** Collects all routes that are declared after this call. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'License Manager',
        version,
        description: DESCRIPTION,
        // An SPDX identifier, which OpenAPI 3.1 takes in place of an address (CODE-08).
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [{ url: '/', description: 'Este servidor' }],
      components: {
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    transform: (route) => {
      const {
        access,
        writes = NOTHING,
        duringMfaSetup,
        once,
        errors,
        takes,
        portal,
      } = route.route.config ?? {};
      if (route.schema?.hide === true) return { schema: { hide: true }, url: route.url };
      // Without a schema the document would lack the route, and its answers would not be checked.
      if (route.schema === undefined) throw new Error(`The route ${route.url} has no schema.`);
      const { schema, url } = jsonSchemaTransform(route);
      const body = withExamples(schema.body, route.schema.body);
      return {
        schema: Object.assign(
          schema,
          { 'x-access': access, 'x-writes': writes, [FACTS]: { once, errors, takes, portal } },
          duringMfaSetup && { 'x-during-mfa-setup': true },
          body && { body },
        ),
        url,
      };
    },
    transformObject: (documentObject) =>
      complete(jsonSchemaTransformObject(documentObject) as unknown as ApiDocument),
  });
}

/** Restores the examples of a schema, which the type provider drops. */
function withExamples(made: unknown, source: unknown) {
  const examples = source instanceof z.ZodType ? source.meta()?.examples : undefined;
  return examples === undefined ? undefined : Object.assign({}, made, { examples });
}

/** fastify-swagger puts several examples beside `example`, which OpenAPI forbids: the schema takes them. */
function examplesIntoSchema(body: ApiContent[string]): void {
  if (body.examples === undefined) return;
  body.schema.examples = Object.values(body.examples).map(({ value }) => value);
  delete body.examples;
}

/** The finished document. Call it when the application is ready. */
export function apiDocument(app: FastifyInstance): ApiDocument {
  return app.swagger() as unknown as ApiDocument;
}

function complete(document: ApiDocument): ApiDocument {
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, declared] of Object.entries(operations)) {
      // PUT and PATCH of a route share one object, so it is copied.
      const operation = structuredClone(declared);
      operations[method] = operation;
      operation.operationId = operationId(method, path, ids);
      ids.add(operation.operationId);
      const takes = operation[FACTS]?.takes;
      if (takes) operation.requestBody = { content: fileContent(takes) };
      const body = operation.requestBody?.content['application/json'];
      if (body) examplesIntoSchema(body);
      if (body && body.example === undefined) Object.assign(body, { example: bodyExample(method, path) });
      operation.security = securityOf(operation['x-access'], `${method} ${path}`);
      const own = ownParameters(operation).map(completeParameter);
      const parameters = [...own, ...headersOf(operation, method, 'put' in operations)];
      operation.responses = responsesOf(operation, parameters, method);
      delete operation[FACTS];
      operation.parameters = [...parameters, PREFER_REF, REQUEST_ID_REF];
    }
  }
  document.tags = tagsOf(document);
  document.components.parameters = { Prefer: PREFER, 'X-Request-Id': REQUEST_ID };
  nameHeaders(document);
  dropUnused(document);
  nameBodies(document);
  describeProperties(document);
  addWebhooks(document);
  return document;
}

/** The groups of the operations, in their order. */
function tagsOf({ paths }: ApiDocument): ApiDocument['tags'] {
  const names = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ tags: [name] }) => name),
  );
  return [...new Set(names)].map((name) => ({ name, description: TAG_WORDS[name as Tag] ?? name }));
}

/** The content of a file: bytes, by media type. */
const fileContent = (types: readonly string[]): ApiContent =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

function headersOf(operation: ApiOperation, method: string, hasVersions: boolean): ApiParameter[] {
  const header = (key: string, description: string): ApiParameter => ({
    in: 'header',
    name: key,
    description,
    required: false,
    schema: { type: 'string' },
  });
  const { once, portal, errors = {} } = operation[FACTS]!;
  // Records that cannot be saved, such as installations, have no versions. A user's own account has none either.
  const isSave = hasVersions && ['put', 'patch', 'delete'].includes(method);
  const isVersioned = 412 in errors || (isSave && operation['x-access'] !== 'signed-in');
  return [
    ...(portal === true && method !== 'get'
      ? [
          {
            ...header(PORTAL_HEADER_NAME, 'Siempre 1; sin él se responde 403 / Always 1; without it 403'),
            required: true,
          },
        ]
      : []),
    ...(once
      ? [
          header(
            'Idempotency-Key',
            `Durante ${KEPT_DAYS} días, repetir la llamada con la misma clave responde lo mismo y no hace nada otra vez / For ${KEPT_DAYS} days a repeated call with the same key answers the same and does nothing again`,
          ),
        ]
      : []),
    ...(isVersioned
      ? [
          header(
            'If-Match',
            'El ETag leído: si el registro cambió desde entonces, se responde 412; * admite cualquiera / The ETag that was read: if the record has changed since, the answer is 412; * takes any',
          ),
        ]
      : []),
  ];
}

const ERROR_CONTENT: ApiContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
/** A redirect says all in its Location. */
const NO_CONTENT: ApiContent = { 'text/plain': { schema: { type: 'string', maxLength: 0 } } };

function responsesOf(
  operation: ApiOperation,
  parameters: ApiParameter[],
  method: string,
): ApiOperation['responses'] {
  const declared: Record<string, Partial<ApiResponse>> = operation.responses;
  const responses: ApiOperation['responses'] = {};
  for (const [status, response] of Object.entries(declared)) {
    responses[status] = {
      ...response,
      description: STATUS_TEXTS[Number(status)]!,
      // A route without an answer schema is an export.
      content: status === '302' ? NO_CONTENT : (response.content ?? filesOf(parameters)),
    };
  }
  for (const [status, description] of Object.entries(errorsOf(inputOf(operation, parameters, method)))) {
    responses[status] ??= {
      description,
      content: ERROR_CONTENT,
    };
  }
  return responses;
}

/** The files that an export answers: CSV, and a workbook where the caller can choose. */
const filesOf = (parameters: ApiParameter[]): ApiResponse['content'] => ({
  [FILE_TYPES.csv]: { schema: { type: 'string' } },
  ...(parameters.some((parameter) => 'in' in parameter && parameter.name === 'file') && {
    [FILE_TYPES.xlsx]: { schema: { type: 'string', format: 'binary' } },
  }),
});

const inputOf = (operation: ApiOperation, parameters: ApiParameter[], method: string) => ({
  access: operation['x-access'],
  isRead: method === 'get',
  hasBody: operation.requestBody !== undefined,
  parameters,
  ...operation[FACTS],
});

/** Removes unreferenced schemas: the registry adds each schema as input and as output. */
function dropUnused(document: ApiDocument): void {
  const { schemas } = document.components;
  for (let isDone = false; !isDone; ) {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const used = new Set([...references].map(([, id]) => id));
    const unused = Object.keys(schemas).filter((id) => !used.has(id));
    for (const id of unused) delete schemas[id];
    isDone = unused.length === 0;
  }
}
