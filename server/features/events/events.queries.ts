import { sql } from 'kysely';
import {
  EVENT_TYPES,
  type Event,
  type EventType,
  LINKED_KINDS,
  type NamedRecord,
  subjectKindOf,
} from '../../../contract/system/events.ts';
import { testedOnRow } from '../../db/row-tests.ts';
import type { Db, EventRow, Tables } from '../../db/tables.ts';
import { clientLink, licenseLink } from '../../records/links.ts';

/** Converts a row to the event in an answer. */
export function toEvent(row: EventRow): Event {
  return {
    id: row.id,
    at: row.at,
    type: row.type,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    subject: { kind: subjectKindOf(row.type), id: row.subject_id, name: row.subject_name },
    client: clientLink(row),
    license: licenseLink(row),
    changes: JSON.parse(row.changes),
    reason: row.reason,
    ip: row.ip,
    request_id: row.request_id,
  };
}

/**
 * A query for the ids of the events of a client, or of several, as of those merged into one (MERGE-01). The index on the client leaves out events of installed programs. These
 * are found by the licences: those that the client has now, and those in its other events.
 */
export function idsOfClient(...clients: number[]) {
  const [first, ...others] = clients;
  // One value alone as such, so that its plan stays the same.
  const isOf = others.length === 0 ? sql`client_id = ${first}` : sql`client_id in (${sql.join(clients)})`;
  const own = sql`select id from events where ${isOf} and actor_kind <> 'machine'`;
  const licenses = sql`select id from licenses where ${isOf}
    union select license_id from events where ${isOf} and actor_kind <> 'machine'`;
  return sql<number>`(${own} union all select id from events
    where license_id in (${licenses}) and ${isOf} and ${testedOnRow(sql`actor_kind = 'machine'`)})`;
}

/** Events that do not change the licence itself. */
const WITHOUT_CHANGE: readonly EventType[] = [
  'license.expired',
  'license.reminded',
  'license.file_issued',
  'license.usage_limit_reached',
  'license.usage_adjusted',
];
const LICENSE_CHANGES = EVENT_TYPES.filter(
  (type) => subjectKindOf(type) === 'license' && !WITHOUT_CHANGE.includes(type),
);
const CHANGES_AT_ONCE = 20;

/**
 * The types of the events that changed a licence, newest first. Events of its machines and mails are left out, and
 * those that do not change the licence itself.
 */
export async function* typesOfChanges(db: Db, licenseId: number): AsyncGenerator<EventType> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await db
      .selectFrom('events')
      .select(['id', 'type'])
      .where('license_id', '=', licenseId)
      .where('type', 'in', LICENSE_CHANGES)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(CHANGES_AT_ONCE)
      .execute();
    for (const { type } of rows) yield type;
    if (rows.length < CHANGES_AT_ONCE) return;
    before = rows.at(-1)!.id;
  }
}

/**
 * Deletes the oldest events before a moment. The database normally refuses to delete events; a row in
 * `event_retention`, visible only to this transaction, permits it (EVENT-06). Call it in a transaction.
 * @returns how many were deleted, at most `limit`
 */
export async function deletePastEvents(tx: Db, before: string, limit: number): Promise<number> {
  const past = tx
    .selectFrom('events')
    .select('id')
    .where('at', '<', before)
    .orderBy('at')
    .orderBy('id')
    .limit(limit);
  await tx.insertInto('event_retention').values({ before }).execute();
  const { numDeletedRows } = await tx.deleteFrom('events').where('id', 'in', past).executeTakeFirst();
  await tx.deleteFrom('event_retention').execute();
  return Number(numDeletedRows);
}

const TABLE_OF = {
  client: 'clients',
  license: 'licenses',
  software: 'software',
  license_type: 'license_types',
} as const satisfies Record<NamedRecord['kind'], keyof Tables>;

/** The records in events that no longer exist, so that the console shows no links to them. */
export async function recordsGone(db: Db, events: readonly Event[]): Promise<NamedRecord[]> {
  const gone: NamedRecord[] = [];
  for (const kind of LINKED_KINDS) {
    const named = new Set<number>();
    for (const { subject, client, license } of events) {
      if (subject.kind === kind && subject.id !== null) named.add(subject.id);
      if (kind === 'client' && client) named.add(client.id);
      if (kind === 'license' && license) named.add(license.id);
    }
    if (named.size === 0) continue;
    const rows = await db
      .selectFrom(TABLE_OF[kind])
      .select('id')
      .where('id', 'in', [...named])
      .execute();
    for (const { id } of rows) named.delete(id);
    gone.push(...[...named].map((id) => ({ kind, id })));
  }
  return gone;
}
