import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Client, ClientFilters } from '../../../contract/clients.ts';
import {
  findRareWord,
  holdsRareWord,
  idsOfRareWord,
  isAmong,
  type Needle,
  readsInProcess,
  searchWords,
} from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { matchesText, readOrdering } from '../../lib/list-query.ts';
import { counted, gathered, lookThrough, type Matches } from '../../lib/matches.ts';
import { offsetOf, type PageRequest } from '../../lib/paging.ts';
import { completeClients, emailKey, toClient } from './clients.queries.ts';

const ORDERINGS = ['created_at', 'name', 'company'] as const;

export type ClientListQuery = ClientFilters & { search?: string | undefined; ordering?: string | undefined };

type Filters = Omit<ClientFilters, 'type' | 'email'> & { email_key?: string | undefined };
/** The words of a search, and whether they are looked for by their index or in each row that is walked. */
type Search = { text: string | undefined; through: 'index' | 'rows' };

const filtersOf = (query: ClientListQuery): Filters => ({
  status: query.status,
  client_type: query.type ?? query.client_type,
  country: query.country,
  state: query.state,
  city: query.city,
  company: query.company,
  email_key: query.email === undefined ? undefined : emailKey(query.email),
});

const FILTERS = ['status', 'client_type', 'country', 'state', 'city', 'company', 'email_key'] as const;

const WORDLESS: Search = { text: undefined, through: 'index' };

/** True for clients that pass the filters and hold every word (D053). */
function passes(db: Db, filters: Filters, { text, through }: Search) {
  const conditions = FILTERS.filter((column) => filters[column] !== undefined).map(
    (column) => sql<SqlBool>`${sql.ref(`clients.${column}`)} = ${filters[column]}`,
  );
  const matches = matchesText(db, 'clients', text, through);
  if (matches) conditions.push(matches);
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

const filtered = (db: Db, filters: Filters, search: Search) =>
  db.selectFrom('clients').where(passes(db, filters, search));

const countWhere = prepared((db, filters: Filters) =>
  filtered(db, filters, WORDLESS).select((eb) => eb.fn.countAll<number>().as('count')),
);

/**
 * Words that are found in few clients are gathered by their index (lib/matches.ts). Gathering one costs as much as walking
 * past some twenty; what is more than can be gathered in a moment is walked, in steps.
 */
const RARE_SHARE = 1 / 20;
const RARE_MIN = 500;
const RARE_MAX = 5000;

/** How to find the first of the words that few clients hold; null when each is held by many. */
async function findRare(db: Db, words: string[]) {
  const share = Math.floor((await countKept(db, { table: 'clients' })) * RARE_SHARE);
  const most = Math.min(RARE_MAX, Math.max(RARE_MIN, share));
  for (const word of words) {
    const needle = await findRareWord(db, 'clients', word, most);
    if (needle) return needle;
  }
  return null;
}

type Ordering = ReturnType<typeof readOrdering<(typeof ORDERINGS)[number]>>;

const orderingOf = (query: ClientListQuery): Ordering =>
  readOrdering(query.ordering, ORDERINGS, { name: 'created_at', descending: true });

/** The clients that hold a rare word and pass, in the order of the list. */
function rareOnes(db: Db, filters: Filters, search: Search, needle: Needle, ordering: Ordering) {
  // The index comes first, whatever else the planner would think of: it does not know how little it finds.
  const rows = db
    .selectFrom(idsOfRareWord('clients', needle).as('found'))
    .crossJoin('clients')
    .whereRef('clients.id', '=', 'found.id')
    .where(holdsRareWord('clients', needle))
    .where(passes(db, filters, search));
  return inOrder(rows, ordering).select('clients.id');
}

const rareOnesOfOneWord = prepared((db, { match, like, ...filters }: Filters & Needle, ordering: Ordering) =>
  rareOnes(db, filters, WORDLESS, { match, like }, ordering),
);

/** What a list query finds, on all pages; where it is few, in the order of the list. */
export async function matchClients(db: Db, query: ClientListQuery): Promise<Matches> {
  const filters = filtersOf(query);
  const { status, client_type, country, state, city, company, email_key } = filters;
  const words = searchWords(query.search ?? '');
  const others = [country, state, city, company, email_key];
  if (words.length === 0 && others.every((value) => value === undefined)) {
    return counted(await countKept(db, { table: 'clients', status, kind: client_type }));
  }
  if (words.length === 0 && (email_key !== undefined || !readsInProcess(db))) {
    const [row] = await countWhere(db, filters);
    return counted(row?.count ?? 0);
  }
  const ids = (through: Search['through']) =>
    filtered(db, filters, { text: query.search, through }).select('clients.id');
  if (!readsInProcess(db)) {
    const { count } = await ids('index')
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return counted(count);
  }
  const needle = await findRare(db, words);
  if (needle) {
    const ordering = orderingOf(query);
    const search: Search = { text: query.search, through: 'rows' };
    const rows =
      words.length === 1
        ? await rareOnesOfOneWord(db, { ...filters, ...needle }, ordering)
        : await rareOnes(db, filters, search, needle, ordering).execute();
    return gathered(rows.map(({ id }) => id));
  }
  const found = await lookThrough(db, 'clients', ({ after, upTo }) =>
    ids('rows').where('clients.id', '>', after).where('clients.id', '<=', upTo).execute(),
  );
  if (!found.ids) return found;
  const rows = await someInOrder(db, { some: found.ids }, orderingOf(query));
  return gathered(rows.map(({ id }) => id));
}

const ORDER_COLUMNS = { created_at: 'created_at', name: 'name_order', company: 'company_order' } as const;

function inOrder<Row>(rows: SelectQueryBuilder<Tables, 'clients', Row>, { name, descending }: Ordering) {
  const direction = descending ? 'desc' : 'asc';
  return rows.orderBy(`clients.${ORDER_COLUMNS[name]}`, direction).orderBy('clients.id', direction);
}

const someOf = (db: Db, ids: number[]) =>
  db
    .selectFrom('clients')
    .select('clients.id')
    .where((eb) => isAmong(db, eb.ref('clients.id'), ids));

const someInOrder = prepared((db, { some }: { some: number[] }, ordering: Ordering) =>
  inOrder(someOf(db, some), ordering),
);

/** The page is found by ids alone, and only its rows are then read with their counters. */
function complete(
  db: Db,
  page: SelectQueryBuilder<Tables, 'clients', { id: number }>,
  now: string,
  ordering: Ordering,
) {
  return inOrder(completeClients(db, now).where('clients.id', 'in', page), ordering);
}

type PageValues = Filters & { limit: number; offset: number; now: string };

function pageOf(db: Db, { limit, offset, now, ...filters }: PageValues, ordering: Ordering, search: Search) {
  const page = inOrder(filtered(db, filters, search).select('clients.id'), ordering);
  return complete(db, page.limit(limit).offset(offset), now, ordering);
}

const wordlessPage = prepared((db, values: PageValues, ordering: Ordering) =>
  pageOf(db, values, ordering, WORDLESS),
);

const gatheredPage = prepared((db, { some, now }: { some: number[]; now: string }, ordering: Ordering) =>
  complete(db, someOf(db, some), now, ordering),
);

/** One page of clients with their counters, newest first unless told otherwise. */
export async function listClients(
  db: Db,
  query: ClientListQuery,
  matches: Matches,
  page: PageRequest,
  now: Date,
): Promise<Client[]> {
  const offset = offsetOf(page);
  if (offset >= matches.count) return [];
  const ordering = orderingOf(query);
  const stamp = now.toISOString();
  if (matches.ids) {
    const some = matches.ids.slice(offset, offset + page.pageSize);
    return (await gatheredPage(db, { some, now: stamp }, ordering)).map(toClient);
  }
  const values = { ...filtersOf(query), limit: page.pageSize, offset, now: stamp };
  return (await walkedPage(db, query.search, values, ordering)).map(toClient);
}

function walkedPage(db: Db, text: string | undefined, values: PageValues, ordering: Ordering) {
  if (text === undefined) return wordlessPage(db, values, ordering);
  const search: Search = { text, through: readsInProcess(db) ? 'rows' : 'index' };
  return pageOf(db, values, ordering, search).execute();
}

/** The matching clients of a range of ids, in their order. */
export async function listClientsBetween(
  db: Db,
  query: ClientListQuery,
  { after, upTo, limit }: { after: number; upTo?: number; limit?: number },
  now: Date,
): Promise<Client[]> {
  const search: Search = { text: query.search, through: readsInProcess(db) ? 'rows' : 'index' };
  let between = filtered(db, filtersOf(query), search)
    .select('clients.id')
    .where('clients.id', '>', after)
    .orderBy('clients.id');
  if (upTo !== undefined) between = between.where('clients.id', '<=', upTo);
  if (limit !== undefined) between = between.limit(limit);
  const rows = await completeClients(db, now.toISOString())
    .where('clients.id', 'in', between)
    .orderBy('clients.id')
    .execute();
  return rows.map(toClient);
}
