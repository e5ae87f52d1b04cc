import { type Kysely, sql } from 'kysely';
import { columnTypes, revokeSessionsOnDeactivation } from '../dialect.ts';

/** Deactivation ends sessions for good; a refresh token knows the one it came from; tries that may still fail are
 * counted beside those that did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, integer, instant } = columnTypes(db);
  await revokeSessionsOnDeactivation(db);
  await sql`alter table tokens add column parent ${text}`.execute(db);
  await sql`alter table throttles add column under_way ${integer} not null default 0`.execute(db);
  await sql`alter table throttles add column under_way_until ${instant}`.execute(db);
}
