import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EMAIL_INVALID,
  EMAIL_LOCAL,
  mailKey,
  mailShown,
  readMailAddress,
  requiredMailAddress,
  shownMailAddress,
} from './mail-addresses.ts';

describe('a mail address is read with its domain in ASCII (INPUT-14)', () => {
  test.each([
    ['ana@example.com', 'ana@example.com'],
    [' Ana.Ríos@example.com ', null],
    [' Ana@Example.com ', 'Ana@Example.com'],
    ['ana@peña.mx', 'ana@xn--pea-8ma.mx'],
    ['ANA@PEÑA.MX', 'ANA@xn--pea-8ma.mx'],
    ['ana@pen\u0303a.mx', 'ana@xn--pea-8ma.mx'],
    ['ventas@cañón.com.ar', 'ventas@xn--can-8mak.com.ar'],
    ['ana@ｇｍａｉｌ.com', 'ana@gmail.com'],
    ['ana@почта.рф', 'ana@xn--80a1acny.xn--p1ai'],
    ['ana@peña', null],
    ['ana@pe ña.mx', null],
    ['ana@peña.mx/x', null],
    ['ana@@peña.mx', null],
    ['ana', null],
    ['@peña.mx', null],
    ['', null],
  ])('%s', (text, address) => {
    expect(readMailAddress(text)).toBe(address);
  });

  test('upper case, accents apart and ASCII forms of one domain are one address', () => {
    const keys = ['Ana@Peña.mx', 'ana@xn--pea-8ma.mx', ' ana@PEN\u0303A.MX'].map(mailKey);
    expect(new Set(keys)).toEqual(new Set(['ana@xn--pea-8ma.mx']));
  });

  const word = (letters: string) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
  const address = fc
    .tuple(word('abcdxyz019'), fc.array(word('abcñáéíóúüçàôabc0129'), { minLength: 1, maxLength: 3 }))
    .map(([local, labels]) => `${local}@${labels.join('.')}.com`);

  test('what is shown reads as what is stored, and reading again changes nothing', () => {
    fc.assert(
      fc.property(address, (text) => {
        const read = readMailAddress(text)!;
        expect(readMailAddress(read)).toBe(read);
        expect(shownMailAddress(read)).toBe(text);
        expect(readMailAddress(shownMailAddress(read))).toBe(read);
      }),
    );
  });

  test('a domain is shown as Node decodes it', () => {
    fc.assert(
      fc.property(address, (text) => {
        const domain = readMailAddress(text)!.split('@')[1]!;
        expect(shownMailAddress(`a@${domain}`)).toBe(`a@${domainToUnicode(domain)}`);
      }),
    );
  });

  test('any text is shown without an error, and its form in ASCII stays the same address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{0,20}$/), (label) => {
        const typed = `a@xn--${label}.mx`;
        expect(mailKey(shownMailAddress(typed))).toBe(mailKey(typed));
      }),
    );
  });

  test('letters of another script are shown in ASCII, because they can look like Latin ones', () => {
    expect(mailShown('ana@xn--80a1acny.xn--p1ai')).toEqual({});
    expect(mailShown('ana@xn--pea-8ma.mx')).toEqual({ email_shown: 'ana@peña.mx' });
    expect(mailShown('ana@example.com')).toEqual({});
  });

  test('the error says where the accent is not taken', () => {
    const errors = (text: string) =>
      requiredMailAddress('falta')
        .safeParse(text)
        .error?.issues.map(({ message }) => message);
    expect(errors('josé@peña.mx')).toEqual([EMAIL_LOCAL]);
    expect(errors('josé@')).toEqual([EMAIL_INVALID]);
    expect(errors('jose')).toEqual([EMAIL_INVALID]);
    expect(errors(' ')).toEqual(['falta']);
    expect(requiredMailAddress('falta').parse(' jose@peña.mx')).toBe('jose@xn--pea-8ma.mx');
  });
});
