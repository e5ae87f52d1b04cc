import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { User } from '../../contract/people/auth.ts';
import type { Permission, Role } from '../../contract/people/permissions.ts';
import { readStored, writeStored } from './storage.ts';

/**
 * The stored session (D007). The store `auth-storage` holds user, token and isAuthenticated. Token, refresh token and
 * user are also stored under separate keys (SEED-3-29, SEED-3-30). If they differ, the token's separate key is
 * decisive: it is written last and removed last, so a tab that gets its storage event finds the other keys up to date.
 */
const STORAGE_KEYS = {
  token: 'license_manager_token',
  refreshToken: 'license_manager_refresh_token',
  user: 'license_manager_user',
  store: 'auth-storage',
  /**
   * The token with which a sign-out is in progress. Until the server has answered, another tab may get a 401 for it.
   */
  signingOut: 'license_manager_signing_out',
} as const;

/** An access token is valid for 15 minutes (D007); it is renewed earlier, to leave time for a slow network. */
const RENEW_AFTER_MS = 13 * 60 * 1000;

/** Why a session ended. After 'expired' the next sign-in returns to the same address (D004). */
export type SessionEnd = 'expired' | 'signed-out';

/** The rights of the signed-in person; null until the server has sent them (PEOPLE-02). */
export interface Rights {
  role: Role | null;
  permissions: readonly Permission[] | null;
}

export interface SessionState extends Rights {
  user: User | null;
  token: string | null;
  isAuthenticated: boolean;
  /** When the access token should be renewed, in milliseconds of the local clock. */
  renewAt: number | null;
  ended: SessionEnd | null;
  /** The text of the last failed sign-in or registration (SEED-8.1-11); never stored. */
  error: string | null;
  /**
   * True if the person must set up a second factor before doing anything else (PEOPLE-05). Never stored; the server
   * sends it.
   */
  mfaSetupRequired: boolean;
}

const UNKNOWN_RIGHTS: Rights = { role: null, permissions: null };
const SIGNED_OUT = {
  user: null,
  token: null,
  isAuthenticated: false,
  renewAt: null,
  mfaSetupRequired: false,
  ...UNKNOWN_RIGHTS,
};

export const useSession = create<SessionState>()(
  persist((): SessionState => ({ ...SIGNED_OUT, ended: null, error: null }), {
    name: STORAGE_KEYS.store,
    partialize: ({ user, role, permissions, token, isAuthenticated, renewAt, ended }) => ({
      user,
      role,
      permissions,
      token,
      isAuthenticated,
      renewAt,
      ended,
    }),
  }),
);

interface NewSession {
  token: string;
  refresh_token?: string;
  user: User;
  rights?: Rights;
}

/** Stores the session of a sign-in or a registration (SEED-4-01, SEED-4-02). */
export function startSession({ token, refresh_token, user, rights = UNKNOWN_RIGHTS }: NewSession): void {
  useSession.setState({
    user,
    ...rights,
    token,
    isAuthenticated: true,
    renewAt: Date.now() + RENEW_AFTER_MS,
    ended: null,
    error: null,
    mfaSetupRequired: false,
  });
  writeStored(STORAGE_KEYS.user, JSON.stringify(user));
  writeStored(STORAGE_KEYS.refreshToken, refresh_token ?? null);
  writeStored(STORAGE_KEYS.token, token);
}

/** Tells all tabs that a sign-out is in progress, so that they do not treat a 401 as an expired session. */
export const beginSignOut = () => writeStored(STORAGE_KEYS.signingOut, currentToken());

/** Removes all data of the session (SEED-4-03, SEED-4-05, D004). */
export function endSession(reason: SessionEnd): void {
  const token = readStored(STORAGE_KEYS.token);
  const isAsked = token !== null && readStored(STORAGE_KEYS.signingOut) === token;
  writeStored(STORAGE_KEYS.signingOut, null);
  if (!useSession.getState().isAuthenticated && token === null) return;
  useSession.setState({ ...SIGNED_OUT, ended: isAsked ? 'signed-out' : reason });
  writeStored(STORAGE_KEYS.user, null);
  writeStored(STORAGE_KEYS.refreshToken, null);
  writeStored(STORAGE_KEYS.token, null);
}

/** Stores the token pair of a refresh (D008). */
export function renewSession(pair: { token: string; refresh_token: string }): void {
  useSession.setState({ token: pair.token, renewAt: Date.now() + RENEW_AFTER_MS });
  writeStored(STORAGE_KEYS.refreshToken, pair.refresh_token);
  writeStored(STORAGE_KEYS.token, pair.token);
}

/** Stores the current data of the signed-in user (D120), and the rights if the server sent them. */
export function updateUser(user: User, rights?: Rights): void {
  useSession.setState({ user, ...rights });
  writeStored(STORAGE_KEYS.user, JSON.stringify(user));
}

/** Sets whether a second factor must be set up before anything else. */
export function requireMfaSetup(mfaSetupRequired: boolean): void {
  if (useSession.getState().mfaSetupRequired !== mfaSetupRequired) useSession.setState({ mfaSetupRequired });
}

export const setAuthError = (error: string | null) => useSession.setState({ error });

export const currentToken = () => useSession.getState().token;
export const currentRefreshToken = () => readStored(STORAGE_KEYS.refreshToken);

/** True if the access token expires soon or has expired, and a refresh token exists. */
export function isRenewalDue(now: number): boolean {
  const { isAuthenticated, renewAt } = useSession.getState();
  return isAuthenticated && renewAt !== null && now >= renewAt && currentRefreshToken() !== null;
}

/**
 * Applies the stored session: once at the start, and when another tab signs in, signs out or renews the token. The
 * token's separate key is decisive; a store with another token is outdated.
 */
export function adoptStoredSession(): void {
  const token = readStored(STORAGE_KEYS.token);
  const before = useSession.getState();
  void useSession.persist.rehydrate();
  const stored = useSession.getState();
  if (token === null) {
    if (before.isAuthenticated || stored.isAuthenticated) {
      // `ended` comes from the other tab. After an expired session every tab can then return to its own address.
      useSession.setState({ ...SIGNED_OUT, ended: stored.ended ?? 'signed-out' });
    }
    return;
  }
  if (stored.token === token && stored.isAuthenticated) return;
  useSession.setState({
    token,
    user: stored.user ?? readUser(),
    ...UNKNOWN_RIGHTS,
    isAuthenticated: true,
    renewAt: Date.now() + RENEW_AFTER_MS,
    ended: null,
  });
}

/** Applies changes of the session by other tabs of the browser: a sign-out in one tab signs out all. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE_KEYS.token || event.key === null) adoptStoredSession();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

function readUser(): User | null {
  try {
    // `startSession` wrote this value; checkSession() replaces it with the server's (D120).
    return JSON.parse(readStored(STORAGE_KEYS.user) ?? 'null') as User | null;
  } catch {
    return null;
  }
}
