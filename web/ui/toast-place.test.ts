import { expect, test } from 'vitest';
import { type Box, covers, freePlace } from './toast-place.ts';

const TOAST = { width: 300, height: 50 };
const WINDOW: Box = { left: 10, top: 10, right: 990, bottom: 790 };
const CORNER: Box = { left: 690, top: 10, right: 990, bottom: 60 };
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test('an empty window shows the toast in its upper right corner', () => {
  expect(freePlace(TOAST, WINDOW, [])).toEqual(CORNER);
});

test('a button in the corner moves the toast below it', () => {
  expect(freePlace(TOAST, WINDOW, [box(900, 20, 60, 30)])).toEqual({ ...CORNER, top: 54, bottom: 104 });
});

test('a column of buttons moves the toast to its left', () => {
  const column = Array.from({ length: 20 }, (_, row) => box(950, 20 + row * 40, 30, 30));
  expect(freePlace(TOAST, WINDOW, column)).toEqual({ left: 646, top: 10, right: 946, bottom: 60 });
});

test('the place never covers an obstacle', () => {
  const scattered = Array.from({ length: 40 }, (_, count) =>
    box((count * 137) % 900, (count * 71) % 700, 90, 30),
  );
  const place = freePlace(TOAST, WINDOW, scattered);
  if (place !== null) expect(covers(place, scattered)).toBe(false);
});

test('a dialog that fills the window leaves no place for a toast', () => {
  expect(freePlace(TOAST, WINDOW, [box(0, 16, 1000, 784)])).toBeNull();
});
