import './zod.ts';
import { checkSession } from './api/auth-api.ts';
import { recallTimeZone } from './api/health-api.ts';
import { makeQueryClient } from './api/query-client.ts';
import { adoptStoredSession, currentToken, followOtherTabs, useSession } from './api/session.ts';
import { parseSearch } from './paths.ts';
import { screenAt } from './screens.ts';

/**
 * What needs no React runs first, while the rest of the console is still on the line: who is signed in, and the call for
 * what the first screen shows. The screen's own query then finds the answer, or the call under way (docs/performance.md).
 */

/** The console's one cache of server data. */
export const queryClient = makeQueryClient();

recallTimeZone();
adoptStoredSession();
followOtherTabs();
/** The session as it was then; what has become of it meanwhile is the router's to follow. */
export const began = useSession.getState();
if (currentToken() !== null) {
  // Who the server thinks we are, asked beside the first screen and not before it (D120).
  void checkSession();
  askForScreen(location.pathname, parseSearch(location.search));
}

/**
 * Asks for what the screen at an address shows, before its code is here.
 * @param search the part of the address behind the question mark, taken apart
 */
export function askForScreen(path: string, search: Record<string, string>): void {
  // Nobody waits here, and a failure is the screen's to tell.
  screenAt(path)?.preload((query) => void queryClient.prefetchQuery(query), search);
}
