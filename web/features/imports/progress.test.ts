import { expect, test } from 'vitest';
import { formatBytes, percentOf, spokenPercent } from './progress.ts';

test('progress is a hundred percent only when every row is done (IMPORT-03)', () => {
  expect(percentOf(0, 3)).toBe(0);
  expect(percentOf(1, 3)).toBe(33);
  expect(percentOf(99_999, 100_000)).toBe(99);
  expect(percentOf(3, 3)).toBe(100);
  expect(percentOf(0, 0)).toBe(100);
});

test('a screen reader announces four steps of a long import, not each row', () => {
  const spoken = new Set(Array.from({ length: 1001 }, (_, done) => spokenPercent(done, 1000)));
  expect([...spoken]).toEqual([0, 25, 50, 75, 100]);
});

test('file sizes are written as in file managers', () => {
  const show = (bytes: number) => formatBytes(bytes, String);
  expect([0, 812, 1024, 1536, 4_404_019, 20 * 1024 * 1024].map(show)).toEqual([
    '0 B',
    '812 B',
    '1 KB',
    '1.5 KB',
    '4.2 MB',
    '20 MB',
  ]);
});
