import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { makeQueryClient, shouldRetry } from './query-client.ts';

const error = (status: number) => new ApiError({ status, code: '', message: '' });

test('a failed read is repeated once, but not after a 401 (SEED-4-27, SEED-9-13)', () => {
  expect(shouldRetry(0, error(500))).toBe(true);
  expect(shouldRetry(0, error(0))).toBe(true);
  expect(shouldRetry(1, error(500))).toBe(false);
  expect(shouldRetry(0, error(401))).toBe(false);
});

test('lists are cached for five minutes (SEED-4-26, SEED-9-13)', () => {
  expect(makeQueryClient().getDefaultOptions().queries?.staleTime).toBe(300_000);
});
