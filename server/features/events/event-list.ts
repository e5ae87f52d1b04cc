import { type SqlBool, sql } from 'kysely';
import { startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import type { Event, EventFilters } from '../../../contract/system/events.ts';
import type { EventRow } from '../../db/tables.ts';
import { defineCursorList } from '../../lists/cursor-list.ts';
import { equals } from '../../lists/filters.ts';
import { idsOfClient, toEvent } from './events.queries.ts';

/** The log of events (EVENT-05). */
export const eventList = defineCursorList<EventFilters, 'events', keyof EventRow, Event>({
  table: 'events',
  filters: {
    type: (types) => ({ holds: sql<SqlBool>`events.type in (${sql.join(types)})` }),
    actor_kind: equals('events.actor_kind'),
    user: (id) => ({ holds: sql<SqlBool>`events.actor_kind = ${'user'} and events.actor_id = ${id}` }),
    client: (id) => ({ holds: sql<SqlBool>`events.id in ${idsOfClient(id)}` }),
    license: equals('events.license_id'),
    software: equals('events.software_id'),
    from: (day, { timeZone }) => ({ holds: sql<SqlBool>`events.at >= ${startOfLocalDay(day, timeZone)}` }),
    to: (day, { timeZone }) => ({ holds: sql<SqlBool>`events.at < ${startOfNextLocalDay(day, timeZone)}` }),
  },
  rows: async (_db, found) => found.map(toEvent),
});
