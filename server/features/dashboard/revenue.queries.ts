import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { z } from 'zod';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import type { revenueStatistics } from '../../../contract/figures/statistics.ts';
import type { Db } from '../../db/tables.ts';
import { currencyOrder } from '../figures/by-currency.ts';
import { countMonths, type DayRange, type MonthPeriod, monthsOf, periodOf } from '../figures/periods.ts';
import { WITHOUT_TYPE } from './license-counts.queries.ts';

export type RevenueStatistics = z.infer<typeof revenueStatistics>['statistics'];

/** In a longer range only the months from the first to the last sale are listed. */
const MONTHS_MAX = 120;

/** Sales in one currency; `cents` are in minor units. */
type Sold = { cents: number; count: number };

type Sales = {
  total: Sold;
  byMonth: Map<string, Sold>;
  bySoftware: Map<number, Sold>;
  byType: Map<number | null, Sold>;
};
const noSales = (): Sales => ({
  total: { cents: 0, count: 0 },
  byMonth: new Map(),
  bySoftware: new Map(),
  byType: new Map(),
});

/**
 * The value of the terms sold in a range of local days, without those of cancelled licences (SEED-7.6-04, LIFE-01).
 * Months without sales are listed with 0. Months are summed one at a time, so that no statement takes long; the month
 * of a sale never changes, so no sale is missed or counted twice. Different currencies are never added (MONEY-01).
 * @param currency the currency of the main figures; `by_currency` has the figures of each currency
 */
export async function sumRevenue(
  db: Db,
  range: DayRange,
  timeZone: string,
  currency: Currency,
): Promise<RevenueStatistics> {
  const sold = new Map<Currency, Sales>();
  const months = await monthsWithin(db, range, timeZone);
  for (const period of months) {
    await letOthersRun();
    for (const row of await sumMonth(db, period)) {
      const sales = sold.get(row.currency) ?? noSales();
      sold.set(row.currency, sales);
      for (const sum of [
        sales.total,
        of(sales.byMonth, period.month),
        of(sales.bySoftware, row.software_id),
        of(sales.byType, row.license_type_id),
      ]) {
        sum.cents += row.cents;
        sum.count += row.count;
      }
    }
  }
  const names = { software: await namesOf(db, 'software'), types: await namesOf(db, 'license_types') };
  const figuresOf = (of: Currency, { total, byMonth, bySoftware, byType }: Sales) => ({
    currency: of,
    total: fromMinorUnits(total.cents, of),
    license_count: total.count,
    average_price: total.count === 0 ? 0 : fromMinorUnits(Math.round(total.cents / total.count), of),
    by_month: months.map(({ month }) => {
      const { cents, count } = byMonth.get(month) ?? { cents: 0, count: 0 };
      return { month, total: fromMinorUnits(cents, of), count };
    }),
    by_software: largestFirst(bySoftware, names.software, of),
    by_license_type: largestFirst(byType, names.types, of),
  });
  return {
    ...range,
    ...figuresOf(currency, sold.get(currency) ?? noSales()),
    by_currency: [...sold].map(([of, sales]) => figuresOf(of, sales)).sort(currencyOrder(currency)),
  };
}

function of<Key>(sums: Map<Key, Sold>, key: Key): Sold {
  const known = sums.get(key) ?? { cents: 0, count: 0 };
  sums.set(key, known);
  return known;
}

async function monthsWithin(db: Db, range: DayRange, timeZone: string): Promise<MonthPeriod[]> {
  if (countMonths(range) <= MONTHS_MAX) return monthsOf(range, timeZone);
  const { since, until } = periodOf(range, timeZone);
  const within = db
    .selectFrom('license_terms')
    .where('created_at', '>=', since)
    .where('created_at', '<', until);
  // As two queries each takes one step in the index; one combined query would read the whole index.
  const sold = await db
    .selectNoFrom([
      within.select((eb) => eb.fn.min<string | null>('created_at').as('at')).as('first'),
      within.select((eb) => eb.fn.max<string | null>('created_at').as('at')).as('last'),
    ])
    .executeTakeFirst();
  if (!sold?.first || !sold.last) return [];
  const days = { start_date: localDay(sold.first, timeZone), end_date: localDay(sold.last, timeZone) };
  return monthsOf(days, timeZone);
}

function sumMonth(db: Db, { since, until }: MonthPeriod) {
  return db
    .selectFrom('license_terms')
    .select((eb) => [
      'currency',
      'software_id',
      'license_type_id',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('price_cents').as('cents'),
    ])
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .where('is_counted', '=', true)
    .groupBy(['software_id', 'license_type_id', 'currency'])
    .execute();
}

async function namesOf(db: Db, table: 'software' | 'license_types'): Promise<Map<number | null, string>> {
  const rows = await db.selectFrom(table).select(['id', 'name']).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** Largest revenue first. Ties are in the order of creation; among them the row without a type (null) comes first. */
function largestFirst<Key extends number | null>(
  sums: Map<Key, Sold>,
  names: Map<number | null, string>,
  currency: Currency,
) {
  return [...sums]
    .sort(([a, x], [b, y]) => y.cents - x.cents || Number(a) - Number(b))
    .map(([id, { cents }]) => ({
      id,
      name: names.get(id) ?? WITHOUT_TYPE,
      total: fromMinorUnits(cents, currency),
    }));
}
