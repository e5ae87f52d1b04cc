import { type SqlBool, sql } from 'kysely';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { percentOf } from '../../../contract/figures/report-columns.ts';
import type { RenewalsReport } from '../../../contract/figures/reports.ts';
import { testedOnRow } from '../../db/row-tests.ts';
import type { Db } from '../../db/tables.ts';
import { type DayRange, type MonthPeriod, monthsOf, periodOf } from '../figures/periods.ts';
import { sumFacts, totalOf } from '../figures/sum-facts.ts';
import { type Asked, currenciesOf, monthByMonth, monthHead, totalsOf } from './in-currencies.ts';
import { lastTwelveMonths } from './report-period.ts';

/**
 * The renewals that will be due in the months, and which part of the terms that ended in the last twelve months was
 * renewed.
 */
export async function reportRenewals(db: Db, range: DayRange, asked: Asked) {
  const rate = await measureRate(db, asked);
  const months = monthsOf(range, asked.timeZone);
  const due = await sumFacts(db, ['end.active'], months, asked);
  const courtesies = await courtesiesEnding(db, months, asked);
  const updates = await updatesDue(db, range, asked);
  const currencies = await currenciesOf(db, asked);
  const rows = await monthByMonth(months, currencies, asked.first, async (currency) =>
    due.map((sums, index) => {
      const { n, cents } = sums.find((sum) => sum.currency === currency) ?? { n: 0, cents: 0 };
      const unpaid = courtesies[index]!.get(currency) ?? 0;
      const own = updates.get(`${months[index]!.month} ${currency}`) ?? { n: 0, cents: 0 };
      const expected = Math.round((cents * (rate.renewal_rate ?? 0)) / 100);
      return { due: n - unpaid, cents, expected, maintenance_due: own.n, maintenance_cents: own.cents };
    }),
  );
  const amounts = (figures: (typeof rows)[number]['figures'], currency: Currency) => ({
    due: figures.due,
    amount: fromMinorUnits(figures.cents, currency),
    expected: rate.renewal_rate === null ? null : fromMinorUnits(figures.expected, currency),
    maintenance_due: figures.maintenance_due,
    maintenance_amount: fromMinorUnits(figures.maintenance_cents, currency),
  });
  return {
    as_of: asked.now.toISOString(),
    ...rate,
    months: rows.map((row) => ({ ...monthHead(row), ...amounts(row.figures, row.currency) })),
    totals: totalsOf(rows).map(({ currency, figures }) => ({ currency, ...amounts(figures, currency) })),
  } satisfies Partial<RenewalsReport>;
}

/**
 * How many of the active licences that end in each month are courtesies, by currency: what nobody pays for is not due
 * (MONEY-09). They are few, an index has them by their end, and many end at the same moment.
 */
async function courtesiesEnding(
  db: Db,
  months: MonthPeriod[],
  { software }: Asked,
): Promise<Map<Currency, number>[]> {
  let rows = db
    .selectFrom('licenses')
    .where(sql<SqlBool>`licenses.complimentary = true`)
    .where('expiry_date', '>=', months[0]!.since)
    .where('expiry_date', '<', months.at(-1)!.until)
    .where(testedOnRow(sql`licenses.status = 'active'`));
  if (software !== null) rows = rows.where(testedOnRow(sql`licenses.software_id = ${software}`));
  const ends = await rows
    .groupBy(['expiry_date', 'currency'])
    .select((eb) => ['expiry_date', 'currency', eb.fn.countAll<number>().as('n')])
    .execute();
  return months.map(({ since, until }) => {
    const counts = new Map<Currency, number>();
    for (const { expiry_date, currency, n } of ends) {
      if (expiry_date === null || expiry_date < since || expiry_date >= until) continue;
      counts.set(currency, (counts.get(currency) ?? 0) + n);
    }
    return counts;
  });
}

/**
 * The active licences whose updates end in a range of days, by month and currency. The currency is that of the last
 * maintenance, else the licence's. An index contains all needed columns.
 */
async function updatesDue(
  db: Db,
  { start_date, end_date }: DayRange,
  { software }: Asked,
): Promise<Map<string, { n: number; cents: number }>> {
  const month = sql<string>`substr(updates_until, 1, 7)`;
  const currency = sql<Currency>`coalesce(maintenance_currency, currency)`;
  let rows = db
    .selectFrom('licenses')
    .where('status', '=', 'active')
    .where('updates_until', '>=', start_date)
    .where('updates_until', '<=', end_date);
  if (software !== null) rows = rows.where('software_id', '=', software);
  const found = await rows
    .select((eb) => [
      month.as('month'),
      currency.as('paid_in'),
      eb.fn.countAll<number>().as('n'),
      sql<number | string>`sum(coalesce(maintenance_cents, 0))`.as('cents'),
    ])
    .groupBy([month, currency])
    .execute();
  return new Map(
    found.map(({ month, paid_in, n, cents }) => [`${month} ${paid_in}`, { n, cents: Number(cents) }]),
  );
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
