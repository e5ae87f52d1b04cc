import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { PaymentRequest, PaymentRequestInput } from '../../../contract/payments/payment-requests.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import { useRecordCall } from '../record/record-calls.ts';

/** Queries about payments for other screens. */

type Of = { license: number } | { client: number };

/** How many requests of a client its details list; 'Ver cobros' leads to all of them. */
const NAMED_MAX = 5;

/** The unfinished payment requests of a licence or a client, newest first. */
export const standingRequestsQuery = (of: Of) =>
  queryOptions({
    queryKey: [KEYS.payment_requests, 'standing', of],
    queryFn: async ({ signal }) => {
      const ask = (state: 'open' | 'review') =>
        request<{ results: PaymentRequest[] }>('GET', apiOf('payment_requests'), {
          query: { ...of, state, page: 1, page_size: NAMED_MAX },
          signal,
        });
      const [review, open] = await Promise.all([ask('review'), ask('open')]);
      return [...review.results, ...open.results];
    },
    staleTime: 0,
  });

/** Creates a payment request, at most once for each attempt. */
export function useCharge() {
  const once = useIdempotentAttempt();
  const queryClient = useQueryClient();
  return useRecordCall('payment_requests', async (body: PaymentRequestInput) => {
    const made = await once((headers) =>
      request<PaymentRequest>('POST', apiOf('payment_requests'), { body, headers }),
    );
    void queryClient.invalidateQueries({ queryKey: [KEYS.licenses] });
    return made;
  });
}
