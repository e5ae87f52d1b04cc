import { sql } from 'kysely';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { readBy } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { isOpenAt } from '../../rules/open-requests.ts';
import { dueCents } from './money-columns.ts';

/** What open requests of a currency still ask, with tax, and how many there are. */
export type Receivable = { due: number; count: number };

/**
 * Sums what open requests still ask, by currency (MONEY-04). It reads the index of the open ones and no other rows, in
 * the order of the currencies (docs/decisions/158-money-by-day.md).
 */
export async function sumReceivable(db: Db, now: Date): Promise<Map<Currency, Receivable>> {
  const query = sql<{ currency: Currency; count: number; cents: number }>`select currency, count(*) as count,
      sum(${dueCents(now)}) as cents
    from ${readBy(db, 'payment_requests', 'payment_requests_due')} where ${isOpenAt(now)} group by currency`;
  const { rows } = await query.execute(db);
  return new Map(
    rows.map(({ currency, count, cents }) => [
      currency,
      { due: fromMinorUnits(Number(cents), currency), count },
    ]),
  );
}
