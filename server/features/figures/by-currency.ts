import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';

/**
 * Compares currencies for sorting: the one in the settings first, then those of payments that this program does not know,
 * then the others in the order of CURRENCIES.
 */
export const currencyOrder =
  (first: Currency) =>
  (a: { currency: string }, b: { currency: string }): number =>
    rank(a.currency, first) - rank(b.currency, first);

const CODES: readonly string[] = CURRENCIES;
const rank = (currency: string, first: Currency) => (currency === first ? -1 : CODES.indexOf(currency) + 1);
