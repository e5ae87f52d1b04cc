import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import type { Permission } from '../contract/people/permissions.ts';
import { licenseQuery } from './components/license/licenses.api.ts';
import { readLicensesSearch } from './components/license/licenses-search.ts';
import { clientQuery, licenseTypesQuery } from './components/record/catalogue-queries.ts';
import { settingsQuery } from './components/settings/settings.api.ts';
import { clientsAt } from './features/clients/clients.api.ts';
import { readClientsSearch } from './features/clients/clients-search.ts';
import {
  inboxQuery,
  recentLicensesQuery,
  statisticsQuery,
  todayQuery,
} from './features/dashboard/dashboard.api.ts';
import { readLicenseTypesSearch } from './features/license-types/license-types-search.ts';
import { licensesAt } from './features/licenses/license-list.ts';
import { softwareAt } from './features/software/software.api.ts';
import { readSoftwareSearch } from './features/software/software-search.ts';
import { isAtOrBelow, PATHS, type RawSearch } from './paths.ts';
import { readId } from './search-fields.ts';

/**
 * The queries that a screen starts while its code is still loading. A screen without an entry starts its queries when
 * it is rendered. start.ts imports this file before everything else, so it contains only queries from files without
 * React components.
 */

/** Starts a query, whose answer the screen will read from the cache. */
type Ask = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) => void;

interface FirstQueries {
  permission: Permission;
  /** @param raw the search parameters of the address */
  start: (ask: Ask, raw: RawSearch) => void;
}

const FIRST_QUERIES: Record<string, FirstQueries> = {
  [PATHS.dashboard]: {
    permission: 'statistics:read',
    start: (ask) => {
      ask(inboxQuery);
      ask(todayQuery);
      ask(statisticsQuery);
      ask(recentLicensesQuery);
    },
  },
  [PATHS.clients]: {
    permission: 'clients:read',
    start: (ask, raw) => ask(clientsAt(readClientsSearch(raw))),
  },
  [PATHS.licenses]: {
    permission: 'licenses:read',
    start: (ask, raw) => ask(licensesAt(readLicensesSearch(raw))),
  },
  [PATHS.licenseTypes]: {
    permission: 'license_types:read',
    start: (ask, raw) => ask(licenseTypesQuery(readLicenseTypesSearch(raw).q)),
  },
  [PATHS.software]: {
    permission: 'software:read',
    start: (ask, raw) => ask(softwareAt(readSoftwareSearch(raw))),
  },
  [PATHS.settings]: { permission: 'settings:read', start: (ask) => ask(settingsQuery) },
};

/** The first query of a record that has a page (DESK-05). */
const OF_RECORD: Record<string, (ask: Ask, id: number) => void> = {
  [PATHS.clients]: (ask, id) => ask(clientQuery(id)),
  [PATHS.licenses]: (ask, id) => ask(licenseQuery(id)),
};

/**
 * The first queries of the screen at an address. The address of a record without a page has the queries of its list
 * (D024).
 */
export function firstQueriesAt(address: string): FirstQueries | undefined {
  const [path, list] = Object.entries(FIRST_QUERIES).find(([path]) => isAtOrBelow(address, path)) ?? [];
  if (path === undefined || list === undefined) return undefined;
  const record = OF_RECORD[path];
  const id = readId(address.slice(path.length + 1));
  if (record === undefined || id === undefined) return list;
  return { permission: list.permission, start: (ask) => record(ask, id) };
}
