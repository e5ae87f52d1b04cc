import { type SqlBool, sql } from 'kysely';

/** The kinds of records that an import can create, with the column of `events` that refers to them. */
const RECORDS = {
  client: 'events.client_id',
  license: 'events.license_id',
  software: 'events.software_id',
} as const;

/** The type of the event for a created record; for a changed record it is 'updated' in all kinds. */
const MADE = { client: 'client.created', license: 'license.issued', software: 'software.created' } as const;

/**
 * True for rows that an import created or changed. The events of an import have the request id of the request that
 * started it. They are looked for only within the time of the import, by the index on time. Rows that the import left
 * unchanged have no event.
 * @param column the id of the rows, 'clients.id'
 */
export const wasImported = (kind: keyof typeof RECORDS, column: string, id: number, now: string) =>
  sql<SqlBool>`${sql.ref(column)} in (
    select ${sql.ref(RECORDS[kind])} from imports
    inner join events on events.at >= imports.created_at and events.at <= coalesce(imports.finished_at, ${now})
    where imports.id = ${id} and events.request_id = imports.request_id
      and events.type in (${MADE[kind]}, ${`${kind}.updated`}))`;
