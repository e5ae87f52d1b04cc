import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PHONE_PATTERN, withPlus } from '../clients/clients.fields.ts';
import { isPossiblePhone, phoneAdvice, phoneGroups, phoneIn, phoneWarning, repairedPhone } from './phones.ts';

describe('the number that a text means in a country (INPUT-02)', () => {
  test.each([
    ['5512345678', 'México', '+525512345678'],
    ['55 1234 5678', 'México', '+525512345678'],
    ['(55) 1234-5678', '', null],
    ['044 55 1234 5678', 'México', '+525512345678'],
    ['045 55 1234 5678', 'MX', '+525512345678'],
    ['01 55 1234 5678', 'mexico', '+525512345678'],
    ['+52 1 55 1234 5678', 'México', '+525512345678'],
    ['5215512345678', 'México', '+525512345678'],
    ['+52 044 55 1234 5678', 'México', '+525512345678'],
    ['00 52 55 1234 5678', 'México', '+525512345678'],
    ['+5512345678', 'México', '+525512345678'],
    ['12345678', 'México', null],
    // As copied from a list of contacts, a web page and a text processor.
    ['\u202a+52 55 1234 5678\u202c', 'México', '+525512345678'],
    ['55\u00a01234\u00a05678\u200b', 'México', '+525512345678'],
    ['55\u20111234\u20115678', 'México', '+525512345678'],
    ['11 4321 5678', 'Argentina', '+541143215678'],
    ['(011) 4321-5678', 'Argentina', '+541143215678'],
    ['011 15 4321-5678', 'Argentina', '+5491143215678'],
    ['11 15 4321 5678', 'Argentina', '+5491143215678'],
    ['0351 15 678-1234', 'Argentina', '+5493516781234'],
    ['+54 11 15 4321 5678', 'Argentina', '+5491143215678'],
    ['+1143215678', 'Argentina', '+541143215678'],
    ['9 1234 5678', 'Chile', '+56912345678'],
    ['300 123 4567', 'Colombia', '+573001234567'],
    ['987 654 321', 'Perú', '+51987654321'],
    ['(01) 427-1234', 'Perú', '+5114271234'],
    ['(11) 91234-5678', 'Brasil', '+5511912345678'],
    ['099 123 456', 'Uruguay', '+59899123456'],
    ['612 34 56 78', 'España', '+34612345678'],
    ['(212) 555-1234', 'EE. UU.', '+12125551234'],
    // With a plus it is the number of the country that it names.
    ['+54 11 4321 5678', 'México', null],
    ['+4721234567', 'México', null],
    ['55 1234 5678 ext 12', 'México', null],
    // Valid in Uruguay, but shorter than the field takes.
    ['020000', 'Uruguay', null],
    ['5512345678', 'Atlántida', null],
    ['', 'México', null],
  ])('%s in %s', (text, country, number) => {
    expect(phoneIn(text, country)).toBe(number);
  });

  test('what is read reads as itself', () => {
    const countries = [
      'México',
      'Argentina',
      'Chile',
      'Colombia',
      'Perú',
      'Brasil',
      'Uruguay',
      'España',
      'US',
    ];
    const signs = fc.constantFrom('', ' ', '-', '.', ' (', ') ');
    const typed = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 9 }), signs), { minLength: 6, maxLength: 14 })
      .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(typed, fc.constantFrom(...countries), (text, country) => {
        const number = phoneIn(text, country);
        if (number === null) return;
        expect(phoneIn(number, country)).toBe(number);
        expect(phoneIn(phoneGroups(number).join(' '), country)).toBe(number);
        expect(repairedPhone(number, country)).toBeNull();
        expect(PHONE_PATTERN.test(number)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('what is said of a stored phone (INPUT-02)', () => {
  const said = (typed: string, country: string) => phoneAdvice(typed, withPlus(typed), country);

  test('a Mexican number without its country code is one of Brazil', () => {
    expect(said('5512345678', 'México')).toEqual({
      owner: 'Brasil',
      country: 'México',
      suggestion: '+525512345678',
    });
  });

  test.each([
    ['0445512345678', 'México', null, '+525512345678'],
    ['1143215678', 'Argentina', 'Norteamérica', '+541143215678'],
    ['+5215512345678', 'México', null, '+525512345678'],
    ['+54111543215678', 'Argentina', null, '+5491143215678'],
    ['4721234567', 'México', 'Noruega', '+524721234567'],
    ['+4721234567', 'México', 'Noruega', null],
    ['+5491143215678', 'México', 'Argentina', null],
    ['+525512345678', 'Atlántida', 'México', null],
  ])('%s of a client in %s', (typed, country, owner, suggestion) => {
    expect(said(typed, country)).toMatchObject({ owner, suggestion });
  });

  test.each([
    ['+525512345678', 'México'],
    ['525512345678', 'México'],
    ['+5491143215678', 'Argentina'],
    ['+14165550123', 'Estados Unidos'],
    ['lo tiene Ana', 'México'],
    ['', 'México'],
  ])('nothing is said of %s in %s', (typed, country) => {
    expect(phoneAdvice(typed, typed, country)).toBeNull();
  });

  test('the sentence names the stored number, whose it is, and the one that was meant', () => {
    const sentence = (typed: string, country: string) => {
      const advice = said(typed, country);
      return phoneWarning(withPlus(typed), { ...advice!, suggestion: advice!.suggestion! });
    };
    expect(sentence('5512345678', 'México')).toBe(
      'Se guardó +5512345678, que es de Brasil. De México es +525512345678.',
    );
    expect(sentence('0445512345678', 'mx')).toBe(
      'Se guardó +0445512345678, que no es un teléfono de México. De México es +525512345678.',
    );
  });
});

describe('how a stored phone is shown (INPUT-02)', () => {
  test.each([
    ['+525512345678', '+52 55 1234 5678'],
    ['+5491143215678', '+54 9 11 4321 5678'],
    ['+56912345678', '+56 9 1234 5678'],
    ['+12125551234', '+1 212 555 1234'],
    ['+5512345678', '+55 1234 5678'],
    ['+0445512345678', '+0445512345678'],
    ['55 1234 5678', '55 1234 5678'],
    ['lo tiene Ana', 'lo tiene Ana'],
  ])('%s', (stored, shown) => {
    expect(phoneGroups(stored).join(' ')).toBe(shown);
  });

  test('the groups together are the stored text, whatever that is', () => {
    const stored = fc.oneof(fc.string(), fc.stringMatching(/^\+\d{6,15}$/));
    fc.assert(fc.property(stored, (text) => phoneGroups(text).join('') === text));
  });

  test('a number that no plan has is not possible', () => {
    expect(isPossiblePhone('+525512345678')).toBe(true);
    expect(isPossiblePhone('+5491143215678')).toBe(true);
    expect(isPossiblePhone('+5512345678')).toBe(false);
    expect(isPossiblePhone('+0445512345678')).toBe(false);
    expect(isPossiblePhone('')).toBe(false);
  });
});
