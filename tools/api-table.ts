import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApiDocument } from '../server/api-document.ts';
import { readConfig } from '../server/config.ts';
import { asOneForm } from '../server/http/api-docs/schema-rows.ts';
import { type ApiDocument, type ApiOperation, ownParameters } from '../server/http/openapi-document.ts';
import { EVERYWHERE } from '../server/http/openapi-errors.ts';
import { jsonBodyOf } from '../server/http/openapi-schemas.ts';

// node tools/api-table.ts: writes the table of all routes into docs/api.md, between its markers. A test checks that
// it is current.

const file = join(import.meta.dirname, '..', 'docs', 'api.md');
const START = '<!-- routes: written by tools/api-table.ts -->';
const END = '<!-- /routes -->';

/** The texts for access policies. A permission is shown unchanged. */
export const ACCESS: Partial<Record<ApiOperation['x-access'], string>> = {
  anyone: 'public',
  'license-key': 'licence key',
  client: 'client in the portal',
  token: 'bearer',
  'signed-in': 'bearer of a user',
};

const refName = (schema: { [keyword: string]: unknown } | undefined) =>
  typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1)! : null;

/** The input of a route: parameters, and body fields, of which required ones are bold. */
function input(document: ApiDocument, operation: ApiOperation): string {
  const { requestBody } = operation;
  const query = ownParameters(operation)
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name);
  const schema = asOneForm(jsonBodyOf(document, operation)?.schema ?? {});
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.keys(schema.properties ?? {}).map((name) =>
    required.has(name) ? `**${name}**` : name,
  );
  const files = Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json');
  return [
    query.length > 0 && `?${query.join(', ')}`,
    fields.length > 0 && `{ ${fields.join(', ')} }`,
    files.join(' or '),
  ]
    .filter(Boolean)
    .join(' ');
}

function output({ responses }: ApiOperation): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return good
    .map(([status, { content }]) => {
      const [media] = Object.values(content ?? {});
      return `${status} ${refName(media?.schema) ?? Object.keys(content ?? {}).join(' or ')}`;
    })
    .join('<br>');
}

/** The errors of a route, without those that every route may return. */
const errors = ({ responses }: ApiOperation) =>
  Object.entries(responses)
    .filter(([status, { description }]) => status.startsWith('4') && !EVERYWHERE.includes(description))
    .map(([status]) => status)
    .join(', ');

/** All routes of the document as a Markdown table. */
export function apiTable(document: ApiDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const cells = [
        `\`${method.toUpperCase()} ${path}\``,
        ACCESS[operation['x-access']] ?? `\`${operation['x-access']}\``,
        input(document, operation),
        output(operation),
        errors(operation),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  return ['| Route | Access | Input | Output | Errors |', '|---|---|---|---|---|', ...rows].join('\n');
}

/**
 * Replaces the part of the text between two markers by `content`.
 * @throws if the markers are missing
 */
export function between(text: string, content: string, startMark: string, endMark: string): string {
  const [start, end] = [text.indexOf(startMark), text.indexOf(endMark)];
  if (start < 0 || end < start) throw new Error(`The text lacks the markers ${startMark} and ${endMark}.`);
  return `${text.slice(0, start + startMark.length)}\n\n${content}\n\n${text.slice(end)}`;
}

/**
 * The text with its table of routes replaced.
 * @throws if the markers are missing
 */
export const withApiTable = (text: string, table: string): string => between(text, table, START, END);

/** The API's document, as a server without settings of its own has it. */
export const currentDocument = (): Promise<ApiDocument> =>
  buildApiDocument(readConfig({ DATA_DIR: tmpdir(), LOG_LEVEL: 'silent' }));

if (import.meta.main) {
  writeFileSync(file, withApiTable(readFileSync(file, 'utf8'), apiTable(await currentDocument())));
}
