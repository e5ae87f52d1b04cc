import { expect, test } from 'vitest';
import { readClamped, readWholeNumber } from './whole-numbers.ts';

test.each([
  ['12', 12],
  [' 12 ', 12],
  ['+5', 5],
  ['-5', -5],
  ['007', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
])('%j is the whole number %d', (text, number) => {
  expect(readWholeNumber(text)).toBe(number);
});

test('-0 is 0', () => {
  expect(Object.is(readWholeNumber('-0'), 0)).toBe(true);
});

test.each([
  ...['', ' ', '+', '-', '--5', '+-5', '1 2', '1.0', '12,5', '1_000', '1e3', '0x10', '0b11', '0o7', '12abc'],
  ...['Infinity', 'NaN', 'null', '١٢', '１２', '9007199254740993', '-9007199254740993', '9'.repeat(40)],
])('%j is no whole number', (text) => {
  expect(readWholeNumber(text)).toBeNull();
});

test.each([
  ['12', 12],
  ['0', 1],
  ['-0', 1],
  ['101', 100],
  ['9'.repeat(400), 100],
  [`-${'9'.repeat(400)}`, 1],
  ['1e3', null],
  ['', null],
])('%j is brought into 1 to 100 as %j', (text, number) => {
  expect(readClamped(text, 1, 100)).toBe(number);
});
