import { queryOptions } from '@tanstack/react-query';
import type { Check } from '../../../contract/programs/checks.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/** Selects the checks of a licence, or of a client's licences. */
export type ChecksOf = { license: number } | { client: number };

/** The server stores checks within a few seconds, so an open list is refreshed at this interval. */
const REFRESH_MS = 5000;

/** The checks of a licence, or of all licences of a client, newest first. */
export const checksQuery = (of: ChecksOf) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'checks', of],
    queryFn: async ({ signal }) => {
      const { results } = await ('license' in of
        ? request<{ results: Check[] }>('GET', `${apiOf('licenses', of.license)}checks/`, { signal })
        : request<{ results: Check[] }>('GET', '/licenses/api/checks/', { query: of, signal }));
      return results;
    },
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
