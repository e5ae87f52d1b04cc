import type { Payment } from '../../../contract/payments/payments.ts';

/** Amounts have at most two decimals, so rounding removes only the floating-point error of their sums. */
export const rounded = (amount: number): number => Number(amount.toFixed(2));

/** The amount of a payment that is not refunded yet. */
export const leftOf = ({ amount, refunded_amount }: Pick<Payment, 'amount' | 'refunded_amount'>) =>
  rounded(amount - refunded_amount);

/** True if a refund can be requested from the payment's provider (PAY-06). */
export const isRefundable = (payment: Payment) =>
  payment.state === 'approved' && payment.provider !== 'manual' && leftOf(payment) > 0;
