import type { ApiDocument, ApiOperation, ApiSchema } from '../../server/http/openapi-document.ts';
import { jsonBodyOf } from '../../server/http/openapi-schemas.ts';

/** Inputs that could cost the server more than the sender: long runs of characters, deep nesting, many elements. */

/** Below the limit of a JSON body. */
const BODY_BYTES = 95_000;
/** Below the limit of all headers and the path. */
const QUERY_BYTES = 12_000;
/** Below the longest text that a field accepts, so that the text also reaches the code after the length check. */
const TEXT_LENGTH = 9900;

/** Repeats a part up to a number of bytes, with an end that prevents a pattern from matching. */
const run = (part: string, end: string) => (bytes: number) => {
  const escaped = Buffer.byteLength(JSON.stringify(part)) - 2;
  return part.repeat(Math.max(1, Math.floor((bytes - 20) / escaped))) + end;
};

export const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  spaces: run(' ', 'x'),
  'line breaks': run(' \t\r\n', 'x'),
  'zero-width': run('\u200c', 'ñ'),
  combining: run('\u0301\u0323', 'x'),
  commas: run(',', 'x'),
  quotes: run('"', 'x'),
  dots: run('.', '\n'),
  slashes: run('/', 'x'),
  hyphens: run('-', '+'),
  digits: run('9', 'x'),
  'a mail address': (bytes) => `a@${run('a.', '!')(bytes - 2)}`,
  'a web address': (bytes) => `https://${run('a.a/?#&', ' ')(bytes - 8)}`,
  'a telephone': run('+5 ', 'x'),
  'a tax id': run('AAA0', '-'),
  'an address of the network': run('::', '.'),
  markup: run('[', '](x'),
  'open tags': run('{{ ', 'x'),
  'a tag of spaces': (bytes) => `{%${run(' ', 'x')(bytes - 2)}`,
  'long words': run('palabra ', 'x'),
};

/** Kinds of texts that are sent in one field, with valid values in the other fields. */
const OF_ONE_FIELD = ['spaces', 'zero-width', 'combining', 'markup', 'a mail address', 'digits', 'open tags'];

/** JSON with great depth or width. */
const STRUCTURES: Readonly<Record<string, string>> = {
  'nested lists': '['.repeat(45_000) + ']'.repeat(45_000),
  'nested objects': '{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000),
  'a list of numbers': `[${'1,'.repeat(45_000)}1]`,
  'a list of texts': `[${'"a",'.repeat(20_000)}"a"]`,
  'an object of many keys': `{${Array.from({ length: 7000 }, (_, n) => `"k${n}":""`).join()}}`,
  'a long number': '9'.repeat(90_000),
};

export type Hostile = { name: string; method: string; path: string; payload?: string; type?: string };

const pathOf = (path: string) => path.replace('{kind}', 'license_reminder').replace(/\{[a-z_]+\}/g, '1');

function* bodiesOf(
  operation: ApiOperation,
  document: ApiDocument,
): Generator<[what: string, payload: string]> {
  const json = jsonBodyOf(document, operation) as
    | { schema: ApiSchema; example?: Record<string, unknown> }
    | undefined;
  if (!json) return;
  const example = json.example ?? {};
  const names = [
    ...new Set([...Object.keys((json.schema.properties ?? {}) as object), ...Object.keys(example)]),
  ];
  if (names.length === 0) names.push('extra');
  for (const [kind, make] of Object.entries(TEXTS)) {
    const value = make(Math.floor(BODY_BYTES / names.length) - 50);
    yield [kind, JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))];
  }
  for (const [kind, value] of Object.entries(STRUCTURES)) {
    yield [kind, value];
    const part = JSON.stringify(names[0]);
    yield [`${kind} in ${part}`, `{${part}:${value}}`];
  }
  for (const name of names)
    for (const kind of OF_ONE_FIELD)
      yield [`${kind} in ${name}`, JSON.stringify({ ...example, [name]: TEXTS[kind]!(TEXT_LENGTH) })];
  // What is brought into a form of Unicode before its length is asked.
  const room = BODY_BYTES - Buffer.byteLength(JSON.stringify(example));
  const properties = (json.schema.properties ?? {}) as Record<string, ApiSchema>;
  for (const name of names) {
    const value = TEXTS.combining!(room);
    const isList = properties[name]?.type === 'array';
    yield [`combining alone in ${name}`, JSON.stringify({ ...example, [name]: isList ? [value] : value })];
  }
}

function* queriesOf(
  operation: ApiOperation,
  document: ApiDocument,
): Generator<[what: string, query: string]> {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? document.components.parameters?.[parameter.$ref.split('/').at(-1)!] : parameter,
  );
  const names = parameters.flatMap((parameter) => (parameter?.in === 'query' ? [parameter.name] : []));
  if (names.length === 0) return;
  for (const [kind, make] of Object.entries(TEXTS)) {
    const value = encodeURIComponent(make(Math.floor(QUERY_BYTES / 9)));
    const short = encodeURIComponent(make(100).slice(0, 100));
    yield [kind, `${names[0]}=${value.slice(0, QUERY_BYTES).replace(/%.{0,2}$/, '')}`];
    for (const name of names) yield [`${kind} in ${name}`, `${name}=${short}`];
  }
  yield ['many ids', `ids=${'1,'.repeat(QUERY_BYTES / 2)}1`];
  yield ['a parameter many times', Array.from({ length: 1200 }, () => `${names[0]}=1`).join('&')];
}

/** Skips routes that end the test's session, because all later answers would be 401. */
const isLeftOut = (path: string) =>
  path.endsWith('/logout/') || path.startsWith('/api/auth/sessions/') || path.endsWith('/bulk_action/x/');

/** Requests to every route of the document, with hostile values for all its inputs. */
export function* hostileRequests(document: ApiDocument): Generator<Hostile> {
  for (const [template, operations] of Object.entries(document.paths)) {
    if (isLeftOut(template)) continue;
    const path = pathOf(template);
    for (const [verb, operation] of Object.entries(operations)) {
      const method = verb.toUpperCase();
      const name = `${method} ${template}`;
      for (const [what, query] of queriesOf(operation, document))
        if (method === 'GET') yield { name: `${name}: ${what}`, method, path: `${path}?${query}` };
      for (const [what, payload] of bodiesOf(operation, document))
        yield { name: `${name}: ${what}`, method, path, payload, type: 'application/json' };
    }
  }
}

const cells = (value: string) => `Nombre,Email,Teléfono\nAna,a@mx.mx,${value}\n`;

/** CSV files: some are refused, others are read completely. */
export const FILES: Readonly<Record<string, string>> = {
  'a header of 4,000 columns': `${Array.from({ length: 4000 }, (_, n) => `c${n}`).join()}\n`,
  'a header of 4,000 equal columns': `${'Email,'.repeat(4000)}\n`,
  'a cell of 120,000 spaces': cells(' '.repeat(120_000)),
  'a cell of 9,900 spaces': cells(`"${' '.repeat(9900)}x"`),
  'a cell of 9,900 line breaks': cells(`"${' \n'.repeat(4950)}x"`),
  'cells of zero-width characters': `Nombre,Email,Teléfono\n${`${'\u200c'.repeat(9000)}ñ,a@mx.mx,1\n`.repeat(200)}`,
  'commas alone': ','.repeat(19_000_000),
  'commas in every row': `Nombre,Email\n${`Ana,a@mx.mx${','.repeat(10_000)}\n`.repeat(1500)}`,
  'quotes alone': '"'.repeat(19_000_000),
  'a quote that is not closed': `Nombre,Email\n"${'x,\n'.repeat(5_000_000)}`,
  'line breaks alone': '\n'.repeat(19_000_000),
  'long rows': `Nombre,Email,Teléfono,Notas\n${`Ana,a@mx.mx,5512345678,${'x'.repeat(9000)}\n`.repeat(2000)}`,
  'rows of 100 full cells': `${Array.from({ length: 100 }, (_, n) => `c${n}`).join()}\n${`${'valor de la celda,'.repeat(99)}x\n`.repeat(10_000)}`,
};

/** Mail templates that are valid, or nearly valid, and cause much work. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  'many values': '{{ client.name }}'.repeat(580),
  'filters on filters': `{{ client.name${" | append: 'aaaaaaaaaa'".repeat(400)} }}`,
  'many conditions': '{% if client.company %}a{% endif %}'.repeat(280),
  'nested conditions': `${'{% if client.company %}'.repeat(250)}a${'{% endif %}'.repeat(250)}`,
  'a loop full of values': `{% for licencia in licenses %}${'{{ licencia.key }}'.repeat(500)}{% endfor %}`,
  'loops without an end': '{% for licencia in licenses %}'.repeat(330),
  'open markup': '[x](' + '['.repeat(9900),
  stars: '*'.repeat(9900),
  backticks: '`a'.repeat(4950),
  'a table of bars': '|'.repeat(9900),
  spaces: `a${' '.repeat(9900)}b`,
  'spaces beyond the limit': `a${' '.repeat(90_000)}b`,
};
