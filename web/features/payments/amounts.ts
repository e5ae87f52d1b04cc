import { CURRENCIES } from '../../../contract/base/money.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { formatNumber, formatPrice } from '../../text/format.ts';

/** An amount that came, whose currency may be one that the vendor never asks for. */
export function formatPaid(amount: number, currency: string): string {
  const known = CURRENCIES.find((code) => code === currency);
  return known === undefined ? `${currency} ${formatNumber(amount)}` : formatPrice(amount, known);
}

/** What of a payment could still be given back. */
export const leftOf = ({ amount, refunded_amount }: Pick<Payment, 'amount' | 'refunded_amount'>) =>
  // Both have as many decimals as their currency: the difference has no more.
  Number((amount - refunded_amount).toFixed(2));

/** Whether its provider can be asked to give money back (PAY-06). */
export const isRefundable = (payment: Payment) =>
  payment.state === 'approved' && payment.provider !== 'manual' && leftOf(payment) > 0;
