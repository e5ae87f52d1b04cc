import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { lettersOfKey, normalizeLicenseKey, wholeLicenseKey } from './license-key.ts';
import { LICENSE_KEY_ALPHABET } from './licenses.ts';

const KEY = 'ABCDE-23456-FGHJK-789LM-NPQRS';
const key = fc
  .array(fc.constantFrom(...LICENSE_KEY_ALPHABET), { minLength: 25, maxLength: 25 })
  .map((letters) => letters.join('').replace(/(.{5})(?=.)/g, '$1-'));
const separator = fc.constantFrom(
  '',
  '-',
  ' ',
  '--',
  '\t',
  '\u00a0',
  '\u2013',
  '\u2212',
  '\u00ad',
  '\u200b',
  '\ufeff',
  '\uff0d',
);

describe('a licence key (API-02)', () => {
  test.each([
    [KEY, KEY],
    ['abcde-23456-fghjk-789lm-npqrs', KEY],
    ['ABCDE23456FGHJK789LMNPQRS', KEY],
    [' abcde 23456 fghjk 789lm npqrs\n', KEY],
    ['ABCDE\u201323456\u2014FGHJK\u2010789LM\u2212NPQRS', KEY],
    ['OI01O-OI01O-OI01O-OI01O-OI01O', 'OI01O-OI01O-OI01O-OI01O-OI01O'],
    // The keys of other programs, from imports, keep their groups.
    ['old-100-z', 'OLD-100-Z'],
    [' old 100\u2013z ', 'OLD-100-Z'],
    ['ABCDE-23456-FGHJK-789LM-NPQR', 'ABCDE-23456-FGHJK-789LM-NPQR'],
    ['ABCDEF-3456-FGHJK-789LM-NPQRS', 'ABCDE-F3456-FGHJK-789LM-NPQRS'],
    ['ABCDE-23456-FGHJK-789LM-NPQR.', 'ABCDE-23456-FGHJK-789LM-NPQR.'],
    ['', ''],
  ])('typed as %j it is stored as %j', (typed, stored) => {
    expect(normalizeLicenseKey(typed)).toBe(stored);
  });

  test('has one stored form however it is typed, and normalizing the stored form changes nothing', () => {
    fc.assert(
      fc.property(key, separator, fc.boolean(), (stored, between, small) => {
        const typed = stored.replaceAll('-', between);
        expect(normalizeLicenseKey(small ? typed.toLowerCase() : typed)).toBe(stored);
        expect([normalizeLicenseKey(stored), wholeLicenseKey(typed)]).toEqual([stored, stored]);
      }),
    );
  });

  test('normalizing any text twice gives the same as once, and loses no letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const once = normalizeLicenseKey(text);
        expect(normalizeLicenseKey(once)).toBe(once);
        expect(lettersOfKey(once)).toBe(lettersOfKey(text));
      }),
    );
  });

  test('a name with as many letters as a key is not read as a key', () => {
    expect(wholeLicenseKey('Comercializadora del Norte A')).toBeNull();
    expect(wholeLicenseKey('x')).toBeNull();
  });
});
