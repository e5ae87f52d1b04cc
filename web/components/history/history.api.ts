import { infiniteQueryOptions } from '@tanstack/react-query';
import type { EventPage } from '../../../contract/system/events.ts';
import type { QueryValues } from '../../api/answer.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

export const EVENTS_PATH = '/licenses/api/events/';

/** Selects events. `client` includes those of the client's licences and machines. */
export type Whose = { client: number } | { license: number };

const PAGE = 30;

const pagesOf = (key: readonly unknown[], query: QueryValues) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      request<EventPage>('GET', EVENTS_PATH, {
        query: { ...query, limit: PAGE, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    staleTime: 0,
  });

/**
 * The history of a record. The query key begins like the record's key, so that a change of the record also refetches
 * its history.
 */
export const historyQuery = (whose: Whose) =>
  pagesOf(['client' in whose ? KEYS.clients : KEYS.licenses, 'history', whose], whose);

/** All events that match the filters, which have the API's parameter names. */
export const auditQuery = (filters: QueryValues) => pagesOf([KEYS.events, filters], filters);
