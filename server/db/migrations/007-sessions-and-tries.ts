import { type Kysely, sql } from 'kysely';
import { columnTypes, revokeSessionsOnDeactivation } from '../dialect.ts';

/** Deactivation ends sessions for good; a refresh token knows the one it came from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(db);
  await revokeSessionsOnDeactivation(db);
  await sql`alter table tokens add column parent ${text}`.execute(db);
}
