import type { AliasableExpression } from 'kysely';
import { CURRENCIES, type Currency } from '../../../contract/money.ts';
import type { Db } from '../../db/tables.ts';

/** Makes an order of currencies: the setting's first, the others as CURRENCIES has them. */
export const currencyOrder =
  (first: Currency) =>
  (a: { currency: Currency }, b: { currency: Currency }): number =>
    rank(a.currency, first) - rank(b.currency, first);

const rank = (currency: Currency, first: Currency) =>
  currency === first ? -1 : CURRENCIES.indexOf(currency);

/** The number of prices in one currency and their sum in its minor units. */
export type Sum = { currency: Currency; count: number; cents: number };

/**
 * Adds prices, each currency by itself. Most vendors have one currency, and then one statement without groups is
 * enough: on SQLite it costs half of one with groups.
 * @param prices a query of prices over a range of an index that holds both columns
 */
export async function sumByCurrency(
  db: Db,
  prices: AliasableExpression<{ currency: Currency; price_cents: number }>,
): Promise<Sum[]> {
  const all = await db
    .selectFrom(prices.as('prices'))
    .select((eb) => [
      eb.fn.min<Currency | null>('currency').as('currency'),
      eb.fn.max<Currency | null>('currency').as('last'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('price_cents').as('cents'),
    ])
    .executeTakeFirstOrThrow();
  const { currency, last, count, cents } = all;
  if (currency === null) return [];
  if (currency === last) return [{ currency, count, cents }];
  return db
    .selectFrom(prices.as('prices'))
    .groupBy('currency')
    .select((eb) => [
      'currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('price_cents').as('cents'),
    ])
    .execute();
}
