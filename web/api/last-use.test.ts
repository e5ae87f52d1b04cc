import { afterEach, expect, test, vi } from 'vitest';
import { followUse, isInUse } from './last-use.ts';

const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a page counts as used for eight hours after a key, a pointer or a wheel event (PEOPLE-06)', () => {
  const uses: Record<string, () => void> = {};
  vi.stubGlobal('addEventListener', (event: string, use: () => void) => {
    uses[event] = use;
  });
  followUse();
  expect(Object.keys(uses)).toEqual(['pointerdown', 'keydown', 'wheel']);
  vi.setSystemTime(Date.now() + 100 * HOUR_MS);
  expect(isInUse(Date.now())).toBe(false);
  uses.keydown?.();
  const now = Date.now();
  expect([isInUse(now), isInUse(now + 8 * HOUR_MS - 1000), isInUse(now + 8 * HOUR_MS + 1000)]).toEqual([
    true,
    true,
    false,
  ]);
});
