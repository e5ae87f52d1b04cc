import { type RawBuilder, sql } from 'kysely';
import { isAmong } from '../db/dialect.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';
import type { Moment } from './filters.ts';
import { countIn, type Matches } from './matches.ts';
import { type Asked, idOf, matchCondition } from './statements.ts';

/** The sums over all rows of a list that match its filters (MONEY-13). */

/** The sums of the rows of one currency, in its minor units. */
type CurrencySums = { currency: string; count: number } & Record<string, number | string>;

/** What a list sums; an index on the filters should have these columns, so that no row is read for them. */
export type Sums = {
  /** The column by which rows are summed apart, since amounts of different currencies cannot be added. */
  currency: string;
  /** What is summed: by the name in the answer, an amount in minor units. */
  amounts: (moment: Moment) => Record<string, RawBuilder<number>>;
  /** Makes the answer for a currency. */
  answer: (sums: CurrencySums) => object;
  /** Orders the currencies. */
  order: (db: Db) => Promise<(a: CurrencySums, b: CurrencySums) => number>;
};

/**
 * The sums of the matches of a list, of each currency.
 * @returns null if the count of the matches is not exact: then they are too many to add. The limit says the same to the
 * engine, and bounds what is read if rows are added meanwhile
 */
export async function sumsOf(
  db: Db,
  asked: Asked,
  matches: Matches,
  { currency, amounts, answer, order }: Sums,
  moment: Moment,
): Promise<object[] | null> {
  if (!matches.isExact || countIn(matches).count > asked.limits.indexed) return null;
  const { table } = asked;
  const holds =
    matches.kind === 'all'
      ? isAmong(db, idOf(table), matches.ids)
      : matchCondition(matches.counted ?? asked, 'all rows', 'filters');
  const values = Object.entries(amounts(moment));
  const named = values.map(([name, value]) => sql`${value} as ${sql.id(name)}`);
  const added = values.map(([name]) => sql`coalesce(sum(${sql.id(name)}), 0) as ${sql.id(name)}`);
  const query = sql<CurrencySums>`select currency, count(*) as count, ${sql.join(added)}
    from (select ${sql.ref(currency)} as currency, ${sql.join(named)} from ${sql.table(table)} where ${holds}
      limit ${asked.limits.indexed}) as summed
    group by currency`;
  const rows =
    matches.kind === 'all' && matches.ids.length === 0 ? [] : await runCompiled(db, query.compile(db));
  return rows.sort(await order(db)).map(answer);
}
