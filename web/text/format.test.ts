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
  test('D106 a day keeps its date, whatever the zone', () => {
    expect(formatDate('2026-01-31')).toBe('31/01/2026');
  });
  test('D071 the last second of a day in Mexico is still that day', () => {
    expect(formatDate('2027-11-22T05:59:59.000Z')).toBe('21/11/2027');
  });
  test('follows the zone that the server names, and keeps the old one for a word that is none', () => {
    setBusinessTimeZone('America/Bogota');
    expect(formatDate('2027-11-22T04:59:59.000Z')).toBe('21/11/2027');
    setBusinessTimeZone('Marte/Olympus');
    expect(businessTimeZoneInUse()).toBe('America/Bogota');
    expect(formatDate('2027-11-22T05:30:00.000Z')).toBe('22/11/2027');
  });
  test('nothing is nothing, and what is no date is shown as it came', () => {
    expect(formatDate(null)).toBe('');
    expect(formatDate('pronto')).toBe('pronto');
    expect(toDate('pronto')).toBeNull();
  });
});

test('D107 money is in pesos, and may come as text', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney('1200.00')).toBe('$1,200.00');
  expect(formatMoney(null)).toBe('');
});

test('numbers have thousands', () => {
  expect(formatNumber(12345)).toBe('12,345');
});

test('counts are singular for one alone, and have thousands', () => {
  const licenses = { one: 'licencia', many: 'licencias' };
  expect([0, 1, 2, 12345].map((count) => countOf(count, licenses))).toEqual([
    '0 licencias',
    '1 licencia',
    '2 licencias',
    '12,345 licencias',
  ]);
});

test('seats have thousands on both sides', () => {
  expect(formatSeats(0, 10000)).toBe('0/10,000');
  expect(formatSeats(1234, 5)).toBe('1,234/5');
});

test.each([
  [1, 3, '33.3%'],
  [5, 5, '100.0%'],
  [0, 4, '0.0%'],
  [0, 0, '0%'],
])('SEED-2.5-16 SEED-2.5-17 D069 %d of %d is %s', (part, total, rate) => {
  expect(formatRate(part, total)).toBe(rate);
});

test.each([
  ['Ana', 'López', 'AL'],
  ['ángel', undefined, 'Á'],
  ['  ', '', ''],
])('D043 the initials of %s %s are %s', (names, lastName, initials) => {
  expect(initialsOf(names, lastName)).toBe(initials);
});
