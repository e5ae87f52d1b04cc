import { countryCode } from '../reading/countries.ts';

/**
 * Checks the tax ids of six countries (MONEY-02, docs/decisions/043-tax-ids.md) by length and characters, date, prefix
 * and check digit. A fault is only a warning, never an error, because some real RFCs have a wrong check digit. The
 * file has no schemas: forms of the console use it while the user types.
 */

export const TAX_COUNTRIES = ['MX', 'AR', 'CL', 'CO', 'PE', 'BR'] as const;
export type TaxCountry = (typeof TAX_COUNTRIES)[number];

/** The country that a free text names; null for one whose tax ids are not checked. */
export function taxCountry(country: string): TaxCountry | null {
  const code = countryCode(country);
  return TAX_COUNTRIES.find((known) => known === code) ?? null;
}

/** Characters that people write between the parts of a tax id: spaces, hyphens, dots, slashes. */
const SEPARATORS = /[\s.\-–/]/g;

/** A tax id without separators, in capitals: '20-12345678-6' to '20123456786'. */
export const compactTaxId = (text: string) => text.normalize('NFC').replace(SEPARATORS, '').toUpperCase();

/** RFCs for buyers who have none: the general public, and foreigners. Their check digits are not valid. */
export const GENERIC_RFCS = { public: 'XAXX010101000', foreign: 'XEXX010101000' } as const;

/** True for one of {@link GENERIC_RFCS}, with or without separators. */
export function isGenericRfc(taxId: string): boolean {
  const compact = compactTaxId(taxId);
  return compact === GENERIC_RFCS.public || compact === GENERIC_RFCS.foreign;
}

/**
 * The fault of a tax id: 'form' is a wrong length or character, 'date' a date that does not exist, 'prefix' wrong
 * first digits, 'digit' a wrong check digit.
 */
type TaxIdFault = 'form' | 'date' | 'prefix' | 'digit';

const CUIT_PREFIXES = ['20', '23', '24', '25', '26', '27', '30', '33', '34', '50', '51', '55'];
const RUC_PREFIXES = ['10', '15', '16', '17', '20'];

const digitSentence = (name: string) =>
  `El dígito verificador del ${name} no corresponde a los demás: quizá está mal copiado.`;

const SENTENCES: Record<TaxCountry, Partial<Record<TaxIdFault, string>>> = {
  MX: {
    form: 'El RFC lleva 12 caracteres (empresa) o 13 (persona): tres o cuatro letras, la fecha en seis dígitos y tres de homoclave.',
    date: 'La fecha del RFC no existe: después de las letras van año, mes y día, con dos dígitos cada uno.',
    digit: 'El último carácter del RFC no corresponde a los demás: quizá está mal copiado.',
  },
  AR: {
    form: 'El CUIT lleva 11 dígitos, por ejemplo 20-12345678-6.',
    prefix: 'El CUIT empieza con 20, 23, 24, 25, 26 o 27 (persona), o con 30, 33 o 34 (empresa).',
    digit: digitSentence('CUIT'),
  },
  CL: {
    form: 'El RUT lleva de 6 a 8 dígitos y un dígito verificador, que puede ser K, por ejemplo 12.345.678-5.',
    digit: digitSentence('RUT'),
  },
  CO: {
    form: 'El NIT lleva de 6 a 15 dígitos y al final el dígito de verificación, por ejemplo 900.123.456-8.',
    digit: digitSentence('NIT'),
  },
  PE: {
    form: 'El RUC lleva 11 dígitos.',
    prefix: 'El RUC empieza con 10, 15, 16, 17 o 20.',
    digit: digitSentence('RUC'),
  },
  BR: {
    form: 'El CNPJ lleva 14 caracteres (12 dígitos o letras y 2 dígitos) y el CPF, 11 dígitos.',
    digit: 'Los dígitos verificadores del CNPJ o CPF no corresponden a los demás: quizá están mal copiados.',
  },
};

/** The message about a fault, in Spanish. */
export const taxIdSentence = (country: TaxCountry, fault: TaxIdFault): string =>
  // SENTENCES has a message for each fault that the rule of a country can find.
  SENTENCES[country][fault] ?? '';

/**
 * Warnings about the tax id of a client: none or one.
 * @param country the client's country as typed; an unknown country has no warnings
 * @param taxId as typed, with or without separators; an empty one has no warnings
 */
export function taxIdWarnings(country: string, taxId: string): string[] {
  const known = taxCountry(country);
  if (known === null || taxId.trim() === '') return [];
  const fault = taxIdFault(known, taxId);
  return fault === null ? [] : [taxIdSentence(known, fault)];
}

/** The first fault of a tax id; null if it is valid. */
export const taxIdFault = (country: TaxCountry, taxId: string): TaxIdFault | null =>
  FAULTS[country](compactTaxId(taxId));

/** The rule of each country. It gets the number without separators, in capitals. */
const FAULTS: Record<TaxCountry, (id: string) => TaxIdFault | null> = {
  MX: rfcFault,
  AR: (id) => elevenDigitsFault(id, CUIT_PREFIXES, cuitDigit),
  CL: (id) => (/^\d{6,8}[\dK]$/.test(id) ? digitFault(id, rutDigit) : 'form'),
  CO: (id) => (/^\d{7,16}$/.test(id) ? digitFault(id, nitDigit) : 'form'),
  PE: (id) => elevenDigitsFault(id, RUC_PREFIXES, rucDigit),
  BR: brazilianFault,
};

/** @param digitOf computes the check digit from the characters before it; null if no check digit is possible */
function digitFault(id: string, digitOf: (body: string) => string | null): TaxIdFault | null {
  return digitOf(id.slice(0, -1)) === id.at(-1) ? null : 'digit';
}

function elevenDigitsFault(
  id: string,
  prefixes: readonly string[],
  digitOf: (body: string) => string | null,
): TaxIdFault | null {
  if (!/^\d{11}$/.test(id)) return 'form';
  if (!prefixes.includes(id.slice(0, 2))) return 'prefix';
  return digitFault(id, digitOf);
}

/** The sum of the characters' values times their weights, from the left; modulo 11. */
const weighted = (values: readonly number[], weights: readonly number[]) =>
  values.reduce((sum, value, index) => sum + value * weights[index]!, 0) % 11;

const digitsOf = (text: string) => [...text].map(Number);

/** The characters of an RFC. The position of a character, 0 to 38, is its value (SAT, 'Verificador'). */
const RFC_CHARACTERS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';
const RFC = /^[A-ZÑ&]{3,4}(\d\d)(\d\d)(\d\d)[A-Z\d]{2}[\dA]$/;

function rfcFault(id: string): TaxIdFault | null {
  const match = RFC.exec(id);
  if (!match) return 'form';
  if (isGenericRfc(id)) return null;
  const [year, month, day] = match.slice(1).map(Number);
  // The RFC has no century. 2000 is used, because it is a leap year and 1900 is not: 29 February 00 must be accepted.
  const date = new Date(Date.UTC(2000 + year!, month! - 1, day));
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return 'date';
  // A company's RFC has 12 characters; the check digit rule puts a space before them.
  return digitFault(id.padStart(13, ' '), rfcDigit);
}

function rfcDigit(body: string): string {
  const values = [...body].map((character) => RFC_CHARACTERS.indexOf(character));
  const digit = (11 - weighted(values, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) % 11;
  return digit === 10 ? 'A' : String(digit);
}

const ELEVEN_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/**
 * The digit 10 does not exist in a CUIT: the person or company then gets another prefix (23, 33) with its own digit.
 */
function cuitDigit(body: string): string | null {
  const digit = (11 - weighted(digitsOf(body), ELEVEN_WEIGHTS)) % 11;
  return digit === 10 ? null : String(digit);
}

/** 10 is written as 0, and 11 as 1. */
const rucDigit = (body: string) => String((11 - weighted(digitsOf(body), ELEVEN_WEIGHTS)) % 10);

/** The weights 2 to 7 repeat, from the right. */
function rutDigit(body: string): string {
  const digits = digitsOf(body).reverse();
  const digit =
    (11 -
      weighted(
        digits,
        digits.map((_, index) => 2 + (index % 6)),
      )) %
    11;
  return digit === 10 ? 'K' : String(digit);
}

/** The weights published by DIAN, from the right. */
const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

function nitDigit(body: string): string {
  const rest = weighted(digitsOf(body).reverse(), NIT_WEIGHTS);
  return String(rest > 1 ? 11 - rest : rest);
}

/**
 * A CPF of a person (11 digits), or a CNPJ of a company: 12 digits or letters (letters since July 2026) and two check
 * digits.
 */
function brazilianFault(id: string): TaxIdFault | null {
  const isPerson = /^\d{11}$/.test(id);
  // A number that repeats one digit has valid check digits, but is never assigned.
  if ((!isPerson && !/^[A-Z\d]{12}\d\d$/.test(id)) || /^(\d)\1*$/.test(id)) return 'form';
  const body = id.slice(0, -2);
  const first = brazilianDigit(body, isPerson);
  return `${first}${brazilianDigit(body + first, isPerson)}` === id.slice(-2) ? null : 'digit';
}

/**
 * The weights from the right: from 2 upwards for a CPF; 2 to 9 repeatedly for a CNPJ. The value of a letter is its
 * ASCII code minus 48.
 */
function brazilianDigit(body: string, isPerson: boolean): string {
  const values = [...body].reverse().map((character) => character.charCodeAt(0) - 48);
  const rest = weighted(
    values,
    values.map((_, index) => 2 + (isPerson ? index : index % 8)),
  );
  return String(rest < 2 ? 0 : 11 - rest);
}
