import type { ExpressionBuilder } from 'kysely';
import type { Client, ClientFilters, ClientValues } from '../../../contract/clients.ts';
import { normalizeForSearch } from '../../../contract/text.ts';
import { lockRows } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import type { ClientChanges, ClientRow, Db, Tables } from '../../db/tables.ts';
import { matchesText, readOrdering } from '../../lib/list-query.ts';
import { offsetOf, type PageRequest } from '../../lib/paging.ts';
import { nextSharedVersion } from '../../lib/version.ts';

export const emailKey = (email: string) => email.toLowerCase();

/** What a search looks through (D053). */
function searchTextOf(
  client: Pick<ClientValues, 'name' | 'email' | 'company' | 'phone' | 'contact_person' | 'tax_id'>,
) {
  const { name, email, company, phone, contact_person, tax_id } = client;
  return [name, email, company, phone, contact_person, tax_id].map(normalizeForSearch).join('\n');
}

/** The counters of a client, counted where the licences are (D094, D123). */
function counters(eb: ExpressionBuilder<Tables, 'clients'>, now: Date) {
  const ofClient = eb.selectFrom('licenses').whereRef('licenses.client_id', '=', 'clients.id');
  return [
    ofClient.select((e) => e.fn.countAll<number>().as('n')).as('license_count'),
    ofClient
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('licenses.status', '=', 'active')
      .where((e) =>
        e.or([e('licenses.expiry_date', 'is', null), e('licenses.expiry_date', '>=', now.toISOString())]),
      )
      .as('active_license_count'),
    ofClient
      .select((e) => e.fn.coalesce(e.fn.sum<number>('licenses.current_installations'), e.lit(0)).as('n'))
      .as('installation_count'),
  ] as const;
}

type CountedClient = ClientRow & {
  license_count: number | null;
  active_license_count: number | null;
  installation_count: number | null;
};

/** A row as it is answered: the columns that exist for the database alone left out. */
export function toClient(row: CountedClient): Client {
  const { email_key: _key, search_text: _text, ...client } = row;
  return {
    ...client,
    license_count: row.license_count ?? 0,
    active_license_count: row.active_license_count ?? 0,
    installation_count: row.installation_count ?? 0,
  };
}

const ORDERINGS = ['created_at', 'name', 'company'] as const;

export type ClientListQuery = ClientFilters & { search?: string | undefined; ordering?: string | undefined };

function filtered(db: Db, query: ClientListQuery) {
  const { type, client_type, search, ordering: _ordering, ...equal } = query;
  const matches = matchesText(db, 'clients', search);
  let rows = db.selectFrom('clients');
  for (const column of ['status', 'country', 'state', 'city', 'company'] as const) {
    const value = equal[column];
    if (value !== undefined) rows = rows.where(column, '=', value);
  }
  const wantedType = type ?? client_type;
  if (wantedType !== undefined) rows = rows.where('client_type', '=', wantedType);
  if (equal.email !== undefined) rows = rows.where('email_key', '=', emailKey(equal.email));
  return matches ? rows.where(matches) : rows;
}

/** How many clients match, on all pages. */
export async function countClients(db: Db, query: ClientListQuery): Promise<number> {
  const { status, type, client_type, search, country, state, city, company, email } = query;
  if ([search, country, state, city, company, email].every((value) => value === undefined)) {
    return countKept(db, { table: 'clients', status, kind: type ?? client_type });
  }
  const row = await filtered(db, query)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** One page of clients with their counters, newest first unless told otherwise. */
export async function listClients(
  db: Db,
  query: ClientListQuery,
  page: PageRequest,
  now: Date,
): Promise<Client[]> {
  const ordering = readOrdering(query.ordering, ORDERINGS, { name: 'created_at', descending: true });
  const direction = ordering.descending ? 'desc' : 'asc';
  const rows = await filtered(db, query)
    .selectAll('clients')
    .select((eb) => counters(eb, now))
    .orderBy(`clients.${ordering.name}`, direction)
    .orderBy('clients.id', direction)
    .limit(page.pageSize)
    .offset(offsetOf(page))
    .execute();
  return rows.map(toClient);
}

/** The next batch of matching clients after an id, for what reads them all without holding them all. */
export async function listClientsAfter(
  db: Db,
  query: ClientListQuery,
  afterId: number,
  batch: number,
  now: Date,
): Promise<Client[]> {
  const rows = await filtered(db, query)
    .selectAll('clients')
    .select((eb) => counters(eb, now))
    .where('clients.id', '>', afterId)
    .orderBy('clients.id')
    .limit(batch)
    .execute();
  return rows.map(toClient);
}

export async function findClient(db: Db, id: number, now: Date): Promise<Client | undefined> {
  const row = await db
    .selectFrom('clients')
    .selectAll('clients')
    .select((eb) => counters(eb, now))
    .where('clients.id', '=', id)
    .executeTakeFirst();
  return row && toClient(row);
}

/** Stores a new client and returns its id. A taken email fails as a unique violation. */
export async function insertClient(db: Db, values: ClientValues, now: Date): Promise<number> {
  const stamp = now.toISOString();
  const { id } = await db
    .insertInto('clients')
    .values({
      ...values,
      email_key: emailKey(values.email),
      search_text: searchTextOf(values),
      created_at: stamp,
      updated_at: stamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores the complete values of a client under a new version. */
export async function updateClient(
  db: Db,
  id: number,
  values: ClientValues,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('clients')
    .set({
      ...values,
      email_key: emailKey(values.email),
      search_text: searchTextOf(values),
      updated_at: updatedAt,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Sets the same values on many clients, under a new version; none of the values is part of what is searched.
 * Call it in a transaction. @returns the ids that exist
 */
export async function updateClients(
  tx: Db,
  ids: number[],
  updates: Pick<ClientChanges, 'status' | 'client_type' | 'country' | 'state' | 'city'>,
  now: Date,
): Promise<number[]> {
  const records = await lockRows(
    tx,
    tx.selectFrom('clients').select(['id', 'updated_at']).where('id', 'in', ids).orderBy('id'),
  ).execute();
  if (records.length === 0) return [];
  await tx
    .updateTable('clients')
    .set({ ...updates, updated_at: nextSharedVersion(records, now) })
    .where('id', 'in', ids)
    .execute();
  return records.map((record) => record.id);
}

export async function deleteClient(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom('clients').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countLicensesOfClient(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('licenses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_id', '=', id)
    .executeTakeFirstOrThrow();
  return row.count;
}
