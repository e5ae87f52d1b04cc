import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import type { RevenueReport } from '../../../contract/figures/reports.ts';
import type { Db } from '../../db/tables.ts';
import { changeInPercent } from '../dashboard/summary.queries.ts';
import { type FactName, SALES } from '../figures/day-facts.ts';
import { type DayRange, monthsOf } from '../figures/periods.ts';
import { type FactSum, sumFacts, totalOf } from '../figures/sum-facts.ts';
import { type Asked, currenciesOf, monthByMonth, monthHead, totalsOf } from './in-currencies.ts';
import { monthsBefore } from './report-period.ts';

type Sales = Record<
  'new' | 'renewal' | 'upgrade' | 'maintenance' | 'total' | 'previous' | 'count' | 'collected',
  number
>;

/** Sums the sales of the period and of the previous one, and what was collected in the period. */
export async function reportRevenue(db: Db, range: DayRange, asked: Asked) {
  const { readsPayments } = asked;
  const months = monthsOf(range, asked.timeZone);
  const before = monthsBefore(range, asked.timeZone);
  const facts = readsPayments ? [...SALES, 'collected' as const] : SALES;
  const sums = await sumFacts(db, facts, [...months, ...before], asked);
  // A payment may be in a currency in which nothing was sold.
  const currencies = new Set([
    ...(await currenciesOf(db, asked)),
    ...sums.flat().map(({ currency }) => currency),
  ]);
  const rows = await monthByMonth(months, [...currencies], asked.first, async (currency) => {
    const isOf = (sum: FactSum) => sum.currency === currency;
    return months.map((_, index): Sales => {
      const moved = sums[index]!.filter(isOf);
      const sold = moved.filter(isSale);
      const cents = (fact: FactName) => totalOf(moved, 'cents', (sum) => sum.fact === fact);
      return {
        new: cents('sale.issue'),
        renewal: cents('sale.renewal'),
        // More seats of a licence are a larger licence (MONEY-08).
        upgrade: cents('sale.upgrade') + cents('sale.seats'),
        maintenance: cents('sale.maintenance'),
        total: totalOf(sold, 'cents'),
        count: totalOf(sold, 'n'),
        previous: totalOf(sums[months.length + index]!, 'cents', (sum) => isOf(sum) && isSale(sum)),
        collected: cents('collected'),
      };
    });
  });
  const amounts = (figures: Sales, currency: Currency) => ({
    new: fromMinorUnits(figures.new, currency),
    renewal: fromMinorUnits(figures.renewal, currency),
    upgrade: fromMinorUnits(figures.upgrade, currency),
    maintenance: fromMinorUnits(figures.maintenance, currency),
    total: fromMinorUnits(figures.total, currency),
    previous: fromMinorUnits(figures.previous, currency),
    count: figures.count,
    collected: readsPayments ? fromMinorUnits(figures.collected, currency) : null,
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

const isSale = ({ fact }: FactSum): boolean => fact !== 'collected';
