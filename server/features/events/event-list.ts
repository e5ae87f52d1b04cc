import { type SqlBool, sql } from 'kysely';
import { startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import type { Event, EventFilters } from '../../../contract/system/events.ts';
import { earlierEnded } from '../../db/dialect.ts';
import { testedOnRow } from '../../db/row-tests.ts';
import type { Db, EventRow } from '../../db/tables.ts';
import { defineCursorList } from '../../lists/cursor-list.ts';
import { allOf, conditionsOf, equals, type FiltersOf, type Moment } from '../../lists/filters.ts';
import { withMerged } from '../../rules/merged-clients.ts';
import { idsOfClient, toEvent } from './events.queries.ts';

/** The filters with the clients of `client`: itself and those that were merged into it (MERGE-01). */
type AskedEvents = Omit<EventFilters, 'client'> & { client?: number[] | undefined };

/** The filters of a call, with the clients of its `client`. */
export async function askedEvents(db: Db, { client, ...others }: EventFilters): Promise<AskedEvents> {
  return client === undefined ? others : { ...others, client: await withMerged(db, client) };
}

const filters: FiltersOf<AskedEvents> = {
  // An index has the events of one type in order. Those of several types would have to be sorted.
  type: ([type, ...others]) => ({
    holds:
      others.length === 0
        ? sql<SqlBool>`events.type = ${type}`
        : testedOnRow(sql`events.type in (${sql.join([type, ...others])})`),
  }),
  actor_kind: equals('events.actor_kind'),
  user: (id) => ({ holds: sql<SqlBool>`events.actor_kind = ${'user'} and events.actor_id = ${id}` }),
  client: (ids) => ({ holds: sql<SqlBool>`events.id in ${idsOfClient(...ids)}`, byIndex: 'few' }),
  license: equals('events.license_id'),
  software: equals('events.software_id'),
  from: (day, { timeZone }) => ({ holds: sql<SqlBool>`events.at >= ${startOfLocalDay(day, timeZone)}` }),
  to: (day, { timeZone }) => ({ holds: sql<SqlBool>`events.at < ${startOfNextLocalDay(day, timeZone)}` }),
};

/** The log of events (EVENT-05). */
export const eventList = defineCursorList<AskedEvents, 'events', keyof EventRow, Event>({
  table: 'events',
  filters,
  rows: async (_db, found) => found.map(toEvent),
});

/** How long {@link eventsAfter} waits for transactions that may still commit an earlier event, in milliseconds. */
const SETTLE_MS = 5000;

/**
 * The events that match and follow the event with the id `after`, oldest first. A caller who continues after the last
 * one misses none: an event is left out while a transaction may still commit an earlier one.
 * @returns `next` is the value of `after` for the following rows; null at the end
 */
export async function eventsAfter(
  db: Db,
  query: AskedEvents,
  { after, limit }: { after: number; limit: number },
  moment: Moment,
): Promise<{ rows: Event[]; next: number | null }> {
  const { newest } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow();
  if (newest === null || newest <= after) return { rows: [], next: null };
  await earlierEnded(db, SETTLE_MS);
  const conditions = conditionsOf(filters, query, moment).map(({ holds }) => holds);
  const { rows: found } = await sql<EventRow>`select * from events
    where ${allOf(conditions)} and events.id > ${after} and events.id <= ${newest}
    order by events.id limit ${limit + 1}`.execute(db);
  const shown = found.slice(0, limit);
  return { rows: shown.map(toEvent), next: found.length > limit ? shown.at(-1)!.id : null };
}
