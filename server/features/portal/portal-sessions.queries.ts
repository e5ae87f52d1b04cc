import { type Permission, ROLE_PERMISSIONS } from '../../../contract/people/permissions.ts';
import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, PortalSessionsTable } from '../../db/tables.ts';
import { createToken, hashToken } from '../../lib/secret.ts';

/** Sessions of the portal; the database stores only the hashes of their cookies (PORTAL-03). */

/** The use of a session is stored only if the stored time is older than this; otherwise each call would write. */
const STORED_EVERY_MS = 10_000;
const IDLE_MS = PORTAL_LIMITS.idleSeconds * 1000;

/**
 * Opens a session.
 * @returns the token for its cookie
 */
export async function insertPortalSession(
  db: Db,
  session: Omit<PortalSessionsTable, 'hash' | 'last_used_at' | 'expires_at'>,
  seconds: number,
  now: Date,
): Promise<string> {
  const token = createToken();
  await db
    .insertInto('portal_sessions')
    .values({
      ...session,
      hash: hashToken(token),
      last_used_at: now.toISOString(),
      expires_at: new Date(now.getTime() + seconds * 1000).toISOString(),
    })
    .execute();
  return token;
}

const sessionOfHash = prepared((db, { hash, now, idle }: { hash: string; now: string; idle: string }) =>
  db
    .selectFrom('portal_sessions')
    .innerJoin('clients', 'clients.id', 'portal_sessions.client_id')
    .leftJoin('licenses', 'licenses.id', 'portal_sessions.license_id')
    .leftJoin('installations', 'installations.id', 'portal_sessions.installation_id')
    .where('portal_sessions.hash', '=', hash)
    .where('portal_sessions.expires_at', '>', now)
    .where('portal_sessions.last_used_at', '>', idle)
    .select([
      'portal_sessions.hash',
      'portal_sessions.kind',
      'portal_sessions.client_id',
      'portal_sessions.email_key',
      'portal_sessions.license_id',
      'portal_sessions.installation_id',
      'portal_sessions.staff_session_id',
      'portal_sessions.last_used_at',
      'clients.name as client_name',
      'clients.status as client_status',
      'clients.email_key as client_email_key',
      'clients.contacts as client_contacts',
      'licenses.client_id as license_client_id',
      'licenses.lease_minutes',
      'installations.machine_id',
      'installations.machine_name',
      'installations.installation_date',
      'installations.last_heartbeat',
    ]),
);

export type FoundSession = Awaited<ReturnType<typeof sessionOfHash>>[number];

/** The session of a cookie that is neither expired nor idle, with the facts that may have ended it earlier. */
export async function findPortalSession(db: Db, token: string, now: Date): Promise<FoundSession | undefined> {
  const [session] = await sessionOfHash(db, {
    hash: hashToken(token),
    now: now.toISOString(),
    idle: new Date(now.getTime() - IDLE_MS).toISOString(),
  });
  return session;
}

/** What a person needs to see the portal as a client does (PORTAL-08). */
const TO_VIEW = ['clients:read', 'licenses:read'] as const satisfies readonly Permission[];

/** Whether a caller's permissions include those for 'Ver como cliente'. */
export const mayView = (permissions: ReadonlySet<Permission>): boolean =>
  TO_VIEW.every((name) => permissions.has(name));

/**
 * Whether the person who pressed 'Ver como cliente' could still press it: that session is open, and the role still has
 * the permissions.
 */
export async function isViewerThere(db: Db, staffSessionId: number | null, now: Date): Promise<boolean> {
  const viewer = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.id', '=', staffSessionId ?? 0)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now.toISOString())
    .where('users.is_active', '=', true)
    .select('users.role')
    .executeTakeFirst();
  return viewer !== undefined && mayView(ROLE_PERMISSIONS[viewer.role]);
}

/** Stores when a session was last used. */
export async function storeUse(
  db: Db,
  { hash, last_used_at }: Pick<FoundSession, 'hash' | 'last_used_at'>,
  now: Date,
): Promise<void> {
  if (now.getTime() - Date.parse(last_used_at) < STORED_EVERY_MS) return;
  await db
    .updateTable('portal_sessions')
    .set({ last_used_at: now.toISOString() })
    .where('hash', '=', hash)
    .execute();
}

/** Ends the session of a cookie. */
export const endPortalSession = (db: Db, token: string) =>
  db.deleteFrom('portal_sessions').where('hash', '=', hashToken(token)).execute();

/** Ends a session by its hash. */
export const endPortalSessionOf = (db: Db, hash: string) =>
  db.deleteFrom('portal_sessions').where('hash', '=', hash).execute();

/** Deletes expired sessions and requests. */
export async function deletePastPortal(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('portal_sessions').where('expires_at', '<=', now.toISOString()).execute();
  await db.deleteFrom('portal_asks').where('expires_at', '<=', now.toISOString()).execute();
}
