import type { ExpressionBuilder } from 'kysely';
import type { Client, ClientValues } from '../../../contract/clients.ts';
import { normalizeForSearch } from '../../../contract/text.ts';
import { whereActive } from '../../db/active-licenses.ts';
import { lockRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { ClientChanges, ClientRow, Db, Tables } from '../../db/tables.ts';
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
function counters(eb: ExpressionBuilder<Tables, 'clients'>, now: string) {
  const ofClient = eb.selectFrom('licenses').whereRef('licenses.client_id', '=', 'clients.id');
  return [
    ofClient.select((e) => e.fn.countAll<number>().as('n')).as('license_count'),
    ofClient
      .select((e) => e.fn.countAll<number>().as('n'))
      .where(whereActive(now))
      .as('active_license_count'),
    ofClient
      .select((e) => e.fn.coalesce(e.fn.sum<number>('licenses.current_installations'), e.lit(0)).as('n'))
      .as('installation_count'),
  ] as const;
}

const COLUMNS = [
  'clients.id',
  'clients.name',
  'clients.email',
  'clients.company',
  'clients.phone',
  'clients.phone_secondary',
  'clients.address',
  'clients.city',
  'clients.state',
  'clients.country',
  'clients.postal_code',
  'clients.client_type',
  'clients.status',
  'clients.contact_person',
  'clients.contact_position',
  'clients.tax_id',
  'clients.website',
  'clients.notes',
  'clients.last_contact',
  'clients.created_at',
  'clients.updated_at',
] as const;

/** Clients with all that an answer says of them, but the counters of one without licences may be null. */
export const completeClients = (db: Db, now: string) =>
  db
    .selectFrom('clients')
    .select(COLUMNS)
    .select((eb) => counters(eb, now));

type CountedClient = Omit<ClientRow, 'email_key' | 'search_text'> & {
  license_count: number | null;
  active_license_count: number | null;
  installation_count: number | null;
};

/** A row as it is answered. */
export function toClient(row: CountedClient): Client {
  return {
    ...row,
    license_count: row.license_count ?? 0,
    active_license_count: row.active_license_count ?? 0,
    installation_count: row.installation_count ?? 0,
  };
}

const clientOfId = prepared((db, { id, now }: { id: number; now: string }) =>
  completeClients(db, now).where('clients.id', '=', id),
);

export async function findClient(db: Db, id: number, now: Date): Promise<Client | undefined> {
  const [row] = await clientOfId(db, { id, now: now.toISOString() });
  return row && toClient(row);
}

const insert = prepared((db, values: Omit<ClientRow, 'id'>) =>
  db.insertInto('clients').values(values).returning(COLUMNS),
);

/** Stores a new client and returns it as it is answered. A taken email fails as a unique violation. */
export async function insertClient(db: Db, values: ClientValues, now: Date): Promise<Client> {
  const stamp = now.toISOString();
  const [row] = await insert(db, {
    ...values,
    email_key: emailKey(values.email),
    search_text: searchTextOf(values),
    created_at: stamp,
    updated_at: stamp,
  });
  return toClient({ ...row!, license_count: 0, active_license_count: 0, installation_count: 0 });
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
