import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  NoticeDismissal,
  PaymentRequest,
  PaymentRequestDetails,
  PaymentRequestPaid,
} from '../../../contract/payments/payment-requests.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import { recordQuery } from '../record/record-calls.ts';

/** A payment request with its notice. */
export const noticedRequestQuery = (id: number) => recordQuery<PaymentRequestDetails>('payment_requests', id);

/** An answer to a notice, at most once for each attempt. What shows it is refetched, also after a refusal. */
function useAnswer<Body>(id: number, verb: string) {
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

export const useConfirmTransfer = (id: number) =>
  useAnswer<Pick<PaymentRequestPaid, 'method' | 'reference' | 'paid_at' | 'amount'>>(id, 'mark_paid');
export const useDismissNotice = (id: number) => useAnswer<NoticeDismissal>(id, 'dismiss_notice');
