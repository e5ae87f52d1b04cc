import { LICENSE_KEY_ALPHABET } from './licenses.ts';

/** How a licence key is read: people type it, copy it from a mail, or read it from paper (API-02, D083). */

/** A key as it is stored. It is asked first, because nearly every validation has one. */
const IN_SHAPE = /^[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}$/;

/** What stands between the groups of a key: spaces, hyphens and dashes of any kind, and invisible characters. */
const SEPARATORS = /[\s\p{Pd}\u00ad\u2043\u2212\u180e\u200b-\u200d\u2060]+/gu;
const LETTERS = /^[0-9A-Z]{25}$/;
/** Those that the product's own keys have. */
const OWN_LETTERS = new RegExp(`^[${LICENSE_KEY_ALPHABET}]{25}$`);

/** The letters and digits of a key alone, in capitals: keys that differ only in their separators are equal in it. */
export const lettersOfKey = (key: string) => key.replace(SEPARATORS, '').toUpperCase();

/**
 * What counts of a key in the `key_hash` of a token, so that a program finds its own key however it was typed: the
 * printable characters of ASCII but the hyphen, in capitals. Six languages read it, so it needs no table of Unicode.
 */
export const countedInKey = (key: string) => key.replace(/[^!-~]|-/g, '').toUpperCase();

/**
 * The form in which a key is compared: capitals, in five groups of five where it has 25 letters. A key of another
 * program keeps its own groups, with a hyphen for each separator.
 */
export function normalizeLicenseKey(key: string): string {
  if (IN_SHAPE.test(key)) return key;
  const letters = lettersOfKey(key);
  if (LETTERS.test(letters)) return inGroups(letters);
  return key.trim().toUpperCase().replace(SEPARATORS, '-');
}

/**
 * Reads a text of a search as a whole key of this product.
 * @returns the key as it is stored; null for any other text, such as a name with as many letters
 */
export function wholeLicenseKey(text: string): string | null {
  const letters = lettersOfKey(text);
  return OWN_LETTERS.test(letters) ? inGroups(letters) : null;
}

const inGroups = (letters: string) => letters.replace(/(.{5})(?=.)/g, '$1-');
