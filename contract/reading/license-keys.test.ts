import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import {
  LICENSE_KEY_ALPHABET,
  lettersOfKey,
  licenseKeyIn,
  normalizeLicenseKey,
  searchedOrKey,
  wholeLicenseKey,
} from './license-keys.ts';

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

const OTHER = 'TUVWX-23456-FGHJK-789LM-NPQRS';
const FULL_WIDTH = [...KEY].map((sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)).join('');
const LRM = '\u200e';

describe('a key that stands in a pasted text (INPUT-10)', () => {
  test.each([
    `"${KEY}"`,
    `“${KEY}”`,
    `«${KEY.toLowerCase()}»`,
    `${KEY}.`,
    `Clave: ${KEY}`,
    `Clave:${KEY},`,
    `clave - ${KEY} - vence el 31/12/2026`,
    `<${KEY}>`,
    `**${KEY}**`,
    `_${KEY}_`,
    KEY.replaceAll('-', '_'),
    KEY.replaceAll('-', '\u2013'),
    `${LRM}${KEY}${LRM}`,
    KEY.replaceAll('-', `${LRM}-${LRM}`),
    [...KEY].join('\u200b'),
    FULL_WIDTH,
    `Clave: ${FULL_WIDTH}`,
    `"${KEY.replaceAll('-', ' ')}"`,
    `'${KEY.replaceAll('-', '')}'`,
    `Hola Ana:\r\n${KEY}\r\nGracias`,
    `Clave: ${KEY.slice(0, 12)}\r\n${KEY.slice(12)}`,
    `Clave: ${KEY.slice(0, 12)} \n  ${KEY.slice(12)} y ya`,
    `Clave: ${KEY.slice(0, 8)}\n${KEY.slice(8)}`,
    `${KEY} ${KEY.toLowerCase()}`,
    `x ${KEY}-`,
    `Clave: ${KEY.replaceAll('-', ' ')}.`,
    `Tu clave es ${KEY.replaceAll('-', '  ')}, gracias`,
    `Hola Ana:\n${KEY.slice(0, 11).replace('-', ' ')}\n${KEY.slice(12).replaceAll('-', ' ')}\nGracias`,
  ])('is found in %j', (text) => expect(licenseKeyIn(text)).toBe(KEY));

  test.each([
    '',
    'Clave:',
    `${KEY} ${OTHER}`,
    `${KEY}\n${OTHER}`,
    `${KEY} y ${OTHER.replaceAll('-', ' ')}`,
    `Clave: AAAA ${KEY.slice(6).replaceAll('-', ' ')}`,
    `AAAAA-${KEY}`,
    `${KEY}-AAAAA`,
    `${KEY}A`,
    `Ñ${KEY}`,
    `1${KEY}`,
    KEY.slice(1),
    KEY.replace('A', 'I'),
    'cinco grupos hacen falta en total',
  ])('is not found in %j', (text) => expect(licenseKeyIn(text)).toBeNull());

  test('is found wherever it stands, with letters and signs around it', () => {
    const letters = fc.stringMatching(/^[A-Za-zÁÉñ0-9]{0,12}$/);
    const sign = fc.constantFrom(' ', '\n', '\r\n', ': ', '"', '“', '(', ' - ', ', ', '. ', '\t', '<b>', '=');
    fc.assert(
      fc.property(
        letters,
        sign,
        key,
        sign,
        letters,
        fc.boolean(),
        (before, left, own, right, after, small) => {
          const text = before + left + (small ? own.toLowerCase() : own) + right + after;
          expect(licenseKeyIn(text)).toBe(own);
        },
      ),
    );
  });

  test('is not found inside longer groups', () => {
    const group = fc.stringMatching(/^[A-Z2-9]{1,8}$/);
    fc.assert(
      fc.property(group, key, fc.constantFrom('', '-', '_'), fc.boolean(), (more, own, joint, isBefore) => {
        expect(licenseKeyIn(isBefore ? `${more}${joint}${own}` : `${own}${joint}${more}`)).toBeNull();
      }),
    );
  });

  test('is searched in its place only where the text is too long for a search or has line breaks', () => {
    expect(searchedOrKey(`Clave: ${KEY}`, 100)).toBe(`Clave: ${KEY}`);
    expect(searchedOrKey(`Clave:\n${KEY}`, 100)).toBe(KEY);
    expect(searchedOrKey(`${'x '.repeat(60)}${KEY}`, 100)).toBe(KEY);
    expect(searchedOrKey('x'.repeat(101), 100)).toBe('x'.repeat(101));
  });
});
