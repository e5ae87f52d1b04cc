import type { ReactNode } from 'react';
import type { Currency } from '../../../../contract/base/money.ts';
import { reportTexts } from '../reports-texts.ts';

interface CurrencyGroupProps {
  currency: Currency;
  /** True if it is the only currency of the report; then it has no heading. */
  alone: boolean;
  children: ReactNode;
}

/** The figures in one currency. */
export const CurrencyGroup = ({ currency, alone, children }: CurrencyGroupProps) => (
  <div className="report-currency report-body space-y-5">
    {!alone && <h3 className="font-semibold">{reportTexts.currencyOf(currency)}</h3>}
    {children}
  </div>
);
