import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { NotNull } from 'kysely';
import { HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import { ADDED_KINDS } from '../../../contract/licenses/license-lifecycle.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { readContacts } from '../../db/contacts.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { createToken } from '../../lib/secret.ts';
import { contactsWho } from '../../rules/client-contacts.ts';
import { bouncedContacts } from '../mail/bounces.queries.ts';
import type { ReminderSettings } from './due-mark.ts';

/** The settings of reminders, and the time from which they are valid. */
export type DatedSettings = ReminderSettings & { since: string };

type LastRun = { day: string; settings: ReminderSettings; seen: DatedSettings };

/** The last day whose reminders were all sent, with the settings of that run and the settings last seen. */
export async function findRun(db: Db): Promise<LastRun | undefined> {
  const row = await db.selectFrom('reminder_runs').select(['day', 'settings', 'seen']).executeTakeFirst();
  return row && { day: row.day, settings: JSON.parse(row.settings), seen: JSON.parse(row.seen) };
}

/** Stores that the installation sends reminders from the day after `day`. */
export async function startRuns(db: Db, day: string, lastSettings: DatedSettings): Promise<void> {
  const text = JSON.stringify(lastSettings);
  await db
    .insertInto('reminder_runs')
    .values({ id: 1, day, settings: text, seen: text })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores the settings that a run has seen, so that the next run notices a change. */
export async function storeLastSettings(db: Db, lastSettings: DatedSettings): Promise<void> {
  await db
    .updateTable('reminder_runs')
    .set({ seen: JSON.stringify(lastSettings) })
    .execute();
}

/** Stores the run of a day, unless one of a later day is stored. */
export async function storeRun(db: Db, day: string, settings: ReminderSettings): Promise<void> {
  await db
    .updateTable('reminder_runs')
    .set({ day, settings: JSON.stringify(settings) })
    .where('day', '<', day)
    .execute();
}

const PAGE = 1000;

/** Licences that end on the given local days, by client; other requests run between the pages. */
export async function findCandidates(
  db: Db,
  days: { from: string; to: string }[],
  timeZone: string,
): Promise<Map<number, number[]>> {
  const found = new Map<number, Set<number>>();
  for (const { from, to } of days) {
    let after = { expiry_date: startOfLocalDay(from, timeZone), id: 0 };
    for (;;) {
      await letOthersRun();
      const page = await db
        .selectFrom('licenses')
        .where('status', 'in', HOLDING_STATUSES)
        .where('expiry_date', '>=', after.expiry_date)
        .where('expiry_date', '<', startOfNextLocalDay(to, timeZone))
        .where((eb) =>
          eb.or([
            eb('expiry_date', '>', after.expiry_date),
            eb.and([eb('expiry_date', '=', after.expiry_date), eb('id', '>', after.id)]),
          ]),
        )
        .select(['id', 'client_id', 'expiry_date'])
        .$narrowType<{ expiry_date: NotNull }>()
        .orderBy('expiry_date')
        .orderBy('id')
        .limit(PAGE)
        .execute();
      for (const { id, client_id } of page) {
        const licenses = found.get(client_id) ?? new Set();
        found.set(client_id, licenses.add(id));
      }
      const last = page[PAGE - 1];
      if (!last) break;
      after = last;
    }
  }
  const byClient = [...found].sort(([a], [b]) => a - b);
  return new Map(byClient.map(([client, licenses]) => [client, [...licenses].sort((a, b) => a - b)]));
}

/** Locks the licences of a client that may be due, and reads the last term of each. */
export async function lockReminded(tx: Db, clientId: number, ids: number[]) {
  const licenses = await lockRows(
    tx,
    tx
      .selectFrom('licenses')
      .where('id', 'in', ids)
      .where('client_id', '=', clientId)
      .where('status', 'in', HOLDING_STATUSES)
      .where('expiry_date', 'is not', null)
      .select(['id', 'status', 'license_type', 'expiry_date', 'expiry_months', 'created_at', 'start_mode'])
      .$narrowType<{ expiry_date: NotNull }>()
      .orderBy('id'),
  ).execute();
  const terms = await tx
    .selectFrom('license_terms')
    .where('license_id', 'in', ids)
    // Updates and seats do not move the end (SELL-02, MONEY-08).
    .where('kind', 'not in', ADDED_KINDS)
    .select(['license_id', 'id', 'kind', 'starts', 'created_at'])
    .orderBy('id')
    .execute();
  const lastTerms = new Map(terms.map((term) => [term.license_id, term]));
  return licenses.map(({ created_at, start_mode, ...license }) => {
    const term = mustExist(lastTerms.get(license.id), `term of license ${license.id}`);
    // The first term of an imported licence counts from its issue, and the first term of a licence that waited counts
    // from its start (SELL-01).
    const waited = start_mode === 'first_activation' && term.kind === 'issue' ? term.starts : null;
    const since = [term.created_at, created_at, waited ?? ''].sort().at(-1)!;
    return { ...license, term_id: term.id, since };
  });
}

type SentReminder = { license_id: number; term_id: number; mark: number };

/** The given reminders without those that were sent before. */
export async function unsent<Reminder extends SentReminder>(
  tx: Db,
  reminders: Reminder[],
): Promise<Reminder[]> {
  if (reminders.length === 0) return [];
  const ids = reminders.map(({ license_id }) => license_id);
  const sent = await tx
    .selectFrom('license_reminders')
    .where('license_id', 'in', ids)
    .select(['license_id', 'term_id', 'mark'])
    .execute();
  const keyOf = ({ license_id, term_id, mark }: SentReminder) => `${license_id} ${term_id} ${mark}`;
  const known = new Set(sent.map(keyOf));
  return reminders.filter((reminder) => !known.has(keyOf(reminder)));
}

/** Stores reminders as sent. The unique key refuses a reminder that was sent before. */
export async function insertReminders(tx: Db, reminders: SentReminder[], now: Date): Promise<void> {
  const sent_at = now.toISOString();
  await tx
    .insertInto('license_reminders')
    .values(reminders.map(({ license_id, term_id, mark }) => ({ license_id, term_id, mark, sent_at })))
    .execute();
}

/**
 * Claims the only reminder of a client for a day.
 * @returns the token of the client's link; undefined if the client already got a reminder on this day
 */
export async function claimDay(tx: Db, clientId: number, day: string): Promise<string | undefined> {
  const row = await tx
    .insertInto('reminded_clients')
    .values({ client_id: clientId, token: createToken(), reminded_on: day })
    .onConflict((conflict) =>
      conflict
        .column('client_id')
        .doUpdateSet({ reminded_on: day })
        .where((eb) =>
          eb.or([
            eb('reminded_clients.reminded_on', 'is', null),
            eb('reminded_clients.reminded_on', '<', day),
          ]),
        ),
    )
    .returning('token')
    .executeTakeFirst();
  return row?.token;
}

/** The contacts of a client that get its reminders, with the tokens of their links; those that refused mail are none. */
export async function remindedContacts(
  tx: Db,
  clientId: number,
): Promise<{ name: string; email: string; token: string }[]> {
  const contacts = await contactsWho(tx, clientId, 'reminders');
  const bounced = new Set((await bouncedContacts(tx, contacts)).map(({ email }) => email));
  const tokens = contacts.length === 0 ? [] : await contactTokens(tx, clientId);
  const tokenOf = new Map(tokens.map(({ email_key, token }) => [email_key, token]));
  return contacts.flatMap(({ name, email }) => {
    const token = tokenOf.get(mailKey(email));
    return token === undefined || bounced.has(email) ? [] : [{ name, email, token }];
  });
}

const contactTokens = (tx: Db, clientId: number) =>
  tx
    .selectFrom('contact_addresses')
    .select(['email_key', 'token'])
    .where('client_id', '=', clientId)
    .execute();

/** Who gets reminders by a link: a client, or with `contact` one of its contacts, by the key of the address. */
type LinkHolder = { id: number; name: string; reminders: boolean; contact: Contact | null };

/** The holder of a link; undefined for an unknown token, also of a contact that was removed. */
export async function findHolderOfToken(db: Db, token: string): Promise<LinkHolder | undefined> {
  const client = await db
    .selectFrom('reminded_clients')
    .innerJoin('clients', 'clients.id', 'reminded_clients.client_id')
    .where('reminded_clients.token', '=', token)
    .select(['clients.id', 'clients.name', 'clients.reminders'])
    .executeTakeFirst();
  if (client) return { ...client, contact: null };
  const row = (await contactOfToken(db, token)) ?? (await holderOfMergedLink(db, token));
  if (!row) return undefined;
  const { id, name, email_key, reminders } = row;
  if (email_key === null) return { id, name, reminders, contact: null };
  const contact = readContacts(row.contacts).find(({ email }) => mailKey(email) === email_key);
  return contact && { id, name, reminders: contact.receives.includes('reminders'), contact };
}

const contactOfToken = (db: Db, token: string) =>
  db
    .selectFrom('contact_addresses')
    .innerJoin('clients', 'clients.id', 'contact_addresses.client_id')
    .where('contact_addresses.token', '=', token)
    .select(['clients.id', 'clients.name', 'clients.reminders', 'clients.contacts'])
    .select('contact_addresses.email_key')
    .executeTakeFirst();

/** The holder of a link that a client had before it was merged into another one, or one of its contacts (MERGE-01). */
const holderOfMergedLink = (db: Db, token: string) =>
  db
    .selectFrom('client_merge_links')
    .innerJoin('clients', 'clients.id', 'client_merge_links.client_id')
    .where('client_merge_links.token', '=', token)
    .select(['clients.id', 'clients.name', 'clients.reminders', 'clients.contacts'])
    .select('client_merge_links.email_key')
    .executeTakeFirst();
