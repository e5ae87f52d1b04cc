import { CURRENCIES } from '../../../contract/base/money.ts';
import { CURRENCY_NAMES } from '../../text/es-money.ts';

/** The options of a select of currencies: 'MXN - Peso mexicano'. */
export const CurrencyOptions = () =>
  CURRENCIES.map((currency) => (
    <option key={currency} value={currency}>
      {`${currency} - ${CURRENCY_NAMES[currency]}`}
    </option>
  ));
