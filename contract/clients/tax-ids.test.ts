import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import {
  compactTaxId,
  TAX_COUNTRIES,
  type TaxCountry,
  taxCountry,
  taxIdFault,
  taxIdWarnings,
} from './tax-ids.ts';

/**
 * Numbers that the tax offices publish as examples (SAT's list of test RFCs, examples of DV and CNPJ), and numbers of
 * public bodies.
 */
const PUBLISHED: Record<TaxCountry, string[]> = {
  MX: [
    ...['EKU9003173C9', 'XIA190128J61', 'CACX7605101P8', 'IIA040805DZ4', 'MISC491214B86', 'URE180429TM6'],
    ...['ZUÑ920208KL4', 'OÑO120726RX3', 'IAÑL750210963', 'H&E951128469', 'KIJ0906199R1', 'MAR980114GQA'],
    ...['GODE561231GR8', 'SAT970701NN3', 'XAXX010101000', 'XEXX010101000'],
  ],
  AR: ['20-12345678-6', '20-05536168-2', '30-50001091-2', '33-69345023-9', '34-99903208-9', '30703088534'],
  CL: ['12.345.678-5', '76086428-5', '60.803.000-K', '61704000k', '11.111.111-1'],
  CO: ['213.123.432-1', '800.197.268-4', '899.999.068-1', '8600029644', '890.903.938-8'],
  PE: ['20512333797', '20100070970', '20131312955', '20100047218'],
  BR: [
    '11.222.333/0001-81',
    '16.727.230/0001-97',
    '12.ABC.345/01DE-35',
    '390.533.447-05',
    '00.000.000/0001-91',
  ],
};

describe('a tax id', { tags: ['MONEY-02'] }, () => {
  test.each(TAX_COUNTRIES)('published numbers of %s are valid', (country) => {
    expect(PUBLISHED[country].map((id) => [id, taxIdFault(country, id)])).toEqual(
      PUBLISHED[country].map((id) => [id, null]),
    );
  });

  test.each([
    ['México', 'GODE56123GR8', 'El RFC lleva 12 caracteres'],
    ['México', 'GODE561231GR', 'El RFC lleva 12 caracteres'],
    ['México', 'GODE561231GRB', 'El RFC lleva 12 caracteres'],
    ['México', 'GODE560231GR8', 'La fecha del RFC no existe'],
    ['México', 'GODE561331GR8', 'La fecha del RFC no existe'],
    ['México', 'URE190229TM6', 'La fecha del RFC no existe'],
    ['México', 'GODE561231GR9', 'El último carácter del RFC no corresponde'],
    ['Argentina', '20-1234567-6', 'El CUIT lleva 11 dígitos'],
    ['Argentina', '21-12345678-6', 'El CUIT empieza con 20'],
    ['Argentina', '20-12345678-7', 'El dígito verificador del CUIT'],
    ['Chile', '12.345.678-9-0', 'El RUT lleva de 6 a 8 dígitos'],
    ['Chile', '12.345.678-K', 'El dígito verificador del RUT'],
    ['Colombia', '900.123.45X-8', 'El NIT lleva de 6 a 15 dígitos'],
    ['Colombia', '900.123.456-7', 'El dígito verificador del NIT'],
    ['Perú', '2051233379', 'El RUC lleva 11 dígitos'],
    ['Perú', '30512333797', 'El RUC empieza con 10'],
    ['Perú', '20512333798', 'El dígito verificador del RUC'],
    ['Brasil', '11.222.333/0001-8', 'El CNPJ lleva 14 caracteres'],
    ['Brasil', '111.111.111-11', 'El CNPJ lleva 14 caracteres'],
    ['Brasil', '12.ABC.345/01DE-36', 'Los dígitos verificadores del CNPJ o CPF'],
    ['Brasil', '390.533.447-06', 'Los dígitos verificadores del CNPJ o CPF'],
  ])('of %s, the number %s gets the warning "%s"', (country, id, sentence) => {
    const warnings = taxIdWarnings(country, id);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(sentence);
  });

  test.each(['20', '23', '24', '25', '26', '27', '30', '33', '34', '50', '51', '55'])(
    'a CUIT may begin with %s',
    (prefix) => {
      expect(
        taxIdFault('AR', validId('AR', `${prefix}28374651`) ?? validId('AR', `${prefix}28374652`)!),
      ).toBe(null);
    },
  );

  test('29 February is accepted in leap years only', () => {
    expect(taxIdFault('MX', validId('MX', 'ABC000229XX')!)).toBe(null);
    expect(taxIdFault('MX', validId('MX', 'ABC040229XX')!)).toBe(null);
    expect(taxIdFault('MX', validId('MX', 'ABC050229XX')!)).toBe('date');
  });

  test('case and separators make no difference', () => {
    expect(taxIdFault('MX', 'gode-561231-gr8')).toBe(null);
    expect(taxIdFault('MX', ' zuñ 920208 kl4 ')).toBe(null);
    // Ñ written as N and a combining tilde.
    expect(taxIdFault('MX', 'ZUN\u0303920208KL4')).toBe(null);
    expect(compactTaxId('12.abc.345/01de–35')).toBe('12ABC34501DE35');
  });

  test('a tax id of an unknown country, or an empty one, is not checked', () => {
    expect(taxIdWarnings('España', 'X')).toEqual([]);
    expect(taxIdWarnings('', 'X')).toEqual([]);
    expect(taxIdWarnings('México', ' ')).toEqual([]);
  });
});

test.each([
  ['México', 'MX'],
  ['mexico', 'MX'],
  [' MX ', 'MX'],
  ['M.X.', 'MX'],
  ['Estados  Unidos Mexicanos', 'MX'],
  ['ARGENTINA', 'AR'],
  ['República Argentina', 'AR'],
  ['chile', 'CL'],
  ['COL', 'CO'],
  ['Peru', 'PE'],
  ['Brazil', 'BR'],
  ['Nuevo México', null],
  ['Uruguay', null],
  ['Sin especificar', null],
])('the country typed as %s is recognised as %s (MONEY-02)', (text, country) => {
  expect(taxCountry(text)).toBe(country);
});

// A second, independent computation of the check digits: the weighted sum including the check digit is divisible by
// 11.

const ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';
const sum = (values: number[], weights: number[]) =>
  values.reduce((total, value, index) => total + value * weights[weights.length - values.length + index]!, 0);
const cycle = (length: number, from: number, to: number) =>
  Array.from({ length }, (_, index) => from + ((length - 1 - index) % (to - from + 1)));
/** The check digit, 0 to 10, with which the sum is divisible by 11. */
const closing = (total: number) => [...Array(11).keys()].find((digit) => (total + digit) % 11 === 0)!;

const numbers = (text: string) => [...text].map(Number);

/** Appends the two check digits. Each is computed from all characters before it; 10 is written as 0. */
function withBrazilianDigits(body: string, weightsOf: (length: number) => number[]): string {
  const next = (text: string) => {
    const values = [...text].map((character) => character.charCodeAt(0) - 48);
    return `${text}${closing(sum(values, weightsOf(text.length))) % 10}`;
  };
  return next(next(body));
}

/** Appends the check digit to the other characters; null if no check digit makes them valid. */
function validId(country: TaxCountry, body: string): string | null {
  switch (country) {
    case 'MX': {
      const values = [...body].map((character) => ALPHABET.indexOf(character));
      const digit = closing(sum([37, ...values].slice(-12), [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]));
      return body + (digit === 10 ? 'A' : digit);
    }
    case 'AR': {
      const digit = closing(sum(numbers(body), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]));
      return digit === 10 ? null : body + digit;
    }
    case 'CL': {
      const digit = closing(sum(numbers(body), cycle(body.length, 2, 7)));
      return body + (digit === 10 ? 'K' : digit);
    }
    case 'CO': {
      const weights = [71, 67, 59, 53, 47, 43, 41, 37, 29, 23, 19, 17, 13, 7, 3];
      const digit = closing(sum(numbers(body), weights));
      // A digit of 10 is written as 1.
      return body + (digit === 10 ? 1 : digit);
    }
    case 'PE': {
      const digit = closing(sum(numbers(body), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]));
      // 11 is written 1, and 10 is written 0.
      return body + (digit === 0 ? 1 : digit % 10);
    }
    case 'BR':
      return withBrazilianDigits(body, (length) =>
        body.length === 9 ? cycle(length, 2, 12) : cycle(length, 2, 9),
      );
  }
}

const text = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength }).map((characters) => characters.join(''));
const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const date = fc
  .date({ min: new Date('1930-01-01T00:00:00Z'), max: new Date('2025-12-31T00:00:00Z'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(2, 10).replaceAll('-', ''));
const numberWith = (prefixes: string[]) =>
  fc.tuple(fc.constantFrom(...prefixes), text(DIGITS, 8)).map((parts) => parts.join(''));

const BODIES: Record<TaxCountry, fc.Arbitrary<string>> = {
  MX: fc.tuple(text(`${LETTERS}Ñ&`, 3, 4), date, text(LETTERS + DIGITS, 2)).map((parts) => parts.join('')),
  AR: numberWith(['20', '23', '24', '25', '26', '27', '30', '33', '34']),
  CL: text(DIGITS, 6, 8),
  CO: text(DIGITS, 6, 15),
  PE: numberWith(['10', '15', '16', '17', '20']),
  BR: fc.oneof(text(DIGITS, 9), text(DIGITS, 12), text(LETTERS + DIGITS, 12)),
};

/**
 * Numbers in which the same check digit is written for two remainders (NIT and RUC: 1; CNPJ and CPF: 0). Changing
 * another digit of such a number may give a number that is valid too.
 */
const isAmbiguous: Partial<Record<TaxCountry, (id: string) => boolean>> = {
  CO: (id) => id.endsWith('1'),
  PE: (id) => id.endsWith('1'),
  BR: (id) => id.at(-2) === '0',
};

describe.each(TAX_COUNTRIES)('tax ids of %s', (country) => {
  const valid = BODIES[country]
    .map((body) => validId(country, body))
    .filter((id) => id !== null)
    .filter((id) => !/^(\d)\1*$/.test(id));

  test('a correct one has no warning (MONEY-02)', () => {
    fc.assert(
      fc.property(valid, (id) => {
        expect([id, taxIdFault(country, id)]).toEqual([id, null]);
      }),
    );
  });

  test('a correct one with one digit changed has a warning (MONEY-02)', () => {
    fc.assert(
      fc.property(valid, fc.nat(), fc.integer({ min: 1, max: 9 }), (id, place, more) => {
        fc.pre(!isAmbiguous[country]?.(id));
        const places = [...id].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
        fc.pre(places.length > 0);
        const at = places[place % places.length]!;
        const changed = `${id.slice(0, at)}${(Number(id[at]) + more) % 10}${id.slice(at + 1)}`;
        expect([changed, taxIdFault(country, changed)]).not.toEqual([changed, null]);
      }),
    );
  });
});
