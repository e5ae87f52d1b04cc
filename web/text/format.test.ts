import { afterEach, describe, expect, test } from 'vitest';
import {
  businessTimeZoneInUse,
  countOf,
  formatDate,
  formatMoney,
  formatNumber,
  formatRate,
  formatSeats,
  initialsOf,
  setBusinessTimeZone,
  toDate,
} from './format.ts';

afterEach(() => setBusinessTimeZone('America/Mexico_City'));

describe('formatDate', () => {
  test('a date without a time is the same in every time zone (D106)', () => {
    expect(formatDate('2026-01-31')).toBe('31/01/2026');
  });
  test('the last second of a day in Mexico belongs to that day (D071)', () => {
    expect(formatDate('2027-11-22T05:59:59.000Z')).toBe('21/11/2027');
  });
  test("uses the server's time zone, and ignores an unknown one", () => {
    setBusinessTimeZone('America/Bogota');
    expect(formatDate('2027-11-22T04:59:59.000Z')).toBe('21/11/2027');
    setBusinessTimeZone('Marte/Olympus');
    expect(businessTimeZoneInUse()).toBe('America/Bogota');
    expect(formatDate('2027-11-22T05:30:00.000Z')).toBe('22/11/2027');
  });
  test("an empty value gives '', and text that is no date is shown unchanged", () => {
    expect(formatDate(null)).toBe('');
    expect(formatDate('pronto')).toBe('pronto');
    expect(toDate('pronto')).toBeNull();
  });
});

test('money is shown in pesos, and may come as text (D107)', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney('1200.00')).toBe('$1,200.00');
  expect(formatMoney(null)).toBe('');
});

test('numbers have thousands separators', () => {
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

test('seats have thousands separators on both sides', () => {
  expect(formatSeats(0, 10000)).toBe('0/10,000');
  expect(formatSeats(1234, 5)).toBe('1,234/5');
});

test.each([
  [1, 3, '33.3%'],
  [5, 5, '100.0%'],
  [0, 4, '0.0%'],
  [0, 0, '0%'],
])('%d of %d is %s (SEED-2.5-16, SEED-2.5-17, D069)', (part, total, rate) => {
  expect(formatRate(part, total)).toBe(rate);
});

test.each([
  ['Ana', 'López', 'AL'],
  ['ángel', undefined, 'Á'],
  ['  ', '', ''],
])('the initials of %s %s are %s (D043)', (names, lastName, initials) => {
  expect(initialsOf(names, lastName)).toBe(initials);
});
