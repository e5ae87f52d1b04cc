import type { Client, ClientFilters } from '../../../contract/clients.ts';
import { findRareWord, isAmong, readsInProcess, searchWords } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
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

/** Clients that pass the filters and hold every word (D053). */
function filtered(db: Db, filters: Filters, { text, through }: Search) {
  const matches = matchesText(db, 'clients', text, through);
  let rows = db.selectFrom('clients');
  for (const column of FILTERS) {
    const value = filters[column];
    if (value !== undefined) rows = rows.where(`clients.${column}`, '=', value);
  }
  return matches ? rows.where(matches) : rows;
}

const countWhere = prepared((db, filters: Filters) =>
  filtered(db, filters, { text: undefined, through: 'index' }).select((eb) =>
    eb.fn.countAll<number>().as('count'),
  ),
);

/**
 * Words that are found in few clients are gathered by their index (lib/matches.ts). Gathering one costs as much as walking
 * past some twenty; what is more than can be gathered in a moment is walked, in steps.
 */
const RARE_SHARE = 1 / 20;
const RARE_MIN = 500;
const RARE_MAX = 5000;

/** The clients that hold the first of the words that few hold; null when each is held by many. */
async function findRare(db: Db, words: string[]): Promise<number[] | null> {
  const share = Math.floor((await countKept(db, { table: 'clients' })) * RARE_SHARE);
  const most = Math.min(RARE_MAX, Math.max(RARE_MIN, share));
  for (const word of words) {
    const ids = await findRareWord(db, 'clients', word, most);
    if (ids) return ids;
  }
  return null;
}

/** What a list query finds, on all pages. */
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
  const rare = await findRare(db, words);
  if (rare) {
    const isAll =
      words.length === 1 && [status, client_type, ...others].every((value) => value === undefined);
    if (isAll) return gathered(rare);
    const rows = await ids('rows')
      .where((eb) => isAmong(db, eb.ref('clients.id'), rare))
      .execute();
    return gathered(rows.map(({ id }) => id));
  }
  return lookThrough(db, 'clients', ({ after, upTo }) =>
    ids('rows').where('clients.id', '>', after).where('clients.id', '<=', upTo).execute(),
  );
}

type Ordering = ReturnType<typeof readOrdering<(typeof ORDERINGS)[number]>>;
type PageValues = Filters & { limit: number; offset: number; now: string };

/** The page is found by ids alone, and only its rows are then read with their counters. */
function pageOf(
  db: Db,
  { limit, offset, now, ...filters }: PageValues,
  ordering: Ordering,
  search: Search,
  among: number[] | null,
) {
  const direction = ordering.descending ? 'desc' : 'asc';
  const candidates = among
    ? db.selectFrom('clients').where((eb) => isAmong(db, eb.ref('clients.id'), among))
    : filtered(db, filters, search);
  const ids = candidates
    .select('clients.id')
    .orderBy(`clients.${ordering.name}`, direction)
    .orderBy('clients.id', direction)
    .limit(limit)
    .offset(offset);
  return completeClients(db, now)
    .where('clients.id', 'in', ids)
    .orderBy(`clients.${ordering.name}`, direction)
    .orderBy('clients.id', direction);
}

const WORDLESS: Search = { text: undefined, through: 'index' };

const wordlessPage = prepared((db, values: PageValues, ordering: Ordering) =>
  pageOf(db, values, ordering, WORDLESS, null),
);

const gatheredPage = prepared(
  (db, { among, ...values }: PageValues & { among: number[] }, ordering: Ordering) =>
    pageOf(db, values, ordering, WORDLESS, among),
);

/** One page of clients with their counters, newest first unless told otherwise. */
export async function listClients(
  db: Db,
  query: ClientListQuery,
  matches: Matches,
  page: PageRequest,
  now: Date,
): Promise<Client[]> {
  if (offsetOf(page) >= matches.count) return [];
  const ordering = readOrdering(query.ordering, ORDERINGS, { name: 'created_at', descending: true });
  const values = {
    ...filtersOf(query),
    limit: page.pageSize,
    offset: offsetOf(page),
    now: now.toISOString(),
  };
  return (await rowsOf(db, query.search, values, ordering, matches.ids)).map(toClient);
}

function rowsOf(
  db: Db,
  text: string | undefined,
  values: PageValues,
  ordering: Ordering,
  among: number[] | null,
) {
  if (among) return gatheredPage(db, { ...values, among }, ordering);
  if (text === undefined) return wordlessPage(db, values, ordering);
  const search: Search = { text, through: readsInProcess(db) ? 'rows' : 'index' };
  return pageOf(db, values, ordering, search, null).execute();
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
