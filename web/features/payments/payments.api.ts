import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import type {
  PaymentRequest,
  PaymentRequestCancel,
  PaymentRequestDetails,
  PaymentRequestResolution,
} from '../../../contract/payments/payment-requests.ts';
import type { Payment, PaymentRefund } from '../../../contract/payments/payments.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { pageQuery } from '../../api/list-query.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import { useRequestCall } from '../../components/payment/request-call.ts';
import { recordQuery } from '../../components/record/record-calls.ts';
import { apiOf } from '../../record-kinds.ts';
import type { ReceivedSearch, RequestsSearch } from './payments-search.ts';

/** How often a screen with a pending payment is refetched. */
const AGAIN_MS = 10_000;

/** The list of requests at a URL. */
export const requestsAt = (search: RequestsSearch) => {
  const { q, state, client, license } = search;
  return pageQuery<PaymentRequest>(
    { kind: 'payment_requests', filters: { search: q, state, client, license } },
    search,
  );
};

/** The filters of the payments by their API names, for the list and its export. */
export const receivedNarrowing = ({ provider, state, client, from, to }: ReceivedSearch) => ({
  provider,
  state,
  client,
  from,
  to,
});

/** The list of payments at a URL. */
export const receivedAt = (search: ReceivedSearch) =>
  pageQuery<Payment>({ kind: 'payments', filters: receivedNarrowing(search) }, search);

/** Sends the mail of any request again, at most once for each attempt. */
export function useRemind() {
  const once = useIdempotentAttempt();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      once((headers) =>
        request<PaymentRequest>('POST', `${apiOf('payment_requests', id)}send/`, { body: {}, headers }),
      ),
    onSettled: () => refreshAfterChange(queryClient, 'payment_requests'),
  });
}

/** The number of requests that need a review. */
export const reviewsQuery = queryOptions({
  queryKey: [KEYS.payment_requests, 'reviews'],
  queryFn: async ({ signal }) => {
    const { count } = await request<{ count: number }>('GET', apiOf('payment_requests'), {
      query: { state: 'review', page: 1, page_size: 1 },
      signal,
    });
    return count;
  },
  staleTime: 0,
});

/** A payment request with its payments. It is refetched while a payment is pending. */
export const requestQuery = (id: number) => ({
  ...recordQuery<PaymentRequestDetails>('payment_requests', id),
  refetchInterval: ({ state }: { state: { data?: PaymentRequestDetails | undefined } }) =>
    state.data?.state === 'open' ? AGAIN_MS : false,
});

export const useCancelRequest = (id: number) => useRequestCall<PaymentRequestCancel>(id, 'cancel');
export const useSendRequest = (id: number) => useRequestCall<object>(id, 'send');
export const useResolve = (id: number) => useRequestCall<PaymentRequestResolution>(id, 'resolve');

/** Requests a refund from the provider (PAY-06). */
export function useRefund(id: number) {
  const once = useIdempotentAttempt();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: PaymentRefund) =>
      once((headers) => request<Payment>('POST', `${apiOf('payments', id)}refund/`, { body, headers })),
    onSettled: () => refreshAfterChange(queryClient, 'payments'),
  });
}

/** Undoes the renewal that was paid, on the current version of the licence. */
export function useUndoPaidRenewal() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (license: number) => {
      const { updated_at } = await request<LicenseAnswer>('GET', apiOf('licenses', license));
      return request<LicenseAnswer>('POST', `${apiOf('licenses', license)}undo_renewal/`, {
        body: {},
        headers: { 'If-Match': `"${updated_at}"` },
      });
    },
    onSettled: () => refreshAfterChange(queryClient, 'licenses'),
  });
}
