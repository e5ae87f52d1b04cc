import { describe, expect, test } from 'vitest';
import { endOf, lastDay, lengthsFor, usualLength } from './key-life.ts';

const NOON = new Date('2026-11-23T12:00:00');

describe('how long a new key may live (PEOPLE-07)', () => {
  test('without a limit it is a year, and every length is offered', () => {
    expect(lengthsFor(null)).toEqual([30, 90, 365]);
    expect(usualLength(null)).toBe(365);
    expect(lastDay(null, NOON)).toBeUndefined();
  });

  test('a limit takes longer ones away, and is itself the usual length', () => {
    expect(lengthsFor(90)).toEqual([30, 90]);
    expect(usualLength(90)).toBe(90);
    expect(lengthsFor(45)).toEqual([30, 45]);
    expect(usualLength(45)).toBe(45);
    expect(lengthsFor(7)).toEqual([7]);
  });

  test('a limit above a year leaves the usual length', () => {
    expect(lengthsFor(730)).toEqual([30, 90, 365]);
    expect(usualLength(730)).toBe(365);
  });

  test('the last day is one whose end is within the limit', () => {
    expect(lastDay(30, NOON)).toBe('2026-12-22');
    expect(endOf('', '2026-12-22', NOON)).toBe(new Date('2026-12-22T23:59:59').toISOString());
    expect(lastDay(1, NOON)).toBe('2026-11-23');
  });

  test('a day that has passed, and none at all, are no end', () => {
    expect(endOf('', '2026-11-22', NOON)).toBeNull();
    expect(endOf('', '', NOON)).toBeNull();
    expect(endOf('30', '', NOON)).toBe(new Date(NOON.getTime() + 30 * 24 * 3_600_000).toISOString());
  });
});
