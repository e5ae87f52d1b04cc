import type { Currency } from '../../../contract/base/money.ts';
import { percentOf } from '../../../contract/figures/report-columns.ts';
import type { LicensesReport, TrialsReport } from '../../../contract/figures/reports.ts';
import type { Db } from '../../db/tables.ts';
import { countEach } from '../figures/counting.ts';
import { type DayRange, type MonthPeriod, monthsOf, type Period } from '../figures/periods.ts';
import { type FactSum, sumFacts, totalOf } from '../figures/sum-facts.ts';
import {
  type Asked,
  currenciesOf,
  type Filters,
  monthByMonth,
  monthHead,
  totalsOf,
} from './in-currencies.ts';

/** The reports on the development of licences and trials, from sums by day and counts over ranges of indexes. */

/** An instant before all stored ones. */
const BEGINNING = '0001-01-01T00:00:00.000Z';

/**
 * Makes a function that counts the trials in one currency that began, were converted or ended in the past part of a
 * period.
 */
function counter(db: Db, currency: Currency, { software, now }: Filters & { now: Date }) {
  return (column: 'begun_at' | 'converted_at' | 'ended_at', period: Period) => {
    const { since, until } = past(period, now);
    let rows = db
      .selectFrom('license_trials')
      .where('currency', '=', currency)
      .where(column, '>=', since)
      .where(column, '<', until);
    if (software !== null) rows = rows.where('software_id', '=', software);
    return rows.select((eb) => eb.fn.countAll<number>().as('n'));
  };
}

/** The past part of a period; of a period to come an empty one. */
const past = ({ since, until }: Period, now: Date): Period => {
  const afterNow = new Date(now.getTime() + 1).toISOString();
  const end = until < afterNow ? until : afterNow;
  return { since, until: end > since ? end : since };
};

/**
 * Counts the licences that were active at the end of each month, and those that became active or stopped being active
 * in it.
 */
export async function reportLicenses(db: Db, range: DayRange, asked: Asked) {
  const months = monthsOf(range, asked.timeZone);
  const before = { since: BEGINNING, until: months[0]!.since };
  const [earlier, ...sums] = await sumFacts(
    db,
    ['came', 'left', 'issued'],
    [before, ...months].map((period) => past(period, asked.now)),
    asked,
  );
  const rows = await monthByMonth(months, await currenciesOf(db, asked), asked.first, async (currency) => {
    const count = (ofPeriod: FactSum[], name: FactSum['fact']) =>
      totalOf(ofPeriod, 'n', (sum) => sum.fact === name && sum.currency === currency);
    let active = count(earlier!, 'came') - count(earlier!, 'left');
    return sums.map((month) => {
      const [gained, lost] = [count(month, 'came'), count(month, 'left')];
      active += gained - lost;
      return { active, issued: count(month, 'issued'), gained, lost };
    });
  });
  const last = new Map(rows.map(({ currency, figures }) => [currency, figures.active]));
  return {
    as_of: asked.now.toISOString(),
    months: rows.map((row) => ({ ...monthHead(row), ...row.figures })),
    totals: totalsOf(rows).map(({ currency, figures }) => ({
      currency,
      ...figures,
      active: last.get(currency)!,
    })),
  } satisfies Partial<LicensesReport>;
}

/** Counts the trials that began, were converted, and were lost in each month. */
export async function reportTrials(db: Db, range: DayRange, asked: Asked) {
  const months = monthsOf(range, asked.timeZone);
  const rows = await monthByMonth(months, await currenciesOf(db, asked), asked.first, async (currency) => {
    const count = counter(db, currency, asked);
    const trialsIn = async (period: MonthPeriod) =>
      countEach(db, {
        begun: count('begun_at', period),
        converted: count('converted_at', period),
        lost: count('ended_at', period).where('converted_at', 'is', null),
      });
    const figures = [];
    for (const period of months) figures.push(await trialsIn(period));
    return figures;
  });
  return {
    as_of: asked.now.toISOString(),
    months: rows.map((row) => ({ ...monthHead(row), ...row.figures })),
    totals: totalsOf(rows).map(({ currency, figures }) => ({
      currency,
      ...figures,
      conversion_rate: percentOf(figures.converted, figures.converted + figures.lost),
    })),
  } satisfies Partial<TrialsReport>;
}
