import type { OpenSession } from '../../../../contract/people/account.ts';
import type { Db } from '../../../db/tables.ts';

/** The present time, and the idle time after which a session ends, in milliseconds. */
type Clock = { now: Date; idleMs: number };

/** The sessions of a user that have not ended, the last used first (PEOPLE-06). */
export async function listSessions(
  db: Db,
  userId: number,
  current: number,
  { now, idleMs }: Clock,
): Promise<OpenSession[]> {
  const idleSince = new Date(now.getTime() - idleMs).toISOString();
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'ip', 'user_agent'])
    .select((eb) => eb.fn.coalesce('last_used_at', 'created_at').as('last_used_at'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where((eb) => eb(eb.fn.coalesce('last_used_at', 'created_at'), '>', idleSince))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, current: row.id === current }));
}

/** Whether a session is open and belongs to a user. */
export async function isSessionOf(db: Db, id: number, userId: number, clock: Clock): Promise<boolean> {
  return (await listSessions(db, userId, id, clock)).some(({ current }) => current);
}

/** Ends all sessions of a user at once, except one. */
export async function endSessionsOf(
  db: Db,
  userId: number,
  now: Date,
  except: number | null = null,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('id', '!=', except ?? 0)
    .execute();
}
