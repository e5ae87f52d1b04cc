import type { Currency } from '../../contract/base/money.ts';

/** The names of the currencies, beside their codes. */
export const CURRENCY_NAMES: Record<Currency, string> = {
  MXN: 'Peso mexicano',
  ARS: 'Peso argentino',
  USD: 'Dólar estadounidense',
  COP: 'Peso colombiano',
  CLP: 'Peso chileno',
  PEN: 'Sol peruano',
  BRL: 'Real brasileño',
  UYU: 'Peso uruguayo',
  EUR: 'Euro',
};
