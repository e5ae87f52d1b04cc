import { toMinorUnits } from '../../../contract/base/money.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { priceWithSeats } from '../../rules/seat-prices.ts';

type TypePrice = Pick<
  LicenseRecord,
  'price_cents' | 'original_price_cents' | 'discount_percentage' | 'promotion_name' | 'promotion_description'
>;

/** The values of a licence that is sold without a promotion. */
export const NO_PROMOTION = {
  original_price_cents: null,
  discount_percentage: 0,
  promotion_name: '',
  promotion_description: '',
} as const;

/** The price of a type on a local day, in its currency, with its promotion if that runs on this day (LIFE-02). */
export function priceToday(type: LicenseType, today: string): TypePrice {
  const base = toMinorUnits(type.base_price, type.currency);
  if (!isRunning(type, today)) return { ...NO_PROMOTION, price_cents: base };
  const discount = type.discount_percentage ?? 0;
  return {
    price_cents: Math.max(1, Math.round((base * (100 - discount)) / 100)),
    original_price_cents: discount > 0 ? base : null,
    discount_percentage: discount,
    promotion_name: type.promotion_name,
    promotion_description: type.promotion_description,
  };
}

/**
 * What a renewal with the same type asks on a local day: its `renewal_price` without a promotion (MONEY-07), else the
 * price of the day; and its part for each seat that was bought (MONEY-08).
 */
export function priceOfRenewal(type: LicenseType, today: string, bought: number): TypePrice {
  const { renewal_price, currency, max_installations: seats } = type;
  const price =
    renewal_price === null
      ? priceToday(type, today)
      : { ...NO_PROMOTION, price_cents: toMinorUnits(renewal_price, currency) };
  if (bought === 0) return price;
  const { price_cents, original_price_cents: original } = price;
  return {
    ...price,
    price_cents: priceWithSeats({ cents: price_cents, seats }, bought),
    original_price_cents: original === null ? null : priceWithSeats({ cents: original, seats }, bought),
  };
}

/** Whether the promotion of a type runs on a local day; its first and last day are included. */
export const isRunning = (type: LicenseType, today: string): boolean =>
  type.is_promotion &&
  (type.promotion_start_date === null || type.promotion_start_date <= today) &&
  (type.promotion_end_date === null || today <= type.promotion_end_date);
