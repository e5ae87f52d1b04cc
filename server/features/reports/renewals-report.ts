import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import type { RenewalsReport } from '../../../contract/figures/reports.ts';
import type { Db } from '../../db/tables.ts';
import { type DayRange, monthsOf, periodOf } from '../figures/periods.ts';
import { sumFacts, totalOf } from '../figures/sum-facts.ts';
import { type Asked, currenciesOf, monthByMonth, monthHead, percentOf, totalsOf } from './in-currencies.ts';
import { lastTwelveMonths } from './report-period.ts';

/** What is due in the months, and which part of what ended in the last twelve was renewed. */
export async function reportRenewals(db: Db, range: DayRange, asked: Asked) {
  const rate = await measureRate(db, asked);
  const months = monthsOf(range, asked.timeZone);
  const due = await sumFacts(db, ['end.active'], months, asked);
  const currencies = await currenciesOf(db, asked);
  const rows = await monthByMonth(months, currencies, asked.first, async (currency) =>
    due.map((sums) => {
      const { n, cents } = sums.find((sum) => sum.currency === currency) ?? { n: 0, cents: 0 };
      return { due: n, cents, expected: Math.round((cents * (rate.renewal_rate ?? 0)) / 100) };
    }),
  );
  const amounts = (figures: (typeof rows)[number]['figures'], currency: Currency) => ({
    due: figures.due,
    amount: fromMinorUnits(figures.cents, currency),
    expected: rate.renewal_rate === null ? null : fromMinorUnits(figures.expected, currency),
  });
  return {
    as_of: asked.now.toISOString(),
    ...rate,
    months: rows.map((row) => ({ ...monthHead(row), ...amounts(row.figures, row.currency) })),
    totals: totalsOf(rows).map(({ currency, figures }) => ({ currency, ...amounts(figures, currency) })),
  } satisfies Partial<RenewalsReport>;
}

async function measureRate(db: Db, asked: Asked) {
  const { now, timeZone } = asked;
  const twelve = lastTwelveMonths(now, timeZone);
  const { since } = periodOf(twelve, timeZone);
  const period = { since, until: now.toISOString() };
  const [sums] = await sumFacts(db, ['term.renewed', 'term.gone'], [period], asked);
  const ended = totalOf(sums!, 'n');
  const renewed = totalOf(sums!, 'n', ({ fact }) => fact === 'term.renewed');
  return {
    renewal_rate: percentOf(renewed, ended),
    rate_from: twelve.start_date,
    rate_to: twelve.end_date,
    ended,
    renewed,
  };
}
