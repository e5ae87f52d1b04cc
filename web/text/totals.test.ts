import { expect, test } from 'vitest';
import { totalOf } from './es.ts';
import { capitalized } from './format.ts';

test('the count of a list is shown for one, for many, and for more than were counted (D045, D056)', () => {
  const noun = { one: 'licencia', many: 'licencias' };
  expect(totalOf(1, false, noun)).toBe('1 licencia');
  expect(totalOf(1234, undefined, noun)).toBe('1,234 licencias');
  expect(totalOf(1000, true, noun)).toBe('más de 1000 licencias');
  // The text begins the line above the rows with a capital letter, and is used inside a sentence below them.
  expect(capitalized(totalOf(1000, true, noun))).toBe('Más de 1000 licencias');
  expect(capitalized(totalOf(1, false, noun))).toBe('1 licencia');
});
