import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test.each([
  ['1.0', '2.0'],
  ['2.9', '2.10'],
  ['2.0-beta', '2.0'],
  ['2.0-alpha', '2.0-beta'],
  ['2.0-beta1', '2.0-beta2'],
  ['v1.9', '1.10'],
  ['2024', '2025'],
  ['Pro', '1'],
])('%s is older than %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
});

test.each([
  ['1', '1.0'],
  ['v2', '2.0.0'],
  ['', ''],
])('neither of %j and %j is older', (one, other) => {
  expect(compareVersions(one, other)).toBe(0);
});
