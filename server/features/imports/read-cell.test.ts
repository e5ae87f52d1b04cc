import { expect, test } from 'vitest';
import fc from '../../../test/properties.ts';
import { parseNumber } from './read-cell.ts';

test.each([
  ['1234.5', 1234.5],
  ['1234,5', 1234.5],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1 234,50', 1234.5],
  ["1'234.50", 1234.5],
  ['1.234.567', 1_234_567],
  ['1,234', 1234],
  ['1.234', 1234],
  ['0.125', 0.125],
  ['12,', 12],
  ['-5', -5],
  ['007', 7],
  ['1.23.4', null],
  ['1,2,3', null],
  ['1,23.4,5', null],
  ['12,34.50', null],
  ['1e5', null],
  ['MXN 100', null],
  ['(100)', null],
  ['', null],
])('the cell %j is read as the number %j (IMPORT-01)', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test('an amount formatted in es-MX, es-AR or en-US is read back unchanged (IMPORT-01)', () => {
  const forms = ['es-MX', 'es-AR', 'en-US'].flatMap((locale) =>
    [true, false].map(
      (useGrouping) => new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 2 }),
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), fc.constantFrom(...forms), (cents, form) => {
      expect(parseNumber(form.format(cents / 100))).toBe(cents / 100);
    }),
  );
});
