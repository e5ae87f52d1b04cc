import { type Expression, type SqlBool, sql } from 'kysely';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The instant so many times 24 hours before now. */
export const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();

/** Installations that sent a heartbeat within some days. */
export const beatWithin = (days: number, now: Date): Expression<SqlBool> =>
  sql<SqlBool>`installations.last_heartbeat > ${daysAgo(now, days)}`;

/** Installations that sent a heartbeat or were installed within some days: a new machine is not silent yet. */
export const heardWithin = (days: number, now: Date): Expression<SqlBool> =>
  sql<SqlBool>`coalesce(installations.last_heartbeat, installations.installation_date) > ${daysAgo(now, days)}`;
