import { expect, test } from 'vitest';
import { UNSPECIFIED } from '../base/limits.ts';
import { EMAIL_REQUIRED } from '../base/required.ts';
import { EMAIL_INVALID } from '../reading/mail-addresses.ts';
import { isUnspecified } from './clients.fields.ts';
import { clientCreate } from './clients.ts';

test.each([
  [true, ''],
  [true, UNSPECIFIED],
  [false, ' '],
  [false, 'Calle 5'],
])('isUnspecified is %s for the text %j (D095)', (expected, text) => {
  expect(isUnspecified(text)).toBe(expected);
});

test.each([
  ['', [EMAIL_REQUIRED]],
  ['ana@', [EMAIL_INVALID]],
  ['ana@example.com', undefined],
])('an email %j gets one error message at most', (email, messages) => {
  const result = clientCreate.safeParse({ name: 'Ana', phone: '+525512345678', email });
  expect(result.error?.issues.map((issue) => issue.message)).toEqual(messages);
});
