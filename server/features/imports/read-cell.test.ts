import { expect, test } from 'vitest';
import fc from '../../../test/properties.ts';
import { parseDay, parseNumber } from './read-cell.ts';

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

test.each([
  ['21/11/2026', '2026-11-21'],
  ['1/2/26', '2026-02-01'],
  ['1-2-26', '2026-02-01'],
  ['01.02.1985', '1985-02-01'],
  ['31-12-99', '1999-12-31'],
  ['2026-11-21', '2026-11-21'],
  ['2026/1/5', '2026-01-05'],
  ['21-nov-26', '2026-11-21'],
  ['5 de mayo', null],
  ['5-septiembre-2026', '2026-09-05'],
  ['3 jan 2026', '2026-01-03'],
  ['21/11/2026 0:00', '2026-11-21'],
  ['21/11/2026 10:30:00 a. m.', '2026-11-21'],
  ['2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'],
  ['2026-99-21T06:00:00.000Z', null],
  ['11/21/2026', null],
  ['29/02/2025', null],
  ['21/11/226', null],
  ['hoy', null],
])('the cell %j is read as the day %j (IMPORT-01)', (text, day) => {
  expect(parseDay(text)).toBe(day);
});
