import { expect, test } from 'vitest';
import { reasonOf } from './reason-of.ts';

test('the reason is the message of an error, or the thrown value if it is no error', () => {
  expect(reasonOf(new TypeError('no se pudo'))).toBe('no se pudo');
  expect(reasonOf('timeout')).toBe('timeout');
});
