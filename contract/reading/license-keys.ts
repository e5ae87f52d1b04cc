import { withoutSignsAround } from './around.ts';

/**
 * How a licence key is read: people type it, copy it from a mail with what stands around it, or read it from paper
 * (API-02, D083, INPUT-10).
 */

/** Characters of a key. 0, O, 1 and I are left out because people misread them on paper and by phone (D083). */
export const LICENSE_KEY_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** A key that this product made, as it is stored. */
export const LICENSE_KEY_PATTERN = /^[2-9A-HJ-NP-Z]{5}(-[2-9A-HJ-NP-Z]{5}){4}$/;

/** The stored form of a key. It is tested first, because nearly every validation sends it. */
const IN_SHAPE = /^[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}$/;

/** Characters between the groups of a key: spaces, hyphens and dashes of any kind, and invisible characters. */
const SEPARATORS = /[\s\p{Pd}\u00ad\u2043\u2212\u180e\u200b-\u200d\u2060]+/gu;
const LETTERS = /^[0-9A-Z]{25}$/;
/** The 25 letters of a key that this product generated. */
const OWN_LETTERS = new RegExp(`^[${LICENSE_KEY_ALPHABET}]{25}$`);

/** The letters and digits of a key in capitals. Keys that differ only in their separators have the same result. */
export const lettersOfKey = (key: string) => key.replace(SEPARATORS, '').toUpperCase();

/**
 * The part of a key that goes into `key_hash` of a token, so that a program recognises its key however it was typed:
 * the printable ASCII characters except the hyphen, in capitals. The SDKs of six languages implement this rule, so it
 * uses no Unicode tables.
 */
export const countedInKey = (key: string) => key.replace(/[^!-~]|-/g, '').toUpperCase();

/**
 * The form in which keys are compared: capitals, and five groups of five if the key has 25 letters. The key of another
 * program keeps its groups, with a hyphen for each separator.
 */
export function normalizeLicenseKey(key: string): string {
  if (IN_SHAPE.test(key)) return key;
  const letters = lettersOfKey(key);
  if (LETTERS.test(letters)) return inGroups(letters);
  return key.trim().toUpperCase().replace(SEPARATORS, '-');
}

/**
 * Parses a searched text as a complete key of this product.
 * @returns the key in its stored form; null for any other text, such as a name with the same number of letters
 */
export function wholeLicenseKey(text: string): string | null {
  const letters = lettersOfKey(text);
  return OWN_LETTERS.test(letters) ? inGroups(letters) : null;
}

/** Signs without width, which come along when a key is copied: direction marks, joiners, soft hyphens. */
const INVISIBLE = /\p{Cf}/gu;
const DASHES = /[\p{Pd}\u2043\u2212_]/gu;
const BREAK = /[\r\n]+/;
/**
 * Groups of letters of a key. No letter or digit stands beside them, and no further group is joined to them by a
 * hyphen.
 * @param joint what stands between two groups, as part of a pattern
 */
const freeGroups = (groups: number, letters: number, joint = '-') => {
  const group = `[${LICENSE_KEY_ALPHABET}]{${letters}}`;
  return new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}]-?)${group}(?:${joint}${group}){${groups - 1}}(?!-?[\\p{L}\\p{M}\\p{N}])`,
    'gu',
  );
};
const OWN_KEY = freeGroups(5, 5);
/** A key as people dictate it, with spaces between its groups. */
const SPACED_KEY = freeGroups(5, 5, '[ \\t]+');
const CERTIFICATE_CODE = freeGroups(4, 4);
const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;

/** A pasted text with its letters and hyphens as keys have them. */
const plainOf = (text: string) =>
  text.normalize('NFKC').replace(INVISIBLE, '').replace(DASHES, '-').toUpperCase();

/**
 * The one text of some forms that stands free in a plain text, with hyphens between its groups; null if there is none,
 * or if there are different ones.
 */
function onlyIn(plain: string, forms: readonly RegExp[]): string | null {
  // A line break can stand between two words, or in the key.
  const lines = plain.split(BREAK).map((part) => part.trim());
  const texts = [' ', ''].map((joint) => lines.join(joint));
  const matches = forms.flatMap((form) => texts.flatMap((text) => text.match(form) ?? []));
  const found = new Set(matches.map((match) => match.replace(/[ \t]+/g, '-')));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/**
 * Finds the one key of this product that stands free in a text, as in 'Clave: K…' or '“K…”', with hyphens or spaces between its groups: full width letters,
 * invisible signs, '_' for a hyphen and line breaks inside are undone (INPUT-10).
 * @returns the key in its stored form; null if there is none, or if there are several different ones
 */
export function licenseKeyIn(text: string): string | null {
  const plain = plainOf(text);
  return wholeLicenseKey(withoutSignsAround(plain, LETTER_OR_DIGIT)) ?? onlyIn(plain, [OWN_KEY, SPACED_KEY]);
}

/** As {@link licenseKeyIn}, for the code of a certificate. */
export const certificateCodeIn = (text: string): string | null => onlyIn(plainOf(text), [CERTIFICATE_CODE]);

/**
 * A searched text, or the key in it where it is longer than a search may be or has line breaks: pasted from a mail.
 * @param max the most characters of a search
 */
export const searchedOrKey = (text: string, max: number): string =>
  text.length > max || BREAK.test(text.trim()) ? (licenseKeyIn(text) ?? text) : text;

const inGroups = (letters: string) => letters.replace(/(.{5})(?=.)/g, '$1-');

/** Stands for what is not shown. */
export const MASK = '•••';

const SHOWN = 4;

/** A key as it is shown where nobody may read it: its last characters, or none of a short key. */
export const maskKey = (key: string): string =>
  key.length < 4 * SHOWN ? MASK : `${MASK}${key.slice(-SHOWN)}`;

/** A licence key that this program made, anywhere in a text. */
const KEY_IN_TEXT = /(?<![A-Za-z0-9])[A-Za-z0-9]{5}(?:-[A-Za-z0-9]{5}){4}(?![A-Za-z0-9])/g;

/** A text with every key that this program could have made masked. */
export const maskKeysIn = (text: string): string => text.replace(KEY_IN_TEXT, maskKey);
