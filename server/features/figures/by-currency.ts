import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';

/** Compares currencies for sorting: the one in the settings first, the others in the order of CURRENCIES. */
export const currencyOrder =
  (first: Currency) =>
  (a: { currency: Currency }, b: { currency: Currency }): number =>
    rank(a.currency, first) - rank(b.currency, first);

const rank = (currency: Currency, first: Currency) =>
  currency === first ? -1 : CURRENCIES.indexOf(currency);
