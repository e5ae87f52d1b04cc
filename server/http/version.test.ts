import { expect, test } from 'vitest';
import { etagOf, isCurrentVersion, nextVersion } from './version.ts';

const STORED = '2026-05-01T12:00:00.000Z';

test('the next version is now, and always later than the previous one', () => {
  expect(nextVersion(STORED, new Date('2026-05-01T12:00:05Z'))).toBe('2026-05-01T12:00:05.000Z');
  expect(nextVersion(STORED, new Date(STORED))).toBe('2026-05-01T12:00:00.001Z');
  expect(nextVersion(STORED, new Date('2020-01-01T00:00:00Z'))).toBe('2026-05-01T12:00:00.001Z');
});

test.each<[boolean, { updatedAt?: string; ifMatch?: string }]>([
  [true, {}],
  [true, { updatedAt: STORED }],
  [true, { updatedAt: '2026-05-01T06:00:00-06:00' }],
  [false, { updatedAt: '2026-05-01T12:00:00.001Z' }],
  [false, { updatedAt: '' }],
  [false, { updatedAt: 'ayer' }],
  [true, { ifMatch: etagOf(STORED) }],
  [true, { ifMatch: `W/${etagOf(STORED)}` }],
  [true, { ifMatch: `"otro", ${etagOf(STORED)}` }],
  [true, { ifMatch: ' * ' }],
  [false, { ifMatch: '"otro"' }],
  [false, { ifMatch: STORED }],
  [false, { ifMatch: '' }],
  [false, { ifMatch: '*', updatedAt: '2020-01-01T00:00:00Z' }],
  [false, { ifMatch: '"otro"', updatedAt: STORED }],
])('%s: may save with %j (D091)', (expected, claim) => {
  expect(isCurrentVersion(STORED, claim)).toBe(expected);
});
