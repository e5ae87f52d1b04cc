import { expect, test } from 'vitest';
import { foldSteps } from './table-columns.ts';

test('columns fold one by one, the highest fold number first, when the rest does not fit', () => {
  const steps = foldSteps([
    { key: 'name', min: 20 },
    { key: 'city', min: 10, fold: 1 },
    { key: 'type', min: 11, fold: 3 },
    { key: 'since', min: 7.5, fold: 2 },
    { key: 'actions', min: 6 },
  ]);
  // 54.5 rem for all five columns; then 4 more than the 43.5 without the type, and than the 36 also without the date.
  expect([...steps]).toEqual([
    ['type', 56],
    ['since', 48],
    ['city', 40],
  ]);
});

test('a column without a fold number never folds', () => {
  expect(foldSteps([{ key: 'name', min: 50 }]).size).toBe(0);
});
