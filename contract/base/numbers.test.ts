import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { MONEY_MAX } from './limits.ts';
import { discount, hasTwoDecimals, positiveCount, positiveMoney, recordId, reference } from './numbers.ts';

const accepts = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('money', () => {
  const price = positiveMoney('Falta');

  test.each([0.01, 1, 19.99, 0.1 + 0.2, 1234.5, MONEY_MAX])('accepts the amount %d', (amount) => {
    expect(accepts(price, amount)).toBe(true);
  });

  test.each([
    0,
    -0,
    -1,
    0.001,
    1.005,
    MONEY_MAX + 0.01,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '100',
    true,
    null,
  ])('refuses the amount %j', (amount) => {
    expect(accepts(price, amount)).toBe(false);
  });

  test('accepts any amount of whole cents, because it has two decimals (D093)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MONEY_MAX * 100 }), (cents) => {
        const amount = cents / 100;
        expect(hasTwoDecimals(amount)).toBe(true);
      }),
    );
  });
});

test('a count must be a whole number from 1 (SEED-5.5-05, SEED-5.5-06)', () => {
  const count = positiveCount('Falta', 10);
  for (const value of [1, 10]) expect(accepts(count, value)).toBe(true);
  for (const value of [0, -0, -1, 1.5, 11, '1', Number.NaN])
    expect([value, accepts(count, value)]).toEqual([value, false]);
});

test('a discount must be between 0 and 100, with at most two decimals (SEED-9-06, SEED-5.5-08)', () => {
  for (const value of [0, 0.01, 12.5, 100]) expect([value, accepts(discount, value)]).toEqual([value, true]);
  for (const value of [-0, -0.01, 100.01, 0.001, '5', null])
    expect([value, accepts(discount, value)]).toEqual([value, false]);
});

describe('a reference to a record', () => {
  test('accepts an id in the range of the database', () => {
    for (const value of [1, Number.MAX_SAFE_INTEGER]) expect(accepts(recordId, value)).toBe(true);
    for (const value of [0, -1, 1.5, 2 ** 53, '1', Number.POSITIVE_INFINITY]) {
      expect([value, accepts(recordId, value)]).toEqual([value, false]);
    }
  });

  test('accepts an object with an id (D092)', () => {
    const client = reference('Falta');
    expect([client.parse(7), client.parse({ id: 7, name: 'Ana' })]).toEqual([7, 7]);
    const messages = [undefined, null, '', 'siete', {}].map(
      (value) => client.safeParse(value).error?.issues[0]?.message,
    );
    expect(messages).toEqual([
      'Falta',
      'Falta',
      'Falta',
      'Selecciona un elemento válido',
      'Selecciona un elemento válido',
    ]);
  });
});
