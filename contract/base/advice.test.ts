import { expect, test } from 'vitest';
import { joinAdvice } from './advice.ts';

test('pieces of advice are joined by field, and what is empty is absent (INPUT-02)', () => {
  expect(joinAdvice([{}, { warnings: { tax_id: [] } }])).toEqual({});
  expect(
    joinAdvice([
      { warnings: { phone: ['a'] }, suggestions: { phone: '+1' } },
      { warnings: { phone: ['b'], email: ['c'] } },
    ]),
  ).toEqual({ warnings: { phone: ['a', 'b'], email: ['c'] }, suggestions: { phone: '+1' } });
});
