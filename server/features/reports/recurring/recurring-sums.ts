import { isAmong } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import {
  addDay,
  type ClientRecurring,
  type DayMoves,
  type DaySums,
  movesOf,
  notEmpty,
} from './recurring-moves.ts';

/** What the sums by day hold, and what they lack (docs/decisions/170-recurring-revenue-by-day.md). */

export const readState = (db: Db) =>
  db
    .selectFrom('recurring_state')
    .select(['zone', 'built_to', 'is_built', 'steps', 'as_of'])
    .executeTakeFirstOrThrow();

export type RecurringState = Awaited<ReturnType<typeof readState>>;

/** A client that the sums lack or hold as it was; `changes`: the rows that say so. */
export type Waiting = { clients: number[]; changes: number[]; hasMore: boolean };

/** The clients that changed, at most so many rows of changes. */
export async function readChanges(db: Db, most: number): Promise<Waiting> {
  const rows = await db
    .selectFrom('recurring_changes')
    .select(['id', 'client_id'])
    .orderBy('id')
    .limit(most + 1)
    .execute();
  const taken = rows.slice(0, most);
  return {
    clients: [...new Set(taken.map(({ client_id }) => client_id))],
    changes: taken.map(({ id }) => id),
    hasMore: rows.length > most,
  };
}

/** The next clients with licences that the sums never held, at most so many. */
export async function readUnbuilt(db: Db, { built_to }: RecurringState, most: number): Promise<number[]> {
  const rows = await db
    .selectFrom('licenses_of_clients')
    .select('client_id')
    .where('client_id', '>', built_to)
    .orderBy('client_id')
    .limit(most)
    .execute();
  return rows.map(({ client_id }) => client_id);
}

/** What the sums hold of some clients. */
export async function readSummed(db: Db, clients: number[]): Promise<Map<number, ClientRecurring>> {
  const rows = await db
    .selectFrom('recurring_clients')
    .select(['client_id', 'recurring'])
    .where((eb) => isAmong(db, eb.ref('client_id'), clients))
    .execute();
  return new Map(rows.map(({ client_id, recurring }) => [client_id, JSON.parse(recurring)]));
}

/** By how much the sums change when they hold some clients as they are now. */
export function differences(
  summed: ReadonlyMap<number, ClientRecurring>,
  now: ReadonlyMap<number, ClientRecurring>,
): DayMoves[] {
  const sums: DaySums = new Map();
  for (const recurring of summed.values()) for (const moves of movesOf(recurring)) addDay(sums, moves, -1);
  for (const recurring of now.values()) for (const moves of movesOf(recurring)) addDay(sums, moves);
  return notEmpty(sums);
}
