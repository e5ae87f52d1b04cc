import { expect, test } from 'vitest';
import type { Today } from '../../../contract/figures/today.ts';
import { endsBetween, endsWithin } from './ends.ts';

const span = (days: number, ...by_currency: Today['expiring'][number]['by_currency']) => ({
  days,
  count: by_currency.reduce((sum, { count }) => sum + count, 0),
  amount: 0,
  by_currency,
});
// The functions read only this field.
const today = (...expiring: Today['expiring']) => ({ expiring }) as Today;

test('licences that end in the first days are not counted again among the later ones, in any currency', () => {
  const figures = today(
    span(7, { currency: 'MXN', count: 2, amount: 4.1 }, { currency: 'USD', count: 1, amount: 10 }),
    span(
      30,
      { currency: 'MXN', count: 5, amount: 28.5 },
      { currency: 'USD', count: 1, amount: 10 },
      { currency: 'CLP', count: 1, amount: 900 },
    ),
  );
  expect(endsBetween(figures, 7, 30)).toEqual({
    count: 4,
    by_currency: [
      { currency: 'MXN', count: 3, amount: 24.4 },
      { currency: 'CLP', count: 1, amount: 900 },
    ],
  });
});

test('a span that the server does not count is empty', () => {
  expect(endsWithin(today(), 7)).toEqual({ count: 0, by_currency: [] });
  expect(endsBetween(today(), 7, 30)).toEqual({ count: 0, by_currency: [] });
});
