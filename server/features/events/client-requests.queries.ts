import { sql } from 'kysely';
import { REQUEST_SHOWN_DAYS } from '../../../contract/portal/portal-words.ts';
import type { Db } from '../../db/tables.ts';
import { presentClient } from '../../rules/merged-clients.ts';

/** The requests that clients made in the portal, while they are recent (PORTAL-05). */

const SHOWN_MS = REQUEST_SHOWN_DAYS * 24 * 60 * 60_000;

/** The time until which a request from a given moment is shown. */
export const shownUntil = (at: string): string => new Date(Date.parse(at) + SHOWN_MS).toISOString();

/** They have an index of their own. The type is a literal, because a parameter would not say that the index has them all. */
export const recentRequests = (db: Db, now: Date) =>
  db
    .selectFrom('events')
    .where('events.type', '=', sql.lit('client.requested' as const))
    .where('events.at', '>', new Date(now.getTime() - SHOWN_MS).toISOString());

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
      presentClient('events.client_id').as('client_id'),
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
