import { CURRENCIES, type Currency } from '../../../../contract/base/money.ts';
import {
  MOVE_SIGNS,
  RECURRING_MOVES,
  type RecurringMove,
} from '../../../../contract/figures/recurring-moves.ts';
import { monthOf } from '../../figures/periods.ts';
import { dayNumber, dayOfNumber, type RecurringSpan } from './recurring-terms.ts';

/** The movements of a client's recurring revenue (REPORT-05). Pure rules. */

/** By how much the amount changes on a day. */
type Change = [day: number, cents: number];

/**
 * The recurring revenue of a client on every day: the changes of each software and currency, in the order of the days.
 * Stored as JSON.
 */
export type ClientRecurring = { software: number; currency: Currency; changes: Change[] }[];

export type Moves = Record<RecurringMove | 'clients', number>;

/**
 * What happened on a day, in one currency, of one software or of all (0). The sums over the days of a month are its
 * movements against the month before; those over the days up to today are the current month's.
 */
export type DayMoves = Moves & { software_id: number; currency: Currency; day: string };

const LAST_DAY = dayNumber('9999-12-31');

/** The amounts of all licences of a client together. */
export function recurringOf(spans: readonly RecurringSpan[]): ClientRecurring {
  const bySoftware = Map.groupBy(spans, ({ software, currency }) => `${software} ${currency}`);
  return [...bySoftware.values()].flatMap((own) => {
    const { software, currency } = own[0]!;
    const changes = addedUp(
      own.flatMap(({ from, until, cents }): Change[] => [
        [from, cents],
        [until, -cents],
      ]),
    );
    return changes.length > 0 ? [{ software, currency, changes }] : [];
  });
}

/** One change for each day, in their order; days without a change are left out. */
function addedUp(changes: readonly Change[]): Change[] {
  const sums = new Map<number, number>();
  for (const [day, cents] of changes) sums.set(day, (sums.get(day) ?? 0) + cents);
  return [...sums].filter(([, cents]) => cents !== 0).sort(([one], [other]) => one - other);
}

/** The movements of a client by software and currency, and by currency over all software. */
export function movesOf(recurring: ClientRecurring): DayMoves[] {
  const ofEach = recurring.flatMap(({ software, currency, changes }) =>
    daysOf(changes, { software_id: software, currency }),
  );
  const ofAll = CURRENCIES.flatMap((currency) => {
    const own = recurring.filter((row) => row.currency === currency);
    if (own.length === 0) return [];
    const changes = own.length === 1 ? own[0]!.changes : addedUp(own.flatMap((row) => row.changes));
    return daysOf(changes, { software_id: 0, currency });
  });
  return [...ofEach, ...ofAll];
}

export const NO_MOVES: Readonly<Moves> = {
  new: 0,
  expansion: 0,
  reactivated: 0,
  contraction: 0,
  churned: 0,
  clients: 0,
};

const MOVES = [...RECURRING_MOVES, 'clients'] as const;

/** Adds, field by field; `sign` -1 takes away. */
export const addMoves = (sum: Moves, more: Moves, sign: 1 | -1 = 1): Moves =>
  Object.fromEntries(MOVES.map((name) => [name, sum[name] + sign * more[name]])) as Moves;

/** By how much the recurring revenue is larger after these movements. */
export const netOf = (moves: Moves): number =>
  RECURRING_MOVES.reduce((net, name) => net + MOVE_SIGNS[name] * moves[name], 0);

/** What differs on each day of a change from the movements of its month before that day. */
function daysOf(changes: readonly Change[], of: Pick<DayMoves, 'software_id' | 'currency'>): DayMoves[] {
  let cents = 0;
  let month = '';
  let base = 0;
  let hadAny = false;
  let before = NO_MOVES;
  const days: DayMoves[] = [];
  for (const [number, change] of changes) {
    if (number > LAST_DAY) break;
    const day = dayOfNumber(number);
    if (monthOf(day) !== month) {
      // Since the last change nothing changed, so this is what it had at the end of each month in between.
      month = monthOf(day);
      base = cents;
      hadAny ||= base > 0;
      before = { ...NO_MOVES, clients: base > 0 ? 1 : 0 };
    }
    cents += change;
    const moves = { ...moveBetween(base, cents, hadAny), clients: cents > 0 ? 1 : 0 };
    days.push({ ...of, day, ...addMoves(moves, before, -1) });
    before = moves;
  }
  return days;
}

/** The movement from the amount at the end of the month before to that of a day. */
function moveBetween(base: number, cents: number, hadAny: boolean): Moves {
  if (cents === base) return { ...NO_MOVES };
  if (base === 0) return { ...NO_MOVES, [hadAny ? 'reactivated' : 'new']: cents };
  if (cents === 0) return { ...NO_MOVES, churned: base };
  return cents > base ? { ...NO_MOVES, expansion: cents - base } : { ...NO_MOVES, contraction: base - cents };
}

/** Sums by software, currency and day, by a name of these three. */
export type DaySums = Map<string, DayMoves>;

/** Adds to a sum; `sign` -1 takes away. */
export function addDay(sums: DaySums, moves: DayMoves, sign: 1 | -1 = 1): void {
  const { software_id, currency, day } = moves;
  const key = `${software_id} ${currency} ${day}`;
  const sum = sums.get(key) ?? { software_id, currency, day, ...NO_MOVES };
  sums.set(key, { ...sum, ...addMoves(sum, moves, sign) });
}

/** The sums that are not 0. */
export const notEmpty = (sums: DaySums): DayMoves[] =>
  [...sums.values()].filter((sum) => MOVES.some((name) => sum[name] !== 0));
