import type { Selectable } from 'kysely';
import type { User } from '../../../../contract/people/auth.ts';
import type { Role } from '../../../../contract/people/permissions.ts';
import { usernameFrom } from '../../../../contract/people/username.ts';
import { mailKey, mailShown } from '../../../../contract/reading/mail-addresses.ts';
import { lockRows } from '../../../db/dialect.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Db, Tables, UserRow } from '../../../db/tables.ts';
import { fullName } from '../../../lib/full-name.ts';
import { createToken, hashToken } from '../../../lib/secret.ts';
import type { Session } from '../../../principal.ts';
import type { Scope } from '../../../scope.ts';

const MINUTE_MS = 60_000;
const ACCESS_TOKEN_MS = 15 * MINUTE_MS;
/** A session ends twelve hours after the sign-in, even while it is in use (D007). */
const SESSION_MS = 12 * 60 * MINUTE_MS;
const USER_AGENT_MAX = 400;

const typedKey = (username: string) => username.trim().toLowerCase();

/**
 * The key by which a user is found. Different Unicode forms of the same letters give the same key, so they count as
 * the same name.
 */
export const usernameKey = (username: string) => typedKey(username.normalize('NFKC'));

/** The public fields of a user, without the hash (SEED-3-02). */
function toUser(row: UserRow): User {
  const { id, username, names, last_name, email, is_active } = row;
  return { id, username, names, last_name, email, ...mailShown(email), is_active };
}

/** A user as the actor of events, with the full name. */
export const userActor = (
  user: Pick<UserRow, 'id' | 'names' | 'last_name'> & Partial<Pick<UserRow, 'email'>>,
) => ({
  kind: 'user' as const,
  id: user.id,
  name: fullName(user),
});

/** Earlier versions stored some names in another form than NFKC, so both forms are searched. */
export async function findUserByUsername(db: Db, username: string): Promise<UserRow | undefined> {
  const [key, typed] = [usernameKey(username), typedKey(username)];
  const found = await db.selectFrom('users').selectAll().where('username_key', 'in', [key, typed]).execute();
  return found.find((user) => user.username_key === key) ?? found[0];
}

/** A user who must exist: users are never deleted. */
export const getUserById = (db: Db, id: number): Promise<UserRow> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const findUserById = (db: Db, id: number): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** The active accounts with an email address that have a password; upper and lower case are equal. */
export const findUsersByEmail = (db: Db, email: string): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', mailKey(email)))
    .where('email', '!=', '')
    .where('is_active', '=', true)
    .where('password_hash', '!=', '')
    .execute();

/** Whether another user has an address; upper and lower case are equal. */
export async function isEmailTaken(db: Db, email: string, except: number | null = null): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', mailKey(email)))
    .where('id', '!=', except ?? 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export type NewUser = Pick<UserRow, 'username' | 'password_hash' | 'names' | 'last_name' | 'email' | 'role'> &
  Partial<Pick<UserRow, 'weak_for_admin'>>;

const insertion = (db: Db, user: NewUser, now: Date) =>
  db
    .insertInto('users')
    .values({
      ...user,
      username_key: usernameKey(user.username),
      is_active: true,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .returningAll();

/** Stores a new user. A user name that is taken violates a unique index. */
export const insertUser = (db: Db, user: NewUser, now: Date): Promise<UserRow> =>
  insertion(db, user, now).executeTakeFirstOrThrow();

/** Stores a new user under the user name that the email suggests, with '-2', '-3', … where that is taken. */
export async function insertUserByEmail(
  db: Db,
  user: Omit<NewUser, 'username'>,
  now: Date,
): Promise<UserRow> {
  const suggested = usernameFrom(user.email);
  const keys = await db.selectFrom('users').select('username_key').execute();
  const taken = new Set(keys.map(({ username_key }) => username_key));
  for (let number = 1; ; number += 1) {
    const username = number === 1 ? suggested : `${suggested}-${number}`;
    if (taken.has(usernameKey(username))) continue;
    // Somebody may register with the name at this moment.
    const stored = await insertion(db, { ...user, username }, now)
      .onConflict((conflict) => conflict.column('username_key').doNothing())
      .executeTakeFirst();
    if (stored) return stored;
  }
}

/** Stores what a person says of the own name. A user name that is taken violates a unique index. */
export async function nameUser(
  db: Db,
  id: number,
  { username, names, last_name }: { [Field in 'username' | 'names' | 'last_name']?: string | undefined },
  now: Date,
): Promise<void> {
  if (username === undefined && names === undefined && last_name === undefined) return;
  await db
    .updateTable('users')
    .set({
      ...(username !== undefined && { username, username_key: usernameKey(username) }),
      ...(names !== undefined && { names }),
      ...(last_name !== undefined && { last_name }),
      updated_at: now.toISOString(),
    })
    .where('id', '=', id)
    .execute();
}

/** Stores another hash of the same password, unless the password was changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  { id, password_hash: known }: Pick<UserRow, 'id' | 'password_hash'>,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', known)
    .execute();
}

/**
 * Stores whether the password that a person just typed does for an administrator. It was perhaps set before anybody
 * asked. This does not change the version of the user's record.
 */
export async function storeWeakness(db: Db, user: UserRow, weak_for_admin: boolean): Promise<void> {
  if (user.weak_for_admin === weak_for_admin) return;
  await db
    .updateTable('users')
    .set({ weak_for_admin })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .execute();
}

/** Stores when a person signed in. This does not change the version of the user's record. */
export async function storeSignIn(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_sign_in_at: now.toISOString() })
    .where('id', '=', userId)
    .execute();
}

/** The answer to a sign-in. */
export type SignedIn = TokenPair & { user: User };
export type TokenPair = { token: string; refresh_token: string };

/**
 * Locks a user against deactivation until the transaction ends: an earlier deactivation is seen here, and a later one
 * ends the session that this transaction opens.
 * @returns false for a user who is not active
 */
export async function lockActiveUser(tx: Db, userId: number): Promise<boolean> {
  const active = tx.selectFrom('users').select('id').where('id', '=', userId).where('is_active', '=', true);
  return (await lockRows(tx, active).executeTakeFirst()) !== undefined;
}

/** How a session is opened (SIGN-01). Not given, it is by a password, which is one factor. */
export type Opening = Partial<
  Pick<Selectable<Tables['sessions']>, 'opened_by' | 'mfa_met' | 'passkey_id' | 'confirmed_at'>
>;

/** From where a session is used; shown in the list of sessions (PEOPLE-06). */
type Device = { ip: string | null; userAgent: string | null };

/**
 * Opens a session for a person and issues its first pair of tokens.
 * @returns the answer to a sign-in
 */
export const signInWith = async (
  { tx, now, origin }: Pick<Scope, 'tx' | 'now' | 'origin'>,
  user: UserRow,
  userAgent: string | null,
  opening: Opening = {},
): Promise<SignedIn> => ({
  ...(await openSession(tx, user.id, now, { ip: origin.ip, userAgent }, opening)),
  user: toUser(user),
});

/** Opens a session and issues its first pair of tokens. Call it in a transaction. */
export async function openSession(
  db: Db,
  userId: number,
  now: Date,
  { ip, userAgent }: Device,
  opening: Opening = {},
): Promise<TokenPair> {
  const expiresAt = new Date(now.getTime() + SESSION_MS).toISOString();
  const { id } = await db
    .insertInto('sessions')
    .values({
      ...opening,
      user_id: userId,
      created_at: now.toISOString(),
      last_used_at: now.toISOString(),
      confirmed_at: now.toISOString(),
      ...opening,
      expires_at: expiresAt,
      revoked_at: null,
      ip,
      user_agent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return issueTokens(db, { sessionId: id, sessionExpiresAt: expiresAt, parent: null }, now);
}

/**
 * Issues a new pair of tokens for a session; they end no later than the session.
 * @param of.parent the hash of the refresh token that was exchanged for the pair
 */
export async function issueTokens(
  db: Db,
  of: { sessionId: number; sessionExpiresAt: string; parent: string | null },
  now: Date,
): Promise<TokenPair> {
  const { sessionId, sessionExpiresAt, parent } = of;
  const pair = { token: createToken(), refresh_token: createToken() };
  const accessEnd = Math.min(now.getTime() + ACCESS_TOKEN_MS, Date.parse(sessionExpiresAt));
  await db
    .insertInto('tokens')
    .values([
      {
        hash: hashToken(pair.token),
        session_id: sessionId,
        kind: 'access',
        expires_at: new Date(accessEnd).toISOString(),
        used_at: null,
        parent: null,
      },
      {
        hash: hashToken(pair.refresh_token),
        session_id: sessionId,
        kind: 'refresh',
        expires_at: sessionExpiresAt,
        used_at: null,
        parent,
      },
    ])
    .execute();
  return pair;
}

/** This query runs for every request of a user, so that sign-out and deactivation take effect at the next request. */
const sessionOfToken = prepared((db, { hash, now }: { hash: string; now: string }) =>
  db
    .selectFrom('tokens')
    .innerJoin('sessions', 'sessions.id', 'tokens.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('tokens.hash', '=', hash)
    .where('tokens.kind', '=', 'access')
    .where('tokens.expires_at', '>', now)
    .where('sessions.expires_at', '>', now)
    .where('sessions.revoked_at', 'is', null)
    .where('users.is_active', '=', true)
    .select([
      'sessions.id as sessionId',
      'sessions.confirmed_at as confirmedAt',
      'sessions.mfa_met',
      'users.id as userId',
      'users.username',
      'users.names',
      'users.last_name',
      'users.email',
      'users.role',
      'users.mfa_enabled_at',
      (eb) => eb.selectFrom('settings').select('changed').as('settings'),
    ]),
);

/**
 * Whether the settings require a second factor for this role.
 * @param changed the stored settings, JSON
 */
export function requiresMfa(changed: string | null, role: Role): boolean {
  const required = changed === null ? 'none' : (JSON.parse(changed).require_mfa ?? 'none');
  return required === 'all' || (required === 'admins' && role === 'admin');
}

/**
 * The session of an access token; undefined when the token is unknown, expired or revoked, or its user was
 * deactivated.
 */
export async function findSession(db: Db, token: string, now: Date): Promise<Session | undefined> {
  const [found] = await sessionOfToken(db, { hash: hashToken(token), now: now.toISOString() });
  if (!found) return undefined;
  const { mfa_enabled_at, mfa_met, settings, ...session } = found;
  const mfaEnabled = mfa_enabled_at !== null;
  const hasFactor = mfaEnabled || mfa_met;
  return { ...session, mfaEnabled, mustSetUpMfa: !hasFactor && requiresMfa(settings, session.role) };
}

/**
 * Ends a session and invalidates all its tokens.
 * @returns the user of the session; undefined when it had already ended
 */
export async function revokeSession(db: Db, sessionId: number, now: Date) {
  const revoked = await db
    .updateTable('sessions')
    .set({ revoked_at: now.toISOString() })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  if (!revoked) return undefined;
  return db
    .selectFrom('users')
    .select(['id', 'names', 'last_name'])
    .where('id', '=', revoked.user_id)
    .executeTakeFirst();
}

/** Deletes ended sessions with their tokens, and expired access tokens. */
export async function deletePastSessions(db: Db, now: Date): Promise<void> {
  const nowText = now.toISOString();
  await db.deleteFrom('sessions').where('expires_at', '<=', nowText).execute();
  await db.deleteFrom('tokens').where('kind', '=', 'access').where('expires_at', '<=', nowText).execute();
}
