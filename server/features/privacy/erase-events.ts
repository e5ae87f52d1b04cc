import { type SqlBool, sql } from 'kysely';
import { erasedName } from '../../../contract/clients/privacy.ts';
import type { Changes } from '../../../contract/system/events.ts';
import { readTags } from '../../db/features.ts';
import type { Db } from '../../db/tables.ts';
import { idsOfClient } from '../events/events.queries.ts';
import { type FieldText, isTelling, type PersonalValues, textsOfContacts } from './personal-values.ts';

/** The fields of a licence's change that may stay: figures and states, no free text and no name. */
const FIGURES: ReadonlySet<string> = new Set([
  ...['status', 'license_type', 'license_type_config', 'software', 'price', 'original_price', 'currency'],
  ...['discount_percentage', 'max_installations', 'issued_date', 'expiry_date', 'expiry_days'],
  ...['expiry_months', 'grace_days', 'updates_until', 'start_mode', 'activate_by_days'],
  ...['offline_days', 'seat_mode', 'lease_minutes', 'self_release', 'releases_per_month', 'license_key'],
]);

/**
 * Literal conditions: SQLite uses the partial index of a client's events only if the index's condition is literally
 * in the statement.
 */
const isNotOfMachine = sql<SqlBool>`actor_kind <> 'machine'`;
const isOfLicense = sql<SqlBool>`type like 'license.%'`;
const isOfLicenseOrMachine = sql<SqlBool>`(type like 'license.%' or type like 'installation.%')`;

const partsOf = (changes: string): FieldText[] =>
  Object.entries(JSON.parse(changes) as Changes).flatMap(([field, { before, after }]) =>
    [before, after].flatMap((text) => textsOf(field, text)),
  );

/** The texts of a value: of a client that was merged its name and email (MERGE-01). */
function textsOf(field: string, text: unknown): FieldText[] {
  if (field === 'contacts') return textsOfContacts(text);
  if (typeof text !== 'object' || text === null || Array.isArray(text)) return [{ field, text }];
  return Object.entries(text).map(([part, value]) => ({ field: part, text: value }));
}

/** The names and values of a client, and of those merged into it, in their events; copies elsewhere are found by them. */
export async function formerTexts(tx: Db, clients: number[]): Promise<FieldText[]> {
  const rows = await tx
    .selectFrom('events')
    .select(['client_name', 'changes'])
    .where('client_id', 'in', clients)
    .where('type', 'in', ['client.created', 'client.updated', 'client.merged'])
    .where(isNotOfMachine)
    .execute();
  return rows.flatMap(({ client_name, changes }) => [
    { field: 'name', text: client_name },
    ...partsOf(changes),
  ]);
}

/**
 * The texts about a client's licences, machines and payments, present and earlier ones. On their own they do not
 * identify the client.
 * @param clients the client, which has all these records, and those that were merged into it
 */
export async function textsOfRecords(tx: Db, clients: number[]): Promise<FieldText[]> {
  const [client] = clients as [number];
  const events = await tx
    .selectFrom('events')
    .select('changes')
    .where('id', 'in', idsOfClient(...clients))
    .where(isOfLicenseOrMachine)
    .where('changes', '<>', '{}')
    .execute();
  const licenses = tx.selectFrom('licenses').where('client_id', '=', client);
  const notes = await licenses.select(['notes', 'external_id']).execute();
  const tagged = await licenses.select('tags').where('tags', '<>', '[]').execute();
  const machines = await tx
    .selectFrom('installations')
    .select(['machine_id', 'machine_name', 'mac_address', 'ip_address', 'notes'])
    .where('license_id', 'in', licenses.select('id'))
    .execute();
  const requests = tx
    .selectFrom('payment_requests')
    .select(['note', 'notice_reference'])
    .where('client_id', '=', client);
  const payments = tx.selectFrom('payments').select('reference').where('client_id', '=', client);
  const paid = [...(await requests.execute()), ...(await payments.execute())];
  const former = events.flatMap(({ changes }) => partsOf(changes)).filter(({ field }) => !FIGURES.has(field));
  const texts = [
    ...former.map(({ text }) => text),
    ...tagged.flatMap(({ tags }) => readTags(tags)),
    ...[...notes, ...machines, ...paid].flatMap(Object.values),
  ];
  return texts.map((text) => ({ field: 'notes', text }));
}

/**
 * Removes the personal texts from the events about a client. The database normally refuses to change events; a row in
 * `event_erasure`, visible only to this transaction, permits it, and only after a later event `client.erased`
 * (EVENT-06).
 * @param clients the client, and those that were merged into it: their events go with its erasure (MERGE-01)
 * @returns the ids of events about other records that contained one of their names
 */
export async function eraseEvents(tx: Db, clients: number[], values: PersonalValues): Promise<number[]> {
  await tx.insertInto('event_erasure').values({ client_id: clients[0]! }).execute();
  const others: number[] = [];
  for (const client of clients) others.push(...(await eraseEventsOf(tx, client, values)));
  await tx.deleteFrom('event_erasure').execute();
  return others;
}

async function eraseEventsOf(tx: Db, client: number, values: PersonalValues): Promise<number[]> {
  const own = tx
    .selectFrom('events')
    .where('id', 'in', idsOfClient(client))
    .where('type', '<>', 'client.erased');
  const ofLicenses = await own
    .select(['id', 'changes'])
    .where(isOfLicense)
    .where('changes', '<>', '{}')
    .execute();
  for (const { id, changes } of ofLicenses) {
    const figures = Object.entries(JSON.parse(changes) as Changes).filter(([field]) => FIGURES.has(field));
    await setChanges(tx, id, Object.fromEntries(figures));
  }
  const name = erasedName(client);
  await tx
    .updateTable('events')
    .set({
      client_name: name,
      subject_name: sql`case when type like 'client.%' then ${name}
        when type like 'installation.%' or type like 'mail.%' then '' else subject_name end`,
      actor_name: sql`case when actor_kind in ('machine', 'client') then '' else actor_name end`,
      changes: sql`case when type like 'license.%' then changes else '{}' end`,
      reason: null,
      ip: sql`case when actor_kind in ('machine', 'client') then null else ip end`,
    })
    .where('id', 'in', own.select('id'))
    .execute();
  return eraseFromOthers(tx, client, values);
}

/**
 * Erases the client from events about another client, on licences that once belonged to this one: the event of a
 * transfer contains both names.
 */
async function eraseFromOthers(tx: Db, client: number, values: PersonalValues): Promise<number[]> {
  const licenses = tx
    .selectFrom('events')
    .select('license_id')
    .where('client_id', '=', client)
    .where(isNotOfMachine);
  const rows = await tx
    .selectFrom('events')
    .select(['id', 'changes'])
    .where('license_id', 'in', licenses)
    .where('client_id', '<>', client)
    .where(isOfLicense)
    .where('changes', '<>', '{}')
    .execute();
  const erased: number[] = [];
  for (const { id, changes } of rows) {
    const all = JSON.parse(changes) as Changes;
    const change = all.client;
    if (!change) continue;
    const clean = (name: unknown) => (typeof name === 'string' && isTelling(name, values) ? '' : name);
    const next = { before: clean(change.before), after: clean(change.after) };
    if (next.before === change.before && next.after === change.after) continue;
    await setChanges(tx, id, { ...all, client: next });
    erased.push(id);
  }
  return erased;
}

const setChanges = (tx: Db, id: number, changes: Changes) =>
  tx
    .updateTable('events')
    .set({ changes: JSON.stringify(changes) })
    .where('id', '=', id)
    .execute();
