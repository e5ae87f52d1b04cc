import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import {
  foldCode,
  foldForSearch,
  isFoundBy,
  searchReadings,
  searchTextOf,
  searchWords,
} from './search-folding.ts';

const textsOf = (asked: string) => searchWords(asked).map(({ text }) => text);

describe('a text is folded for a search (INPUT-08)', () => {
  test.each([
    ['  Ñandú   Águila\tÜber ', 'nandu aguila uber'],
    ['Cafe\u0301 CAFÉ', 'cafe cafe'],
    ["D’Angelo D´Angelo D`Angelo D'Angelo DAngelo", 'dangelo dangelo dangelo dangelo dangelo'],
    ['Núñez S.A. de C.V.', 'nunez sa de cv'],
    ['Pérez/Gómez, Hijos & Cía.', 'perez gomez hijos cia'],
    ['55-1234-5678', '5512345678'],
    ['+52 (55) 1234 5678', '52 55 1234 5678'],
    ['GODE-561231-GR8', 'gode561231gr8'],
    ['ana@plumas.mx', 'ana@plumas.mx'],
    ['Rosa<rosa@plumas.mx>, LUIS@plumas.mx.', 'rosa rosa@plumas.mx luis@plumas.mx'],
    ['mailto:ana@plumas.mx?subject=Hola', 'ana@plumas.mx'],
    ['tel:+52-55-1234-5678', '525512345678'],
    ['“Ñandú” «Kolibri» [3.1]', 'nandu kolibri 31'],
    ['Nu\u200bñ\u200eez', 'nunez'],
    ['--- "" @ <> …', ''],
  ])('%j becomes %j', (text, folded) => expect(foldForSearch(text)).toBe(folded));

  test('folding a folded text changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), TEXT), (text) => {
        const once = foldForSearch(text);
        expect(foldForSearch(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  test('a key or a tax id is one word', () => {
    expect([foldCode('ABCDE-FGHJK'), foldCode('20 12345678 6'), foldCode('FAC-2024.001')]).toEqual([
      'abcdefghjk',
      '20123456786',
      'fac2024001',
    ]);
  });
});

describe('the words of a search (INPUT-08)', () => {
  test.each([
    ['Rosa <rosa@plumas.mx>', ['rosa@plumas.mx']],
    ['"Rosa P." <mailto:ROSA@plumas.mx>', ['rosa@plumas.mx']],
    ['<ana@plumas.mx> <luis@plumas.mx>', ['ana@plumas.mx', 'luis@plumas.mx']],
    ['ana@', ['ana@']],
    ['AT&T', ['at t']],
    ['López,Ana', ['lopez', 'ana']],
    ['ana ana ANA', ['ana']],
    ['---', []],
    ['""', []],
    ['☕', []],
  ])('%j asks for %j', (asked, words) => expect(textsOf(asked)).toEqual(words));

  test('a word is also given as it was written, for texts that an earlier version stored', () => {
    expect(searchWords('"D’Angelo" PC-01 Pérez/Gómez A&B')).toEqual([
      { text: 'dangelo', written: 'd’angelo' },
      { text: 'pc01', written: 'pc-01' },
      { text: 'perez', written: 'perez' },
      { text: 'gomez', written: 'gomez' },
      { text: 'a b', written: 'a&b' },
    ]);
  });
});

describe('the readings of a search (INPUT-08)', () => {
  const texts = (search: string) => searchReadings(search).map((words) => words.map(({ text }) => text));

  test('the second one has a space in place of the signs of words with letters and digits', () => {
    expect(texts('Caja-3 55-1234')).toEqual([
      ['caja3', '551234'],
      ['caja 3', '551234'],
    ]);
    expect(texts('OC-2024/15')).toEqual([['oc202415'], ['oc 202415']]);
    expect(texts('Km-12')).toEqual([['km12'], ['km 12']]);
  });

  test.each(['Ana', 'Pérez/Gómez', '55-1234-5678', 'a3@caja-1.mx', 'caja3', '', '---'])(
    '%j has one',
    (search) => {
      expect(searchReadings(search)).toEqual([searchWords(search)]);
    },
  );
});

const LETTERS = 'aábñÑoOuüz'.split('');
const DIGITS = '0157'.split('');
const SIGNS = ["'", '’', '´', '.', '-', '/', '&', ',', '+', '_', '(', ')', '"', '@', ' ', '  ', '\u200b'];
const TEXT = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...LETTERS) }, fc.constantFrom(...DIGITS, ...SIGNS)),
    {
      minLength: 1,
      maxLength: 25,
    },
  )
  .map((signs) => signs.join(''));
const SAID = TEXT.filter((text) => /[\p{L}\p{N}]/u.test(text));
const AROUND = fc.constantFrom(
  ['"', '"'],
  ['“', '”'],
  ['<', '>'],
  ['(', ')'],
  ['¿', '?'],
  ['', '.'],
  ['«', '»;'],
);

describe('what is stored is found (INPUT-08)', () => {
  test('by the whole text, in any case, with other accents, and pasted with quotes or brackets', () => {
    fc.assert(
      fc.property(SAID, AROUND, (text, [before, after]) => {
        for (const asked of [
          text,
          text.toUpperCase(),
          text.toLowerCase(),
          text.normalize('NFD').replace(/\p{Mn}/gu, ''),
          text.normalize('NFD'),
          before + text + after,
        ])
          expect([asked, isFoundBy([text], asked)]).toEqual([asked, true]);
      }),
      { numRuns: 1000 },
    );
  });

  test('by each of its words, and by its words without any signs', () => {
    fc.assert(
      fc.property(SAID, (text) => {
        for (const word of text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)))
          expect([word, isFoundBy([text], word)]).toEqual([word, true]);
        const bare = foldForSearch(text.replaceAll('@', ' '));
        expect([bare, isFoundBy([text], bare)]).toEqual([bare, true]);
      }),
      { numRuns: 1000 },
    );
  });

  test('by what was typed of a word so far', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zñ]{3,6}[-.'@/][a-zñ0-9]{3,6}[.-][a-z0-9]{2,5}$/), (word) => {
        for (let length = 3; length <= word.length; length += 1) {
          const typed = word.slice(0, length);
          expect([typed, isFoundBy([word], typed)]).toEqual([typed, true]);
        }
      }),
    );
  });

  test('and what does not contain the letters and digits of a word is not found by it', () => {
    const bare = (text: string) => foldForSearch(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
    fc.assert(
      fc.property(TEXT, SAID, (text, asked) => {
        fc.pre(searchWords(asked).some(({ text: word }) => !bare(text).includes(bare(word))));
        expect(isFoundBy([text], asked)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test('nothing is found by a text without letters and digits', () => {
    for (const asked of ['---', '""', '@', '%', '_'])
      expect([asked, isFoundBy(['a % _'], asked)]).toEqual([asked, false]);
    expect(isFoundBy(['a'], ' ')).toBe(true);
  });
});

test('the stored text has a line for each text, and the parts of addresses (INPUT-08)', () => {
  expect(searchTextOf(['Núñez S.A.', 'ana.perez@plumas.mx', '', 'dos\nlíneas'])).toBe(
    'nunez sa\nana.perez@plumas.mx anaperez plumasmx\n\ndos lineas',
  );
});
