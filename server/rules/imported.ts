import { type SqlBool, sql } from 'kysely';

/** The records that an import can make, with the column of their events. */
const RECORDS = {
  client: 'events.client_id',
  license: 'events.license_id',
  software: 'events.software_id',
} as const;

/** The first event of a record; what an import changes is 'updated' for all of them. */
const MADE = { client: 'client.created', license: 'license.issued', software: 'software.created' } as const;

/**
 * True for rows that an import created or changed. Its events carry the request that asked for it; they are looked for
 * among those of its time, by the index on time. Those that it left as they were have no event.
 * @param column the id of the rows, 'clients.id'
 */
export const wasImported = (kind: keyof typeof RECORDS, column: string, id: number, now: string) =>
  sql<SqlBool>`${sql.ref(column)} in (
    select ${sql.ref(RECORDS[kind])} from imports
    inner join events on events.at >= imports.created_at and events.at <= coalesce(imports.finished_at, ${now})
    where imports.id = ${id} and events.request_id = imports.request_id
      and events.type in (${MADE[kind]}, ${`${kind}.updated`}))`;
