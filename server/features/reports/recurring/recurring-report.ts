import { sql } from 'kysely';
import { CURRENCIES, type Currency, fromMinorUnits } from '../../../../contract/base/money.ts';
import { localDay } from '../../../../contract/base/time.ts';
import type { RecurringReport } from '../../../../contract/figures/recurring.ts';
import { percentOf } from '../../../../contract/figures/report-columns.ts';
import type { AppContext } from '../../../context.ts';
import { readInOneSnapshot } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { figuresPending } from '../../../errors.ts';
import { madeSoon } from '../../figures/made-soon.ts';
import { type DayRange, lastDayOf, monthOf, monthsOf } from '../../figures/periods.ts';
import { type Asked, currenciesOf, monthByMonth, monthHead } from '../in-currencies.ts';
import { foldRecurring } from './fold-recurring.ts';
import { countLicensesOf, readRecurring } from './recurring-clients.ts';
import { addMoves, type Moves, NO_MOVES, netOf } from './recurring-moves.ts';
import { differences, readChanges, readState, readSummed, readUnbuilt } from './recurring-sums.ts';

/**
 * Venta recurrente (REPORT-05): from sums by day, and the clients whose terms changed since these were made. With many
 * of them the answer is that of the sums, and `as_of` says of when.
 */

/** Clients, and their licences, that are computed at a call. */
const CLIENTS_MAX = 1000;
const LICENSES_MAX = 2000;
/** So many reads are tried that a run of the job may disturb; then the sums alone are read. */
const READS_MAX = 3;

type MonthMoves = Map<string, Moves>;
type Found = { as_of: string; months: Map<Currency, MonthMoves> };

type Figures = Omit<Moves, 'clients'> & { start: number; end: number; clients: number };

export async function reportRecurring(context: AppContext, range: DayRange, asked: Asked, db: Db) {
  const { as_of, months: moves } = await readMoves(context, asked, db);
  const months = wholeMonths(range, asked);
  const currencies = new Set([...(await currenciesOf(db, asked)), ...moves.keys()]);
  const rows = await monthByMonth(months, [...currencies], asked.first, async (currency) =>
    figuresOf(
      months.map(({ month }) => month),
      moves.get(currency) ?? new Map(),
    ),
  );
  return {
    as_of,
    months: rows.map((row) => ({ ...monthHead(row), ...amountsOf(row.figures, row.currency) })),
    totals: [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      ...retentionOf(own.map(({ figures }) => figures)),
    })),
  } satisfies Partial<RecurringReport>;
}

/** The months of a period, each as a whole, the current one up to today. */
function wholeMonths({ start_date, end_date }: DayRange, { now, timeZone }: Asked) {
  const today = localDay(now, timeZone);
  const whole = { start_date: `${monthOf(start_date)}-01`, end_date: lastDayOf(monthOf(end_date)) };
  return monthsOf(whole, timeZone).map((period) =>
    period.month === monthOf(today) ? { ...period, end_date: today } : period,
  );
}

/** The figures of months in a row. A month to come begins and ends with what holds today. */
function figuresOf(months: string[], moves: MonthMoves): Figures[] {
  let start = 0;
  let clients = 0;
  for (const [month, more] of moves) {
    if (month >= months[0]!) continue;
    start += netOf(more);
    clients += more.clients;
  }
  return months.map((month) => {
    const { clients: gained, ...more } = moves.get(month) ?? NO_MOVES;
    const figures = {
      start,
      ...more,
      end: start + netOf({ ...more, clients: 0 }),
      clients: clients + gained,
    };
    start = figures.end;
    clients = figures.clients;
    return figures;
  });
}

function amountsOf(figures: Figures, currency: Currency) {
  const { clients, ...cents } = figures;
  const of = (amount: number) => fromMinorUnits(amount, currency);
  return {
    start: of(cents.start),
    new: of(cents.new),
    expansion: of(cents.expansion),
    contraction: of(cents.contraction),
    churned: of(cents.churned),
    reactivated: of(cents.reactivated),
    end: of(cents.end),
    clients,
    arpa: of(clients === 0 ? 0 : Math.round(cents.end / clients)),
  };
}

function retentionOf(months: Figures[]): { grr: number | null; nrr: number | null } {
  const start = months[0]?.start ?? 0;
  const { expansion, contraction, churned, reactivated } = months.reduce<Moves>(
    (sum, month) => addMoves(sum, month),
    NO_MOVES,
  );
  const left = start - contraction - churned;
  return { grr: percentOf(left, start), nrr: percentOf(left + expansion + reactivated, start) };
}

/**
 * The movements of each month up to today, by currency.
 * @throws figures_pending (503) if the sums were never made, and making them takes too long ({@link madeSoon})
 */
async function readMoves(context: AppContext, asked: Asked, db: Db): Promise<Found> {
  let hasWaited = false;
  for (let reads = 1; ; reads += 1) {
    const found = await readInOneSnapshot(db, async (tx) => readOnce(tx, asked, reads <= READS_MAX));
    if (found === 'disturbed') continue;
    if (found !== null) return found;
    if (hasWaited) throw figuresPending();
    const { signal } = new AbortController();
    await madeSoon(context.db, 'recurring revenue', () => foldRecurring(context, { signal, worthIt: 1 }));
    hasWaited = true;
  }
}

/**
 * @param withChanges whether to add what the sums lack, if that is not too much
 * @returns null if the sums are not made yet and there are many clients; 'disturbed' if the sums changed meanwhile, which
 * only happens where the reads are not one snapshot
 */
async function readOnce(db: Db, asked: Asked, withChanges: boolean): Promise<Found | null | 'disturbed'> {
  const { timeZone, software, currency } = asked;
  const today = localDay(asked.now, timeZone);
  const state = await readState(db);
  const isMade = state.zone === timeZone;
  const lacking = withChanges
    ? await clientsLacking(db, isMade ? state : { ...state, built_to: 0, is_built: false })
    : null;
  if (lacking === null && (!isMade || !state.is_built || state.as_of === null)) return null;
  const clients = lacking ?? [];
  const summed = isMade ? await readSummed(db, clients) : new Map();
  const now = await readRecurring(db, clients, timeZone);
  const sums = isMade ? await readSums(db, asked, today) : [];
  if (lacking !== null && (await readState(db)).steps !== state.steps) return 'disturbed';
  const lacked = differences(summed, now).filter(
    (moves) =>
      moves.software_id === (software ?? 0) &&
      moves.day <= today &&
      (currency === null || moves.currency === currency),
  );
  const months = byMonth([
    ...sums,
    ...lacked.map(({ day, ...moves }) => ({ ...moves, month: monthOf(day) })),
  ]);
  return { as_of: lacking === null ? state.as_of! : asked.now.toISOString(), months };
}

/** The sums of each month up to today. */
function readSums(db: Db, { software, currency }: Asked, today: string) {
  const month = sql<string>`substr(day, 1, 7)`;
  return (
    db
      .selectFrom('recurring_days')
      .where('software_id', '=', software ?? 0)
      // With each currency named, the days are a range of the index.
      .where('currency', 'in', currency === null ? [...CURRENCIES] : [currency])
      .where('day', '<=', today)
      .select((eb) => [
        'currency',
        month.as('month'),
        eb.fn.sum<number>('new').as('new'),
        eb.fn.sum<number>('expansion').as('expansion'),
        eb.fn.sum<number>('contraction').as('contraction'),
        eb.fn.sum<number>('churned').as('churned'),
        eb.fn.sum<number>('reactivated').as('reactivated'),
        eb.fn.sum<number>('clients').as('clients'),
      ])
      .groupBy(['currency', month])
      .execute()
  );
}

function byMonth(rows: (Moves & { currency: Currency; month: string })[]): Map<Currency, MonthMoves> {
  const months = new Map<Currency, MonthMoves>();
  for (const { currency, month, ...moves } of rows) {
    const own = months.get(currency) ?? new Map<string, Moves>();
    months.set(currency, own.set(month, addMoves(own.get(month) ?? NO_MOVES, moves)));
  }
  return months;
}

/** The clients that the sums lack or hold as they were; null if they are too many for a call. */
async function clientsLacking(
  db: Db,
  state: Awaited<ReturnType<typeof readState>>,
): Promise<number[] | null> {
  const changed = await readChanges(db, CLIENTS_MAX);
  if (changed.hasMore) return null;
  const unbuilt = state.is_built ? [] : await readUnbuilt(db, state, CLIENTS_MAX + 1);
  const clients = [...new Set([...changed.clients, ...unbuilt])];
  if (clients.length > CLIENTS_MAX) return null;
  return (await countLicensesOf(db, clients)) > LICENSES_MAX ? null : clients;
}
