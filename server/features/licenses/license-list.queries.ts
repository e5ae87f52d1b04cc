import { type Expression, type ExpressionBuilder, type OrderByItemBuilder, type SqlBool, sql } from 'kysely';
import {
  LICENSE_ORDERINGS,
  type LicenseCategory,
  type LicenseFilters,
  type LicenseRow,
  type LicenseStatus,
} from '../../../contract/licenses.ts';
import { HOLDING_STATUSES } from '../../../contract/limits.ts';
import { containsWord, isAmong, isRareWord, readsInProcess, searchWords } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { readOrdering } from '../../lib/list-query.ts';
import { counted, gathered, lookThrough, type Matches } from '../../lib/matches.ts';
import { offsetOf, type PageRequest } from '../../lib/paging.ts';
import { completeLicenses, toLicense } from './licenses.queries.ts';

export type LicenseListQuery = LicenseFilters & {
  search?: string | undefined;
  ordering?: string | undefined;
};

/** What a list is filtered by, apart from its words and from being active, which is a matter of form. */
type Filters = {
  status?: LicenseStatus | undefined;
  category?: LicenseCategory | undefined;
  typeId?: number | undefined;
  client?: number | undefined;
  software?: number | undefined;
  /** Those that may be used, and end by then. */
  endsBy?: string | undefined;
  now: string;
};
type Form = { isActive: boolean | null };
/** How words are looked for: by the indexes of texts, or in each row that is walked. */
type Words = { words: string[]; through: 'index' | 'rows' };
const NO_WORDS: Words = { words: [], through: 'index' };

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAfter = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();

const filtersOf = (query: LicenseListQuery, now: Date): Filters => ({
  status: query.status,
  category: typeof query.license_type === 'string' ? query.license_type : undefined,
  typeId: typeof query.license_type === 'number' ? query.license_type : query.license_type_config,
  client: query.client,
  software: query.software,
  endsBy: query.expires_within === undefined ? undefined : daysAfter(now, query.expires_within),
  now: now.toISOString(),
});

const formOf = (query: LicenseListQuery): Form => ({ isActive: query.is_active ?? null });

/** Every filter and every word, as conditions on `licenses` alone: neither counting nor ordering needs a join. */
function conditions(db: Db, filters: Filters, { isActive }: Form, { words, through }: Words) {
  return (eb: ExpressionBuilder<Tables, 'licenses'>): Expression<SqlBool> => {
    const { status, category, typeId, client, software, endsBy, now } = filters;
    const all: Expression<SqlBool>[] = [];
    if (status !== undefined) all.push(eb('licenses.status', '=', status));
    if (category !== undefined) all.push(eb('licenses.license_type', '=', category));
    if (typeId !== undefined) all.push(eb('licenses.license_type_id', '=', typeId));
    if (client !== undefined) all.push(eb('licenses.client_id', '=', client));
    if (software !== undefined) all.push(eb('licenses.software_id', '=', software));
    if (endsBy !== undefined) {
      all.push(
        eb('licenses.status', 'in', HOLDING_STATUSES),
        eb('licenses.expiry_date', '>=', now),
        eb('licenses.expiry_date', '<=', endsBy),
      );
    }
    if (isActive !== null) {
      // Status 'active' and not past its date (D067).
      const active = eb.and([
        eb('licenses.status', '=', 'active'),
        eb.or([eb('licenses.expiry_date', 'is', null), eb('licenses.expiry_date', '>=', now)]),
      ]);
      all.push(isActive ? active : eb.not(active));
    }
    for (const word of words) all.push(mentions(db, eb, word, through));
    return eb.and(all);
  };
}

/** A word is looked for in the key, in what is known of the client, and in the software's name and version. */
function mentions(
  db: Db,
  eb: ExpressionBuilder<Tables, 'licenses'>,
  word: string,
  through: Words['through'],
): Expression<SqlBool> {
  const clients = eb
    .selectFrom('clients')
    .select('clients.id')
    .where(containsWord(db, 'clients', word, through));
  const software = eb
    .selectFrom('software')
    .select('software.id')
    .where(containsWord(db, 'software', word, through));
  return eb.or([
    containsWord(db, 'licenses', word, through),
    ...(through === 'index'
      ? [eb('licenses.client_id', 'in', clients), eb('licenses.software_id', 'in', software)]
      : [
          eb.exists(clients.whereRef('clients.id', '=', 'licenses.client_id')),
          eb.exists(software.whereRef('software.id', '=', 'licenses.software_id')),
        ]),
  ]);
}

const countWhere = prepared((db, filters: Filters, form: Form) =>
  db
    .selectFrom('licenses')
    .where(conditions(db, filters, form, NO_WORDS))
    .select((eb) => eb.fn.countAll<number>().as('count')),
);

/** Two ranges of one index: with both in one condition SQLite would read the rows. */
const countActive = prepared((db, { now }: { now: string }) => {
  const active = db
    .selectFrom('licenses')
    .where('status', '=', 'active')
    .select((eb) => eb.fn.countAll<number>().as('n'));
  return db.selectNoFrom([
    active.where('expiry_date', 'is', null).as('endless'),
    active.where('expiry_date', '>=', now).as('current'),
  ]);
});

/** How many licences the filters find, whatever the words. */
async function countFiltered(db: Db, query: LicenseListQuery, now: Date): Promise<number> {
  const filters = filtersOf(query, now);
  const { status, category, typeId, client, software, endsBy } = filters;
  if (typeId === undefined && client === undefined && software === undefined && endsBy === undefined) {
    if (query.is_active === undefined) return countKept(db, { table: 'licenses', status, kind: category });
    if (status === undefined && category === undefined) {
      const [row] = await countActive(db, { now: filters.now });
      const active = (row?.endless ?? 0) + (row?.current ?? 0);
      return query.is_active ? active : (await countKept(db, { table: 'licenses' })) - active;
    }
  }
  const [row] = await countWhere(db, filters, formOf(query));
  return row?.count ?? 0;
}

const matching = (db: Db, query: LicenseListQuery, now: Date, words: Words) =>
  db
    .selectFrom('licenses')
    .select('licenses.id')
    .where(conditions(db, filtersOf(query, now), formOf(query), words));

/** A client that is found brings its licences along, and a software a good part of all. */
const RARE_IN_CLIENTS = 200;
const RARE_IN_LICENSES = 1000;

async function areRare(db: Db, words: string[]): Promise<boolean> {
  for (const word of words) {
    const software = await db
      .selectFrom('software')
      .select('id')
      .where(containsWord(db, 'software', word))
      .limit(1)
      .executeTakeFirst();
    if (
      !software &&
      (await isRareWord(db, 'clients', word, RARE_IN_CLIENTS)) &&
      (await isRareWord(db, 'licenses', word, RARE_IN_LICENSES))
    ) {
      return true;
    }
  }
  return false;
}

/** What a list query finds, on all pages. */
export async function matchLicenses(db: Db, query: LicenseListQuery, now: Date): Promise<Matches> {
  const words = searchWords(query.search ?? '');
  if (words.length === 0) return counted(await countFiltered(db, query, now));
  if (!readsInProcess(db)) {
    const { count } = await matching(db, query, now, { words, through: 'index' })
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return counted(count);
  }
  if (await areRare(db, words)) {
    const rows = await matching(db, query, now, { words, through: 'index' }).execute();
    return gathered(rows.map(({ id }) => id));
  }
  return lookThrough(db, 'licenses', ({ after, upTo }) =>
    matching(db, query, now, { words, through: 'rows' })
      .where('licenses.id', '>', after)
      .where('licenses.id', '<=', upTo)
      .execute(),
  );
}

type Ordering = ReturnType<typeof readOrdering<(typeof LICENSE_ORDERINGS)[number]>>;

/** What each ordering looks at; clients come in the order of their names, whose case and accents make no difference. */
function orderingColumn(db: Db, name: Ordering['name']) {
  if (name === 'client_name') {
    const client = db
      .selectFrom('clients')
      .select('clients.name_order')
      .where('clients.id', '=', sql.ref<number>('licenses.client_id'));
    return sql<string>`(${client})`;
  }
  if (name === 'price') return sql.ref('licenses.price_cents');
  return sql.ref(`licenses.${name}`);
}

/** A licence that never ends, ends after all others, on either engine. */
function inDirection({ name, descending }: Ordering) {
  return (order: OrderByItemBuilder) => {
    const directed = descending ? order.desc() : order.asc();
    if (name !== 'expiry_date') return directed;
    return descending ? directed.nullsFirst() : directed.nullsLast();
  };
}

type PageValues = Filters & { limit: number; offset: number };
type PageForm = Form & { ordering: Ordering };

/** The page is found by ids alone, and only its rows are then read with all that they name. */
function pageOf(
  db: Db,
  { limit, offset, ...filters }: PageValues,
  { ordering, ...form }: PageForm,
  words: Words,
  among: number[] | null,
) {
  const ids = db
    .selectFrom('licenses')
    .select('licenses.id')
    .where((eb) =>
      among ? isAmong(db, eb.ref('licenses.id'), among) : conditions(db, filters, form, words)(eb),
    )
    .orderBy(orderingColumn(db, ordering.name), inDirection(ordering))
    .orderBy('licenses.id', ordering.descending ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset);
  return completeLicenses(db)
    .where('licenses.id', 'in', ids)
    .orderBy(orderingColumn(db, ordering.name), inDirection(ordering))
    .orderBy('licenses.id', ordering.descending ? 'desc' : 'asc');
}

const wordlessPage = prepared((db, values: PageValues, form: PageForm) =>
  pageOf(db, values, form, NO_WORDS, null),
);

const gatheredPage = prepared((db, { among, ...values }: PageValues & { among: number[] }, form: PageForm) =>
  pageOf(db, values, form, NO_WORDS, among),
);

/** One page of licences, newest first unless told otherwise (D057). */
export async function listLicenses(
  db: Db,
  query: LicenseListQuery,
  matches: Matches,
  page: PageRequest,
  now: Date,
  timeZone: string,
): Promise<LicenseRow[]> {
  if (offsetOf(page) >= matches.count) return [];
  const ordering = readOrdering(query.ordering, LICENSE_ORDERINGS, { name: 'created_at', descending: true });
  const values = { ...filtersOf(query, now), limit: page.pageSize, offset: offsetOf(page) };
  const form = { ...formOf(query), ordering };
  const rows = await rowsOf(db, query.search ?? '', values, form, matches.ids);
  return rows.map((row) => toLicense(row, now, timeZone));
}

function rowsOf(db: Db, search: string, values: PageValues, form: PageForm, among: number[] | null) {
  if (among) return gatheredPage(db, { ...values, among }, form);
  const words = searchWords(search);
  if (words.length === 0) return wordlessPage(db, values, form);
  const through = readsInProcess(db) ? 'rows' : 'index';
  return pageOf(db, values, form, { words, through }, null).execute();
}

/** The matching licences of a range of ids, in their order. */
export async function listLicensesBetween(
  db: Db,
  query: LicenseListQuery,
  { after, upTo, limit }: { after: number; upTo?: number; limit?: number },
  now: Date,
  timeZone: string,
): Promise<LicenseRow[]> {
  const words = searchWords(query.search ?? '');
  const through = readsInProcess(db) ? 'rows' : 'index';
  let between = completeLicenses(db)
    .where(conditions(db, filtersOf(query, now), formOf(query), { words, through }))
    .where('licenses.id', '>', after)
    .orderBy('licenses.id');
  if (upTo !== undefined) between = between.where('licenses.id', '<=', upTo);
  if (limit !== undefined) between = between.limit(limit);
  const rows = await between.execute();
  return rows.map((row) => toLicense(row, now, timeZone));
}
