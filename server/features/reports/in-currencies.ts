import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import type { Db } from '../../db/tables.ts';
import { currencyOrder } from '../figures/by-currency.ts';
import { countEach } from '../figures/counting.ts';
import type { MonthPeriod } from '../figures/periods.ts';

/** The filters of a report: one software, one currency; null for all. */
export type Filters = { software: number | null; currency: Currency | null };

/**
 * The request for a report, with the present time. `first` is the currency that is listed first: the one in the
 * query, else the one in the settings. `readsPayments`: whether the caller may see what clients paid.
 */
export type Asked = Filters & { now: Date; timeZone: string; first: Currency; readsPayments: boolean };

/** The currencies of a report: the one in the query, or all that licences or terms have, and always `first`. */
export async function currenciesOf(db: Db, { currency, first }: Asked): Promise<Currency[]> {
  if (currency !== null) return [currency];
  const anyOf = (table: 'licenses' | 'license_terms', one: Currency) =>
    db
      .selectFrom(db.selectFrom(table).select('id').where('currency', '=', one).limit(1).as('found'))
      .select((eb) => eb.fn.countAll<number>().as('n'));
  const found = await countEach(
    db,
    Object.fromEntries(
      CURRENCIES.flatMap((one) => [
        [`licenses ${one}`, anyOf('licenses', one)],
        [`terms ${one}`, anyOf('license_terms', one)],
      ]),
    ),
  );
  return CURRENCIES.filter(
    (one) => one === first || found[`licenses ${one}`] !== 0 || found[`terms ${one}`] !== 0,
  );
}

/** A month of a report in one currency; amounts are in minor units. */
type MonthFigures<Name extends string> = {
  period: MonthPeriod;
  currency: Currency;
  figures: Record<Name, number>;
};

/**
 * The figures of each month in each currency, in the order that the contract defines. A currency other than the first
 * is included only if it has a figure in the period.
 * @param figuresOf the figures of one currency, one entry for each month
 */
export async function monthByMonth<Name extends string>(
  months: MonthPeriod[],
  currencies: Currency[],
  first: Currency,
  figuresOf: (currency: Currency) => Promise<Record<Name, number>[]>,
): Promise<MonthFigures<Name>[]> {
  const known: { currency: Currency; figures: Record<Name, number>[] }[] = [];
  for (const currency of currencies) {
    const figures = await figuresOf(currency);
    const isEmpty = figures.every((month) => Object.values(month).every((figure) => figure === 0));
    if (currency === first || !isEmpty) known.push({ currency, figures });
  }
  known.sort(currencyOrder(first));
  return months.flatMap((period, index) =>
    known.map(({ currency, figures }) => ({ period, currency, figures: figures[index]! })),
  );
}

/** The sums over the months for each currency, in the order of the currencies. */
export function totalsOf<Name extends string>(
  rows: MonthFigures<Name>[],
): { currency: Currency; figures: Record<Name, number> }[] {
  const totals = new Map<Currency, Record<Name, number>>();
  for (const { currency, figures } of rows) {
    const total = totals.get(currency);
    if (!total) totals.set(currency, { ...figures });
    else for (const name of Object.keys(figures) as Name[]) total[name] += figures[name];
  }
  return [...totals].map(([currency, figures]) => ({ currency, figures }));
}

/** The first fields of a month's row. */
export const monthHead = ({ period, currency }: Pick<MonthFigures<string>, 'period' | 'currency'>) => ({
  month: period.month,
  from: period.start_date,
  to: period.end_date,
  currency,
});
