import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type ApiSchema,
  ownParameters,
} from '../openapi-document.ts';
import { jsonBodyOf } from '../openapi-schemas.ts';
import { notesOf, refOf, type SchemaRow, schemaRows, spanishOf, typeOf } from './schema-rows.ts';

/** Renders the API document as one printable page, without scripts or external files. */

/** A text about who may call a route. */
function accessText(access: ApiOperation['x-access']): string {
  if (access === 'anyone') return 'Pública';
  if (access === 'license-key') return 'Con la clave de licencia';
  if (access === 'token') return 'Con token (Bearer)';
  if (access === 'signed-in') return 'Con sesión (Bearer)';
  return `Con token (Bearer) y el permiso ${access}`;
}

/** Renders the Markdown subset of the descriptions: paragraphs, strong words and code. */
const markdown = (text: string) =>
  text
    .split(/\n\n+/)
    .map((paragraph) =>
      escapeHtml(paragraph)
        .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
        .replace(/`(.+?)`/g, '<code>$1</code>'),
    )
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('\n');

const table = (head: string[], rows: string[][]) =>
  rows.length === 0
    ? ''
    : `<div class="scroll" tabindex="0"><table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`;

const link = (name: string, text = name) => `<a href="#${escapeHtml(name)}">${escapeHtml(text)}</a>`;

const typeCell = ({ type, ref }: Pick<SchemaRow, 'type' | 'ref'>) =>
  ref === null ? escapeHtml(type) : escapeHtml(type).replace(escapeHtml(ref), link(ref));

const propertyTable = (schema: ApiSchema) =>
  table(
    ['Campo', 'Tipo', 'Obligatorio', DETAIL_LABELS.notes],
    schemaRows(schema).map((row) => [
      `<code>${escapeHtml(row.name)}</code>`,
      typeCell(row),
      row.required ? 'Sí' : 'No',
      escapeHtml(row.notes),
    ]),
  );

const PLACES: Record<ApiParameter['in'], string> = {
  path: 'ruta',
  query: 'consulta',
  header: 'encabezado',
};

/** A parameter's meaning and limits. */
const parameterNotes = ({ description, schema }: ApiParameter): string =>
  [description && spanishOf(description), notesOf(schema)].filter(Boolean).join('; ');

function parameterTable(operation: ApiOperation): string {
  return table(
    ['Parámetro', 'En', 'Tipo', DETAIL_LABELS.notes],
    ownParameters(operation).map((parameter) => [
      `<code>${escapeHtml(parameter.name)}</code>`,
      PLACES[parameter.in],
      escapeHtml(typeOf(parameter.schema)),
      escapeHtml(parameterNotes(parameter)),
    ]),
  );
}

function responseTable(operation: ApiOperation): string {
  const rows = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const [mediaType, { schema }] = Object.entries(content)[0]!;
    const ref = refOf(schema);
    const body = ref === null ? escapeHtml(mediaType) : link(ref);
    return [`<code>${status}</code>`, escapeHtml(description), body];
  });
  return table(['Estado', 'Cuándo', 'Respuesta'], rows);
}

/** A call as a curl command for the terminal. */
function curlOf(method: string, path: string, operation: ApiOperation): string {
  const body = operation.requestBody?.content['application/json'];
  const parts = [`curl -X ${method.toUpperCase()} "$SERVIDOR${path.replace('{id}', '1')}"`];
  if (operation.security.length > 0) parts.push('-H "Authorization: Bearer $TOKEN"');
  if (body?.example !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body.example)}'`);
  }
  return parts.join(' \\\n  ');
}

function operationArticle(
  document: ApiDocument,
  method: string,
  path: string,
  operation: ApiOperation,
): string {
  const body = jsonBodyOf(document, operation)?.schema;
  const parameters = parameterTable(operation);
  return `<article id="${operation.operationId}">
<h3>${escapeHtml(operation.summary)}</h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> <span class="access">${accessText(operation['x-access'])}</span></p>
${operation.description ? markdown(operation.description) : ''}
${parameters && `<h4>Parámetros</h4>${parameters}`}
${body ? `<h4>Cuerpo</h4>${propertyTable(body)}` : ''}
<h4>Respuestas</h4>${responseTable(operation)}
<pre tabindex="0">${escapeHtml(curlOf(method, path, operation))}</pre>
</article>`;
}

/** Operations by tag, in the order in which they are declared. */
function operationsByTag(document: ApiDocument): Map<string, [string, string, ApiOperation][]> {
  const groups = new Map<string, [string, string, ApiOperation][]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag] = operation.tags;
      groups.set(tag, [...(groups.get(tag) ?? []), [method, path, operation]]);
    }
  }
  return groups;
}

/**
 * @param document the finished document
 * @param urls the addresses of the document itself and of the page's style sheet
 * @returns a complete HTML page in Spanish
 */
export function renderApiPage(document: ApiDocument, urls: { document: string; style: string }): string {
  const groups = [...operationsByTag(document)];
  const navigation = groups
    .map(
      ([tag, operations]) => `<li>${escapeHtml(tag)}<ul>
${operations.map(([, , { operationId, summary }]) => `<li>${link(operationId, summary)}</li>`).join('\n')}</ul></li>`,
    )
    .join('\n');
  const sections = groups
    .map(
      ([tag, operations]) => `<section><h2>${escapeHtml(tag)}</h2>
${operations.map(([method, path, operation]) => operationArticle(document, method, path, operation)).join('\n')}</section>`,
    )
    .join('\n');
  const schemas = Object.entries(document.components.schemas)
    .map(
      ([name, schema]) =>
        `<article id="${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${propertyTable(schema)}</article>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · License Manager</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${escapeHtml(urls.style)}">
</head>
<body>
<a class="skip" href="#contenido">Ir al contenido</a>
<nav aria-label="Llamadas"><p><strong>License Manager</strong> API ${escapeHtml(document.info.version)}</p>
<ul>${navigation}<li>${link('esquemas', 'Esquemas')}</li></ul></nav>
<main id="contenido">
<h1>API de License Manager</h1>
${markdown(document.info.description)}
<p>El mismo contrato, para programas: <a href="${escapeHtml(urls.document)}">${escapeHtml(urls.document)}</a> (OpenAPI ${escapeHtml(document.openapi)}).</p>
${sections}
<section id="esquemas"><h2>Esquemas</h2>
${schemas}</section>
</main>
</body>
</html>`;
}
