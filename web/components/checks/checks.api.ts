import { queryOptions } from '@tanstack/react-query';
import type { Check } from '../../../contract/programs/checks.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/** Whose checks. */
export type ChecksOf = { license: number } | { client: number };

/** The server stores checks within seconds: while they are looked at, they are asked for as often. */
const REFRESH_MS = 5000;

/** The checks of a licence, or of all licences of a client, the latest first. */
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
