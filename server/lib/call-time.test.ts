import { expect, test } from 'vitest';
import { CALL_MS, duringCall, waitAtMost } from './call-time.ts';

const inCall = (elapsedMs: number, limitMs: number): number => {
  let limit = 0;
  duringCall(elapsedMs, () => {
    limit = waitAtMost(limitMs);
  });
  return limit;
};

test('work outside of a call may wait for the full timeout', () => {
  expect(waitAtMost(60_000)).toBe(60_000);
});

test('a new call may wait for the full timeout of one statement', () => {
  expect(inCall(0, 6000)).toBe(6000);
});

test('a call waits no longer than the rest of its 10 s (promises)', () => {
  expect(inCall(7000, 6000)).toBeLessThanOrEqual(3000);
  expect(inCall(7000, 6000)).toBeGreaterThan(2900);
});

test('a call that is past its 10 s may still wait one second for each statement', () => {
  expect(inCall(CALL_MS * 2, 6000)).toBe(1000);
});
