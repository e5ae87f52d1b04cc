import { expect, test } from 'vitest';
import { reasonOf } from './reason-of.ts';

test('the reason is the message of an error, or the thrown value if it is no error', () => {
  expect(reasonOf(new TypeError('no se pudo'))).toBe('no se pudo');
  expect(reasonOf('timeout')).toBe('timeout');
});

test('an AggregateError without a message has the messages of its errors', () => {
  const refused = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
  expect(reasonOf(new AggregateError(refused))).toBe(
    'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
  );
  expect(reasonOf(new AggregateError(refused, 'no se pudo'))).toBe('no se pudo');
});
