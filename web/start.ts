import './zod.ts';
import { recallEmailTransport } from './api/email-transport.ts';
import { recallTimeZone } from './api/health-api.ts';
import { whenRefused } from './api/http.ts';
import { takeLinkTokens, useLinkToken } from './api/link-token.ts';
import { checkSession } from './api/own-session.ts';
import { may } from './api/permissions.ts';
import { makeQueryClient } from './api/query-client.ts';
import { adoptStoredSession, currentToken, followOtherTabs, useSession } from './api/session.ts';
import { recallFormats } from './api/vendor-formats.ts';
import { firstQueriesAt } from './first-queries.ts';
import { PATHS, parseSearch } from './paths.ts';

/**
 * The part of the start that needs no React. It runs while the rest of the code loads: it restores the session and
 * sends the first screen's calls. The screen's own query then finds the answer or the running call
 * (docs/performance.md).
 */

/** The console's cache of server data. */
export const queryClient = makeQueryClient();

takeLinkTokens([PATHS.invitation, PATHS.resetPassword, PATHS.firstAdmin, PATHS.signIn]);
recallTimeZone();
recallFormats();
recallEmailTransport();
adoptStoredSession();
followOtherTabs();
whenRefused(() => void checkSession());
/** The session at the start of the page; the router compares it with the later state (`connectSession`). */
export const began = useSession.getState();
if (currentToken() !== null) {
  if (useLinkToken.getState().path === PATHS.signIn)
    void import('./api/oidc-arrival.ts').then((m) => m.handOver());
  // In parallel with the first screen's calls, not before them (D120).
  void checkSession();
  askForScreen(location.pathname, parseSearch(location.search));
}

/**
 * Sends the first calls of a screen before its code is loaded.
 * @param path the address of the screen
 * @param search the search parameters of the address
 */
export function askForScreen(path: string, search: Record<string, string>): void {
  const first = firstQueriesAt(path);
  if (first === undefined || !may(first.permission)) return;
  // Not awaited: the screen shows failures of these calls.
  first.start((query) => void queryClient.prefetchQuery(query), search);
}
