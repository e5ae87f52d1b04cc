import type { Registration, User } from '../../contract/auth.ts';
import { SIGN_IN_MESSAGES } from '../../contract/auth-messages.ts';
import type { CurrentUser } from '../../contract/current-user.ts';
import { ApiError, errorMessage } from './api-error.ts';
import { request } from './http.ts';
import { endSession, requireMfaSetup, setAuthError, startSession, updateUser } from './session.ts';
import { adoptFormats } from './vendor-formats.ts';

interface SignedInAnswer {
  success?: boolean;
  token?: string;
  refresh_token?: string;
  user?: User;
  message?: string;
}

/** The message of a failed sign-in when the server sends none (SEED-8.1-11). */
const LOGIN_FAILED = 'Login failed';

/** A 401 with one of these messages is shown unchanged; any other reads 'Unauthorized' (D003). */
const SHOWN_401 = [
  SIGN_IN_MESSAGES.unknownUser,
  SIGN_IN_MESSAGES.wrongPassword,
  SIGN_IN_MESSAGES.inactiveUser,
  SIGN_IN_MESSAGES.incomplete,
  SIGN_IN_MESSAGES.serverError,
];

/**
 * Signs in and stores the session.
 * @returns null; for an account with a second factor the token of the second step, `verifyCode` (PEOPLE-05)
 * @throws {ApiError} its message is also stored as the auth error
 */
export async function signIn(credentials: { username: string; password: string }): Promise<string | null> {
  try {
    await enter('/api/auth/login/', credentials);
    return null;
  } catch (error) {
    const token = error instanceof ApiError && error.code === 'mfa_required' && error.body.mfa_token;
    if (typeof token !== 'string') throw error;
    // The password was right: nothing failed.
    setAuthError(null);
    return token;
  }
}

/** Ends a sign-in with a code of the authenticator or a recovery code. Throws as `signIn` does. */
export function verifyCode(step: { mfa_token: string; code: string }): Promise<void> {
  return enter('/api/auth/mfa/verify/', step);
}

/** Sets the password of an invited person and signs in. Throws as `signIn` does. */
export function acceptInvitation(invitation: { token: string; password: string }): Promise<void> {
  return enter('/api/auth/invitation/accept/', invitation);
}

/** Makes the first administrator and signs in. Throws as `signIn` does. */
export function createFirstAdmin(account: Registration & { token: string }): Promise<void> {
  return enter('/api/auth/first-admin/', account);
}

/** Creates an account and signs in with it (SEED-4-02, D005). Throws as `signIn` does. */
export function register(account: Registration): Promise<void> {
  return enter('/api/auth/register/', account);
}

async function enter(path: string, body: unknown): Promise<void> {
  setAuthError(null);
  try {
    const answer = await request<SignedInAnswer | undefined>('POST', path, {
      body,
      fallback: LOGIN_FAILED,
      ownSession: { allow401: SHOWN_401 },
    });
    if (answer?.token === undefined || answer.user === undefined) {
      throw new ApiError({ status: 200, code: '', message: answer?.message ?? LOGIN_FAILED });
    }
    startSession({ token: answer.token, refresh_token: answer.refresh_token, user: answer.user });
    // Nothing waits for the vendor's settings: those of the last visit hold until they come.
    void checkSession();
  } catch (error) {
    setAuthError(errorMessage(error));
    throw error;
  }
}

/** Ends the session in this browser even when the call fails (SEED-4-04, D121, D122). */
export async function signOut(): Promise<void> {
  try {
    await request('POST', '/api/auth/logout/', { ownSession: {} });
  } catch {
    // An unknown token or an unreachable server does not keep the user signed in.
  } finally {
    endSession('signed-out');
  }
}

/**
 * Asks the server who is signed in, and how the vendor writes amounts, at the start (D120) and after a sign-in. A 401 ends the session; when the server cannot be
 * reached, the stored user stays signed in.
 */
export async function checkSession(): Promise<void> {
  try {
    const answer = await request<Partial<CurrentUser> | undefined>('GET', '/api/auth/user/');
    if (answer?.user !== undefined) updateUser(answer.user);
    if (answer?.settings !== undefined) adoptFormats(answer.settings);
    requireMfaSetup(answer?.mfa_setup_required === true);
  } catch {
    // No message here: the screen shows the failures of its own calls.
  }
}
