import { CURRENCIES } from '../../../contract/base/money.ts';
import { formatNumber, formatPrice } from '../../text/format.ts';

/** The currency of a payment; undefined if it is one that the vendor does not use. */
export const knownCurrency = (currency: string) => CURRENCIES.find((code) => code === currency);

/** A received amount. Its currency may be one that the vendor does not use. */
export function formatPaid(amount: number, currency: string): string {
  const known = knownCurrency(currency);
  return known === undefined ? `${currency} ${formatNumber(amount)}` : formatPrice(amount, known);
}
