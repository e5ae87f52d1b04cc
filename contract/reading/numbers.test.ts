import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { CURRENCIES, type Currency, decimalsOf } from '../base/money.ts';
import { type NumberUnit, numberMessage, numberOf, plainText, readNumber } from './numbers.ts';

const readAs = (text: string, unit: NumberUnit = 'MXN') => {
  const read = readNumber(text, unit);
  return 'fault' in read ? read.fault : read.value;
};

describe('a number is read as it was meant (INPUT-01)', () => {
  test.each([
    ['1234.5', 1234.5],
    ['1234,5', 1234.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
    ['1\u00a0234,50', 1234.5],
    ['1\u202f234.50', 1234.5],
    ["1'234.50", 1234.5],
    ['1’234,50', 1234.5],
    ['$1,234.50', 1234.5],
    ['$ 1.234,50', 1234.5],
    ['MXN 1,234.50', 1234.5],
    ['1,234.50 MXN', 1234.5],
    ['$1,234.50 MXN', 1234.5],
    ['mxn$1234.50', 1234.5],
    ['\u200e1,234.50\u200f', 1234.5],
    ['1.200', 1200],
    ['1,200', 1200],
    ['1 200', 1200],
    ['12.500,00', 12_500],
    ['1.234.567', 1_234_567],
    ['1,234,567.8', 1_234_567.8],
    ['0.123', 0.123],
    ['0,5', 0.5],
    ['.50', 0.5],
    ['12,', 12],
    ['007', 7],
    ['-5', -5],
    ['−5', -5],
    ['-$5', -5],
    ['$-5', -5],
    ['+5', 5],
  ])('%j is %d', (text, value) => {
    expect(readAs(text)).toBe(value);
  });

  test.each([
    '',
    ' ',
    'abc',
    '.',
    ',',
    '$',
    '1.23.4',
    '1,2,3',
    '1,23.4,5',
    '12,34.50',
    '1234.500',
    '01.200',
    '0.123.456',
    '1.200 300',
    '1 2 3',
    '12 34',
    "1'2",
    '1e5',
    '(100)',
    '10-20',
    '--5',
    '5-',
    '10²',
    '½',
    '5 pesos',
    '50%',
    'ABC 5',
    '£5',
    `1${'0'.repeat(60)}`,
  ])('%j is no number', (text) => {
    expect(readAs(text)).toBe('number');
  });

  test('only the one separator with three digits behind it counts as grouped', () => {
    const isGrouped = (text: string) => {
      const read = readNumber(text, 'MXN');
      return 'isGrouped' in read && read.isGrouped;
    };
    expect(['1.200', '1,200', '$12.500', '-1.200'].every(isGrouped)).toBe(true);
    expect(['1200', '0.123', '1.200,00', '1,234,567', '1 200', '12.5', '1234.500'].some(isGrouped)).toBe(
      false,
    );
  });
});

describe('the currency of an amount (INPUT-01)', () => {
  test.each<[string, Currency, number | string]>([
    ['$100', 'ARS', 100],
    ['$100', 'USD', 100],
    ['$100', 'COP', 100],
    ['$100', 'CLP', 100],
    ['$100', 'UYU', 100],
    ['$100', 'EUR', 'currency'],
    ['$100', 'BRL', 'currency'],
    ['$100', 'PEN', 'currency'],
    ['US$ 100', 'USD', 100],
    ['U$S 100', 'USD', 100],
    ['USD$100', 'USD', 100],
    ['$100 USD', 'USD', 100],
    ['US$ 100', 'MXN', 'currency'],
    ['100 USD', 'MXN', 'currency'],
    ['$100 USD', 'MXN', 'currency'],
    ['R$ 100,50', 'BRL', 100.5],
    ['R$ 100', 'MXN', 'currency'],
    ['S/ 100', 'PEN', 100],
    ['S/.100.50', 'PEN', 100.5],
    ['S/ 100', 'MXN', 'currency'],
    ['100 €', 'EUR', 100],
    ['€100', 'MXN', 'currency'],
    ['$U 100', 'UYU', 100],
    ['1.200', 'CLP', 1200],
    ['$1.200', 'CLP', 1200],
    ['1.200,00', 'CLP', 1200],
    ['12,50', 'CLP', 'decimals'],
    ['0.123', 'CLP', 'decimals'],
  ])('%j in %s is %s', (text, currency, value) => {
    expect(readAs(text, currency)).toBe(value);
  });

  test('is not asked of an amount whose currency is not known yet, which must name one at most', () => {
    expect(['US$ 5', '5 MXN', '$5', '5'].map((text) => readAs(text, 'amount'))).toEqual([5, 5, 5, 5]);
    expect(readAs('US$ 5 MXN', 'amount')).toBe('currency');
  });
});

test('a percentage may have its sign, a count has none (INPUT-01)', () => {
  expect(['12.5%', '12,5 %', '12'].map((text) => readAs(text, 'percent'))).toEqual([12.5, 12.5, 12]);
  expect([readAs('$5', 'percent'), readAs('5%', 'count'), readAs('MXN 5', 'count')]).toEqual(
    Array(3).fill('number'),
  );
  expect(readAs('12.500', 'count')).toBe(12_500);
});

test('a blank text is no value, and what is no number is one that every schema refuses (INPUT-01)', () => {
  expect([numberOf(' ', 'count'), numberOf('x', 'count'), numberOf('1.200', 'MXN')]).toEqual([
    null,
    Number.NaN,
    1200,
  ]);
});

test('the message says what is wrong, with an example of the unit and the locale (INPUT-01)', () => {
  const message = (text: string, unit: NumberUnit, locale?: 'es-AR') => {
    const read = readNumber(text, unit);
    return 'fault' in read ? numberMessage(read, unit, locale) : null;
  };
  expect([
    message('abc', 'MXN'),
    message('abc', 'ARS', 'es-AR'),
    message('abc', 'CLP', 'es-AR'),
    message('abc', 'percent', 'es-AR'),
    message('abc', 'count'),
    message('12,50', 'CLP'),
    message('US$ 100', 'MXN'),
    message('$ 100 usd', 'MXN'),
    message('1 MXN USD', 'amount'),
  ]).toEqual([
    'Escribe un número, por ejemplo 1,234.50',
    'Escribe un número, por ejemplo 1.234,50',
    'Escribe un número, por ejemplo 1.234',
    'Escribe un número, por ejemplo 12,5',
    'Escribe un número, por ejemplo 30',
    'El importe en CLP no lleva decimales',
    'El importe es en MXN, no en US$',
    'El importe es en MXN, no en USD',
    'El importe nombra dos monedas (MXN)',
  ]);
});

const amounts = fc.tuple(
  fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }).map((cents) => cents / 100),
  fc.constantFrom(...CURRENCIES),
);
const inCurrency = (value: number, currency: Currency) =>
  decimalsOf(currency) === 0 ? Math.round(value) : value;

test('an amount as a browser writes it, with sign or code, reads as the same amount (INPUT-01)', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.constantFrom('es-MX', 'es-AR', 'en-US', 'es-CL', 'pt-BR'),
      fc.constantFrom('symbol' as const, 'narrowSymbol' as const, 'code' as const),
      fc.boolean(),
      ([value, currency], locale, currencyDisplay, useGrouping) => {
        const digits = decimalsOf(currency);
        const amount = inCurrency(value, currency);
        const shown = new Intl.NumberFormat(locale, {
          ...{ style: 'currency', currency, currencyDisplay, useGrouping },
          ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
        }).format(amount);
        expect(numberOf(shown, currency), shown).toBe(amount);
      },
    ),
  );
});

test('a number of a program, as plain text, reads as the same number, whatever its decimals (INPUT-01)', () => {
  expect([plainText(12.345), plainText(1234.5), plainText(0.125)]).toEqual(['12.3450', '1234.5', '0.1250']);
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 6 }), (value, decimals) => {
      const number = value / 10 ** decimals;
      if (!String(number).includes('e')) expect(numberOf(plainText(number), 'percent')).toBe(number);
    }),
  );
});

test('a number of at most two decimals reads as the same number, grouped or plain (INPUT-01)', () => {
  const forms = ['es-MX', 'es-AR', 'en-US', 'de-CH', 'fr-FR'].flatMap((locale) =>
    [true, false].map(
      (useGrouping) => new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 2 }),
    ),
  );
  fc.assert(
    fc.property(amounts, fc.constantFrom(...forms), ([value], form) => {
      const shown = form.format(value);
      expect(numberOf(shown, 'percent'), shown).toBe(value);
      expect(numberOf(String(value), 'percent')).toBe(value);
    }),
  );
});

test('whatever is typed, the answer is a number, or a fault with its message (INPUT-01)', () => {
  const signs = fc.constantFrom(..."0123456789.,'’  $€%+-−SUMXN/R\u00a0".split(''), 'USD', 'abc');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(signs, { maxLength: 14 }).map((parts) => parts.join('')),
      ),
      fc.constantFrom<NumberUnit>(...CURRENCIES, 'amount', 'percent', 'count'),
      (text, unit) => {
        const read = readNumber(text, unit);
        if ('fault' in read) expect(numberMessage(read, unit)).not.toMatch(/undefined|amount/);
        else {
          expect(Number.isFinite(read.value)).toBe(true);
          // No digit vanishes.
          const digits = text.replace(/\D/g, '').replace(/^0+|0+$/g, '');
          expect(
            String(Math.abs(read.value))
              .replace(/\D|e.*/g, '')
              .replace(/^0+|0+$/g, ''),
          ).toBe(digits.replace(/^0+|0+$/g, ''));
        }
      },
    ),
  );
});
