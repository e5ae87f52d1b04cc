import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import type { RevenueReport } from '../../../contract/figures/reports.ts';
import { TERM_KINDS } from '../../../contract/licenses/license-lifecycle.ts';
import type { Db } from '../../db/tables.ts';
import { changeInPercent } from '../dashboard/summary.queries.ts';
import { type DayRange, monthsOf } from '../figures/periods.ts';
import { type FactSum, sumFacts, totalOf } from '../figures/sum-facts.ts';
import { type Asked, currenciesOf, monthByMonth, monthHead, totalsOf } from './in-currencies.ts';
import { monthsBefore } from './report-period.ts';

const SALES = TERM_KINDS.map((kind) => `sale.${kind}` as const);

type Sales = Record<'new' | 'renewal' | 'upgrade' | 'maintenance' | 'total' | 'previous' | 'count', number>;

/** Sums the sales of the period and of the previous one. */
export async function reportRevenue(db: Db, range: DayRange, asked: Asked) {
  const months = monthsOf(range, asked.timeZone);
  const before = monthsBefore(range, asked.timeZone);
  const currencies = await currenciesOf(db, asked);
  const sums = await sumFacts(db, SALES, [...months, ...before], asked);
  const rows = await monthByMonth(months, currencies, asked.first, async (currency) => {
    const isOf = (sum: FactSum) => sum.currency === currency;
    return months.map((_, index): Sales => {
      const sold = sums[index]!.filter(isOf);
      const cents = (fact: (typeof SALES)[number]) => totalOf(sold, 'cents', (sum) => sum.fact === fact);
      return {
        new: cents('sale.issue'),
        renewal: cents('sale.renewal'),
        // More seats of a licence are a larger licence (MONEY-08).
        upgrade: cents('sale.upgrade') + cents('sale.seats'),
        maintenance: cents('sale.maintenance'),
        total: totalOf(sold, 'cents'),
        count: totalOf(sold, 'n'),
        previous: totalOf(sums[months.length + index]!, 'cents', isOf),
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
