import { hash } from 'node:crypto';
import { type NotNull, sql } from 'kysely';
import { EXPIRING_SOON_DAYS, HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { addDays, afterDays, localDay, startOfLocalDay } from '../../../contract/base/time.ts';
import { ADDED_KINDS } from '../../../contract/licenses/license-lifecycle.ts';
import {
  NOTIFICATIONS_MAX,
  type Notification,
  type NotificationKind,
  SHARED_SHOWN_DAYS,
  NOTIFICATION_TEXTS as TEXTS,
} from '../../../contract/mail/notifications.ts';
import { excerptOf, NOTE_DUE_DAYS } from '../../../contract/notes/note-words.ts';
import { REVIEW_REASON_LABELS, requestConcept } from '../../../contract/payments/payment-words.ts';
import type { Permission, Role } from '../../../contract/people/permissions.ts';
import { REQUEST_KIND_LABELS, REQUEST_KINDS } from '../../../contract/portal/portal-words.ts';
import { backupLateSince } from '../../../contract/system/backups.ts';
import type { Changes } from '../../../contract/system/events.ts';
import { shownUrl } from '../../../contract/system/webhooks.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { clientLink, licenseLink } from '../../records/links.ts';
import { disabledWebhooks } from '../../rules/disabled-webhooks.ts';
import { newestFailed } from '../../rules/failed-mails.ts';
import { openNotices } from '../../rules/open-notices.ts';
import { newestRequests, shownUntil } from '../events/client-requests.queries.ts';
import { formatDay } from '../mail-templates/license-variables.ts';
import { dueNotes } from '../notes/due-notes.ts';

/**
 * Notifications are computed from the present state of the tables; only the marks 'read' are stored
 * (docs/decisions/035-notifications.md). Each kind is read from the newest end of an index.
 */

/** At least this many places are for expiring licences, so that a thousand failed mails do not hide them. */
const EXPIRING_AT_LEAST = 20;

/** The number of newest rows that are read. Rows are skipped if the licence has ended or a later mail was sent. */
const LOOKED_AT = 5000;

export type Item = Omit<Notification, 'read'> & { ref: number; ends: string | null };

export type Reader = {
  role: Role;
  permissions: ReadonlySet<Permission>;
  now: Date;
  timeZone: string;
  mayMakeCopies: boolean;
};

/** The notifications of a user, at most `limit` of each kind, newest first within each kind. */
async function itemsByKind(db: Db, reader: Reader, limit: number) {
  const { permissions, now, timeZone, mayMakeCopies } = reader;
  const mayReadLicenses = permissions.has('licenses:read');
  return {
    expiring: mayReadLicenses ? await expiringLicenses(db, now, timeZone, limit) : [],
    full: mayReadLicenses ? await fullLicenses(db, now, limit) : [],
    failed: permissions.has('mails:read') ? await failedMails(db, limit) : [],
    webhooks: permissions.has('webhooks:manage') ? await disabledWebhookItems(db) : [],
    requests: permissions.has('clients:read') ? await clientRequests(db, now, limit) : [],
    reviews: permissions.has('payments:read') ? await paymentReviews(db, limit) : [],
    transfers: permissions.has('payments:read') ? await transferNotices(db, now, limit) : [],
    shared: mayReadLicenses ? await sharedMachineIds(db, now, timeZone, limit) : [],
    notes: await notesDue(db, reader, limit),
    backups: mayMakeCopies && permissions.has('settings:manage') ? await lateBackup(db, now, timeZone) : [],
  };
}

const newestFirst = (items: Item[]) => items.sort((a, b) => b.at.localeCompare(a.at) || b.ref - a.ref);

/**
 * The notifications under the bell icon: at most fifty, newest first. A licence whose seats are all used is often just
 * as it was sold, so full ones get only the places that all others leave (DESK-01).
 */
export async function currentItems(db: Db, reader: Reader): Promise<Item[]> {
  const { expiring, full, ...kinds } = await itemsByKind(db, reader, NOTIFICATIONS_MAX);
  const reserved = Math.min(expiring.length, EXPIRING_AT_LEAST);
  const others = newestFirst(Object.values(kinds).flat()).slice(0, NOTIFICATIONS_MAX - reserved);
  const urgent = [...others, ...expiring.slice(0, NOTIFICATIONS_MAX - others.length)];
  return newestFirst([...urgent, ...newestFirst(full).slice(0, NOTIFICATIONS_MAX - urgent.length)]);
}

/** The number of notifications of each kind that are marked as read at once. */
const READ_AT_ONCE = 500;

/**
 * The notifications to mark when a user marks all as read: more than are shown, so that those that would appear next
 * are marked too.
 */
export async function itemsToRead(db: Db, reader: Reader): Promise<Item[]> {
  return Object.values(await itemsByKind(db, reader, READ_AT_ONCE)).flat();
}

/** Licences with their clients and software, in any order; licences that were deleted meanwhile are missing. */
async function licensesOf(db: Db, ids: number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .where((eb) => isAmong(db, eb.ref('licenses.id'), ids))
    .select((eb) => [
      'licenses.id',
      'licenses.license_key',
      'licenses.expiry_date',
      'licenses.max_installations',
      'clients.id as client_id',
      'clients.name as client_name',
      'software.name as software_name',
      'software.version as software_version',
      eb
        .selectFrom('license_terms')
        .whereRef('license_terms.license_id', '=', 'licenses.id')
        .where('license_terms.kind', 'not in', ADDED_KINDS)
        .select((term) => term.fn.max('license_terms.created_at').as('at'))
        .as('sold_at'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('installations')
            .whereRef('installations.license_id', '=', 'licenses.id')
            .select((seat) => seat.fn.max('installations.installation_date').as('at')),
          'licenses.updated_at',
        )
        .as('installed_at'),
    ])
    .execute();
}

type LicenseFacts = Awaited<ReturnType<typeof licensesOf>>[number];

const about = ({ id, license_key, client_id, client_name }: LicenseFacts) => ({
  license: { id, license_key },
  client: { id: client_id, name: client_name },
});

const softwareOf = ({ software_name, software_version }: LicenseFacts) =>
  `${software_name} ${software_version}`;

const idOf = (kind: NotificationKind, ...parts: (string | number)[]) => [kind, ...parts].join('-');

/** Usable licences that end within thirty local days. The newest notification is that of the latest end. */
async function expiringLicenses(db: Db, now: Date, timeZone: string, limit: number): Promise<Item[]> {
  const found: { id: number; ends: string }[] = [];
  const after = afterDays(now, EXPIRING_SOON_DAYS, timeZone);
  // One query per status, because the index is ordered within each status.
  for (const status of HOLDING_STATUSES) {
    const rows = await db
      .selectFrom('licenses')
      .where('status', '=', status)
      .where('expiry_date', '>=', now.toISOString())
      .where('expiry_date', '<', after)
      .select(['id', 'expiry_date as ends'])
      .$narrowType<{ ends: NotNull }>()
      .orderBy('expiry_date', 'desc')
      .limit(limit)
      .execute();
    found.push(...rows);
  }
  const newest = found.sort((a, b) => b.ends.localeCompare(a.ends) || b.id - a.id).slice(0, limit);
  const ends = new Map(newest.map((license) => [license.id, license.ends]));
  const items = (await licensesOf(db, [...ends.keys()])).map((license) => {
    const end = ends.get(license.id)!;
    const near = startOfLocalDay(addDays(localDay(end, timeZone), -EXPIRING_SOON_DAYS), timeZone);
    return {
      id: idOf('expiring', license.id, Date.parse(end)),
      kind: 'expiring' as const,
      // The notification's time. If the term was sold less than thirty days before its end, it is the time of the
      // sale.
      at: license.sold_at !== null && license.sold_at > near ? license.sold_at : near,
      message: TEXTS.expiring(license.client_name, softwareOf(license), formatDay(end, timeZone)),
      ...about(license),
      ref: license.id,
      ends: end,
    };
  });
  return items.sort((a, b) => b.ends.localeCompare(a.ends) || b.ref - a.ref);
}

/** Active licences whose seats are all taken. */
async function fullLicenses(db: Db, now: Date, limit: number): Promise<Item[]> {
  const newest = db
    .selectFrom('full_licenses')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .as('newest');
  const rows = await db
    .selectFrom(newest)
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('expiry_date', 'is', null), eb('expiry_date', '>=', now.toISOString())]))
    .select(['id', 'license_id'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const refs = new Map(rows.map(({ id, license_id }) => [license_id, id]));
  return (await licensesOf(db, [...refs.keys()])).map((license) => {
    const ref = refs.get(license.id)!;
    return {
      id: idOf('seats_full', ref),
      kind: 'seats_full' as const,
      at: license.installed_at,
      message: TEXTS.seatsFull(license.client_name, softwareOf(license), license.max_installations),
      ...about(license),
      ref,
      ends: null,
    };
  });
}

/** Mails that were not delivered and that no other replaces. */
async function failedMails(db: Db, limit: number): Promise<Item[]> {
  const rows = await newestFailed(db).limit(limit).execute();
  return rows.map(({ id, to_address, created_at, ...row }) => ({
    id: idOf('mail_failed', id),
    kind: 'mail_failed' as const,
    at: created_at,
    message: TEXTS.mailFailed(to_address),
    license: licenseLink(row),
    client: clientLink(row),
    ref: id,
    ends: null,
  }));
}

/**
 * Requests that clients made in the portal (PORTAL-05). The event of an erased client no longer contains the kind of
 * request.
 */
async function clientRequests(db: Db, now: Date, limit: number): Promise<Item[]> {
  const rows = await newestRequests(db, now, limit);
  return rows.map(({ id, at, changes, software_name, software_version, ...row }) => {
    const { kind } = JSON.parse(changes) as Changes;
    const asked = REQUEST_KINDS.find((known) => known === kind?.after) ?? 'other';
    const software = software_name === null ? null : `${software_name} ${software_version}`;
    return {
      id: idOf('client_requested', id),
      kind: 'client_requested' as const,
      at,
      message: TEXTS.clientRequested(row.client_name ?? '', REQUEST_KIND_LABELS[asked], software),
      license: licenseLink(row),
      client: clientLink(row),
      ref: id,
      ends: shownUntil(at),
    };
  });
}

/**
 * Payment requests that need a person's decision (PAY-05). Another reason, or a later change, is a new notification.
 */
async function paymentReviews(db: Db, limit: number): Promise<Item[]> {
  const rows = await db
    .selectFrom('payment_requests')
    .where('state', '=', sql.lit('review' as const))
    .select(['id', 'client_id', 'client_name', 'review_reason', 'updated_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, client_id, client_name, review_reason, updated_at }) => ({
    id: idOf('payment_review', id, Date.parse(updated_at)),
    kind: 'payment_review' as const,
    at: updated_at,
    message: TEXTS.paymentReview(client_name, review_reason ? REVIEW_REASON_LABELS[review_reason] : ''),
    license: null,
    client: { id: client_id, name: client_name },
    ref: id,
    ends: null,
  }));
}

/** Transfers of which clients gave notice, until somebody answers (MONEY-11); another notice is a new notification. */
async function transferNotices(db: Db, now: Date, limit: number): Promise<Item[]> {
  const rows = await openNotices(db, now)
    .orderBy('notice_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, client_id, client_name, notice_at }) => ({
    id: idOf('transfer_notified', id, Date.parse(notice_at)),
    kind: 'transfer_notified' as const,
    at: notice_at,
    message: TEXTS.transferNotified(client_name, requestConcept(id)),
    license: null,
    client: { id: client_id, name: client_name },
    ref: id,
    ends: null,
  }));
}

async function disabledWebhookItems(db: Db): Promise<Item[]> {
  const rows = await disabledWebhooks(db).execute();
  return rows.map(({ id, url, at }) => ({
    id: idOf('webhook_disabled', id, Date.parse(at)),
    kind: 'webhook_disabled' as const,
    at,
    message: TEXTS.webhookDisabled(shownUrl(url)),
    license: null,
    client: null,
    ref: id,
    ends: null,
  }));
}

/** Names of machines in the text of a notification. */
const NAMES_SHOWN = 3;
/** Letters of a machine id in the text of a notification. */
const ID_SHOWN = 40;

/**
 * Ids that arrived under several names on a local day, as copies of one disk are (INPUT-09). Each leads to the
 * licence of its last name.
 */
async function sharedMachineIds(db: Db, now: Date, timeZone: string, limit: number): Promise<Item[]> {
  const shared = await db
    .selectFrom('machine_names')
    .select((eb) => ['day', 'machine_key', eb.fn.min('shared_at').as('at')])
    .where('shared_at', 'is not', null)
    .where('day', '>', addDays(localDay(now, timeZone), -SHARED_SHOWN_DAYS))
    .groupBy(['day', 'machine_key'])
    .orderBy('day', 'desc')
    .orderBy('machine_key')
    .limit(limit)
    .execute();
  const items: Item[] = [];
  for (const { day, machine_key, at } of shared) {
    const rows = await db
      .selectFrom('machine_names')
      .innerJoin('licenses', 'licenses.id', 'machine_names.license_id')
      .innerJoin('clients', 'clients.id', 'licenses.client_id')
      .where('day', '=', day)
      .where('machine_key', '=', machine_key)
      .select(['machine_names.name', 'machine_names.machine_id', 'licenses.id', 'licenses.license_key'])
      .select(['clients.id as client_id', 'clients.name as client_name'])
      .orderBy('machine_names.at', 'desc')
      .orderBy('machine_names.name')
      .limit(LOOKED_AT)
      .execute();
    const [last] = rows;
    if (!last || at === null) continue;
    const names = [
      ...new Map(rows.toReversed().map(({ name }) => [name.toLowerCase(), name])).values(),
    ].toReversed();
    const shown = [...last.machine_id].slice(0, ID_SHOWN).join('');
    items.push({
      id: idOf('machine_id_shared', day, hash('sha256', machine_key).slice(0, 16)),
      kind: 'machine_id_shared' as const,
      at,
      message: TEXTS.machineIdShared(
        shown,
        names.slice(0, NAMES_SHOWN),
        Math.max(0, names.length - NAMES_SHOWN),
      ),
      license: { id: last.id, license_key: last.license_key },
      client: { id: last.client_id, name: last.client_name },
      ref: last.id,
      ends: startOfLocalDay(addDays(day, SHARED_SHOWN_DAYS), timeZone),
    });
  }
  return items;
}

/** Notes whose day has come (DESK-02); another day makes another notification. */
async function notesDue(db: Db, reader: Reader, limit: number): Promise<Item[]> {
  const due = dueNotes(db, reader, reader);
  if (!due) return [];
  const rows = await due
    .orderBy('notes.remind_on', 'desc')
    .orderBy('notes.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, text, remind_on, ...row }) => ({
    id: idOf('note_due', id, remind_on),
    kind: 'note_due' as const,
    at: startOfLocalDay(remind_on, reader.timeZone),
    message: TEXTS.noteDue(row.client_name, excerptOf(text)),
    license: licenseLink(row),
    client: clientLink(row),
    ref: id,
    ends: startOfLocalDay(addDays(remind_on, NOTE_DUE_DAYS), reader.timeZone),
  }));
}

/**
 * Shown if no copy has been verified for too long (OPS-03). After the next verified copy, a later delay is a new
 * notification.
 */
async function lateBackup(db: Db, now: Date, timeZone: string): Promise<Item[]> {
  const plan = await db.selectFrom('backup_plan').selectAll().executeTakeFirst();
  const at = plan ? backupLateSince(plan, now) : null;
  if (!plan || at === null) return [];
  const last = plan.last_tried_at === null ? null : formatMoment(plan.last_tried_at, timeZone);
  return [
    {
      id: idOf('backup_late', Date.parse(at)),
      kind: 'backup_late' as const,
      at,
      message: TEXTS.backupLate(last),
      license: null,
      client: null,
      ref: 1,
      ends: null,
    },
  ];
}
