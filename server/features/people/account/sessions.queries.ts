import { UNPAGED_ROWS } from '../../../../contract/base/limits.ts';
import type { OpenSession } from '../../../../contract/people/account.ts';
import type { Db, WayIn } from '../../../db/tables.ts';

/** The present time, and the idle time after which a session ends, in milliseconds. */
type Clock = { now: Date; idleMs: number };

/** The sessions of a user that have not ended. */
function openSessions(db: Db, userId: number, { now, idleMs }: Clock) {
  const idleSince = new Date(now.getTime() - idleMs).toISOString();
  return db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where((eb) => eb(eb.fn.coalesce('last_used_at', 'created_at'), '>', idleSince));
}

/** The open sessions of a user, the last used first, at most {@link UNPAGED_ROWS} (PEOPLE-06). */
export async function listSessions(
  db: Db,
  userId: number,
  current: number,
  clock: Clock,
): Promise<OpenSession[]> {
  const rows = await openSessions(db, userId, clock)
    .select(['id', 'created_at', 'ip', 'user_agent'])
    .select((eb) => eb.fn.coalesce('last_used_at', 'created_at').as('last_used_at'))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(UNPAGED_ROWS)
    .execute();
  return rows.map((row) => ({ ...row, current: row.id === current }));
}

/** The ids of all open sessions of a user. */
export async function openSessionIds(db: Db, userId: number, clock: Clock): Promise<number[]> {
  return (await openSessions(db, userId, clock).select('id').orderBy('id').execute()).map(({ id }) => id);
}

/** Whether a session is open and belongs to a user. */
export async function isSessionOf(db: Db, id: number, userId: number, clock: Clock): Promise<boolean> {
  const found = openSessions(db, userId, clock).select('id').where('id', '=', id);
  return (await found.executeTakeFirst()) !== undefined;
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

/** Ends the sessions of a user that one way in opened, except one. */
export async function endSessionsOpenedBy(
  db: Db,
  userId: number,
  way: WayIn,
  now: Date,
  except: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('opened_by', '=', way)
    .where('revoked_at', 'is', null)
    .where('id', '!=', except)
    .execute();
}
