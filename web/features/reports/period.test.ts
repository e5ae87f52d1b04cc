import { describe, expect, test } from 'vitest';
import { daysOf, monthEnd, monthsBefore, periodOf, rangeOf } from './period.ts';
import { readReportsSearch } from './reports-search.ts';

const TODAY = '2026-11-22';

describe('the days of a period (REPORT-01)', () => {
  test.each([
    ['this_month', '2026-11-01'],
    ['quarter', '2026-10-01'],
    ['3_months', '2026-09-01'],
    ['12_months', '2025-12-01'],
    ['this_year', '2026-01-01'],
  ] as const)('%s begins on the first of a month and ends today', (period, from) => {
    expect(rangeOf(period, TODAY)).toEqual({ from, to: TODAY });
  });

  test.each([
    ['2026-11-22', '2026-10-01', '2026-10-31'],
    ['2026-01-31', '2025-12-01', '2025-12-31'],
    ['2028-03-31', '2028-02-01', '2028-02-29'],
  ])('on %s the last month is all of the one before', (today, from, to) => {
    expect(rangeOf('last_month', today)).toEqual({ from, to });
  });

  test.each([
    ['2026-01-01', '2026-01-01'],
    ['2026-03-31', '2026-01-01'],
    ['2026-04-01', '2026-04-01'],
    ['2026-12-31', '2026-10-01'],
  ])('on %s the quarter begins on %s', (today, from) => {
    expect(rangeOf('quarter', today)).toEqual({ from, to: today });
  });

  test('today is the day of the business time zone', () => {
    const now = new Date('2026-12-01T05:30:00.000Z');
    expect(daysOf({ period: 'this_month' }, now, 'America/Mexico_City')).toEqual({
      from: '2026-11-01',
      to: '2026-11-30',
    });
    expect(daysOf({ period: 'this_month' }, now, 'America/Argentina/Buenos_Aires').from).toBe('2026-12-01');
  });

  test('months are counted across the end of a year, and have the right last day', () => {
    expect(monthsBefore('2026-01-31', 1)).toBe('2025-12-01');
    expect(monthsBefore('2026-01-31', 14)).toBe('2024-11-01');
    expect(monthsBefore('2026-12-05', -1)).toBe('2027-01-01');
    expect(monthEnd('2028-02-01')).toBe('2028-02-29');
    expect(monthEnd('2026-12-31')).toBe('2026-12-31');
  });
});

describe('the period in a URL', () => {
  const read = (query: string) => readReportsSearch(Object.fromEntries(new URLSearchParams(query)));
  const now = new Date('2026-11-22T18:00:00.000Z');

  test('two dates are read as a period', () => {
    const search = read('from=2026-02-10&to=2026-03-09&software=7&currency=USD');
    expect(periodOf(search)).toBe('own');
    expect(daysOf(search, now, 'America/Mexico_City')).toEqual({ from: '2026-02-10', to: '2026-03-09' });
    expect(search).toMatchObject({ software: 7, currency: 'USD' });
  });

  test.each(['', 'period=decade', 'from=2026-03-09&to=2026-02-10', 'from=2026-02-10', 'from=ayer&to=hoy'])(
    'the invalid query %j is read as the default period',
    (query) => {
      expect(periodOf(read(query))).toBe('12_months');
    },
  );

  test('an unknown currency or software is ignored', () => {
    expect(read('currency=XYZ&software=abc')).toMatchObject({ currency: undefined, software: undefined });
  });
});
