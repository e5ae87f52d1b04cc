import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { isAttemptOver, newIdempotencyKey } from './idempotency.ts';

test('an idempotency key is a random UUID', () => {
  const keys = new Set(Array.from({ length: 500 }, newIdempotencyKey));
  expect(keys.size).toBe(500);
  for (const key of keys) {
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('a 4xx answer ends an attempt, a lost answer and a 5xx do not', () => {
  const status = (value: number) => new ApiError({ status: value, code: '', message: '' });
  expect(isAttemptOver(status(400))).toBe(true);
  expect(isAttemptOver(status(409))).toBe(true);
  expect(isAttemptOver(status(503))).toBe(false);
  expect(isAttemptOver(status(0))).toBe(false);
});
