import { describe, expect, it } from 'vitest';
import { type PageMark, pageMarks } from './pagination-window.ts';

const gap: PageMark = 'gap';

describe('pageMarks', () => {
  it('shows every page number with five pages or fewer (SEED-2.3-10)', () => {
    expect(pageMarks(1, 1)).toEqual([1]);
    expect(pageMarks(3, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(pageMarks(5, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('shows a window of five with a gap (SEED-2.3-11, D050)', () => {
    expect(pageMarks(1, 12)).toEqual([1, 2, 3, 4, 5, gap, 12]);
    expect(pageMarks(3, 12)).toEqual([1, 2, 3, 4, 5, gap, 12]);
    expect(pageMarks(6, 12)).toEqual([1, gap, 4, 5, 6, 7, 8, gap, 12]);
    expect(pageMarks(12, 12)).toEqual([1, gap, 8, 9, 10, 11, 12]);
  });

  it('shows no gap where no number is skipped', () => {
    expect(pageMarks(1, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(pageMarks(4, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(pageMarks(4, 12)).toEqual([1, 2, 3, 4, 5, 6, gap, 12]);
  });

  it('page numbers are ascending and unique, at most nine, with both ends and the current page, for every page and length', () => {
    for (let total = 1; total <= 40; total += 1) {
      for (let page = 1; page <= total; page += 1) {
        const marks = pageMarks(page, total);
        const numbers = marks.filter((mark) => mark !== gap);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a) - Number(b)));
        expect(numbers).toContain(page);
        expect(numbers[0]).toBe(1);
        expect(numbers.at(-1)).toBe(total);
        expect(marks.length).toBeLessThanOrEqual(9);
      }
    }
  });

  it('a page beyond the end is treated as the last page', () => {
    expect(pageMarks(99, 8)).toEqual([1, gap, 4, 5, 6, 7, 8]);
    expect(pageMarks(0, 8)).toEqual([1, 2, 3, 4, 5, gap, 8]);
  });

  it('shows nothing when there are no pages', () => {
    expect(pageMarks(1, 0)).toEqual([]);
  });
});
