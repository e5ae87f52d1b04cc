import { sql } from 'kysely';
import { isSameValue } from '../../contract/base/same-value.ts';
import type { Changes, EventType } from '../../contract/system/events.ts';
import { prepared } from '../db/prepared.ts';
import type { Db, EventRow } from '../db/tables.ts';
import { actorColumns, type Scope } from '../scope.ts';

/** The subject of an event and the records that it concerns, with their current names. */
export type About = {
  subject: { id: number | null; name: string };
  client?: { id: number; name: string } | null;
  license?: { id: number; license_key: string } | null;
  software?: number | null;
};

export type NewEvent = About & {
  type: EventType;
  changes?: Changes;
  reason?: string | null;
  /**
   * When the record was stored before. The event's time is not earlier, even if the clock of another replica was
   * ahead.
   */
  after?: string | undefined;
};

type NewRow = Omit<EventRow, 'id'>;

/**
 * Stores events, and returns whether any webhook is active. A separate query for this would be one more round trip
 * for each event (its cost: docs/decisions/048-webhooks.md).
 */
const store = (db: Db, values: NewRow | NewRow[]) =>
  db
    .insertInto('events')
    .values(values)
    .returning((eb) => [
      'id',
      eb
        .selectFrom('webhooks')
        .select(sql.lit(1).as('one'))
        .where('is_active', '=', sql.lit(true))
        .limit(sql.lit(1))
        .as('is_subscribed'),
    ]);
const insert = prepared((db, values: NewRow) => store(db, values));

/**
 * Writes one event, in the transaction of the change and with the scope's actor (EVENT-01). The event stores the
 * names as they are now and does not change later. Never pass a password, a token or a secret (EVENT-04). Write the
 * event of a deletion before the row is deleted, because webhook messages contain the record as it last was
 * (HOOK-01).
 */
export async function record(scope: Scope, event: NewEvent): Promise<void> {
  const row = toRow(scope, event);
  const [stored] = await insert(scope.tx, row);
  if (stored!.is_subscribed !== null) await scope.publish(scope, { ...row, id: stored!.id });
}

/** Writes several events in one statement. */
export async function recordAll(scope: Scope, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => toRow(scope, event));
  const stored = await store(scope.tx, rows).execute();
  if (stored[0]!.is_subscribed === null) return;
  // Rows get ascending ids in the order of the statement, but the answer may be in another order.
  const ids = stored.map(({ id }) => id).sort((a, b) => a - b);
  for (const [index, row] of rows.entries()) await scope.publish(scope, { ...row, id: ids[index]! });
}

function toRow(scope: Scope, event: NewEvent): NewRow {
  const { type, subject, client, license, software, changes = {}, reason, after } = event;
  return {
    at: new Date(Math.max(scope.now.getTime(), Date.parse(after ?? '') || 0)).toISOString(),
    type,
    ...actorColumns(scope),
    subject_id: subject.id,
    subject_name: subject.name,
    client_id: client?.id ?? null,
    client_name: client?.name ?? null,
    license_id: license?.id ?? null,
    license_key: license?.license_key ?? null,
    software_id: software ?? null,
    changes: JSON.stringify(changes),
    reason: reason || null,
  };
}

/**
 * Compares the writable values before and after a save.
 * @returns the fields that differ, each with its value before and after; empty when nothing changed
 */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const changes: Changes = {};
  for (const field of Object.keys(after)) {
    const [was, is] = [before[field] ?? null, after[field] ?? null];
    if (!isSameValue(was, is)) changes[field] = { before: was, after: is };
  }
  return changes;
}
