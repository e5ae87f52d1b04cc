import { expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { MONEY_MAX } from './limits.ts';
import { amountErrors, CURRENCIES, decimalsOf, fromMinorUnits, toMinorUnits } from './money.ts';
import { hasTwoDecimals } from './numbers.ts';

test('an amount is stored in whole minor units: pesos as cents, CLP without decimals (MONEY-01)', () => {
  expect(toMinorUnits(1200.5, 'MXN')).toBe(120_050);
  expect(toMinorUnits(1200, 'CLP')).toBe(1200);
  expect([fromMinorUnits(120_050, 'COP'), fromMinorUnits(1200, 'CLP')]).toEqual([1200.5, 1200]);
});

test('any amount of any currency is the same after the conversion to minor units and back (D093, MONEY-01)', () => {
  const stored = fc.constantFrom(...CURRENCIES).chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      minorUnits: fc.integer({ min: 1, max: Math.floor(MONEY_MAX) * 10 ** decimalsOf(currency) }),
    }),
  );
  fc.assert(
    fc.property(stored, ({ currency, minorUnits }) => {
      const amount = fromMinorUnits(minorUnits, currency);
      expect(hasTwoDecimals(amount)).toBe(true);
      expect(toMinorUnits(amount, currency)).toBe(minorUnits);
      expect(amountErrors(currency, { price: amount })).toEqual({});
    }),
  );
});

test('an amount with decimals in a currency without them is refused at its field', () => {
  const amounts = { price: 10.5, original_price: 20, absent: undefined, none: null };
  expect(amountErrors('CLP', amounts)).toEqual({ price: ['El importe en CLP no lleva decimales'] });
  expect(amountErrors('MXN', amounts)).toEqual({});
});
