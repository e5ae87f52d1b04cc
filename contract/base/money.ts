import type { FieldErrors } from './errors.ts';

/**
 * Currencies and amounts (MONEY-01, docs/decisions/036-currencies.md). Without schemas, because the console's first
 * page load includes this file.
 */

/** The currencies of prices, as ISO 4217 codes. */
export const CURRENCIES = ['MXN', 'ARS', 'USD', 'COP', 'CLP', 'PEN', 'BRL', 'UYU', 'EUR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The locales in which the console can write numbers and dates. */
export const LOCALES = ['es-MX', 'es-AR'] as const;
export type Locale = (typeof LOCALES)[number];

/** The number of decimals of each currency, from ISO 4217. */
const DECIMALS: Record<Currency, number> = {
  MXN: 2,
  ARS: 2,
  USD: 2,
  COP: 2,
  CLP: 0,
  PEN: 2,
  BRL: 2,
  UYU: 2,
  EUR: 2,
};

export const MONEY_MESSAGES = {
  currency: 'Selecciona una moneda válida',
  whole: (currency: Currency) => `El importe en ${currency} no lleva decimales`,
} as const;

/** The number of decimals of a currency. */
export const decimalsOf = (currency: Currency): number => DECIMALS[currency];

/** The `step` of an input of amounts: the smallest amount of the currency. */
export const stepOf = (currency: Currency): string => String(10 ** -DECIMALS[currency]);

/** Converts an amount of the API to the whole number of minor units that a column `…_cents` holds: 12.5 MXN to 1250, 12 CLP to 12. */
export const toMinorUnits = (amount: number, currency: Currency): number =>
  Math.round(amount * 10 ** DECIMALS[currency]);

/** Converts minor units of the database to the amount of the API. */
export const fromMinorUnits = (minorUnits: number, currency: Currency): number =>
  minorUnits / 10 ** DECIMALS[currency];

/**
 * Returns a message for each amount that the currency cannot express, such as decimals in a currency that has none.
 * @param amounts by field; absent amounts are accepted
 */
export function amountErrors(
  currency: Currency,
  amounts: Record<string, number | null | undefined>,
): FieldErrors {
  const errors: FieldErrors = {};
  if (DECIMALS[currency] > 0) return errors;
  for (const [field, amount] of Object.entries(amounts)) {
    if (typeof amount === 'number' && !Number.isInteger(amount)) {
      errors[field] = [MONEY_MESSAGES.whole(currency)];
    }
  }
  return errors;
}
