import type { Selectable } from 'kysely';
import { MERGE_MESSAGES, type MergedClient } from '../../../contract/clients/merge.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { readContacts } from '../../db/contacts.ts';
import type { ClientRow, Db, Tables } from '../../db/tables.ts';
import { conflict, fault, invalid, stale } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import { gone } from '../../records/save-record.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import { markVerified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { aboutClient, clientRecord } from '../clients/client.record.ts';
import { updateClient } from '../clients/clients.queries.ts';
import { joinedClient } from './joined-client.ts';
import { isBegun, mergeRefusal } from './merge-refusal.ts';
import { lockRest, locksAll, MovedMeanwhile, PARTS, type Pair } from './move-records.ts';

/** Rows of a part in one statement, where all of them move in one transaction. */
const AT_ONCE = 500;

type Both = { into: ClientRow; from: ClientRow };

/**
 * The two clients of a merge.
 * @param lock whether they stay locked until the transaction ends
 * @throws notFound (404) without `id`; invalid (400) on `from` for the same client or one that does not exist
 */
export async function clientsOf(tx: Db, { id, from }: Pair, lock: boolean): Promise<Both> {
  const ids = [...new Set([id, from])];
  const rows = lock
    ? await clientRecord.lock(tx, ids)
    : await tx.selectFrom('clients').selectAll().where('id', 'in', ids).execute();
  const [into, other] = [id, from].map((requested) => rows.find((row) => row.id === requested));
  if (!into) throw await gone(tx, clientRecord, id);
  if (from === id) throw invalid({ from: [fault('not_allowed', MERGE_MESSAGES.sameClient)] });
  if (!other) throw invalid({ from: [fault('unknown_reference', MERGE_MESSAGES.unknownClient)] });
  return { into, from: other };
}

/** @throws stale (412) with the client; conflict (409) as {@link mergeRefusal} says */
export async function requireMergeable(scope: Scope, both: Both): Promise<void> {
  const { id, updated_at } = both.into;
  if (!isExpected(scope, updated_at)) {
    const plain = mustExist(await clientRecord.find(scope, id), `client ${id}`);
    throw stale(await clientRecord.complete(scope, plain));
  }
  const refusal = await mergeRefusal(scope.tx, both, scope.now);
  if (refusal !== null) throw conflict(refusal);
}

/**
 * Makes one client from two: `id` gets all that `from` has, and `from` ends (MERGE-01). Licences and payment requests
 * are locked first, as whoever pays or erases does, and then the clients.
 * @throws MovedMeanwhile if somebody works with what `from` got last: to be tried again; and as {@link clientsOf} and
 * {@link requireMergeable}
 */
export async function mergeClients(scope: Scope, pair: Pair): Promise<MergedClient> {
  const { tx, now } = scope;
  const { id, from } = pair;
  await lockRest(tx, from);
  const both = await clientsOf(tx, pair, true);
  if (!(await isBegun(tx, pair))) await requireMergeable(scope, both);
  // Nobody gives it anything now. What it got before, and nobody holds, is taken without waiting: who holds a licence
  // may wait for its client.
  if (!(await locksAll(tx, from))) throw new MovedMeanwhile();

  for (const part of PARTS) {
    while ((await part(scope, pair, AT_ONCE)) > 0) {
      // The loop moves the next rows.
    }
  }
  const { changes, contacts, left } = joinedClient(both.into, both.from);
  await moveBeside(
    tx,
    pair,
    contacts.map(({ email }) => mailKey(email)),
    both,
  );
  // Before the change of the other one, which may take its identifier.
  await tx.deleteFrom('clients').where('id', '=', from).execute();
  await updateClient(tx, both.into, changes, nextVersion(both.into.updated_at, now));
  // Who merges two clients knows them, as who transfers a licence does (SELL-04).
  if (scope.actor.kind !== 'machine') await markVerified(tx, id);
  await tx.updateTable('client_merges').set({ into_id: id }).where('into_id', '=', from).execute();
  const stamp = now.toISOString();
  await tx
    .insertInto('client_merges')
    .values({ from_id: from, into_id: id, started_at: stamp, merged_at: stamp })
    .onConflict((conflicting) => conflicting.column('from_id').doUpdateSet({ merged_at: stamp }))
    .execute();
  const { name, email } = both.from;
  await record(scope, {
    type: 'client.merged',
    ...aboutClient(both.into),
    after: both.into.updated_at,
    changes: { from: { before: { id: from, name, email }, after: null } },
  });
  const plain = mustExist(await clientRecord.find(scope, id), `client ${id}`);
  return { ...(await clientRecord.complete(scope, plain)), left };
}

/** Moves what is found by the client beside the parts: certificates, sign-ins under way, and the links of mails. */
async function moveBeside(tx: Db, { id, from }: Pair, keys: string[], both: Both): Promise<void> {
  await tx.updateTable('license_certificates').set({ client_id: id }).where('client_id', '=', from).execute();
  await tx.updateTable('portal_asks').set({ client_id: id }).where('client_id', '=', from).execute();
  const asks = tx.selectFrom('portal_ask_clients').select('ask_id').where('client_id', '=', from);
  for (const { ask_id } of await asks.execute()) {
    await tx
      .insertInto('portal_ask_clients')
      .values({ ask_id, client_id: id })
      .onConflict((conflicting) => conflicting.doNothing())
      .execute();
  }
  await moveLinks(tx, { id, from }, keys, both);
  const { portal_last_sign_in: other } = both.from;
  const { portal_last_sign_in: own } = both.into;
  if (other !== null && (own === null || own < other)) {
    await tx.updateTable('clients').set({ portal_last_sign_in: other }).where('id', '=', id).execute();
  }
}

/**
 * Keeps the unsubscribe links of both: those of contacts that move go with them, all others are kept for the client, or
 * for its contact with the same address.
 * @param keys the addresses of the contacts that move
 */
async function moveLinks(tx: Db, { id, from }: Pair, keys: string[], { into }: Both): Promise<void> {
  if (keys.length > 0) {
    await tx
      .updateTable('contact_addresses')
      .set({ client_id: id })
      .where('client_id', '=', from)
      .where('email_key', 'in', keys)
      .execute();
  }
  const known = new Set(readContacts(into.contacts).map(({ email }) => mailKey(email)));
  const others = await tx
    .selectFrom('contact_addresses')
    .select(['token', 'email_key'])
    .where('client_id', '=', from)
    .execute();
  const links = others.flatMap(({ token, email_key }): Selectable<Tables['client_merge_links']>[] => {
    if (email_key === into.email_key) return [{ token, client_id: id, email_key: null }];
    return known.has(email_key) ? [{ token, client_id: id, email_key }] : [];
  });
  const reminded = await tx
    .selectFrom('reminded_clients')
    .selectAll()
    .where('client_id', 'in', [id, from])
    .execute();
  const other = reminded.find(({ client_id }) => client_id === from);
  const own = reminded.find(({ client_id }) => client_id === id);
  const reminds = tx.updateTable('reminded_clients');
  if (other && own) {
    links.push({ token: other.token, client_id: id, email_key: null });
    const days = [own.reminded_on, other.reminded_on].filter((day) => day !== null).sort();
    await reminds
      .set({ reminded_on: days.at(-1) ?? null })
      .where('client_id', '=', id)
      .execute();
  } else if (other) {
    await reminds.set({ client_id: id }).where('client_id', '=', from).execute();
  }
  const earlier = tx.updateTable('client_merge_links').where('client_id', '=', from);
  // Of a contact that is the client itself now.
  await earlier.set({ client_id: id, email_key: null }).where('email_key', '=', into.email_key).execute();
  await earlier.set({ client_id: id }).execute();
  if (links.length > 0) await tx.insertInto('client_merge_links').values(links).execute();
}
