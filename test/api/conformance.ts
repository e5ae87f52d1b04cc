import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { FIELD_ERROR_CODES } from '../../contract/base/field-errors.ts';
import type { Config } from '../../server/config.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import type { ApiDocument, ApiOperation } from '../../server/http/openapi-document.ts';

/** Compares answers with the server's OpenAPI document. */

export type Observed = { status: number; contentType: string; body: unknown };

type Validate = (body: unknown) => string | null;

const isApi = (path: string) => /^\/(licenses\/)?api\//.test(path);

/**
 * Creates the check of answers.
 * @returns a function that throws if the status, the content type or a property of an answer does not match the
 * document
 */
export function conformanceOf(
  document: ApiDocument,
): (method: string, url: string, observed: Observed) => void {
  const validatorFor = createValidators(document);
  return (method, url, observed) => {
    const path = url.split('?', 1)[0]!.replace(/\/?$/, '/');
    const fault = isApi(path) ? faultOf({ document, validatorFor }, method, path, observed) : null;
    if (fault === null) return;
    throw new Error(
      `${method} ${url} answered ${observed.status}, which is not what /api/openapi.json says: ${fault}`,
    );
  };
}

/** The document of an application, and validators for its schemas. */
type Checked = { document: ApiDocument; validatorFor: ReturnType<typeof createValidators> };

/** Why an answer does not match the document; null if it does. */
function faultOf(
  { document, validatorFor }: Checked,
  method: string,
  path: string,
  { status, contentType, body }: Observed,
): string | null {
  const uncoded = [body, ...failuresIn(body)].map(uncodedField).find((field) => field !== null);
  if (uncoded !== undefined) return `the texts and codes of its field ${uncoded} do not belong together`;
  const operation = operationOf(document, method, path);
  if (!operation) {
    if (isDocument(path) && status === 200) return null;
    if (![404, 405, 413, 415, 400].includes(status)) return 'no such operation';
    return validatorFor('#/components/schemas/Error')(body);
  }
  // RFC 9110, 15.4.5: a 304 has no content, because the caller already has it.
  if (status === 304) return null;
  const response = operation.responses[String(status)];
  if (!response) return 'the status is not named';
  if (status === 302) return null;
  const code = errorCodeIn(body);
  if (code !== null && !response.description.includes(code)) return `the code ${code} is not named`;
  const [mediaType = ''] = contentType.split(';');
  if (!response.content?.[mediaType]) return `the content type ${contentType} is not named`;
  if (mediaType !== 'application/json') return null;
  // Most answers refer to a shared schema, such as that of errors, which is then compiled only once.
  const { $ref } = response.content[mediaType].schema as { $ref?: string };
  if ($ref) return validatorFor($ref)(body);
  const template = inPointer(templateOf(document, path)!);
  const answer = `${template}/${method.toLowerCase()}/responses/${status}/content/${inPointer(mediaType)}`;
  return validatorFor(`#/paths/${answer}/schema`)(body);
}

/** The OpenAPI document does not describe itself and its page. */
const isDocument = (path: string) => /^\/api\/(openapi\.json|docs)\//.test(path);

/** The failures of single records in the answer of a bulk call or its job. */
const failuresIn = (body: unknown): object[] => {
  const { failed = [], result } = (body ?? {}) as {
    failed?: object[];
    result?: { failed?: object[] } | null;
  };
  const all = [failed, result?.failed ?? []].filter(Array.isArray).flat();
  return all.map((failure) => ({ ...failure, success: false }));
};

const errorCodeIn = (body: unknown): string | null =>
  typeof body === 'object' &&
  body !== null &&
  'success' in body &&
  body.success === false &&
  'code' in body &&
  // The code of a mail server's reply is a number or null.
  typeof body.code === 'string'
    ? body.code
    : null;

/**
 * The first field of an error answer whose texts do not each have a valid code, in the same order (API-04); null if
 * there is none. Answers without field errors have no codes.
 */
export function uncodedField(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('success' in body) || body.success !== false)
    return null;
  const { errors, error_codes: codes } = body as Record<string, Record<string, unknown[]> | undefined>;
  if (errors === undefined && codes === undefined) return null;
  const fields = Object.keys(errors ?? {});
  const coded = Object.keys(codes ?? {});
  const isRight = (field: string, at: number) => {
    const found = codes?.[field] ?? [];
    return (
      coded[at] === field &&
      found.length > 0 &&
      found.length === errors?.[field]?.length &&
      found.every((code) => Object.hasOwn(FIELD_ERROR_CODES, String(code)))
    );
  };
  const wrong = fields.find((field, at) => !isRight(field, at));
  return wrong ?? coded.find((field) => !fields.includes(field)) ?? null;
}

const inPointer = (segment: string) =>
  encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));

const documents = new Map<Config['metrics'], ApiDocument>();

/**
 * The document of an application. Creating it takes longer than the rest of the start, so applications share it; only
 * METRICS decides which routes there are.
 */
export function documentOf(app: FastifyInstance, { metrics }: Config): ApiDocument {
  const document = documents.get(metrics) ?? apiDocument(app);
  documents.set(metrics, document);
  return document;
}

/** The operation of a call in the document; undefined if there is none. */
export function operationOf(document: ApiDocument, method: string, path: string): ApiOperation | undefined {
  const template = templateOf(document, path);
  return template === null ? undefined : document.paths[template]?.[method.toLowerCase()];
}

/** The path template for the path of a request. Literal segments take precedence over parameters. */
function templateOf(document: ApiDocument, path: string): string | null {
  if (document.paths[path]) return path;
  return patternsOf(document).find(({ pattern }) => pattern.test(path))?.template ?? null;
}

type PathPattern = { template: string; pattern: RegExp };

const patternsByDocument = new WeakMap<ApiDocument, PathPattern[]>();

function patternsOf(document: ApiDocument): PathPattern[] {
  const known = patternsByDocument.get(document);
  if (known) return known;
  const patterns = Object.keys(document.paths).map((template) => {
    // Ids consist of digits (D037); other parameters can be words.
    const pattern = template
      .replace(/[.]/g, '\\.')
      .replaceAll('{id}', '\\d+')
      .replace(/\{[^}]+\}/g, '[^/]+');
    return { template, pattern: new RegExp(`^${pattern}$`) };
  });
  patternsByDocument.set(document, patterns);
  return patterns;
}

const validatorsByDocument = new WeakMap<ApiDocument, (pointer: string) => Validate>();

function createValidators(document: ApiDocument): (pointer: string) => Validate {
  const known = validatorsByDocument.get(document);
  if (known) return known;
  // Optimizing the code of a validator takes as long as creating it, and most run only a few times.
  const code = { optimize: false };
  const ajv = new Ajv2020({ allErrors: true, strictSchema: true, strictTypes: false, code });
  addFormats.default(ajv);
  // Schemas are referenced by JSON pointers into the document, so ajv must accept the document's other keywords.
  ajv.addVocabulary(['openapi', 'info', 'servers', 'components', 'paths', 'tags', 'webhooks', 'example']);
  ajv.addSchema({ $id: 'https://license-manager.test/openapi', ...document }, 'document');
  const validators = new Map<string, Validate>();
  const validatorFor = (pointer: string): Validate => {
    const made = validators.get(pointer);
    if (made) return made;
    const validate = ajv.compile({ $ref: `https://license-manager.test/openapi${pointer}` });
    const check: Validate = (body) =>
      validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: 'body', separator: '; ' });
    validators.set(pointer, check);
    return check;
  };
  validatorsByDocument.set(document, validatorFor);
  return validatorFor;
}
