import { expect, test } from 'vitest';
import { readSystemState } from './health-api.ts';

test('a part is not shown as failed when health cannot be reached (D016)', () => {
  expect(readSystemState(null)).toEqual({ database: null, api: null, email: null });
});

test('only a part that the server reports as failed counts as failed (D016)', () => {
  expect(readSystemState({ status: 503, body: { database: 'error', email: 'ok' } })).toEqual({
    database: false,
    api: true,
    email: true,
  });
  expect(readSystemState({ status: 500, body: {} })).toEqual({ database: null, api: true, email: null });
});

test('a 502 from a load balancer counts as a failed API (D016)', () => {
  expect(readSystemState({ status: 502, body: {} }).api).toBe(false);
});
