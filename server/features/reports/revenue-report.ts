import { setImmediate as letOthersRun } from 'node:timers/promises';
import { TERM_KINDS, type TermKind } from '../../../contract/license-lifecycle.ts';
import { type Currency, fromMinorUnits } from '../../../contract/money.ts';
import type { RevenueReport } from '../../../contract/reports.ts';
import type { Db } from '../../db/tables.ts';
import { type DayRange, type MonthPeriod, monthsOf } from '../statistics/periods.ts';
import { changeInPercent } from '../statistics/summary.queries.ts';
import {
  type Asked,
  currenciesOf,
  type Filters,
  monthByMonth,
  monthHead,
  totalsOf,
} from './in-currencies.ts';
import { monthsBefore } from './report-period.ts';

const NAMES: Record<TermKind, 'new' | 'renewal' | 'upgrade'> = {
  issue: 'new',
  renewal: 'renewal',
  upgrade: 'upgrade',
};

type Sales = Record<'new' | 'renewal' | 'upgrade' | 'total' | 'previous' | 'count', number>;

/** Sums the sales of the period and of the one before, from a range of license_terms_by_kind for each kind and month. */
export async function reportRevenue(db: Db, range: DayRange, asked: Asked) {
  const months = monthsOf(range, asked.timeZone);
  const before = monthsBefore(range, asked.timeZone);
  const currencies = await currenciesOf(db, asked);
  const rows = await monthByMonth(months, currencies, asked.first, async (currency) => {
    const figures: Sales[] = [];
    for (const [index, period] of months.entries()) {
      const sold = await sumSales(db, period, currency, asked);
      const previous = await sumSales(db, before[index]!, currency, asked);
      figures.push({ ...sold, previous: previous.total });
    }
    return figures;
  });
  const amounts = (figures: Sales, currency: Currency) => ({
    new: fromMinorUnits(figures.new, currency),
    renewal: fromMinorUnits(figures.renewal, currency),
    upgrade: fromMinorUnits(figures.upgrade, currency),
    total: fromMinorUnits(figures.total, currency),
    previous: fromMinorUnits(figures.previous, currency),
    count: figures.count,
  });
  return {
    as_of: asked.now.toISOString(),
    previous_from: before[0]!.start_date,
    previous_to: before.at(-1)!.end_date,
    months: rows.map((row) => ({ ...monthHead(row), ...amounts(row.figures, row.currency) })),
    totals: totalsOf(rows).map(({ currency, figures }) => ({
      currency,
      ...amounts(figures, currency),
      change: changeInPercent(figures.previous, figures.total),
    })),
  } satisfies Partial<RevenueReport>;
}

/** The sales of one month in one currency, in minor units. */
async function sumSales(
  db: Db,
  { since, until }: MonthPeriod,
  currency: Currency,
  { software }: Filters,
): Promise<Omit<Sales, 'previous'>> {
  await letOthersRun();
  let sold = db
    .selectFrom('license_terms')
    .where('is_counted', '=', true)
    .where('currency', '=', currency)
    .where('kind', 'in', TERM_KINDS)
    .where('created_at', '>=', since)
    .where('created_at', '<', until);
  if (software !== null) sold = sold.where('software_id', '=', software);
  const rows = await sold
    .groupBy('kind')
    .select((eb) => [
      'kind',
      eb.fn.sum<number>('price_cents').as('cents'),
      eb.fn.countAll<number>().as('count'),
    ])
    .execute();
  const sales = { new: 0, renewal: 0, upgrade: 0, total: 0, count: 0 };
  for (const { kind, cents, count } of rows) {
    sales[NAMES[kind]] += cents;
    sales.total += cents;
    sales.count += count;
  }
  return sales;
}
