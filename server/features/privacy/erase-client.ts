import { sql } from 'kysely';
import { erasedEmail, erasedName, PRIVACY_MESSAGES } from '../../../contract/clients/privacy.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { mailKey, shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { readContacts } from '../../db/contacts.ts';
import { lockRows } from '../../db/dialect.ts';
import { readTags } from '../../db/features.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, inUse } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import { gone } from '../../records/save-record.ts';
import { nextVersion } from '../../records/version.ts';
import { refuseDuringMerge, withMerged } from '../../rules/merged-clients.ts';
import type { Scope } from '../../scope.ts';
import { aboutClient, clientRecord } from '../clients/client.record.ts';
import { updateClient } from '../clients/clients.queries.ts';
import { licenseText } from '../licenses/licenses.queries.ts';
import { endRequest } from '../payment-requests/close-request.ts';
import { NO_NOTICE } from '../payment-requests/transfer-notice.ts';
import { machineText } from '../programs/installations.queries.ts';
import { removeUnusedTags } from '../tags/settle-tags.ts';
import {
  eraseDeliveries,
  eraseImportFindings,
  eraseImports,
  eraseKept,
  eraseMails,
  eraseNoteAnswers,
} from './erase-copies.ts';
import { eraseEvents, formerTexts, textsOfRecords } from './erase-events.ts';
import { countHoldingLicenses, mailsOfClient } from './personal-rows.queries.ts';
import { type FieldText, PERSONAL_FIELDS, personalValues, textsOfContacts } from './personal-values.ts';

/**
 * Erases personal data of a client wherever it is stored, with one event (docs/privacy.md). Data for statistics
 * stays: its licences, their sales and machines, its type, status and country.
 * @throws notFound (404), inUse (409) while a licence has not ended, conflict (409) while a mail is being sent
 */
export async function eraseClient(scope: Scope, id: number, reason: string): Promise<void> {
  const { tx, now } = scope;
  await lockLicenses(tx, id);
  const [client] = await clientRecord.lock(tx, [id]);
  if (!client) throw await gone(tx, clientRecord, id);
  await refuseDuringMerge(tx, id);
  const holding = await countHoldingLicenses(scope, id);
  if (holding > 0) throw inUse(PRIVACY_MESSAGES.holding(holding));
  const underWay = mailsOfClient(tx, id)
    .select('id')
    .where('status', '=', 'queued')
    .where('sending_until', '>', now.toISOString());
  if (await underWay.executeTakeFirst())
    throw new AppError(409, 'conflict', { message: PRIVACY_MESSAGES.mailUnderWay });

  const name = erasedName(id);
  const clients = await withMerged(tx, id);
  const own: FieldText[] = [
    ...PERSONAL_FIELDS.map((field) => ({ field, text: client[field] })),
    ...textsOfContacts(readContacts(client.contacts)),
    { field: 'tags', text: readTags(client.tags) },
  ];
  // If the client was erased before, these replacement texts are not personal data.
  const replaced = new Set<unknown>(clients.flatMap((one) => [erasedName(one), erasedEmail(one)]));
  const isBlank = (text: unknown) => replaced.has(text);
  const texts = [...own, ...(await formerTexts(tx, clients))].filter(({ text }) => !isBlank(text));
  const values = personalValues([...texts, ...(await textsOfRecords(tx, clients))]);
  // In their original spelling, because PostgreSQL compares upper and lower case as different.
  const words = texts.flatMap(({ field, text }) =>
    (field === 'name' || field === 'email') && typeof text === 'string' ? [text, shownMailAddress(text)] : [],
  );

  await eraseMachines(scope, id);
  await erasePayments(scope, id, name);
  await eraseLicenses(scope, id);
  await tx.deleteFrom('notes').where('client_id', '=', id).execute();
  const blank = Object.fromEntries(PERSONAL_FIELDS.map((field) => [field, '']));
  await updateClient(
    tx,
    client,
    {
      ...blank,
      name,
      email: erasedEmail(id),
      external_id: null,
      tags: '[]',
      contacts: [],
      last_contact: null,
      reminders: false,
      tax_regime: '',
      cfdi_use: '',
      tax_condition: '',
    },
    nextVersion(client.updated_at, now),
  );
  await removeUnusedTags(tx);
  // Comes after the change of the record, because webhook messages of this event contain the record, and before the
  // other events, which may only be changed after an event `client.erased`.
  await record(scope, { type: 'client.erased', ...aboutClient({ id, name }), reason });
  const others = await eraseEvents(tx, clients, values);
  await eraseDeliveries(scope, clients, others, values);
  await eraseMails(scope, id, values);
  await tx.updateTable('clients').set({ portal_last_sign_in: null }).where('id', '=', id).execute();
  // Sign-in requests for its addresses for which no client was looked up yet. Those of the client were deleted with the
  // change above.
  const addresses = [client.email, ...readContacts(client.contacts).map(({ email }) => email)].map(mailKey);
  await tx.deleteFrom('portal_asks').where('email_key', 'in', addresses).execute();
  await tx.deleteFrom('license_certificates').where('client_id', '=', id).execute();
  // Trials that contain the address, of any client.
  await tx
    .updateTable('licenses')
    .set({ trial_email: null })
    .where('trial_email', 'is not', null)
    .where(sql`lower(trial_email)`, '=', client.email_key)
    .execute();
  const said = [...new Set(words)];
  await eraseNoteAnswers(scope, id);
  await eraseKept(scope, said, values);
  await eraseImports(scope, values);
  await eraseImportFindings(scope, id, said, values);
}

/**
 * Locks the licences first of all: whoever renews one, or records a payment, locks it before its request, and keeps its
 * client when that work is stored. Otherwise each could wait for the other.
 */
const lockLicenses = (tx: Db, client: number) =>
  lockRows(
    tx,
    tx.selectFrom('licenses').select('id').where('client_id', '=', client).orderBy('id'),
  ).execute();

async function eraseLicenses({ tx, now }: Scope, client: number): Promise<void> {
  const rows = await tx
    .selectFrom('licenses')
    .select(['id', 'license_key', 'updated_at'])
    .where('client_id', '=', client)
    .execute();
  for (const { id, license_key, updated_at } of rows) {
    await tx
      .updateTable('licenses')
      .set({
        notes: '',
        external_id: null,
        // Of a client that was merged into this one, or that had another address, it is that address.
        trial_email: null,
        tags: '[]',
        search_text: licenseText({ license_key }),
        updated_at: nextVersion(updated_at, now),
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Removes the client's name from payment requests and payments, which stay; open requests are cancelled. */
async function erasePayments(scope: Scope, client: number, name: string): Promise<void> {
  const { tx } = scope;
  const own = tx.selectFrom('payment_requests').selectAll().where('client_id', '=', client);
  for (const request of await lockRows(tx, own.where('state', '=', 'open').orderBy('id')).execute()) {
    await endRequest(scope, request, 'cancelled');
  }
  await tx
    .updateTable('payment_requests')
    .set({ client_name: name, note: '', ...NO_NOTICE })
    .where('client_id', '=', client)
    .execute();
  await tx
    .updateTable('payments')
    .set({ client_name: name, reference: '', search_text: '' })
    .where('client_id', '=', client)
    .execute();
}

async function eraseMachines({ tx }: Scope, client: number): Promise<void> {
  const own = tx.selectFrom('licenses').select('id').where('client_id', '=', client);
  await tx.deleteFrom('license_checks').where('license_id', 'in', own).execute();
  await tx.deleteFrom('machine_names').where('license_id', 'in', own).execute();
  const rows = await tx.selectFrom('installations').select('id').where('license_id', 'in', own).execute();
  for (const { id } of rows) {
    const machine = { machine_id: `borrado-${id}`, machine_name: '', mac_address: '' };
    await tx
      .updateTable('installations')
      .set({
        ...machine,
        machine_key: machineKey(machine.machine_id),
        ip_address: '',
        notes: '',
        search_text: machineText(machine),
      })
      .where('id', '=', id)
      .execute();
  }
}
