import { expect, test } from 'vitest';
import { mustExist } from './must-exist.ts';

test('what must exist is given back, and an error names what is not there', () => {
  expect(mustExist(0, 'license 7')).toBe(0);
  for (const nothing of [undefined, null])
    expect(() => mustExist(nothing, 'license 7')).toThrow('Not there: license 7.');
});
