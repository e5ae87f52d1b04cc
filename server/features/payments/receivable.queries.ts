import { sql } from 'kysely';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import type { Db } from '../../db/tables.ts';
import { dueCents, isOpenAt } from './money-columns.ts';

/** What open requests of a currency still ask, with tax, and how many there are. */
export type Receivable = { due: number; count: number };

/**
 * Sums what open requests still ask, by currency (MONEY-04). It reads the index of the open ones and no other rows, in
 * the order of the currencies (docs/decisions/158-money-by-day.md).
 */
export async function sumReceivable(db: Db, now: Date): Promise<Map<Currency, Receivable>> {
  const rows = await db
    .selectFrom('payment_requests')
    .select((eb) => [
      'currency',
      eb.fn.countAll<number>().as('count'),
      sql<number>`sum(${dueCents(now)})`.as('cents'),
    ])
    .where(isOpenAt(now))
    .groupBy('currency')
    .execute();
  return new Map(
    rows.map(({ currency, count, cents }) => [
      currency,
      { due: fromMinorUnits(Number(cents), currency), count },
    ]),
  );
}
