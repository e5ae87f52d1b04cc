import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { countryCode, countryName } from './countries.ts';

/**
 * Reads telephone numbers in the client's country (INPUT-02, docs/decisions/126-telephones.md). The one reader of
 * phones. Its metadata is large: the console loads this file with a form or with details, never with a list.
 *
 * A number is an E.164 text everywhere: a plus and the digits, '+525512345678'.
 */

/** The number that a text means in the client's country, and whose the stored text is. */
export type PhoneAdvice = {
  /** The name of the country of the stored number; null if that is the client's own or no country at all. */
  owner: string | null;
  /** The client's country by its Spanish name; null if its text names none. */
  country: string | null;
  /** The number of the client's country that was meant, in E.164; null if there is none. */
  suggestion: string | null;
};

/** Signs that people write between the digits, and those without width that come along when a number is copied. */
const SEPARATORS = /[\s().\p{Pd}\u2212/·\p{Cf}]/gu;
const DIGITS = /^\+?\d{6,18}$/;

/** A phone without the signs between its digits; null if it holds anything but digits and a plus. */
function compact(text: string): string | null {
  const bare = text.trim().replace(SEPARATORS, '');
  return DIGITS.test(bare) ? bare : null;
}

/** The digits of a phone, with its plus, without the signs between them; a text that is no phone as it is. */
export const compactPhone = (text: string): string => compact(text) ?? text.trim();

/** A compact text as a number with a country code, whichever that is (D048). */
const asInternational = (bare: string) =>
  parsePhoneNumberFromString(bare.startsWith('+') ? bare : `+${bare}`);

/** The country for which numbers can be read; null for a text that names none, or one without telephones. */
function phoneCountry(country: string): CountryCode | null {
  const code = countryCode(country);
  return code !== null && isSupportedCountry(code) ? code : null;
}

/** A plus and nine digits: the field takes no shorter number, though some plans have them (D047). */
const SHORTEST = 10;

const isOf = (number: PhoneNumber | undefined, code: CountryCode): number is PhoneNumber =>
  number?.isValid() === true &&
  number.number.length >= SHORTEST &&
  number.countryCallingCode === getCountryCallingCode(code);

/**
 * Mexican numbers have had ten digits and no prefix since August 2019. The prefixes of before are dialled no more, but
 * stand in address books: 01, 044 and 045 before ten digits, and 1 between 52 and a mobile.
 */
const MEXICAN_BEFORE_2019 = /^(?:52)?(?:01|044|045)(\d{10})$|^521(\d{10})$/;

function withoutOldPrefix(digits: string): string {
  const match = MEXICAN_BEFORE_2019.exec(digits);
  return match?.[1] ?? match?.[2] ?? digits;
}

/** The number that digits mean in a country; undefined if they are none of it. */
function national(digits: string, code: CountryCode): string | undefined {
  const number = parsePhoneNumberFromString(code === 'MX' ? withoutOldPrefix(digits) : digits, code);
  // Some plans have two ways to write a number; one that would be read as another is none that can be stored.
  return isOf(number, code) && asInternational(number.number)?.number === number.number
    ? number.number
    : undefined;
}

/**
 * The number of the client's country that a text means.
 * @param text as typed, with or without separators and country code
 * @param country the client's country as free text
 * @returns E.164; null if the text is no number of this country. A text with a plus that is a valid number of another
 * country is that number.
 */
export function phoneIn(text: string, country: string): string | null {
  const bare = compact(text);
  const code = phoneCountry(country);
  if (bare === null || code === null) return null;
  if (bare.startsWith('+')) {
    const number = asInternational(bare);
    if (number?.isValid()) return isOf(number, code) ? number.number : null;
  }
  return national(bare.replace('+', ''), code) ?? null;
}

/**
 * What is to be said of a phone that is stored as it was sent.
 * @param typed what was sent
 * @param stored what is stored of it
 * @param country the client's country as free text
 * @returns null if nothing is: the stored number is one of the client's country, or no number at all
 */
export function phoneAdvice(typed: string, stored: string, country: string): PhoneAdvice | null {
  const bare = compact(stored);
  if (bare === null) return null;
  const code = phoneCountry(country);
  const number = asInternational(bare);
  if (code !== null && isOf(number, code) && number.number === (bare.startsWith('+') ? bare : `+${bare}`))
    return null;
  return {
    owner: ownerOf(number, code),
    country: code && countryName(code),
    suggestion: phoneIn(typed, country),
  };
}

/** Calling codes of several countries, for numbers that belong to none of them in particular. */
const SHARED: Readonly<Record<string, string>> = { '1': 'Norteamérica' };

function ownerOf(number: PhoneNumber | undefined, code: CountryCode | null): string | null {
  if (number === undefined) return null;
  if (code !== null && number.countryCallingCode === getCountryCallingCode(code)) return null;
  return number.country ? countryName(number.country) : (SHARED[number.countryCallingCode] ?? null);
}

/**
 * The phone that imports and the portal store: the number of the client's country that was meant, where the text as it
 * is would be none of it.
 * @returns E.164; null if nothing is to be repaired
 */
export function repairedPhone(typed: string, country: string): string | null {
  return phoneAdvice(typed, typed, country)?.suggestion ?? null;
}

/** The sentence about a stored phone that was probably meant otherwise. */
export const phoneWarning = (
  stored: string,
  { owner, country, suggestion }: PhoneAdvice & { suggestion: string },
) =>
  `Se guardó ${stored}, que ${owner === null ? `no es un teléfono de ${country}` : `es de ${owner}`}. De ${country} es ${suggestion}.`;

/** True for a number that exists in the numbering plan of its country; only such a number can have a chat. */
export function isPossiblePhone(stored: string): boolean {
  const bare = compact(stored);
  return bare !== null && asInternational(bare)?.isValid() === true;
}

/** A longer group is one that the library did not divide, because the number is in no plan. */
const GROUP_MAX = 5;
const GROUP = 4;

/** Groups of four digits from the end: '12345678' becomes '1234', '5678'. */
function divided(digits: string): string[] {
  if (digits.length <= GROUP_MAX) return [digits];
  const first = digits.length % GROUP || GROUP;
  return [digits.slice(0, first), ...divided(digits.slice(first))];
}

/**
 * The groups in which a stored phone is shown, as in its country: '+52', '55', '1234', '5678'. Together they are the
 * stored text, so nothing else is copied or read aloud.
 */
export function phoneGroups(stored: string): string[] {
  const number = /^\+\d+$/.test(stored) ? asInternational(stored) : undefined;
  if (number?.number !== stored) return [stored];
  const groups = number
    .formatInternational()
    .split(/[^+\d]+/)
    .flatMap(divided);
  return groups.join('') === stored ? groups : [stored];
}
