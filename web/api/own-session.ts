import type { CurrentUser } from '../../contract/people/current-user.ts';
import { adoptEmailTransport } from './email-transport.ts';
import { request } from './http.ts';
import { beginSignOut, endSession, type Rights, requireMfaSetup, updateUser, useSession } from './session.ts';
import { adoptFormats } from './vendor-formats.ts';

/** The calls about the session that exists. Apart from auth-api.ts, which only the screens of the sign-in load. */

/** The answer about the signed-in person; a server of an earlier version says nothing of rights. */
type WhoAnswer =
  | (Partial<Pick<CurrentUser, 'user' | 'settings' | 'mfa_setup_required'>> & Partial<Rights>)
  | undefined;

const WHO_PATH = '/api/auth/user/';

/** What the person of an answer may do; undefined where it does not say. */
export const rightsOf = (answer: WhoAnswer): Rights | undefined =>
  answer?.permissions == null ? undefined : { role: answer.role ?? null, permissions: answer.permissions };

/**
 * Who has a new token, asked before the session begins: the first screen offers nothing that it would take away a moment
 * later. Undefined when it cannot be known.
 */
export async function askWho(token: string): Promise<WhoAnswer> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    return await request<WhoAnswer>('GET', WHO_PATH, { headers, ownSession: {} });
  } catch {
    return undefined;
  }
}

/** Uses what the server says of the person beside the name and the rights. */
export function adopt(answer: WhoAnswer): void {
  if (answer?.settings !== undefined) {
    adoptFormats(answer.settings);
    adoptEmailTransport(answer.settings.email_transport);
  }
  requireMfaSetup(answer?.mfa_setup_required === true);
}

let checking: Promise<void> | null = null;

/**
 * Asks the server who is signed in, what this person may do and how the vendor writes amounts: at the start (D120), and after a refusal, because the
 * role may have changed. A 401 ends the session; when the server cannot be reached, the stored user stays signed in.
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
    // After a sign-in as another user the answer is about the previous one.
    if (answer?.user === undefined || useSession.getState().user?.id !== asked) return;
    updateUser(answer.user, rightsOf(answer));
    adopt(answer);
  } catch {
    // No message here: the screen shows the failures of its calls.
  }
}

/**
 * Ends the session in this browser even when the call fails (SEED-4-04, D121, D122). Where another tab was refused
 * meanwhile, it has ended already, and whoever signed in there since then stays.
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
    // An unknown token or an unreachable server does not keep the user signed in.
  } finally {
    stop();
    if (!hasEnded) endSession('signed-out');
  }
}
