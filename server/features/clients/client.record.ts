import { valuesOf } from '../../../contract/base/fields.ts';
import { CLIENT_FIELDS, CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import type { Client, ClientDetails } from '../../../contract/clients/clients.ts';
import { lockRows } from '../../db/dialect.ts';
import type { ClientRow, Db } from '../../db/tables.ts';
import type { About } from '../../records/record-event.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { listLicensesOfClient } from '../licenses/licenses.queries.ts';
import { bouncedAt } from '../mail/bounces.queries.ts';
import { findClient, portalLastSignIn } from './clients.queries.ts';

/** A client with its licences (each with its installations) and a flat list of all installations (D114). */
export async function clientDetailsOf(
  { tx, now, timeZone }: Pick<Scope, 'tx' | 'now' | 'timeZone'>,
  client: Client,
): Promise<ClientDetails> {
  const licenses = await listLicensesOfClient(tx, client.id, now, timeZone);
  const email_bounced_at = await bouncedAt(tx, client.email);
  return {
    ...client,
    email_bounced_at,
    portal_last_sign_in: await portalLastSignIn(tx, client.id),
    licenses,
    installations: licenses.flatMap((license) => license.installations),
  };
}

/** The client as the subject of an event. */
export const aboutClient = ({ id, name }: { id: number; name: string }): About => ({
  subject: { id, name },
  client: { id, name },
});

export const clientRecord: RecordKind<ClientRow, Client, ClientDetails> & Removable = {
  name: 'client',
  table: 'clients',
  notFound: CLIENT_MESSAGES.notFound,
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
};
