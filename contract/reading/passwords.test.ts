import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passwordLength, readPassword } from './passwords.ts';

const texts = fc.string({ unit: 'grapheme' });

test('a password means the same composed and decomposed, and reading it twice changes nothing (INPUT-11)', () => {
  fc.assert(
    fc.property(texts, (typed) => {
      const read = readPassword(typed);
      expect(readPassword(typed.normalize('NFD'))).toBe(read);
      expect(readPassword(read)).toBe(read);
      expect(passwordLength(typed)).toBe(read.length);
    }),
  );
});

test('spaces, case and compatibility characters stay as typed', () => {
  expect(readPassword(' Ñandú ﬁn ')).toBe(' Ñandú ﬁn ');
});
