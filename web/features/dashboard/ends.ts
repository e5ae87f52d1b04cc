import { fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import type { Today } from '../../../contract/figures/today.ts';

type Ends = Pick<Today['expiring'][number], 'count' | 'by_currency'>;

/** The licences that end within some days; none where the server does not count that span. */
export const endsWithin = ({ expiring }: Today, days: number): Ends =>
  expiring.find((span) => span.days === days) ?? { count: 0, by_currency: [] };

/** The licences that end after the first days and within the last, so that two counts share none. */
export function endsBetween(today: Today, first: number, last: number): Ends {
  const [early, all] = [endsWithin(today, first), endsWithin(today, last)];
  const by_currency = all.by_currency.flatMap(({ currency, count, amount }) => {
    const counted = early.by_currency.find((one) => one.currency === currency);
    if (counted === undefined) return [{ currency, count, amount }];
    // In minor units, since 28.5 - 4.1 is no exact number of decimals.
    const cents = toMinorUnits(amount, currency) - toMinorUnits(counted.amount, currency);
    const left = { currency, count: count - counted.count, amount: fromMinorUnits(cents, currency) };
    return left.count > 0 ? [left] : [];
  });
  return { count: all.count - early.count, by_currency };
}
