import type { Currency } from '../../../contract/money.ts';
import type { LicensesReport, TrialsReport } from '../../../contract/reports.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { countEach } from '../statistics/counting.ts';
import { type DayRange, type MonthPeriod, monthsOf } from '../statistics/periods.ts';
import {
  type Asked,
  currenciesOf,
  type Filters,
  monthByMonth,
  monthHead,
  percentOf,
  totalsOf,
} from './in-currencies.ts';

/** The reports on what became of licences and trials: counts of ranges of indexes (migration 022). */

type Lives = Pick<Tables, 'licenses' | 'license_spans' | 'license_trials'>;

/** Makes counts of the rows of one currency whose instant lies in a period, before the end of the present. */
function counter(db: Db, currency: Currency, { software, now }: Filters & { now: Date }) {
  const afterNow = new Date(now.getTime() + 1).toISOString();
  return <Table extends keyof Lives & string>(
    table: Table,
    column: 'issued_date' | 'came_at' | 'left_at' | 'begun_at' | 'converted_at' | 'ended_at',
    { since, until }: { since: string | null; until: string },
  ) => {
    const at = db.dynamic.ref<string>(column);
    let rows = db
      .selectFrom<keyof Lives>(table)
      .where('currency', '=', currency)
      .where(at, '<', until < afterNow ? until : afterNow);
    if (since !== null) rows = rows.where(at, '>=', since);
    if (software !== null) rows = rows.where('software_id', '=', software);
    return rows.select((eb) => eb.fn.countAll<number>().as('n'));
  };
}

/** Counts the licences that were active at the end of each month, and those that came and went in it. */
export async function reportLicenses(db: Db, range: DayRange, asked: Asked) {
  const months = monthsOf(range, asked.timeZone);
  const rows = await monthByMonth(months, await currenciesOf(db, asked), asked.first, async (currency) => {
    const count = counter(db, currency, asked);
    const earlier = { since: null, until: months[0]!.since };
    const before = await countEach(db, {
      came: count('license_spans', 'came_at', earlier),
      left: count('license_spans', 'left_at', earlier),
    });
    let active = before.came - before.left;
    const figures = [];
    for (const period of months) {
      const { issued, gained, lost } = await countEach(db, {
        issued: count('licenses', 'issued_date', period),
        gained: count('license_spans', 'came_at', period),
        lost: count('license_spans', 'left_at', period),
      });
      active += gained - lost;
      figures.push({ active, issued, gained, lost });
    }
    return figures;
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
        begun: count('license_trials', 'begun_at', period),
        converted: count('license_trials', 'converted_at', period),
        lost: count('license_trials', 'ended_at', period).where('converted_at', 'is', null),
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
