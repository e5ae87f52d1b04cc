import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  NoticeDismissal,
  PaymentRequest,
  PaymentRequestPaid,
} from '../../../contract/payments/payment-requests.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/**
 * A call on a payment request, at most once for each attempt. Afterwards, also after a refusal, everything that shows
 * the request is refetched.
 */
export function useRequestCall<Body>(id: number, verb: string) {
  const once = useIdempotentAttempt();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      once((headers) =>
        request<PaymentRequest>('POST', `${apiOf('payment_requests', id)}${verb}/`, { body, headers }),
      ),
    onSettled: () => refreshAfterChange(queryClient, 'payment_requests'),
  });
}

export const useMarkPaid = (id: number) => useRequestCall<PaymentRequestPaid>(id, 'mark_paid');
export const useDismissNotice = (id: number) => useRequestCall<NoticeDismissal>(id, 'dismiss_notice');
