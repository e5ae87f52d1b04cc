import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Currency, fromMinorUnits } from '../../../contract/money.ts';
import type { RenewalsReport } from '../../../contract/reports.ts';
import type { Db } from '../../db/tables.ts';
import { type Sum, sumByCurrency } from '../statistics/by-currency.ts';
import { countEach } from '../statistics/counting.ts';
import { type DayRange, type MonthPeriod, monthsOf, periodOf } from '../statistics/periods.ts';
import {
  type Asked,
  currenciesOf,
  type Filters,
  monthByMonth,
  monthHead,
  percentOf,
  totalsOf,
} from './in-currencies.ts';
import { lastTwelveMonths } from './report-period.ts';

/** What is due in the months, and which part of what ended in the last twelve was renewed. */
export async function reportRenewals(db: Db, range: DayRange, asked: Asked) {
  const rate = await measureRate(db, asked);
  const months = monthsOf(range, asked.timeZone);
  const due: Sum[][] = [];
  for (const period of months) due.push(await sumDue(db, period, asked));
  const currencies = await currenciesOf(db, asked);
  const rows = await monthByMonth(months, currencies, asked.first, async (currency) =>
    due.map((sums) => {
      const { count, cents } = sums.find((sum) => sum.currency === currency) ?? { count: 0, cents: 0 };
      return { due: count, cents, expected: Math.round((cents * (rate.renewal_rate ?? 0)) / 100) };
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

/** The active licences that end in a month, and their prices. */
async function sumDue(db: Db, { since, until }: MonthPeriod, { software, currency }: Filters) {
  await letOthersRun();
  let due = db
    .selectFrom('licenses')
    .select(['currency', 'price_cents'])
    .where('status', '=', 'active')
    .where('expiry_date', '>=', since)
    .where('expiry_date', '<', until);
  if (software !== null) due = due.where('software_id', '=', software);
  if (currency !== null) due = due.where('currency', '=', currency);
  return sumByCurrency(db, due);
}

async function measureRate(db: Db, { now, timeZone, software, currency }: Asked) {
  const twelve = lastTwelveMonths(now, timeZone);
  const { since } = periodOf(twelve, timeZone);
  const ended = (isRenewed: boolean) => {
    let terms = db
      .selectFrom('license_terms')
      .where('is_trial', '=', false)
      .where('is_renewed', '=', isRenewed)
      .where('ends', '>=', since)
      .where('ends', '<', now.toISOString());
    if (software !== null) terms = terms.where('software_id', '=', software);
    if (currency !== null) terms = terms.where('currency', '=', currency);
    return terms.select((eb) => eb.fn.countAll<number>().as('n'));
  };
  const { renewed, gone } = await countEach(db, { renewed: ended(true), gone: ended(false) });
  return {
    renewal_rate: percentOf(renewed, renewed + gone),
    rate_from: twelve.start_date,
    rate_to: twelve.end_date,
    ended: renewed + gone,
    renewed,
  };
}
