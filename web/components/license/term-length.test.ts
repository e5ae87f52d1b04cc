import { expect, it } from 'vitest';
import { lengthInWords } from '../../text/es-terms.ts';
import { inUnit, lengthBody, lengthText, monthsOffered, monthsTyped, unitOf } from './term-length.ts';

/** A number and the unit beside it (MONEY-10). */

it('shows 12 months as a year, others as months, and days without months', () => {
  const shown = (months: number | null) => [lengthText(365, months), unitOf(months)];
  expect(shown(12)).toEqual(['1', 'years']);
  expect(shown(36)).toEqual(['3', 'years']);
  expect(shown(18)).toEqual(['18', 'months']);
  expect(shown(null)).toEqual(['365', 'days']);
  expect([
    lengthInWords(365, 12),
    lengthInWords(180, 6),
    lengthInWords(30, 1),
    lengthInWords(1, null),
  ]).toEqual(['1 año', '6 meses', '1 mes', '1 día']);
});

it('offers to count by months for 30, 90, 180, 365, 730 and 1095 days, and for no others', () => {
  const offered = Array.from({ length: 1200 }, (_, days) => days).filter(
    (days) => monthsOffered(String(days), 'days') !== undefined,
  );
  expect(offered).toEqual([30, 90, 180, 365, 730, 1095]);
  expect(offered.map((days) => monthsOffered(String(days), 'days'))).toEqual([1, 3, 6, 12, 24, 36]);
  expect(monthsOffered('30', 'months')).toBeUndefined();
  expect(monthsOffered('', 'days')).toBeUndefined();
});

it('keeps the length when the unit changes, or else the number', () => {
  expect(inUnit('365', 'days', 'years')).toBe('1');
  expect(inUnit('365', 'days', 'months')).toBe('12');
  expect(inUnit('90', 'days', 'years')).toBe('90');
  expect(inUnit('2', 'years', 'months')).toBe('24');
  expect(inUnit('24', 'months', 'years')).toBe('2');
  expect(inUnit('5', 'months', 'years')).toBe('5');
  expect(inUnit('1', 'years', 'days')).toBe('365');
  expect(inUnit('6', 'months', 'days')).toBe('180');
  expect(inUnit('x', 'months', 'days')).toBe('x');
  expect([monthsTyped('2', 'years'), monthsTyped('2', 'months'), monthsTyped('2', 'days')]).toEqual([
    24,
    2,
    null,
  ]);
});

it('is sent in days or in months, and not at all while it is blank', () => {
  expect(lengthBody('365', 'days')).toEqual({ expiry_days: 365 });
  expect(lengthBody('2', 'years')).toEqual({ expiry_months: 24 });
  expect(lengthBody('x', 'days')).toEqual({ expiry_days: Number.NaN });
  expect([lengthBody('', 'days'), lengthBody('', 'months')]).toEqual([{}, {}]);
});
