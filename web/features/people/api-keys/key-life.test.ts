import { describe, expect, test } from 'vitest';
import { endOf, lastDay, lengthsFor, usualLength } from './key-life.ts';

const ZONE = 'America/Mexico_City';
const NOON = new Date('2026-11-23T18:00:00Z');

describe('the lifetime of a new API key (PEOPLE-07)', () => {
  test('is a year by default, and every length is offered', () => {
    expect(lengthsFor(null)).toEqual([30, 90, 365]);
    expect(usualLength(null)).toBe(365);
    expect(lastDay(null, NOON, ZONE)).toBeUndefined();
  });

  test('with a limit, longer ones are not offered, and the limit is the default', () => {
    expect(lengthsFor(90)).toEqual([30, 90]);
    expect(usualLength(90)).toBe(90);
    expect(lengthsFor(45)).toEqual([30, 45]);
    expect(usualLength(45)).toBe(45);
    expect(lengthsFor(7)).toEqual([7]);
  });

  test('with a limit above a year the default is still a year', () => {
    expect(lengthsFor(730)).toEqual([30, 90, 365]);
    expect(usualLength(730)).toBe(365);
  });

  test('the last day that can be chosen is the last one that ends within the limit', () => {
    expect(lastDay(30, NOON, ZONE)).toBe('2026-12-22');
    expect(endOf('', '2026-12-22', NOON, ZONE)).toBe('2026-12-23T05:59:59.000Z');
    expect(lastDay(1, NOON, ZONE)).toBe('2026-11-23');
  });

  test('a past day and an empty one are refused as end', () => {
    expect(endOf('', '2026-11-22', NOON, ZONE)).toBeNull();
    expect(endOf('', '', NOON, ZONE)).toBeNull();
    expect(endOf('30', '', NOON, ZONE)).toBe(new Date(NOON.getTime() + 30 * 24 * 3_600_000).toISOString());
  });
});
