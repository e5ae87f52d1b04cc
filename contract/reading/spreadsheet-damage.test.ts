import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { hasLostDigits, spreadsheetDamage } from './spreadsheet-damage.ts';

describe('what a spreadsheet did to a text (INPUT-03)', () => {
  test.each([
    ['8.93E+18', 'scientific'],
    ['8,94E+18', 'scientific'],
    ['5.25512E+11', 'scientific'],
    ['5,25512e+11', 'scientific'],
    ['1.2E-05', 'scientific'],
    ['8910102358470000000', 'rounded'],
    ['1234567890100000', 'rounded'],
    ['12/11/2026', 'day'],
    ['13/11/2026', 'day'],
    ['11/13/2026', 'day'],
    ['1/2/26', 'day'],
    ['12-11-2026', 'day'],
    ['2026-11-12', 'day'],
    ['12/11/2026 00:00', 'day'],
    ['1-mar', 'day'],
    ['12-Nov', 'day'],
    ['5-may-26', 'day'],
    ['mar-26', 'day'],
    ['VERDADERO', 'truth'],
    ['TRUE', 'truth'],
    ['FALSO', 'truth'],
    ['False', 'truth'],
    ['#N/D', 'error'],
    ['#¡REF!', 'error'],
    ['#VALUE!', 'error'],
    ['#DIV/0!', 'error'],
    ['¿#NOMBRE?', null],
    ['#¿NOMBRE?', 'error'],
    ['#######', 'error'],
    ['Err:502', 'error'],
  ])('%j', (text, damage) => {
    expect(spreadsheetDamage(text)).toBe(damage);
  });

  test.each([
    '1E10',
    '12E45',
    '12E45-9988',
    '12.345.678-K',
    '76086428-5',
    'EKU9003173C9',
    'XAXX010101000',
    '30-71234567-1',
    '20.123.456/0001-91',
    '900.123.456-8',
    '+525512345678',
    '55 1234 5678',
    '(011) 4321-5678',
    '01000',
    '1000000',
    '123456789012345',
    '1000000000100001',
    '1234567890123456',
    '38B1460A-5104-4067-A91D-77B872934D51',
    'EDD00-11111-22222-33333-44444',
    'MAR-26',
    'ABR-1234',
    '12-ABC',
    '12-11-26',
    '99/99/2026',
    '12/11',
    'TRUE-123',
    'VERDADERO-1',
    'E+18',
    'C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3',
    '',
  ])('nothing is said of %j', (text) => {
    expect(spreadsheetDamage(text)).toBeNull();
  });

  test('keys as the product makes them, UUIDs and machine ids are no damage', () => {
    const key = fc.stringMatching(/^[A-HJ-NP-Z2-9]{5}(-[A-HJ-NP-Z2-9]{5}){4}$/);
    fc.assert(
      fc.property(fc.oneof(key, fc.uuid(), fc.stringMatching(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/)), (text) => {
        expect(spreadsheetDamage(text)).toBeNull();
      }),
    );
  });

  test('a number of 16 digits or more as Excel shows it is damage', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10n ** 19n, max: 10n ** 30n }),
        fc.constantFrom('.', ','),
        (number, sign) => {
          const shown = Number(number).toExponential(4).replace('e', 'E').replace('.', sign);
          expect(spreadsheetDamage(shown)).toBe('scientific');
          const kept = `${number.toString().slice(0, 15)}${'0'.repeat(number.toString().length - 15)}`;
          expect(spreadsheetDamage(kept)).toBe('rounded');
        },
      ),
    );
  });
});

test.each([
  [8952020012345670000, true],
  [1234567890123450, true],
  [1234567890123456, false],
  [123456789012345, false],
  [12.5, false],
  [1e21, true],
])('a workbook has the number %d with digits that were lost: %s (INPUT-03)', (number, isLost) => {
  expect(hasLostDigits(number)).toBe(isLost);
});
