import type { Registration, User } from '../../contract/auth.ts';
import { SIGN_IN_MESSAGES } from '../../contract/auth-messages.ts';
import { ApiError, errorMessage } from './api-error.ts';
import { request } from './http.ts';
import { endSession, setAuthError, startSession, updateUser } from './session.ts';

interface SignedInAnswer {
  success?: boolean;
  token?: string;
  refresh_token?: string;
  user?: User;
  message?: string;
}

/** Said when a sign-in fails without a word from the server (SEED-8.1-11). */
const LOGIN_FAILED = 'Login failed';

/** A 401 that carries one of these is shown as it is; any other reads 'Unauthorized' (D003). */
const SHOWN_401 = [
  SIGN_IN_MESSAGES.unknownUser,
  SIGN_IN_MESSAGES.wrongPassword,
  SIGN_IN_MESSAGES.inactiveUser,
  SIGN_IN_MESSAGES.incomplete,
  SIGN_IN_MESSAGES.serverError,
];

/**
 * Signs in and stores the session.
 * @throws {ApiError} whose message is also kept as the auth error
 */
export function signIn(credentials: { username: string; password: string }): Promise<void> {
  return enter('/api/auth/login/', credentials);
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
  } catch (error) {
    setAuthError(errorMessage(error));
    throw error;
  }
}

/** Signs out here in any case, whatever becomes of the call (SEED-4-04, D121, D122). */
export async function signOut(): Promise<void> {
  try {
    await request('POST', '/api/auth/logout/', { ownSession: {} });
  } catch {
    // A token that the server no longer knows, or a server that is away: the person leaves all the same.
  } finally {
    endSession('signed-out');
  }
}

/**
 * Asks the server who is signed in, once at the start (D120). A 401 ends the session as everywhere; when the server
 * cannot be reached the stored person stays.
 */
export async function checkSession(): Promise<void> {
  try {
    const answer = await request<{ user?: User } | undefined>('GET', '/api/auth/user/');
    if (answer?.user !== undefined) updateUser(answer.user);
  } catch {
    // Nothing to say: what is on the screen will say itself that it could not be loaded.
  }
}
