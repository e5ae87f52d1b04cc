import { expect, test } from 'vitest';
import { UNSPECIFIED } from '../base/limits.ts';
import { CLIENT_MESSAGES, clientCreate, isUnspecified } from './clients.ts';

test.each([
  [true, ''],
  [true, UNSPECIFIED],
  [false, ' '],
  [false, 'Calle 5'],
])('%s: %j says that nothing was given (D095)', (expected, text) => {
  expect(isUnspecified(text)).toBe(expected);
});

test.each([
  ['', [CLIENT_MESSAGES.emailRequired]],
  ['ana@', [CLIENT_MESSAGES.emailInvalid]],
  ['ana@example.com', undefined],
])('an email %j has one thing wrong with it at most', (email, messages) => {
  const result = clientCreate.safeParse({ name: 'Ana', phone: '+525512345678', email });
  expect(result.error?.issues.map((issue) => issue.message)).toEqual(messages);
});
