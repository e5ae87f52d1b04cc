import { expect, test } from 'vitest';
import { nextVersion } from './version.ts';

const STORED = '2026-05-01T12:00:00.000Z';

test('the next version is now, and always later than the previous one', () => {
  expect(nextVersion(STORED, new Date('2026-05-01T12:00:05Z'))).toBe('2026-05-01T12:00:05.000Z');
  expect(nextVersion(STORED, new Date(STORED))).toBe('2026-05-01T12:00:00.001Z');
  expect(nextVersion(STORED, new Date('2020-01-01T00:00:00Z'))).toBe('2026-05-01T12:00:00.001Z');
});
