import { CURRENCIES } from '../../../contract/base/money.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { formatNumber, formatPrice } from '../../text/format.ts';

/** The currency of a payment; undefined if it is one that the vendor does not use. */
export const knownCurrency = (currency: string) => CURRENCIES.find((code) => code === currency);

/** A received amount. Its currency may be one that the vendor does not use. */
export function formatPaid(amount: number, currency: string): string {
  const known = knownCurrency(currency);
  return known === undefined ? `${currency} ${formatNumber(amount)}` : formatPrice(amount, known);
}

/** The amount of a payment that is not refunded yet. */
export const leftOf = ({ amount, refunded_amount }: Pick<Payment, 'amount' | 'refunded_amount'>) =>
  // Both amounts have at most two decimals, so rounding removes only the floating-point error.
  Number((amount - refunded_amount).toFixed(2));

/** True if a refund can be requested from the payment's provider (PAY-06). */
export const isRefundable = (payment: Payment) =>
  payment.state === 'approved' && payment.provider !== 'manual' && leftOf(payment) > 0;
