import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { isLine } from '../base/text.ts';
import { describedParagraph, describedText, releaseDay } from './described.ts';

describe('what only describes a machine', { tags: ['INPUT-12'] }, () => {
  test.each([
    ['  Caja 1 ', 'Caja 1'],
    [4.2, '4.2'],
    [Number.POSITIVE_INFINITY, ''],
    ['Caja\u0000\n1', 'Caja 1'],
    ['\u202eCaja\u2066 1', 'Caja 1'],
    ['Caja \ud83d', 'Caja'],
    ['x'.repeat(12), 'x'.repeat(10)],
    ['123456789😀', '123456789'],
    ['12345678😀', '12345678😀'],
    [null, ''],
    [undefined, ''],
    [true, ''],
    [{ name: 'Caja' }, ''],
    [['Caja'], ''],
  ])('%j is %j', (value, text) => {
    expect(describedText(value, 10)).toBe(text);
  });

  test('notes keep their lines', () => {
    expect(describedParagraph(' una\r\n\tdos\u0007\u2028tres ', 100)).toBe('una\n\tdos\ntres');
  });

  test('any value becomes a text that both databases store, and reading that again changes nothing', () => {
    const values = fc.oneof(
      fc.anything(),
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 60 }), (value, max) => {
        const line = describedText(value, max);
        expect(isLine(line)).toBe(true);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line).toBe(line.trim());
        expect(describedText(line, max)).toBe(line);
        const lines = describedParagraph(value, max);
        expect(lines.isWellFormed()).toBe(true);
        expect(isLine(lines.replace(/[\n\t]/g, ''))).toBe(true);
        expect(describedParagraph(lines, max)).toBe(lines);
      }),
    );
  });
});

describe('the release day of a build', { tags: ['INPUT-12'] }, () => {
  test.each([
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T23:30:00-06:00', '2026-11-21'],
    ['2026-11-22T05:30:00Z', '2026-11-22'],
    ['2026-11-21T23:30', '2026-11-21'],
    ['2026-11-21 23:30:00 -0600', '2026-11-21'],
    ['2026-11-21T23:30:00.123456Z', '2026-11-21'],
    // These are refused as they are.
    ['2026-02-30T10:00:00Z', '2026-02-30T10:00:00Z'],
    ['2026-11-21T25:00:00Z', '2026-11-21T25:00:00Z'],
    ['21/11/2026', '21/11/2026'],
    [1795370400, 1795370400],
    [null, null],
  ])('%j is %j', (value, day) => {
    expect(releaseDay(value)).toBe(day);
  });
});
