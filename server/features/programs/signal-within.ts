import { type Expression, type SqlBool, sql } from 'kysely';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The instant this many times 24 hours ago. */
export const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();

/** Installations with a heartbeat within the last days. */
export const heartbeatWithin = (days: number, now: Date): Expression<SqlBool> =>
  sql<SqlBool>`installations.last_heartbeat > ${daysAgo(now, days)}`;

/** Installations with a heartbeat, or installed, within the last days: a new machine is not silent yet. */
export const signalWithin = (days: number, now: Date): Expression<SqlBool> =>
  sql<SqlBool>`coalesce(installations.last_heartbeat, installations.installation_date) > ${daysAgo(now, days)}`;
