import { sql } from 'kysely';
import { REQUEST_SHOWN_DAYS } from '../../../contract/portal/portal-words.ts';
import type { Db } from '../../db/tables.ts';

/** The requests that clients made in the portal, while they are recent (PORTAL-05). */

const SHOWN_MS = REQUEST_SHOWN_DAYS * 24 * 60 * 60_000;

/** The time until which a request from a given moment is shown. */
export const shownUntil = (at: string): string => new Date(Date.parse(at) + SHOWN_MS).toISOString();

/**
 * The index on types has the ids of each type in order. Only ids after the last event that is too old are searched.
 */
export function recentRequests(db: Db, now: Date) {
  const since = new Date(now.getTime() - SHOWN_MS).toISOString();
  const lastTooOld = sql<number>`coalesce(
    (select older.id from events as older where older.at <= ${since} order by older.at desc, older.id desc limit 1), 0)`;
  return db
    .selectFrom('events')
    .where('events.type', '=', 'client.requested')
    .where('events.id', '>', lastTooOld)
    .where('events.at', '>', since);
}

/** The number of recent requests. */
export const countOfRequests = (db: Db, now: Date) =>
  recentRequests(db, now).select((eb) => eb.fn.countAll<number>().as('n'));

/** The newest recent requests, each with the software of its licence. */
export const newestRequests = (db: Db, now: Date, limit: number) =>
  recentRequests(db, now)
    .leftJoin('software', 'software.id', 'events.software_id')
    .select([
      'events.id',
      'events.at',
      'events.client_id',
      'events.client_name',
      'events.license_id',
      'events.license_key',
      'events.changes',
      'software.name as software_name',
      'software.version as software_version',
    ])
    .orderBy('events.at', 'desc')
    .orderBy('events.id', 'desc')
    .limit(limit)
    .execute();
