import { expect, test } from 'vitest';
import { code } from '../../../../contract/people/account.ts';
import { checkCode } from './check-code.ts';

test.each([
  ['app', '123456', undefined],
  ['app', ' 123 456 ', undefined],
  ['app', '', 'El código es obligatorio'],
  ['app', '   ', 'El código es obligatorio'],
  ['app', '12345', 'El código tiene 6 dígitos'],
  ['app', 'ABCDE-FGHJK', 'El código tiene 6 dígitos'],
  ['recovery', 'abcde-fghjk', undefined],
  ['recovery', '-', 'El código es obligatorio'],
] as const)('the %s code "%s" gets the message %s (PEOPLE-05)', (kind, typed, message) => {
  expect(checkCode(kind, typed)).toBe(message);
  // What the form accepts, the contract must accept too.
  if (message === undefined) expect(code.safeParse(typed).success).toBe(true);
});
