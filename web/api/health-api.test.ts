import { expect, test } from 'vitest';
import { readSystemState } from './health-api.ts';

test('D016 silence is no report of failure', () => {
  expect(readSystemState(null)).toEqual({ database: null, api: null, email: null });
});

test('D016 only what the server reports as failed has failed', () => {
  expect(readSystemState({ status: 503, body: { database: 'error', email: 'ok' } })).toEqual({
    database: false,
    api: true,
    email: true,
  });
  expect(readSystemState({ status: 500, body: {} })).toEqual({ database: null, api: true, email: null });
});

test('D016 a balancer that hears nothing reports the API', () => {
  expect(readSystemState({ status: 502, body: {} }).api).toBe(false);
});
