import { infiniteQueryOptions } from '@tanstack/react-query';
import type { EventPage } from '../../../contract/system/events.ts';
import type { QueryValues } from '../../api/answer.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

export const EVENTS_PATH = '/licenses/api/events/';

/** Whose events: `client` includes those of its licences and machines. */
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
 * The history of a record. The key begins like that of the record, so that a change of the record refetches its
 * history too.
 */
export const historyQuery = (whose: Whose) =>
  pagesOf(['client' in whose ? KEYS.clients : KEYS.licenses, 'history', whose], whose);

/** All events that match filters, by their names on the wire. */
export const auditQuery = (filters: QueryValues) => pagesOf([KEYS.events, filters], filters);
