import { describe, expect, test } from 'vitest';
import { heightOf, monthAt, placeOf, plotOf } from './plot.ts';

describe('positions in a chart over months (REPORT-03)', () => {
  test('bars of one column are stacked, and those of another column are beside them', () => {
    const { stacks, scale } = plotOf(
      [
        { name: 'Nuevas', look: 'solid', values: [3, 0] },
        { name: 'Renovaciones', look: 'striped', values: [4, 5] },
        { name: 'Perdidas', look: 'dotted', column: 1, values: [1, 2] },
      ],
      2,
      true,
    );
    expect(stacks.map(({ column, columns, ends }) => [column, columns, ends])).toEqual([
      [0, 2, [7, 5]],
      [1, 2, [1, 2]],
    ]);
    expect(stacks[0]?.parts[1]).toMatchObject({ from: [3, 0], to: [7, 5] });
    expect(scale.top).toBe(8);
  });

  test('bars below 0 point down, and a line uses the same axis', () => {
    const plot = plotOf(
      [
        { name: 'Emitidas', look: 'solid', values: [2] },
        { name: 'Perdidas', look: 'striped', below: true, values: [3] },
        { name: 'Activas', look: 'line', values: [9] },
      ],
      1,
      true,
    );
    expect(plot.stacks.map(({ ends }) => ends)).toEqual([[2], [-3]]);
    expect(plot.scale).toMatchObject({ bottom: -5, top: 10 });
    expect(heightOf(plot, 9)).toBeLessThan(heightOf(plot, 0));
    expect(heightOf(plot, 0)).toBeLessThan(heightOf(plot, -3));
  });

  test('the months are spread over the width, and a few months are centred', () => {
    const year = plotOf([], 12, true);
    expect([placeOf(year, 0), placeOf(year, 11, 1)]).toEqual([0, 1]);
    const one = plotOf([], 1, true);
    expect(placeOf(one, 0, 0.5)).toBe(0.5);
    for (const plot of [year, one]) {
      for (let month = 0; month < plot.count; month += 1) {
        expect(monthAt(plot, placeOf(plot, month, 0.5))).toBe(month);
      }
    }
    expect([monthAt(one, 0.1), monthAt(one, 0.9), monthAt(year, 1)]).toEqual([null, null, null]);
  });
});
