import { expect, test } from 'vitest';
import { CALL_MS, duringCall, waitAtMost } from './call-time.ts';

const inCall = (elapsedMs: number, limitMs: number): number => {
  let limit = 0;
  duringCall(elapsedMs, () => {
    limit = waitAtMost(limitMs);
  });
  return limit;
};

test('work that is no call waits as long as is allowed', () => {
  expect(waitAtMost(60_000)).toBe(60_000);
});

test('a new call waits as long as is allowed for one thing', () => {
  expect(inCall(0, 6000)).toBe(6000);
});

test('a call waits no longer than what is left of its 10 s (promises)', () => {
  expect(inCall(7000, 6000)).toBeLessThanOrEqual(3000);
  expect(inCall(7000, 6000)).toBeGreaterThan(2900);
});

test('a call of many statements goes on after its time while each is answered soon', () => {
  expect(inCall(CALL_MS * 2, 6000)).toBe(1000);
});
