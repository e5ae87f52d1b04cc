import { DEFAULT_CURRENCY } from '../../../contract/base/limits.ts';
import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import { CURRENCY_NAMES } from '../../text/es-money.ts';
import { vendorCurrency } from '../../text/format.ts';
import { select } from '../record/form-fields.ts';

/** 'MXN - Peso mexicano'. */
const OPTIONS = Object.fromEntries(
  CURRENCIES.map((currency) => [currency, `${currency} - ${CURRENCY_NAMES[currency]}`]),
  // The cast is safe: every currency is a key.
) as Record<Currency, string>;

/** The form field for the currency. A server that implements only the specification sends no currencies. */
export const currencyIn = (label: string) =>
  select(label, OPTIONS, {
    required: true,
    blank: DEFAULT_CURRENCY,
    read: ({ currency }: { currency?: Currency }) => currency ?? vendorCurrency(),
    words: String,
  });
