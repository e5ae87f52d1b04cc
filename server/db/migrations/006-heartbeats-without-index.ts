import { type Kysely, sql } from 'kysely';
import { leaveRoomForUpdates } from '../dialect.ts';

/** A heartbeat changes its row and nothing else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index installations_by_heartbeat`.execute(db);
  await leaveRoomForUpdates(db, 'installations');
}
