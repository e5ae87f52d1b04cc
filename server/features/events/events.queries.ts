import { type SelectQueryBuilder, sql } from 'kysely';
import { startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import {
  EVENT_TYPES,
  type Event,
  type EventFilters,
  type EventType,
  LINKED_KINDS,
  type NamedRecord,
  subjectKindOf,
} from '../../../contract/system/events.ts';
import type { Db, EventRow, Tables } from '../../db/tables.ts';
import { clientLink, licenseLink } from '../../records/links.ts';

/** Converts a row to its answer. */
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

type Rows = SelectQueryBuilder<Tables, 'events', EventRow>;

function filtered(rows: Rows, filters: EventFilters, timeZone: string): Rows {
  const { type, actor_kind, user, client, license, software, from, to } = filters;
  let matching = rows;
  if (type !== undefined) matching = matching.where('type', 'in', type);
  if (actor_kind !== undefined) matching = matching.where('actor_kind', '=', actor_kind);
  if (user !== undefined) matching = matching.where('actor_kind', '=', 'user').where('actor_id', '=', user);
  if (client !== undefined) matching = matching.where('id', 'in', idsOfClient(client));
  if (license !== undefined) matching = matching.where('license_id', '=', license);
  if (software !== undefined) matching = matching.where('software_id', '=', software);
  if (from !== undefined) matching = matching.where('at', '>=', startOfLocalDay(from, timeZone));
  if (to !== undefined) matching = matching.where('at', '<', startOfNextLocalDay(to, timeZone));
  return matching;
}

/**
 * The events of a client, as a query of one column. The index by client leaves out the events of installed programs:
 * they are found by the licences, which are the client's own or stand in another of its events.
 */
export function idsOfClient(client: number) {
  const own = sql`select id from events where client_id = ${client} and actor_kind <> 'machine'`;
  const licenses = sql`select id from licenses where client_id = ${client}
    union select license_id from events where client_id = ${client} and actor_kind <> 'machine'`;
  return sql<number>`(${own} union all select id from events
    where license_id in (${licenses}) and client_id = ${client} and actor_kind = 'machine')`;
}

/** Events that match the filters, newest first, older than the one with the id `before`. */
export async function listEvents(
  db: Db,
  filters: EventFilters,
  { before, limit }: { before: number | undefined; limit: number },
  timeZone: string,
): Promise<Event[]> {
  let rows = filtered(db.selectFrom('events').selectAll(), filters, timeZone);
  if (before !== undefined) rows = rows.where('id', '<', before);
  return (await rows.orderBy('id', 'desc').limit(limit).execute()).map(toEvent);
}

/** The next events of an export after an id, the oldest first. */
export async function listEventsAfter(
  db: Db,
  filters: EventFilters,
  { afterId, limit }: { afterId: number; limit: number },
  timeZone: string,
): Promise<Event[]> {
  const rows = filtered(db.selectFrom('events').selectAll(), filters, timeZone)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit);
  return (await rows.execute()).map(toEvent);
}

/** What changes nothing of a licence itself. */
const WITHOUT_CHANGE: readonly EventType[] = ['license.expired', 'license.reminded', 'license.file_issued'];
const LICENSE_CHANGES = EVENT_TYPES.filter(
  (type) => subjectKindOf(type) === 'license' && !WITHOUT_CHANGE.includes(type),
);
const CHANGES_AT_ONCE = 20;

/**
 * The types of the events that changed a licence, the newest first. Events of its machines and mails, and those that
 * change nothing of the licence itself, are left out.
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
 * Deletes the oldest events of before a moment. The database refuses this to everyone else: a row of
 * `event_retention` that only this transaction sees allows it (EVENT-06). Call it in a transaction.
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

/** The records that events name and that no longer exist: a link to one would lead nowhere. */
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
