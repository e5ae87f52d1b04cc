import { describe, expect, test } from 'vitest';
import fc from '../../../../test/properties.ts';
import { namesShown, scaleOf, shareOf } from './scale.ts';

describe('the numbers of an axis (REPORT-03)', () => {
  test.each([
    [
      [0, 9],
      [0, 2.5, 5, 7.5, 10],
    ],
    [[43_120], [0, 20_000, 40_000, 60_000]],
    [[100_000], [0, 25_000, 50_000, 75_000, 100_000]],
    [[0.3], [0, 0.1, 0.2, 0.3]],
    [
      [-3, 6],
      [-5, -2.5, 0, 2.5, 5, 7.5],
    ],
    [[], [0, 0.25, 0.5, 0.75, 1]],
  ])('the axis for the values %j has the ticks %j', (values, ticks) => {
    expect(scaleOf(values).ticks).toEqual(ticks);
  });

  test.each([
    [[], [0, 1]],
    [[1], [0, 1]],
    [[7], [0, 2, 4, 6, 8]],
    [[9], [0, 3, 6, 9]],
    [
      [-2, 3],
      [-2, 0, 2, 4],
    ],
  ])('the axis for the counts %j has whole numbers only', (values, ticks) => {
    expect(scaleOf(values, { whole: true }).ticks).toEqual(ticks);
  });

  test('an axis has few numbers, and every value is between the lowest and the highest', () => {
    const cents = fc.integer({ min: -1e12, max: 1e12 });
    const amounts = fc.array(
      cents.map((amount) => amount / 100),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(amounts, fc.boolean(), (values, whole) => {
        const scale = scaleOf(values, { whole });
        for (const value of [...values, 0]) {
          expect(shareOf(scale, value)).toBeGreaterThanOrEqual(-1e-6);
          expect(shareOf(scale, value)).toBeLessThanOrEqual(1 + 1e-6);
        }
        expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
        expect(scale.ticks.length).toBeLessThanOrEqual(7);
        expect(scale.ticks).toEqual([...scale.ticks].sort((a, b) => a - b));
        expect(scale.ticks).toContain(0);
        if (whole) for (const tick of scale.ticks) expect(Number.isInteger(tick)).toBe(true);
      }),
    );
  });
});

describe('the labels below an axis', () => {
  test('are all shown when there is room, and the last one always', () => {
    expect(namesShown(3, 6)).toEqual([true, true, true]);
    expect(namesShown(6, 3)).toEqual([false, true, false, true, false, true]);
    expect(namesShown(36, 12).filter(Boolean)).toHaveLength(12);
    expect(namesShown(0, 6)).toEqual([]);
  });
});
