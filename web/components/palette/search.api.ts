import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PASTED_MAX, SEARCH_MIN } from '../../../contract/base/limits.ts';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

/** An older answer is shown at once and fetched again. */
const FRESH_MS = 10_000;

/** The records of all kinds that match a text (FIND-01). A text of one letter is not sent. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: [KEYS.search, text],
    queryFn: ({ signal }) =>
      request<SearchAnswer>('GET', '/licenses/api/search/', {
        query: { q: text.slice(0, PASTED_MAX) },
        signal,
      }),
    enabled: text.length >= SEARCH_MIN,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    // The listed records must change only when the user types.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
