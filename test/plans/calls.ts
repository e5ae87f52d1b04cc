import { addDays } from '../../contract/base/time.ts';
import { CLIENT_ORDERINGS } from '../../contract/clients/clients.ts';
import { LICENSE_ORDERINGS } from '../../contract/licenses/licenses.ts';
import type { ApiDocument, ApiOperation } from '../../server/http/openapi-document.ts';

const ORDERINGS: Record<string, readonly string[]> = {
  '/licenses/api/clients/': [...CLIENT_ORDERINGS, 'updated_at'],
  '/licenses/api/licenses/': [...LICENSE_ORDERINGS, 'updated_at'],
};

/** Values for path parameters. The tokens are not valid. */
const IN_PATHS: Record<string, string> = {
  id: '7',
  delivery: '8',
  code: 'codigo-10',
  token: 'nadie',
  kind: 'license_issued',
  row: '2',
};

/**
 * Values for query parameters. If a list finds rows in different ways, some values match many rows and some few.
 * @throws for a parameter that is neither listed here nor has a list of words in the document
 */
function valuesOf(path: string, name: string, words: unknown, now: Date): string[] {
  const today = now.toISOString().slice(0, 10);
  const days = [`${addDays(today, -3)}..${today}`, `${addDays(today, -700)}..${today}`];
  const since = [new Date(now.getTime() - 60_000).toISOString(), '2020-01-01T00:00:00Z'];
  const id = ['7'];
  const known: Record<string, string[]> = {
    page: ['2', '40'],
    page_size: ['20'],
    search: ['quetzal', 'ana', 'ab', 'norte maria', 'LM-nadie', 'maquina-1'],
    ordering: (ORDERINGS[path] ?? ['updated_at']).flatMap((order) => [order, `-${order}`]),
    machine_id: ['maquina-1', 'nadie'],
    license: id,
    client: id,
    software: id,
    user: ['1'],
    license_type: ['7', 'premium', 'trial'],
    license_type_config: id,
    app_version: ['1.0', ''],
    active_within: ['1', '30'],
    silent_for: ['1', '30'],
    license_key: ['nadie'],
    updated_since: since,
    expiring_within: ['7', '365'],
    expiry_from: [today, '2020-01-01'],
    expiry_to: [today, addDays(today, -600)],
    country: ['México', 'Chile'],
    state: ['Ciudad de México'],
    city: ['Ciudad de México'],
    company: ['Hotel Norte 7'],
    email: ['cliente7@example.com'],
    address: ['cliente7@example.com', 'c', 'nadie'],
    external_id: ['nadie'],
    tag: ['tag 1', 'Tag 7', 'nadie'],
    issued: days,
    sold: days,
    lost: days,
    trial_begun: days,
    trial_converted: days,
    trial_lost: days,
    ids: ['1,2,3'],
    // Of clients/duplicates/.
    name: ['Cliente 7'],
    phone: ['5512345678'],
    tax_id: ['XAXX010101001'],
    languages: ['javascript'],
    import: id,
    q: ['ana', 'quetzal', 'nadie'],
    limit: ['5'],
    type: path.includes('/events/') ? ['license.issued', 'client.created'] : ['individual', 'enterprise'],
    before: ['4000'],
    // Of a list, the answer's `next` has one (followed by query-plans.test.ts).
    after: path.endsWith('/events/') ? ['4000'] : [],
    from: [addDays(today, -90)],
    to: [today],
    start_date: [addDays(today, -90)],
    end_date: [today],
    // Of the seats of a licence.
    silent_minutes: ['30'],
    // Of a receipt.
    payment: ['1'],
  };
  // Two words of a list are enough, because only the value in the statement differs.
  const listed = Array.isArray(words)
    ? words.includes('true')
      ? ['true', 'false']
      : words.slice(0, 2).map(String)
    : undefined;
  const values = name === 'email_status' ? ['queued', 'sent', 'failed'] : (listed ?? known[name]);
  if (!values) throw new Error(`${path}: no value for '${name}'; add one to test/plans/calls.ts`);
  return values;
}

const IN_EXPORTS = ['status', 'license_type', 'currency', 'client', 'updated_since', 'search', 'from'];

/** Filters that people combine with a search, an order or another filter. */
const PAIRS = [
  'status=active&search=quetzal',
  'status=active&search=ana',
  'client=7&search=ana',
  'status=active&ordering=-expiry_date',
  'status=active&is_active=true',
  'software=7&status=active',
  'software=7&currency=USD',
  'client=7&status=active',
  'country=Chile&ordering=-expiry_date',
  'license_type=premium&status=active',
  'issued=2020-01-01..2030-01-01&currency=USD',
];

/** The main purpose of a call. */
export type CallKind =
  | 'list'
  | 'filter'
  | 'order'
  | 'search'
  | 'details'
  | 'figures'
  | 'report'
  | 'export'
  | 'other';

export type Call = { path: string; kind: CallKind };

function kindOf(path: string, name: string | null): CallKind {
  if (path.includes('/export/')) return 'export';
  if (path.includes('/statistics/')) return 'figures';
  if (path.includes('/reports/')) return 'report';
  if (path.includes('/search/') || name === 'search') return 'search';
  if (!path.startsWith('/licenses/')) return 'other';
  if (name === 'ordering') return 'order';
  if (name !== null && !name.startsWith('page')) return 'filter';
  return path.includes('{') ? 'details' : 'list';
}

/** All GET calls of the API with all their filters and orders: paths with a query. */
export function callsOf(document: ApiDocument, now: Date): Call[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : callsOfPath(path, get, now),
  );
}

function callsOfPath(path: string, operation: ApiOperation, now: Date): Call[] {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => IN_PATHS[name] ?? `{${name}}`);
  if (filled.includes('{')) throw new Error(`${path}: no value in test/plans/calls.ts`);
  const calls: Call[] = [{ path: filled, kind: kindOf(path, null) }];
  const names = new Set<string>();
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter || parameter.in !== 'query') continue;
    names.add(parameter.name);
    const values = valuesOf(path, parameter.name, parameter.schema.enum, now);
    for (const query of queriesOf(path, parameter.name, values, names.has('page')))
      calls.push({ path: `${filled}?${query}`, kind: kindOf(path, parameter.name) });
  }
  for (const query of isPaged(path) ? pairsOf(path, names) : [])
    calls.push({ path: `${filled}?${query}&page=1`, kind: query.has('search') ? 'search' : 'filter' });
  return calls;
}

const isPaged = (path: string) => path !== '/licenses/api/events/' && !path.includes('/export/');

/** A query for each value of a parameter. */
function queriesOf(path: string, name: string, values: string[], hasPage: boolean): URLSearchParams[] {
  const isExport = path.includes('/export/');
  // An export finds its rows like the list, so a few kinds of filters are enough.
  if (isExport && !IN_EXPORTS.includes(name)) return [];
  return (isExport ? values.slice(0, 1) : values).map((value) => {
    const query = new URLSearchParams({ [name]: value });
    if (isPaged(path) && hasPage && name !== 'page') query.set('page', '1');
    if (path === '/licenses/api/search/' && name !== 'q') query.set('q', 'ana');
    return query;
  });
}

/** The pairs of filters that apply to a list. */
const pairsOf = (path: string, names: Set<string>): URLSearchParams[] =>
  PAIRS.map((pair) => new URLSearchParams(pair))
    .filter((query) => [...query.keys()].every((name) => names.has(name)))
    .filter((query) => !(path.includes('/mails/') && query.has('status')));
