import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutDirectionMarks } from './direction.ts';

test('only the nine marks go: embeddings, overrides and isolates (INPUT-13)', () => {
  const marks = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
  expect(withoutDirectionMarks(`ab${marks}c`)).toBe('abc');
  // These stay: they order neighbouring signs, and join letters and emoji.
  expect(withoutDirectionMarks('\u200e\u200f\u200d\u202f')).toBe('\u200e\u200f\u200d\u202f');
});

test('taking them out twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = withoutDirectionMarks(text);
      expect(withoutDirectionMarks(once)).toBe(once);
    }),
  );
});
