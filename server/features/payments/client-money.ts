import { sql } from 'kysely';
import type { ClientMoney } from '../../../contract/payments/payments.ts';
import type { Db } from '../../db/tables.ts';
import { isOpenAt } from '../../rules/open-requests.ts';
import { CAME_IN, collectedCents, defaultFirst, dueCents } from './money-columns.ts';
import { amountOf } from './payments.queries.ts';

/** What a client bought, paid and owes (MONEY-13). Tests are no money. */

type Sum = { currency: string; cents: number };

/** What was sold to a client: the terms of its licences, net, as the best buyers of the reports are found. */
const soldTo = (db: Db, client: number): Promise<Sum[]> =>
  db
    .selectFrom('licenses')
    .innerJoin('license_terms', 'license_terms.license_id', 'licenses.id')
    .where('licenses.client_id', '=', client)
    .where('license_terms.is_counted', '=', true)
    .groupBy('license_terms.currency')
    .select((eb) => ['license_terms.currency', eb.fn.sum<number>('license_terms.price_cents').as('cents')])
    .execute();

const moneyOf = (db: Db, client: number) =>
  db.selectFrom('payments').where('client_id', '=', client).where('is_test', '=', false).where(CAME_IN);

const collectedFrom = (db: Db, client: number): Promise<Sum[]> =>
  moneyOf(db, client)
    .groupBy('currency')
    .select(['currency', sql<number>`sum(${collectedCents})`.as('cents')])
    .execute();

const receivableFrom = (db: Db, client: number, now: Date): Promise<(Sum & { n: number })[]> =>
  db
    .selectFrom('payment_requests')
    .where('client_id', '=', client)
    .where(isOpenAt(now))
    .groupBy('currency')
    .select((eb) => [
      'currency',
      sql<number>`sum(${dueCents(now)})`.as('cents'),
      eb.fn.countAll<number>().as('n'),
    ])
    .execute();

/** The last payment in each currency. */
const lastPayments = (db: Db, client: number) =>
  db
    .selectFrom(
      moneyOf(db, client)
        .select(['currency', 'request_id', 'amount_cents', 'method'])
        .select(sql<string>`coalesce(paid_at, created_at)`.as('at'))
        .select(
          sql<number>`row_number() over (partition by currency
            order by coalesce(paid_at, created_at) desc, id desc)`.as('place'),
        )
        .as('placed'),
    )
    .selectAll()
    .where('place', '=', 1)
    .execute();

/** A client's money in each currency that has any, the vendor's first. */
export async function clientMoneyOf(db: Db, client: number, now: Date): Promise<ClientMoney[]> {
  const sold = await soldTo(db, client);
  const collected = await collectedFrom(db, client);
  const receivable = await receivableFrom(db, client, now);
  const last = await lastPayments(db, client);
  const currencies = new Set([...sold, ...collected, ...receivable].map(({ currency }) => currency));
  return [...currencies]
    .map((currency) => {
      const isOwn = (sum: { currency: string }) => sum.currency === currency;
      const inCurrency = (sum: Sum | undefined) => amountOf(sum?.cents ?? 0, currency);
      const open = receivable.find(isOwn);
      const paid = last.find(isOwn);
      return {
        currency,
        sold: inCurrency(sold.find(isOwn)),
        collected: inCurrency(collected.find(isOwn)),
        receivable: inCurrency(open),
        receivable_count: open?.n ?? 0,
        last_payment: paid
          ? {
              payment_request: paid.request_id,
              amount: amountOf(paid.amount_cents, currency),
              paid_at: paid.at,
              method: paid.method,
            }
          : null,
      };
    })
    .filter((money) => money.sold !== 0 || money.receivable_count > 0 || money.last_payment !== null)
    .sort(await defaultFirst(db));
}
