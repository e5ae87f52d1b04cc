import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import type {
  ClientDetails,
  ClientValues,
  clientBulkUpdate,
  clientUpdate,
} from '../../../contract/clients/clients.ts';
import type { ContactTopic } from '../../../contract/clients/contact-words.ts';
import { atContact, CONTACT_MESSAGES } from '../../../contract/clients/contacts.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';

import { readContacts } from '../../db/contacts.ts';
import { type AppError, fault, invalid } from '../../errors.ts';
import { type NewEvent, record, recordAll } from '../../records/record-event.ts';
import { refuseTakenColumn } from '../../records/refuse-taken.ts';

import { saveRecord, saveRecords } from '../../records/save-record.ts';
import { markVerified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { bouncedAt, bouncedContacts, clearBounce } from '../mail/bounces.queries.ts';
import { settledTags, settleTags, type TagChange } from '../tags/settle-tags.ts';
import { aboutClient, clientRecord } from './client.record.ts';
import { insertClient, insertClients, updateClient } from './clients.queries.ts';

/**
 * The client's own address is no contact: it gets everything anyway, and would get it twice (DESK-04).
 * @param isMoved whether the call changes the client's address and not its contacts
 */
function ownAddressFault(
  { email, contacts }: Pick<ClientValues, 'email' | 'contacts'>,
  isMoved = false,
): FieldFaults | null {
  const key = mailKey(email);
  const at = contacts.findIndex((contact) => mailKey(contact.email) === key);
  if (at < 0) return null;
  if (isMoved) return { email: [fault('taken', CONTACT_MESSAGES.isContact)] };
  return { contacts: [fault('taken', atContact(at + 1, CONTACT_MESSAGES.ofClient))] };
}

const EMAIL_TAKEN = { email: [fault('taken', CLIENT_MESSAGES.emailTaken)] };
const EXTERNAL_ID_TAKEN = [fault('taken', CLIENT_MESSAGES.externalIdTaken)];

/**
 * Creates a client and returns its answer.
 * @throws invalid (400) when the email or the external_id is taken (D097), or the email is also that of a contact
 */
export async function createClient(scope: Scope, values: ClientValues): Promise<ClientDetails> {
  const faults = ownAddressFault(values);
  if (faults) throw invalid(faults);
  const tags = await settledTags(scope.tx, values.tags);
  const client = await insertClient(scope.tx, { ...values, tags }, scope.now).catch(refuseTakenValue);
  await record(scope, { type: 'client.created', ...clientRecord.about(client) });
  const email_bounced_at = await bouncedAt(scope.tx, client.email);
  const contacts_bounced = await bouncedContacts(scope.tx, client.contacts);
  const none = { portal_last_sign_in: null, licenses: [], installations: [] };
  return { ...client, email_bounced_at, contacts_bounced, ...none };
}

export type NewClient = { values: ClientValues; since: Date };

/**
 * Creates clients with different emails, like {@link createClient}.
 * @returns for each client, in order, its id, or the refusal if its email is taken or that of a contact
 * @throws invalid (400) for all of them when the external_id of one is taken
 */
export async function createClients(scope: Scope, clients: NewClient[]): Promise<(number | AppError)[]> {
  const fresh = clients.filter(({ values }) => ownAddressFault(values) === null);
  const settled = await settleTags(
    scope.tx,
    fresh.map(({ values }) => values.tags),
  );
  const stored = fresh.map(({ values, since }) => ({
    values: { ...values, tags: settled(values.tags) },
    since,
  }));
  const ids = stored.length === 0 ? new Map() : await insertClients(scope.tx, stored).catch(refuseTakenValue);
  const made: (number | AppError)[] = [];
  const events: NewEvent[] = [];
  for (const { values } of clients) {
    const id = ids.get(mailKey(values.email));
    made.push(id ?? invalid(ownAddressFault(values) ?? EMAIL_TAKEN));
    if (id !== undefined) {
      events.push({ type: 'client.created', ...aboutClient({ id, name: values.name }) });
    }
  }
  await recordAll(scope, events);
  return made;
}

/**
 * Changes the given fields and leaves the others unchanged (D091). A saved email counts as verified, also if it is the
 * same as before (SELL-04).
 * @throws notFound (404), stale (412) with the current record, invalid (400) when the email or the external_id is
 * taken
 */
export async function replaceClient(
  scope: Scope,
  id: number,
  { updated_at: _read, tags, ...changes }: z.output<typeof clientUpdate>,
): Promise<ClientDetails> {
  const settled = tags && (await settledTags(scope.tx, tags));
  return saveRecord(scope, clientRecord, id, async (row, version) => {
    const contacts = changes.contacts ?? readContacts(row.contacts);
    const isMoved = changes.email !== undefined && mailKey(changes.email) !== row.email_key;
    const faults = ownAddressFault({ email: changes.email ?? row.email, contacts }, !changes.contacts);
    if (faults) throw invalid(faults);
    const stored = { ...changes, ...(settled !== undefined && { tags: settled }) };
    await updateClient(scope.tx, row, stored, version).catch(refuseTakenValue);
    if (changes.email !== undefined) await markVerified(scope.tx, id);
    if (isMoved) await clearBounce(scope.tx, row.email);
  });
}

/**
 * A contact gets mails of a topic no more, because it unsubscribed (DESK-04). Nothing changes for one that is gone, or
 * gets none.
 * @throws notFound (404)
 */
export async function dropContactTopic(
  scope: Scope,
  id: number,
  { email, topic }: { email: string; topic: ContactTopic },
): Promise<void> {
  await saveRecord(scope, clientRecord, id, async (row, version) => {
    const contacts = readContacts(row.contacts).map((contact) =>
      mailKey(contact.email) === mailKey(email)
        ? { ...contact, receives: contact.receives.filter((one) => one !== topic) }
        : contact,
    );
    await updateClient(scope.tx, row, { contacts }, version);
  });
}

/**
 * Sets the same values on many clients.
 * @returns the ids that exist
 */
export function changeClients(
  scope: Scope,
  { ids, updates }: z.output<typeof clientBulkUpdate>,
): Promise<number[]> {
  return saveRecords(scope, clientRecord, ids, (row, version) =>
    updateClient(scope.tx, row, updates, version),
  );
}

/**
 * Changes the tags of a client.
 * @throws notFound (404), and what `change` throws
 */
export const changeClientTags = (scope: Scope, id: number, change: TagChange): Promise<ClientDetails> =>
  saveRecord(scope, clientRecord, id, (row, version) =>
    updateClient(scope.tx, row, { tags: change(row.tags) }, version),
  );

const refuseTakenValue = refuseTakenColumn({ ...EMAIL_TAKEN, external_id: EXTERNAL_ID_TAKEN });
