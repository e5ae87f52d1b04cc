import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { isSameJson, isSameValue } from './same-value.ts';

describe('values are compared by what they say', () => {
  test.each([
    [{ a: 1, b: { c: true, d: 'x' } }, { b: { d: 'x', c: true }, a: 1.0 }, true],
    [['license.issued', 'client.*'], ['client.*', 'license.issued'], true],
    [[{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], true],
    [[1, 1, 2], [1, 2, 2], false],
    [[1, 2], [1], false],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: undefined }, {}, true],
    [{ a: 1 }, { b: 1 }, false],
    [{}, [], false],
    [null, {}, false],
    ['1', 1, false],
    ['Ana', 'ana', false],
  ])('%j and %j: %s', (one, other, isSame) => {
    expect([isSameValue(one, other), isSameValue(other, one)]).toEqual([isSame, isSame]);
  });

  test('a value written in another order is the same, and one with another value is not', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled).reverse();
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, one]) => [key, shuffled(one)])
          .reverse(),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const clean = JSON.parse(JSON.stringify(value));
        expect(isSameValue(clean, shuffled(clean))).toBe(true);
        expect(isSameValue({ in: clean }, { in: [clean, 'more'] })).toBe(false);
      }),
    );
  });

  test('stored texts are the same as JSON, and other texts only when they are equal', () => {
    expect(isSameJson('{"a":1,"b":2}', '{"b":2,"a":1}')).toBe(true);
    expect(isSameJson('{"a":1}', '{"a":2}')).toBe(false);
    expect(isSameJson('{a', '{b')).toBe(false);
    expect(isSameJson('1', '1.0')).toBe(false);
  });
});
