import type { CurrentUser } from '../../contract/people/current-user.ts';
import { adoptEmailTransport } from './email-transport.ts';
import { request } from './http.ts';
import { portal } from './portal-url.ts';
import { beginSignOut, endSession, type Rights, requireMfaSetup, updateUser, useSession } from './session.ts';
import { adoptFormats } from './vendor-formats.ts';

/** Calls about the current session. Separate from auth-api.ts, which only the sign-in screens load. */

/** The answer about the signed-in person. Servers of earlier versions send no role and no permissions. */
type WhoAnswer =
  | (Partial<Pick<CurrentUser, 'user' | 'settings' | 'mfa_setup_required'>> & Partial<Rights>)
  | undefined;

const WHO_PATH = '/api/auth/user/';

/** The rights in an answer; undefined if the answer has none. */
export const rightsOf = (answer: WhoAnswer): Rights | undefined =>
  answer?.permissions == null ? undefined : { role: answer.role ?? null, permissions: answer.permissions };

/**
 * Fetches the person of a new token before the session begins. Then the first screen does not offer actions that would
 * disappear a moment later. Undefined if the call fails.
 */
export async function askWho(token: string): Promise<WhoAnswer> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    return await request<WhoAnswer>('GET', WHO_PATH, { headers, ownSession: {} });
  } catch {
    return undefined;
  }
}

/** Applies the vendor's formats, the mail transport, the portal's address, and whether a second factor is required. */
export function adopt(answer: WhoAnswer): void {
  if (answer?.settings !== undefined) {
    adoptFormats(answer.settings);
    adoptEmailTransport(answer.settings.email_transport);
    // Servers of earlier versions do not send it.
    portal.url = answer.settings.portal_url ?? null;
  }
  requireMfaSetup(answer?.mfa_setup_required === true);
}

let checking: Promise<void> | null = null;

/**
 * Fetches who is signed in, their rights and the vendor's formats: at the start (D120), and after a refused call,
 * because the role may have changed. A 401 ends the session. If the server cannot be reached, the stored user stays
 * signed in.
 */
export async function checkSession(): Promise<void> {
  checking ??= check().finally(() => {
    checking = null;
  });
  await checking;
}

async function check(): Promise<void> {
  try {
    const asked = useSession.getState().user?.id;
    const answer = await request<WhoAnswer>('GET', WHO_PATH);
    // If another user signed in meanwhile, the answer is about the previous user.
    if (answer?.user === undefined || useSession.getState().user?.id !== asked) return;
    updateUser(answer.user, rightsOf(answer));
    adopt(answer);
  } catch {
    // No message is shown here: the screen shows failures of its own calls.
  }
}

/**
 * Ends the session in this browser, even if the call fails (SEED-4-04, D121, D122). If another tab ended the session
 * meanwhile, nothing more is ended: another person may have signed in there.
 */
export async function signOut(): Promise<void> {
  let hasEnded = false;
  const stop = useSession.subscribe(({ isAuthenticated }) => {
    hasEnded ||= !isAuthenticated;
  });
  beginSignOut();
  try {
    await request('POST', '/api/auth/logout/', { ownSession: {} });
  } catch {
    // The session ends even if the token is unknown to the server or the server cannot be reached.
  } finally {
    stop();
    if (!hasEnded) endSession('signed-out');
  }
}
