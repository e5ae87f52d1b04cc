import type { z } from 'zod';
import { CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import type {
  ClientDetails,
  ClientValues,
  clientBulkUpdate,
  clientUpdate,
} from '../../../contract/clients/clients.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';

import { type AppError, fault, invalid } from '../../errors.ts';
import { type NewEvent, record, recordAll } from '../../records/record-event.ts';
import { refuseTakenColumn } from '../../records/refuse-taken.ts';

import { saveRecord, saveRecords } from '../../records/save-record.ts';
import { markVerified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { bouncedAt, clearBounce } from '../mail/bounces.queries.ts';
import { settledTags, settleTags, type TagChange } from '../tags/settle-tags.ts';
import { aboutClient, clientRecord } from './client.record.ts';
import { insertClient, insertClients, updateClient } from './clients.queries.ts';

const EMAIL_TAKEN = { email: [fault('taken', CLIENT_MESSAGES.emailTaken)] };
const EXTERNAL_ID_TAKEN = [fault('taken', CLIENT_MESSAGES.externalIdTaken)];

/**
 * Creates a client and returns its answer.
 * @throws invalid (400) when the email or the external_id is taken (D097)
 */
export async function createClient(scope: Scope, values: ClientValues): Promise<ClientDetails> {
  const tags = await settledTags(scope.tx, values.tags);
  const client = await insertClient(scope.tx, { ...values, tags }, scope.now).catch(refuseTakenValue);
  await record(scope, { type: 'client.created', ...clientRecord.about(client) });
  const email_bounced_at = await bouncedAt(scope.tx, client.email);
  return { ...client, email_bounced_at, portal_last_sign_in: null, licenses: [], installations: [] };
}

export type NewClient = { values: ClientValues; since: Date };

/**
 * Creates clients with different emails, like {@link createClient}.
 * @returns for each client, in order, its id, or the refusal if its email is taken
 * @throws invalid (400) for all of them when the external_id of one is taken
 */
export async function createClients(scope: Scope, clients: NewClient[]): Promise<(number | AppError)[]> {
  const settled = await settleTags(
    scope.tx,
    clients.map(({ values }) => values.tags),
  );
  const stored = clients.map(({ values, since }) => ({
    values: { ...values, tags: settled(values.tags) },
    since,
  }));
  const ids = await insertClients(scope.tx, stored).catch(refuseTakenValue);
  const made: (number | AppError)[] = [];
  const events: NewEvent[] = [];
  for (const { values } of clients) {
    const id = ids.get(mailKey(values.email));
    made.push(id ?? invalid(EMAIL_TAKEN));
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
    const stored = { ...changes, ...(settled !== undefined && { tags: settled }) };
    await updateClient(scope.tx, row, stored, version).catch(refuseTakenValue);
    if (changes.email !== undefined) await markVerified(scope.tx, id);
    const isMoved = changes.email !== undefined && mailKey(changes.email) !== row.email_key;
    if (isMoved) await clearBounce(scope.tx, row.email);
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
