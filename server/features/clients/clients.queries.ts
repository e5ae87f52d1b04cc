import type { ExpressionBuilder, NotNull } from 'kysely';
import { textOrder } from '../../../contract/base/text.ts';
import type { Client, ClientValues } from '../../../contract/clients/clients.ts';
import { mailKey, mailShown } from '../../../contract/reading/mail-addresses.ts';
import { foldCode, searchTextOf } from '../../../contract/reading/search-folding.ts';
import { readContacts } from '../../db/contacts.ts';
import { readTags } from '../../db/features.ts';
import { prepared } from '../../db/prepared.ts';
import { CLIENT_COLUMNS } from '../../db/tables/records.ts';
import type { ClientRow, Db, Tables } from '../../db/tables.ts';
import { whereActive } from '../../rules/active-licenses.ts';
import { insertContactAddresses, replaceContactAddresses } from '../../rules/client-contacts.ts';

type Compared = Pick<
  ClientValues,
  'name' | 'email' | 'company' | 'phone' | 'contact_person' | 'tax_id' | 'external_id' | 'contacts'
>;

/** The derived columns, for search, order and uniqueness. */
function derivedFrom(client: Compared) {
  return {
    email_key: mailKey(client.email),
    name_order: textOrder(client.name),
    company_order: textOrder(client.company),
    search_text: clientText(client),
  };
}

/** The text that searches look through (D053, INPUT-08). Its first line is the name (INPUT-19). */
function clientText(client: Compared) {
  const { name, email, company, phone, contact_person, tax_id, external_id, contacts } = client;
  const texts = [name, email, company, phone, contact_person, foldCode(tax_id)];
  const { email_shown } = mailShown(email);
  if (email_shown !== undefined) texts.push(email_shown);
  if (external_id !== null) texts.push(external_id);
  for (const contact of contacts) {
    texts.push(contact.name, contact.email, contact.phone);
    const shown = mailShown(contact.email).email_shown;
    if (shown !== undefined) texts.push(shown);
  }
  return searchTextOf(texts);
}

/**
 * The counters of a client, computed from its licences (D094, D123). Active licences are selected with `filter`. With
 * `where`, SQLite would use the index on the status and read all active licences for each client.
 */
function counters(eb: ExpressionBuilder<Tables, 'clients'>, now: string) {
  const ofClient = eb.selectFrom('licenses').whereRef('licenses.client_id', '=', 'clients.id');
  return [
    ofClient.select((e) => e.fn.countAll<number>().as('n')).as('license_count'),
    ofClient
      .select((e) => e.fn.countAll<number>().filterWhere(whereActive(now)).as('n'))
      .as('active_license_count'),
    ofClient
      .select((e) => e.fn.coalesce(e.fn.sum<number>('licenses.current_installations'), e.lit(0)).as('n'))
      .as('installation_count'),
  ] as const;
}

const COLUMNS = CLIENT_COLUMNS.map((column) => `clients.${column}` as const);

/** Clients with all columns of an answer. */
export const completeClients = (db: Db, now: string) =>
  db
    .selectFrom('clients')
    .select(COLUMNS)
    .select((eb) => counters(eb, now))
    // A count is never null, also without licences.
    .$narrowType<{ license_count: NotNull; active_license_count: NotNull; installation_count: NotNull }>();

const clientOfId = prepared((db, { id, now }: { id: number; now: string }) =>
  completeClients(db, now).where('clients.id', '=', id),
);

export async function findClient(db: Db, id: number, now: Date): Promise<Client | undefined> {
  const [row] = await clientOfId(db, { id, now: now.toISOString() });
  return row && toClient(row);
}

/** A row of {@link completeClients} as its answer. */
export const toClient = <Row extends { email: string; contacts: string; tags: string }>(row: Row) => ({
  ...row,
  ...mailShown(row.email),
  contacts: readContacts(row.contacts),
  tags: readTags(row.tags),
});

/** The ids of the clients that have the given addresses, which are in the form of {@link mailKey}. */
export async function findClientsByEmail(db: Db, keys: string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('clients')
    .select(['id', 'email_key'])
    .where('email_key', 'in', keys)
    .execute();
  return new Map(rows.map(({ id, email_key }) => [email_key, id]));
}

/** The values of a client as they are stored: its tags as the column holds them (settle-tags.ts). */
export type StoredValues = Omit<ClientValues, 'tags'> & { tags: string };

function newRow(values: StoredValues, since: Date) {
  const stamp = since.toISOString();
  const contacts = JSON.stringify(values.contacts);
  return { ...values, contacts, ...derivedFrom(values), created_at: stamp, updated_at: stamp };
}

const insert = prepared((db, row: ReturnType<typeof newRow>) =>
  db.insertInto('clients').values(row).returning(COLUMNS),
);

/** Stores a new client and returns its answer. An email that is taken violates a unique index. */
export async function insertClient(db: Db, values: StoredValues, now: Date): Promise<Client> {
  const [row] = await insert(db, newRow(values, now));
  await insertContactAddresses(db, [{ id: row!.id, contacts: values.contacts }]);
  return {
    ...toClient(row!),
    license_count: 0,
    active_license_count: 0,
    installation_count: 0,
  };
}

/**
 * Stores new clients.
 * @returns the ids by the key of the email; a client whose email is taken is missing
 */
export async function insertClients(
  db: Db,
  clients: { values: StoredValues; since: Date }[],
): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('clients')
    .values(clients.map(({ values, since }) => newRow(values, since)))
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'email_key'])
    .execute();
  const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]));
  const made = clients.flatMap(({ values: { email, contacts } }) => {
    const id = ids.get(mailKey(email));
    return id === undefined ? [] : [{ id, contacts }];
  });
  await insertContactAddresses(db, made);
  return ids;
}

/** Stores changed values of a locked client, with a new version. An email that is taken violates a unique index. */
export async function updateClient(
  db: Db,
  row: ClientRow,
  { contacts, ...changes }: Partial<StoredValues>,
  updatedAt: string,
): Promise<void> {
  const values = { ...row, ...changes, contacts: contacts ?? readContacts(row.contacts) };
  await db
    .updateTable('clients')
    .set({
      ...changes,
      ...(contacts !== undefined && { contacts: JSON.stringify(contacts) }),
      ...derivedFrom(values),
      updated_at: updatedAt,
    })
    .where('id', '=', row.id)
    .execute();
  if (contacts !== undefined) await replaceContactAddresses(db, row.id, contacts);
  const isOut = values.status !== 'active' || mailKey(values.email) !== row.email_key;
  if (isOut) await endPortalOf(db, row.id);
  else if (contacts !== undefined) await endPortalOfGone(db, row);
}

/**
 * Ends all sessions and pending sign-ins of a client in the portal. They stay ended even if the record is later
 * changed back (PORTAL-03).
 */
export async function endPortalOf(db: Db, id: number): Promise<void> {
  await db.deleteFrom('portal_sessions').where('client_id', '=', id).execute();
  await db.deleteFrom('portal_asks').where('client_id', '=', id).execute();
  await db.deleteFrom('portal_ask_clients').where('client_id', '=', id).execute();
}

/** Ends what {@link endPortalOf} ends, of the addresses that may no longer sign in for a client (DESK-04). */
async function endPortalOfGone(
  db: Db,
  { id, email_key }: Pick<ClientRow, 'id' | 'email_key'>,
): Promise<void> {
  const entering = await db
    .selectFrom('contact_addresses')
    .select('email_key')
    .where('client_id', '=', id)
    .where('enters_portal', '=', true)
    .execute();
  await endPortalFor(db, id, { except: [email_key, ...entering.map((contact) => contact.email_key)] });
}

/** Ends the sessions and pending sign-ins for a client of one address, or of all but some. */
export async function endPortalFor(
  db: Db,
  id: number,
  addresses: { of: string } | { except: string[] },
): Promise<void> {
  const isMeant = (eb: ExpressionBuilder<Tables, 'portal_asks' | 'portal_sessions'>) =>
    'of' in addresses ? eb('email_key', '=', addresses.of) : eb('email_key', 'not in', addresses.except);
  // A ticket and 'Ver como cliente' have no address, so neither condition holds for them.
  await db.deleteFrom('portal_sessions').where('client_id', '=', id).where(isMeant).execute();
  await db.deleteFrom('portal_asks').where('client_id', '=', id).where(isMeant).execute();
  const asks = db.selectFrom('portal_asks').select('id').where(isMeant);
  await db.deleteFrom('portal_ask_clients').where('client_id', '=', id).where('ask_id', 'in', asks).execute();
}

/** The ids of a client's licences that have machines, in ascending order. */
export async function licenseIdsInUse(db: Db, clientId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('licenses')
    .select('id')
    .where('client_id', '=', clientId)
    .where('current_installations', '>', 0)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** When a client last signed in to the portal; null if never. */
export async function portalLastSignIn(db: Db, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('clients')
    .select('portal_last_sign_in')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.portal_last_sign_in ?? null;
}
