import type { Registration, User } from '../../contract/people/auth.ts';
import { SIGN_IN_MESSAGES } from '../../contract/people/auth-messages.ts';
import { ApiError, errorMessage } from './api-error.ts';
import { request } from './http.ts';
import { adopt, askWho, rightsOf } from './own-session.ts';
import { setAuthError, startSession } from './session.ts';

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
 * @returns null, or for an account with a second factor the token for {@link verifyCode} (PEOPLE-05)
 * @throws {ApiError} its message is also stored as the auth error
 */
export const signIn = (credentials: { username: string; password: string }): Promise<string | null> =>
  enterOrAsk('/api/auth/login/', credentials);

/**
 * Signs in with the token of a callback of OpenID Connect, or of a link of who runs the server (SIGN-02). Answers and
 * throws like `signIn`.
 */
export const signInWithToken = (way: 'oidc/finish' | 'link', token: string): Promise<string | null> =>
  enterOrAsk(`/api/auth/${way}/`, { token });

async function enterOrAsk(path: string, body: unknown): Promise<string | null> {
  try {
    await enter(path, body);
    return null;
  } catch (error) {
    const token = error instanceof ApiError && error.code === 'mfa_required' && error.body.mfa_token;
    if (typeof token !== 'string') throw error;
    // The password was correct, so this is no error to show.
    setAuthError(null);
    return token;
  }
}

/** Completes a sign-in with a code of the authenticator app or a recovery code. Throws like `signIn`. */
export function verifyCode(step: { mfa_token: string; code: string }): Promise<void> {
  return enter('/api/auth/mfa/verify/', step);
}

/** Signs in with a passkey (SIGN-01). Throws like `signIn`. */
export function signInWithPasskey(proof: { token: string; response: unknown }): Promise<void> {
  return enter('/api/auth/passkeys/sign-in/', proof);
}

/** Sets the password of an invited person and signs in. Throws like `signIn`. */
export function acceptInvitation(invitation: {
  token: string;
  password: string;
  username?: string;
  names?: string;
}): Promise<void> {
  return enter('/api/auth/invitation/accept/', invitation);
}

/** Creates the first administrator and signs in. Throws like `signIn`. */
export function createFirstAdmin(
  account: Omit<Registration, 'username'> & { username?: string; token: string },
): Promise<void> {
  return enter('/api/auth/first-admin/', account);
}

/** Creates an account and signs in with it (SEED-4-02, D005). Throws like `signIn`. */
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
    const { token, refresh_token, user } = answer;
    const who = await askWho(token);
    startSession({ token, refresh_token, user, rights: rightsOf(who) });
    adopt(who);
  } catch (error) {
    setAuthError(errorMessage(error));
    throw error;
  }
}
