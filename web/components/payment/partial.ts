import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';

/** Whether a part of an open request came in, so that it asks the rest and does not expire (MONEY-06). */
export const isPartial = ({
  state,
  amount,
  due,
}: Pick<PaymentRequest, 'state' | 'amount' | 'due'>): boolean => state === 'open' && due < amount;
