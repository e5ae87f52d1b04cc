import { expect, test } from 'vitest';
import { mustExist } from './must-exist.ts';

test('an existing value is returned, and a missing one throws an error that says what is missing', () => {
  expect(mustExist(0, 'license 7')).toBe(0);
  for (const nothing of [undefined, null])
    expect(() => mustExist(nothing, 'license 7')).toThrow('Not there: license 7.');
});
