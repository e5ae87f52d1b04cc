import { expect, test } from 'vitest';
import { expiryUrgency, seatsUrgency } from './urgency-level.ts';

const NOW = new Date('2026-11-21T18:00:00.000Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60 * 1000).toISOString();

test.each([
  [-3, 'active', 'now'],
  [-3, 'expired', 'now'],
  [-3, 'suspended', 'now'],
  [-3, 'cancelled', 'none'],
  [7, 'active', 'now'],
  [7, 'trial', 'now'],
  [7, 'suspended', 'none'],
  [8, 'active', 'soon'],
  [30, 'trial', 'soon'],
  [31, 'active', 'none'],
] as const)('an end %i days from now with the status %s has the urgency: %s', (days, status, urgency) => {
  expect(expiryUrgency({ expiry_date: inDays(days), status }, NOW)).toBe(urgency);
});

test('a licence without an end is never urgent', () => {
  expect(expiryUrgency({ expiry_date: null, status: 'active' }, NOW)).toBe('none');
});

test.each([
  [0, 1, 'none'],
  [0, 2, 'soon'],
  [0, 50, 'soon'],
  [-1, 1, 'now'],
  [-1, 5, 'now'],
  [1, 1, 'none'],
  [1, 4, 'none'],
  [1, 5, 'soon'],
  [2, 5, 'none'],
  [5, 50, 'soon'],
  [6, 50, 'none'],
] as const)('%i free seats of %i have the urgency: %s', (left, seats, urgency) => {
  expect(seatsUrgency(left, seats)).toBe(urgency);
});
