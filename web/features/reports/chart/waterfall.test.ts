import { expect, test } from 'vitest';
import { type WaterfallStep, waterfallOf } from './waterfall.ts';

const placesOf = (...steps: [WaterfallStep['kind'], number][]) =>
  waterfallOf(steps.map(([kind, value], index) => ({ key: String(index), name: '', kind, value }))).map(
    ({ from, to }) => [from, to],
  );

test('each step begins where the one before left off, and both totals stand on the ground (REPORT-05)', () => {
  expect(placesOf(['total', 50], ['gain', 50], ['loss', 25], ['total', 75])).toEqual([
    [0, 0.5],
    [0.5, 1],
    [0.75, 1],
    [0, 0.75],
  ]);
});

test('without amounts nothing has a width', () => {
  expect(placesOf(['total', 0], ['gain', 0], ['total', 0])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});
