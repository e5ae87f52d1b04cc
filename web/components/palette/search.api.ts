import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PASTED_MAX, SEARCH_MIN } from '../../../contract/base/limits.ts';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { request } from '../../api/http.ts';
import { may } from '../../api/permissions.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/** An older answer is shown at once and fetched again. */
const FRESH_MS = 10_000;
/** As many open requests as are offered for one name. */
const REQUESTS_MAX = 5;

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

/** The open payment requests of the client or the licence that a text names, the newest first (MONEY-13). */
export const openRequestsQuery = (text: string) =>
  queryOptions({
    queryKey: [KEYS.payment_requests, 'palette', text],
    queryFn: async ({ signal }) => {
      const { results } = await request<{ results: PaymentRequest[] }>('GET', apiOf('payment_requests'), {
        query: { search: text.slice(0, PASTED_MAX), state: 'open', page: 1, page_size: REQUESTS_MAX },
        signal,
      });
      return results;
    },
    enabled: text.length >= SEARCH_MIN && may('payments:read'),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
