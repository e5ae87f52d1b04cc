import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';

/** Makes an order of currencies: the setting's first, the others as CURRENCIES has them. */
export const currencyOrder =
  (first: Currency) =>
  (a: { currency: Currency }, b: { currency: Currency }): number =>
    rank(a.currency, first) - rank(b.currency, first);

const rank = (currency: Currency, first: Currency) =>
  currency === first ? -1 : CURRENCIES.indexOf(currency);
