import { valuesOf } from '../../../contract/base/fields.ts';
import { CLIENT_FIELDS, CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import type { Client, ClientDetails } from '../../../contract/clients/clients.ts';
import { lockRows } from '../../db/dialect.ts';
import type { ClientRow, Db } from '../../db/tables.ts';
import type { About } from '../../records/record-event.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { mergedInto, refuseDuringMerge } from '../../rules/merged-clients.ts';
import type { Scope } from '../../scope.ts';
import { newestLicensesOf } from '../licenses/licenses.queries.ts';
import { bouncedAt, bouncedContacts } from '../mail/bounces.queries.ts';
import { newestInstallations } from '../programs/installation-list.ts';
import { findClient, portalLastSignIn } from './clients.queries.ts';

/** A client with the facts that only an answer about it alone has, except its licences and installations. */
export async function withClientFacts(tx: Db, client: Client) {
  const email_bounced_at = await bouncedAt(tx, client.email);
  const contacts_bounced = await bouncedContacts(tx, client.contacts);
  return {
    ...client,
    email_bounced_at,
    contacts_bounced,
    portal_last_sign_in: await portalLastSignIn(tx, client.id),
  };
}

/** A client with its newest licences and installations (D114). The installations also stand in their licences. */
async function clientDetailsOf(
  { tx, now, timeZone }: Pick<Scope, 'tx' | 'now' | 'timeZone'>,
  client: Client,
): Promise<ClientDetails> {
  const licenses = await newestLicensesOf(tx, client.id, now, timeZone);
  const count = client.installation_count;
  const installations = await newestInstallations(tx, { client: client.id }, count, { now, timeZone });
  const byLicense = Map.groupBy(installations, ({ license }) => license);
  return {
    ...(await withClientFacts(tx, client)),
    licenses: licenses.map((license) => ({ ...license, installations: byLicense.get(license.id) ?? [] })),
    installations,
  };
}

/** The client as the subject of an event. */
export const aboutClient = ({ id, name }: { id: number; name: string }): About => ({
  subject: { id, name },
  client: { id, name },
});

export const clientRecord: RecordKind<ClientRow, Client, ClientDetails> & Removable & { name: 'client' } = {
  name: 'client',
  table: 'clients',
  notFound: CLIENT_MESSAGES.notFound,
  mergedInto,
  lock: (tx: Db, ids: number[]) =>
    lockRows(tx, tx.selectFrom('clients').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx, now }, id) => findClient(tx, id, now),
  complete: clientDetailsOf,
  // A save of the address also verifies it (SELL-04).
  written: (client) => ({
    ...valuesOf(CLIENT_FIELDS, client),
    email_verified: client.email_verified,
  }),
  about: aboutClient,
  usedBy: { column: 'client_id', called: 'el cliente' },
  refuseRemoval: refuseDuringMerge,
};
