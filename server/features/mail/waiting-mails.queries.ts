import { type SqlBool, sql } from 'kysely';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import { MAIL_WAITING_DAYS } from '../../../contract/mail/mail-settings.ts';
import {
  LICENSE_MAIL_KINDS,
  MAILS_TO_CONTACTS,
  ONE_TIME_MAIL_KINDS,
  type SentMailKind,
} from '../../../contract/mail/mails.ts';
import { maskKeysIn } from '../../../contract/reading/license-keys.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { readContacts } from '../../db/contacts.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, OutboxRow } from '../../db/tables.ts';
import { hasNotEnded } from '../../rules/active-licenses.ts';
import { payRequestIdIn } from '../../rules/pay-address.ts';
import { isSameKey, markedLicenses } from '../mail-templates/mailed-keys.ts';
import { keyWordOf } from './mail-secrets.ts';

/**
 * Mails that were only written to the folder and can still be sent (DESK-07): of the last 30 days, and still true.
 * Neither about a licence that is over or has a new key, nor with a link that works once. A copy that was made
 * meanwhile takes the place of the mail, as does a later mail of the kind about the licence.
 */

const DAY_MS = 24 * 60 * 60_000;

/** What these say of a day ('vence en 7 días') is false on the next. */
const OF_A_DAY: readonly SentMailKind[] = ['license_reminder', 'digest'];
/** One that names no licence is about a deleted one, or is a test of a template. */
const OF_ONE_LICENSE: readonly SentMailKind[] = LICENSE_MAIL_KINDS.filter((kind) => !OF_A_DAY.includes(kind));

const OVER = ['cancelled', 'expired'] as const;

/** A later mail to one address says nothing about those to another; the client may have another address by now (DESK-04). */
const isToSame = sql<SqlBool>`later.is_contact = outbox.is_contact
    and (outbox.is_contact = false or later.to_address = outbox.to_address)`;
const isLater = sql<SqlBool>`exists (select 1 from outbox as later
  where later.license_id = outbox.license_id and later.id > outbox.id and later.kind = outbox.kind
    and later.status in ('queued', 'sent') and ${isToSame})`;
const isCopied = sql<SqlBool>`exists (select 1 from outbox as later
  where later.client_id = outbox.client_id and later.id > outbox.id and later.kind = outbox.kind
    and later.license_id is null and later.body_text = outbox.body_text and later.status in ('queued', 'sent')
    and ${isToSame})`;
/** Whether it goes to the client, or to an address that is still a contact of it. */
const isAddressed = sql<SqlBool>`(outbox.is_contact = false or exists (select 1 from contact_addresses
  where contact_addresses.client_id = outbox.client_id and contact_addresses.email_key = lower(outbox.to_address)))`;

/** Whether a reminder's client still wants reminders, and none of its licences was sold on or extended since. */
const isStillDue = sql<SqlBool>`(outbox.kind <> 'license_reminder'
    or (outbox.is_contact = true
      or exists (select 1 from clients where clients.id = outbox.client_id and clients.reminders = true))
    and not exists (select 1 from licenses as own join license_terms on license_terms.license_id = own.id
      where own.client_id = outbox.client_id and (outbox.license_id is null or outbox.license_id = own.id)
        and license_terms.kind <> 'issue' and license_terms.created_at > outbox.created_at))`;

/** The mails that may be sent by what their row and their licence say. */
export const waitingMails = (db: Db, now: Date) =>
  db
    .selectFrom('outbox')
    .leftJoin('licenses', 'licenses.id', 'outbox.license_id')
    // SQLite uses the partial index only if its condition is literally in the statement.
    .where(sql<SqlBool>`outbox.transport = 'folder'`)
    .where('outbox.created_at', '>=', new Date(now.getTime() - MAIL_WAITING_DAYS * DAY_MS).toISOString())
    .where('outbox.status', '=', 'sent')
    .where('outbox.body_html', '<>', '')
    .where('outbox.kind', 'not in', ONE_TIME_MAIL_KINDS)
    .where(isAddressed)
    .where(isStillDue)
    .where((eb) =>
      eb.or([
        eb('outbox.kind', 'not in', OF_A_DAY),
        eb('outbox.created_at', '>=', new Date(now.getTime() - DAY_MS).toISOString()),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb.and([
          eb('outbox.license_id', 'is', null),
          eb('outbox.kind', 'not in', OF_ONE_LICENSE),
          eb.not(isCopied),
        ]),
        eb.and([
          eb('licenses.status', 'not in', OVER),
          hasNotEnded(now.toISOString()),
          eb.not(isLater),
          eb.not(
            eb.exists(
              eb
                .selectFrom('events')
                .select('events.id')
                .whereRef('events.license_id', '=', 'outbox.license_id')
                .where('events.type', '=', 'license.key_replaced')
                .whereRef('events.at', '>', 'outbox.created_at'),
            ),
          ),
        ]),
      ]),
    );

const ABOUT_PAYMENT: SentMailKind = 'payment_request';
/** So many mails are read for one count: about several licences each, about a payment, or to a contact. */
const READ_MAX = 1000;

/** How many mails wait. */
export async function countWaiting(db: Db, now: Date): Promise<number> {
  const waiting = waitingMails(db, now);
  const { n } = await waiting
    .where('outbox.license_id', 'is not', null)
    .where('outbox.kind', '<>', ABOUT_PAYMENT)
    .where('outbox.is_contact', '=', false)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const others = await waiting
    .where((eb) =>
      eb.or([
        eb('outbox.license_id', 'is', null),
        eb('outbox.kind', '=', ABOUT_PAYMENT),
        eb('outbox.is_contact', '=', true),
      ]),
    )
    .select(['outbox.id', 'outbox.license_id', 'outbox.kind', 'outbox.subject'])
    .select(['outbox.client_id', 'outbox.is_contact', 'outbox.to_address'])
    .select(['outbox.body_text', 'outbox.secrets'])
    .limit(READ_MAX)
    .execute();
  return Number(n) + (await stillTrue(db, others, now)).length;
}

type Read = Pick<
  OutboxRow,
  | 'id'
  | 'license_id'
  | 'client_id'
  | 'kind'
  | 'subject'
  | 'body_text'
  | 'secrets'
  | 'is_contact'
  | 'to_address'
>;

/**
 * Those of the mails whose licences all have the keys of the mail and are not over, whose payment is still asked, and
 * whose contact still gets mails of the kind.
 */
export async function stillTrue<Row extends Read>(db: Db, rows: readonly Row[], now: Date): Promise<Row[]> {
  const marks = new Map(rows.map((row) => [row.id, marksOf(row)]));
  const ids = [
    ...[...marks.values()].flatMap((found) => [...found.keys()]),
    ...rows.flatMap(({ license_id }) => license_id ?? []),
  ];
  const licenses = new Map((await licensesOf(db, ids, now)).map((license) => [license.id, license]));
  const open = await openRequests(db, rows);
  const contacts = await contactsAmong(db, rows);
  return rows.filter((row) => {
    const found = [...marks.get(row.id)!];
    const request = payRequestIdIn(row.secrets);
    return (
      found.every(([id, fingerprint]) => isSameKey(fingerprint, licenses.get(id)?.license_key ?? '')) &&
      hasKeyOf(row, licenses.get(row.license_id ?? 0)?.license_key) &&
      (!row.is_contact || isSubscribed(row, contacts.get(row.client_id ?? 0) ?? [])) &&
      (row.kind !== ABOUT_PAYMENT || (request !== null && open.has(request)))
    );
  });
}

function marksOf({ subject, body_text: text, secrets }: Read): Map<number, string> {
  const word = keyWordOf(secrets);
  return word === null ? new Map() : markedLicenses({ subject, text, html: '' }, word);
}

/** False for a mail of a version that stored keys, if the key in it was replaced. */
const hasKeyOf = ({ body_text }: Read, key: string | undefined): boolean =>
  key === undefined || body_text.includes(key) || maskKeysIn(body_text) === body_text;

const licensesOf = (db: Db, ids: number[], now: Date) =>
  db
    .selectFrom('licenses')
    .select(['id', 'license_key'])
    .where((eb) => isAmong(db, eb.ref('id'), ids))
    .where('status', 'not in', OVER)
    .where(hasNotEnded(now.toISOString()))
    .execute();

async function openRequests(db: Db, rows: readonly Read[]): Promise<Set<number>> {
  const ids = rows.flatMap(({ kind, secrets }) =>
    kind === ABOUT_PAYMENT ? (payRequestIdIn(secrets) ?? []) : [],
  );
  const open = await db
    .selectFrom('payment_requests')
    .select('id')
    .where((eb) => isAmong(db, eb.ref('id'), ids))
    .where('state', '=', 'open')
    .execute();
  return new Set(open.map(({ id }) => id));
}

/** The contacts of the clients whose contacts get one of the mails, by client. */
async function contactsAmong(db: Db, rows: readonly Read[]): Promise<Map<number, Contact[]>> {
  const ids = rows.flatMap(({ is_contact, client_id }) => (is_contact ? (client_id ?? []) : []));
  if (ids.length === 0) return new Map();
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'contacts'])
    .where((eb) => isAmong(db, eb.ref('id'), [...new Set(ids)]))
    .execute();
  return new Map(clients.map(({ id, contacts }) => [id, readContacts(contacts)]));
}

function isSubscribed({ kind, to_address }: Read, contacts: readonly Contact[]): boolean {
  const topic = MAILS_TO_CONTACTS[kind];
  const contact = contacts.find(({ email }) => mailKey(email) === mailKey(to_address));
  return topic !== undefined && (contact?.receives.includes(topic) ?? false);
}
