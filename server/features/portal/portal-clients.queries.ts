import { sql } from 'kysely';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { readContacts } from '../../db/contacts.ts';
import type { Db } from '../../db/tables.ts';

/** The clients for which an address may sign in to the portal: as its own, or as that of a contact (DESK-04). */

/** Nobody chooses among more. */
const CHOICES_MAX = 200;

export type EnteredClient = {
  id: number;
  name: string;
  company: string;
  email: string;
  /** The contact who has the address; null if it is the client's own. */
  contact: Contact | null;
};

/**
 * The active clients of an address: the one whose own it is, then those with such a contact, by name.
 * @param among only these clients
 */
export async function clientsOfAddress(db: Db, key: string, among?: number[]): Promise<EnteredClient[]> {
  const clients = db
    .selectFrom('clients')
    .select(['clients.id', 'clients.name', 'clients.company', 'clients.email', 'clients.contacts'])
    .where('clients.status', '=', 'active')
    .where('clients.is_system', '=', false);
  const own = clients.where('clients.email_key', '=', key);
  const named = clients
    .where('clients.id', 'in', (eb) =>
      eb
        .selectFrom('contact_addresses')
        .select('contact_addresses.client_id')
        .where('contact_addresses.email_key', '=', key)
        .where('contact_addresses.enters_portal', '=', sql.lit(true)),
    )
    .orderBy('clients.name_order')
    .orderBy('clients.id')
    .limit(CHOICES_MAX);
  const rows = [...(await own.execute()), ...(await named.execute())];
  return rows.flatMap(({ contacts, ...client }): EnteredClient[] => {
    if (among && !among.includes(client.id)) return [];
    if (mailKey(client.email) === key) return [{ ...client, contact: null }];
    const contact = readContacts(contacts).find(({ email }) => mailKey(email) === key);
    return contact ? [{ ...client, contact }] : [];
  });
}
