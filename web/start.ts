import './zod.ts';
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { checkSession } from './api/auth-api.ts';
import { recallTimeZone } from './api/health-api.ts';
import { makeQueryClient } from './api/query-client.ts';
import { adoptStoredSession, currentToken, followOtherTabs, useSession } from './api/session.ts';
import { licenseTypesQuery } from './components/catalogue-queries.ts';
import { clientsAt } from './features/clients/clients.api.ts';
import { recentLicensesQuery, statisticsQuery } from './features/dashboard/dashboard.api.ts';
import { licensesAt } from './features/licenses/license-list.ts';
import { softwareAt } from './features/software/software.api.ts';
import {
  PATHS,
  parseSearch,
  readClientsSearch,
  readLicensesSearch,
  readLicenseTypesSearch,
  readSoftwareSearch,
} from './paths.ts';

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
  const ask = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) =>
    void queryClient.prefetchQuery(query);
  // A record's address is that of its list: /clients/7 shows the list with a dialog (D024).
  switch (`/${path.split('/')[1] ?? ''}`) {
    case PATHS.dashboard:
      ask(statisticsQuery);
      ask(recentLicensesQuery);
      break;
    case PATHS.clients:
      ask(clientsAt(readClientsSearch(search)));
      break;
    case PATHS.licenses:
      ask(licensesAt(readLicensesSearch(search)));
      break;
    case PATHS.licenseTypes:
      ask(licenseTypesQuery(readLicenseTypesSearch(search).q));
      break;
    case PATHS.software:
      ask(softwareAt(readSoftwareSearch(search)));
      break;
  }
}
