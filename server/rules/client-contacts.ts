import type { Contact, ContactTopic } from '../../contract/clients/contact-words.ts';
import { mailboxKey, mailKey } from '../../contract/reading/mail-addresses.ts';
import { phoneEnd } from '../../contract/reading/phone-ends.ts';
import { readContacts } from '../db/contacts.ts';
import { prepared } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';
import { createToken } from '../lib/secret.ts';

/** The contacts of clients, and the rows by which they are found (DESK-04, docs/decisions/142). */

const mailedClient = prepared((db, { id }: { id: number }) =>
  db.selectFrom('clients').select(['email_verified', 'is_system', 'contacts']).where('id', '=', id),
);

/** What a mail to a client asks of its row, by one read: a sale asks for it each time. */
type Mailed = {
  /** Whether the client's address is verified; true if there is no such client. */
  isVerified: boolean;
  /** All its contacts; 'Pruebas' has none. */
  contacts: Contact[];
};

export async function findMailed(db: Db, client: number): Promise<Mailed> {
  const [row] = await mailedClient(db, { id: client });
  return {
    isVerified: row?.email_verified ?? true,
    contacts: row && !row.is_system ? readContacts(row.contacts) : [],
  };
}

/** The contacts that get mails of a topic, in their order. */
export const whoReceive = (contacts: readonly Contact[], topic: ContactTopic): Contact[] =>
  contacts.filter(({ receives }) => receives.includes(topic));

/** The contacts of a client that get mails of a topic, in their order. */
export const contactsWho = async (db: Db, client: number, topic: ContactTopic): Promise<Contact[]> =>
  whoReceive((await findMailed(db, client)).contacts, topic);

/** Stores by what the contacts of new clients are found. */
export async function insertContactAddresses(
  tx: Db,
  clients: readonly { id: number; contacts: readonly Contact[] }[],
): Promise<void> {
  const rows = clients.flatMap(({ id, contacts }) => contacts.map((contact) => addressRow(id, contact)));
  if (rows.length > 0) await tx.insertInto('contact_addresses').values(rows).execute();
}

/** Stores by what the contacts of a locked client are found now. The unsubscribe link of an address stays. */
export async function replaceContactAddresses(
  tx: Db,
  client: number,
  contacts: readonly Contact[],
): Promise<void> {
  const rows = contacts.map((contact) => addressRow(client, contact));
  const gone = tx.deleteFrom('contact_addresses').where('client_id', '=', client);
  const keys = rows.map(({ email_key }) => email_key);
  await (keys.length === 0 ? gone : gone.where('email_key', 'not in', keys)).execute();
  if (rows.length === 0) return;
  await tx
    .insertInto('contact_addresses')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'email_key']).doUpdateSet((eb) => ({
        mailbox: eb.ref('excluded.mailbox'),
        phone_end: eb.ref('excluded.phone_end'),
        enters_portal: eb.ref('excluded.enters_portal'),
      })),
    )
    .execute();
}

const addressRow = (client_id: number, { email, phone, receives }: Contact) => ({
  client_id,
  email_key: mailKey(email),
  mailbox: mailboxKey(email),
  phone_end: phoneEnd(phone),
  enters_portal: receives.includes('portal'),
  token: createToken(),
});

/** How histories name a contact who acts for a client. */
export const contactActorName = (client: string, contact: string): string => `${client} (${contact})`;
