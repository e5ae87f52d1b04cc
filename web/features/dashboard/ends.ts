import { fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import type { Today } from '../../../contract/figures/today.ts';

type Ends = Pick<Today['expiring'][number], 'count' | 'by_currency'>;

/** The licences that end within some days; a count of 0 if the server has no count for this number of days. */
export const endsWithin = ({ expiring }: Today, days: number): Ends =>
  expiring.find((span) => span.days === days) ?? { count: 0, by_currency: [] };

/** The licences that end after the first number of days and within the second, so that no licence is in two counts. */
export function endsBetween(today: Today, first: number, last: number): Ends {
  const [early, all] = [endsWithin(today, first), endsWithin(today, last)];
  const by_currency = all.by_currency.flatMap(({ currency, count, amount }) => {
    const counted = early.by_currency.find((one) => one.currency === currency);
    if (counted === undefined) return [{ currency, count, amount }];
    // Computed in minor units, because 28.5 - 4.1 is not exact in floating point.
    const cents = toMinorUnits(amount, currency) - toMinorUnits(counted.amount, currency);
    const left = { currency, count: count - counted.count, amount: fromMinorUnits(cents, currency) };
    return left.count > 0 ? [left] : [];
  });
  return { count: all.count - early.count, by_currency };
}
