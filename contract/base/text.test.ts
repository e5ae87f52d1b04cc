import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import fc from '../../test/properties.ts';
import {
  day,
  isCalendarDay,
  line,
  lineOr,
  normalizeForSearch,
  optionalDay,
  optionalParagraph,
  optionalWebsite,
  requiredLine,
} from './text.ts';

const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];

describe('a line of text', () => {
  test('is trimmed before its length is checked', () => {
    expect(line(3).parse('  abc ')).toBe('abc');
    expect(messagesOf(line(3), 'abcd')).toEqual(['No puede exceder 3 caracteres']);
  });

  test('stores text in any script unchanged, and refuses control characters and lone surrogates', () => {
    for (const text of ['Ñandú', '😀👩‍👩‍👧', 'مرحبا', '𠮷']) expect(line(50).parse(text)).toBe(text);
    for (const text of ['a\u0000b', 'a\nb', 'a\tb', '\u001b[31m', 'a\u007f', 'a\ud800', '\udc00b']) {
      expect([text, messagesOf(line(50), text)]).toEqual([text, ['Contiene caracteres no permitidos']]);
    }
  });

  test('a required line gives the same message for absent, null and blank', () => {
    const schema = requiredLine(5, 'Falta');
    for (const value of [undefined, null, '', '   ']) expect(messagesOf(schema, value)).toEqual(['Falta']);
    expect(messagesOf(schema, 7)).not.toEqual(['Falta']);
    expect(schema.parse(' a ')).toBe('a');
  });

  test('a line with a fallback uses it for blank and null (D010)', () => {
    const schema = lineOr('Sin especificar', 50);
    expect([schema.parse('  '), schema.parse(null), schema.parse(' x ')]).toEqual([
      'Sin especificar',
      'Sin especificar',
      'x',
    ]);
  });
});

test('a paragraph does not lose its line breaks, and null becomes the empty text (D091)', () => {
  const schema = optionalParagraph(20);
  expect([schema.parse(' a\r\n\tb '), schema.parse(null), schema.parse('')]).toEqual(['a\r\n\tb', '', '']);
  expect(messagesOf(schema, 'a\u0000')).toEqual(['Contiene caracteres no permitidos']);
  expect(messagesOf(schema, 'x'.repeat(21))).toEqual(['No puede exceder 20 caracteres']);
});

describe('a web address', () => {
  const schema = optionalWebsite(100);

  test.each(['https://example.com', 'http://localhost:3000/a?b#c', 'HTTPS://EXAMPLE.COM', '', null])(
    'accepts %j',
    (value) => {
      expect(schema.parse(value)).toBe(value ?? '');
    },
  );

  test.each([
    'javascript:alert(1)',
    'example.com',
    'ftp://example.com',
    'https://',
    ' java\nscript:1',
    'data:text/html,x',
  ])('refuses %j', (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});

describe('the schema of a day', () => {
  test.each(['2026-01-31', '2024-02-29', '2000-02-29', '1900-01-01', '9999-12-31'])(
    'accepts %s, which is in the calendar',
    (text) => {
      expect(isCalendarDay(text)).toBe(true);
    },
  );

  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-04-31',
    '2026-1-1',
    '1899-12-31',
    '2026-01-01T00:00:00Z',
    '',
    '٢٠٢٦-٠١-٠١',
  ])('refuses %j', (text) => {
    expect(isCalendarDay(text)).toBe(false);
    expect(messagesOf(day, text)).toEqual(['Fecha inválida. Usa el formato AAAA-MM-DD.']);
  });

  test('accepts a date exactly when it exists in the calendar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, date) => {
          const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
          const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
          const text = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
          expect(isCalendarDay(text)).toBe(date <= lengths[month - 1]!);
        },
      ),
    );
  });

  test('accepts blank and null where the day is optional', () => {
    expect([optionalDay.parse(''), optionalDay.parse(null), optionalDay.parse('2026-01-31')]).toEqual([
      null,
      null,
      '2026-01-31',
    ]);
    expect(messagesOf(optionalDay, '2026-02-30')).toEqual(['Fecha inválida. Usa el formato AAAA-MM-DD.']);
  });
});

describe('normalizeForSearch', () => {
  test('removes case, accents and double spaces (D053)', () => {
    expect(normalizeForSearch('  Ñandú   Águila\tÜber ')).toBe('nandu aguila uber');
    expect(normalizeForSearch('Cafe\u0301')).toBe(normalizeForSearch('CAFÉ'));
  });

  test('changes nothing when applied a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = normalizeForSearch(text);
        expect(normalizeForSearch(once)).toBe(once);
      }),
    );
  });
});
