import { afterEach, describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../contract/base/money.ts';
import {
  areMixed,
  businessTimeZoneInUse,
  countOf,
  formatDate,
  formatMoney,
  formatNumber,
  formatPrice,
  formatRate,
  formatSeats,
  initialsOf,
  setBusinessTimeZone,
  setFormats,
  toDate,
} from './format.ts';

afterEach(() => {
  setBusinessTimeZone('America/Mexico_City');
  setFormats({ currency: 'MXN', locale: 'es-MX' });
});

describe('formatDate', () => {
  test('shows a date without a time as the same day in every time zone (D106)', () => {
    expect(formatDate('2026-01-31')).toBe('31/01/2026');
  });
  test('shows the last second of a day in Mexico as that day (D071)', () => {
    expect(formatDate('2027-11-22T05:59:59.000Z')).toBe('21/11/2027');
  });
  test("uses the server's time zone, and ignores an unknown one", () => {
    setBusinessTimeZone('America/Bogota');
    expect(formatDate('2027-11-22T04:59:59.000Z')).toBe('21/11/2027');
    setBusinessTimeZone('Marte/Olympus');
    expect(businessTimeZoneInUse()).toBe('America/Bogota');
    expect(formatDate('2027-11-22T05:30:00.000Z')).toBe('22/11/2027');
  });
  test("an empty value gives '', and text that is no date is returned unchanged", () => {
    expect(formatDate(null)).toBe('');
    expect(formatDate('pronto')).toBe('pronto');
    expect(toDate('pronto')).toBeNull();
  });
});

test('money is shown in pesos, and may be a number or a text (D107)', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney('1200.00')).toBe('$1,200.00');
  expect(formatMoney(null)).toBe('');
});

describe('money in several currencies (MONEY-01)', () => {
  /** Replaces no-break spaces with ordinary spaces. */
  const shown = (...of: Parameters<typeof formatMoney>) => formatMoney(...of).replaceAll('\u00a0', ' ');
  const all = (mixed = false) => CURRENCIES.map((currency) => shown(1234, currency, mixed));

  test('only the business currency is shown without its code, and no two currencies look the same', () => {
    expect(all()).toEqual([
      '$1,234.00',
      'ARS 1,234.00',
      'USD 1,234.00',
      'COP 1,234.00',
      'CLP 1,234',
      'PEN 1,234.00',
      'BRL 1,234.00',
      'UYU 1,234.00',
      'EUR 1,234.00',
    ]);
  });

  test('when a page has several currencies, each amount shows its code', () => {
    expect(all(true).slice(0, 2)).toEqual(['MXN 1,234.00', 'ARS 1,234.00']);
    expect(areMixed([{ currency: 'USD' }, { currency: 'USD' }])).toBe(false);
    // An absent currency means the vendor's currency.
    expect([areMixed([{ currency: 'MXN' }, {}]), areMixed([{ currency: 'USD' }, {}])]).toEqual([false, true]);
  });

  test('the locale setting changes separators and the currency without a code, and pesos of two countries look different', () => {
    expect(setFormats({ currency: 'ARS', locale: 'es-AR' })).toBe(true);
    expect(setFormats({ currency: 'ARS', locale: 'es-AR' })).toBe(false);
    expect([shown(1234.5), shown(1234.5, 'MXN'), shown(1234.5, 'USD')]).toEqual([
      '$ 1.234,50',
      'MXN 1.234,50',
      'USD 1.234,50',
    ]);
    expect([formatNumber(12345), formatDate('2026-01-31')]).toEqual(['12.345', '31/01/2026']);
    expect(formatDate('2027-11-22T05:59:59.000Z')).toBe('21/11/2027');
    setFormats({ currency: 'USD', locale: 'es-MX' });
    expect([shown(5), shown(5, 'MXN')]).toEqual(['USD 5.00', 'MXN 5.00']);
  });

  test('an amount of a sale shows its currency code exactly once', () => {
    expect(formatPrice(1200, 'MXN')).toBe('$1,200.00 MXN');
    expect(formatPrice(60, 'USD').replaceAll('\u00a0', ' ')).toBe('USD 60.00');
  });
});

test('numbers are shown with thousands separators', () => {
  expect(formatNumber(12345)).toBe('12,345');
});

test('one is singular, and counts have thousands separators', () => {
  const licenses = { one: 'licencia', many: 'licencias' };
  expect([0, 1, 2, 12345].map((count) => countOf(count, licenses))).toEqual([
    '0 licencias',
    '1 licencia',
    '2 licencias',
    '12,345 licencias',
  ]);
});

test('seat numbers have thousands separators', () => {
  expect(formatSeats(0, 10000)).toBe('0/10,000');
  expect(formatSeats(1234, 5)).toBe('1,234/5');
});

test.each([
  [1, 3, '33.3%'],
  [5, 5, '100.0%'],
  [0, 4, '0.0%'],
  [0, 0, '0%'],
])('%d of %d is shown as %s (SEED-2.5-16, SEED-2.5-17, D069)', (part, total, rate) => {
  expect(formatRate(part, total)).toBe(rate);
});

test.each([
  ['Ana', 'López', 'AL'],
  ['ángel', undefined, 'Á'],
  ['  ', '', ''],
])('the initials of %s %s are %s (D043)', (names, lastName, initials) => {
  expect(initialsOf(names, lastName)).toBe(initials);
});
