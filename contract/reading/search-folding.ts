import { withoutSignsAround } from './around.ts';

/**
 * How texts are folded for a search (INPUT-08, docs/decisions/131-search-folding.md). What is stored and what is asked
 * are folded alike, so that a text is found however its signs, case and accents are written. Sort keys do not use this
 * form (contract/base/text.ts).
 */

/** A word that a search asks for. */
export type SearchWord = {
  /** The folded form. A row matches if its stored text contains it. */
  text: string;
  /** As it was typed, in lower case and without accents. Tax ids are read in it. */
  written: string;
};

/** Accents, and signs without width: direction marks, joiners, soft hyphens. */
const INVISIBLE = /[\p{Mn}\p{Cf}]/gu;
/** Dots and what people type for an apostrophe. Between two letters they are left out: 'S.A.', 'D’Angelo'. */
const LEFT_OUT = ".'\\u2018\\u2019\\u201b\\u2032\\u02b9\\u02bb\\u02bc`\\u00b4\\uff07";
const BETWEEN_LETTERS = new RegExp(`[${LEFT_OUT}]`, 'g');
const LETTERS = '[\\p{L}\\p{M}]+';
/** The letters between other signs. */
const NAMES = new RegExp(`${LETTERS}(?:[${LEFT_OUT}]+${LETTERS})*`, 'gu');
/** The parts of a word with an @ that can belong to a mail address. */
const MAIL_PARTS = new RegExp(`[\\p{L}\\p{M}\\p{N}@_%+${LEFT_OUT}-]+`, 'gu');
const SIGNS = /[^\p{L}\p{M}\p{N}]+/gu;
/** Signs that may begin or end a word; others around it are dropped: quotes, brackets, a full stop. */
const KEPT = /[\p{L}\p{M}\p{N}@]/u;
/** Nearly every word is folded already. */
const FOLDED = /^[a-z0-9]+$/;
const DIGIT = /\p{N}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;
/** How the addresses of links begin that people copy in place of what they show. */
const SCHEME = /^(?:(?:mailto|tel):)+/;
/** A mail address in angle brackets, as mail programs copy it with the name. */
const IN_BRACKETS = /<\s*([^<>\s@]+@[^<>\s@]+)\s*>/g;
/** The index finds parts of this length on. */
const INDEXED = 3;

const bareOf = (word: string) => withoutSignsAround(word, KEPT);

const plain = (text: string) => text.normalize('NFD').replace(INVISIBLE, '').toLowerCase();

/** The words of a text, in its order. */
const wordsOf = (text: string): SearchWord[] =>
  plain(text)
    .split(/\s+/)
    .flatMap((word) => foldWord(word));

/** The folded words of a text between two spaces; none if it has neither letters nor digits. */
function foldWord(typed: string): SearchWord[] {
  if (FOLDED.test(typed)) return [{ text: typed, written: typed }];
  const bare = bareOf(typed);
  const word = bareOf(bare.replace(SCHEME, ''));
  if (!LETTER_OR_DIGIT.test(word)) return [];
  if (word.includes('@')) return foldAddress(bare === word ? word : word.split('?')[0]!);
  if (DIGIT.test(word)) return [{ text: word.replace(SIGNS, ''), written: word }];
  return (word.match(NAMES) ?? []).map((name) => ({
    text: name.replace(BETWEEN_LETTERS, ''),
    written: name,
  }));
}

/** A word with an @ stays as it is written; what cannot belong to an address ends it. */
const foldAddress = (word: string): SearchWord[] =>
  (word.match(MAIL_PARTS) ?? []).flatMap((part) => {
    const address = bareOf(part);
    if (!address.includes('@')) return foldWord(address);
    return LETTER_OR_DIGIT.test(address) ? [{ text: address, written: address }] : [];
  });

/**
 * Folds a text: lower case, no accents, single spaces. Dots and apostrophes between letters are left out, each other
 * sign is a space. A word with a digit loses all its signs ('55-1234-5678', 'PC-01'), and one with an @ has them all.
 * Folding a folded text changes nothing.
 */
export const foldForSearch = (text: string): string =>
  wordsOf(text)
    .map((word) => word.text)
    .join(' ');

/** Folds a key or a tax id, which is one word whatever separates its parts. */
export const foldCode = (code: string): string => foldForSearch(code).replaceAll(' ', '');

/**
 * The words that a search asks for; a match contains each of them (D053). Of a name with its address in angle brackets
 * only the address is asked for, because the record may have another name. Parts of one or two letters with only signs
 * between them are one word: 'AT&T' asks for 'at t'.
 * @returns no words for a text without letters and digits, which nothing matches
 */
export function searchWords(text: string): SearchWord[] {
  const [address, ...further] = text.matchAll(IN_BRACKETS);
  const asked = address?.[1] !== undefined && further.length === 0 ? address[1] : text;
  const words = plain(asked)
    .split(/\s+/)
    .flatMap((word) => together(word, foldWord(word)));
  return [...new Map(words.map((word) => [word.text, word])).values()];
}

const ONLY_LETTERS = /^[\p{L}\p{M}]+$/u;

/**
 * The readings of a search, in the order to try: its words, and where these find nothing, words with letters and digits
 * with a space in place of their signs, as another person may have written them: 'Caja-3' and 'Caja 3'. Numbers stay
 * as they are.
 */
export function searchReadings(text: string): SearchWord[][] {
  const words = searchWords(text);
  const spaced = words.map(inParts);
  return spaced.every((word, at) => word === words[at]) ? [words] : [words, spaced];
}

/** A word with spaces around its parts of letters: 'oc-2024/15' to 'oc 202415'. */
function inParts(word: SearchWord): SearchWord {
  const parts = word.written.split(SIGNS).filter((part) => part !== '');
  const isName = parts.length > 1 && parts.some((part) => ONLY_LETTERS.test(part));
  if (!isName || !DIGIT.test(word.text) || word.written.includes('@')) return word;
  const spaced = parts.map((part) => (ONLY_LETTERS.test(part) ? ` ${part} ` : part)).join('');
  const text = spaced.replace(/ +/g, ' ').trim();
  return { text, written: text };
}

/** The parts of a word as one, if each is too short for the index. */
function together(typed: string, parts: SearchWord[]): SearchWord[] {
  if (parts.length < 2 || parts.some(({ text }) => [...text].length >= INDEXED)) return parts;
  return [{ text: parts.map(({ text }) => text).join(' '), written: bareOf(typed) }];
}

/**
 * The text that is stored for searches: a line for each of the given texts. A mail address stands in it as it is
 * written, and its folded parts after it.
 */
export const searchTextOf = (texts: readonly string[]): string =>
  texts.map((text) => wordsOf(text).map(storedWord).join(' ')).join('\n');

function storedWord({ text }: SearchWord): string {
  if (!text.includes('@')) return text;
  const parts = text.split('@').flatMap((part) => foldWord(part).map((word) => word.text));
  return [text, ...new Set(parts.filter((part) => !text.includes(part)))].join(' ');
}

/** True if the texts of a row contain each word of a search, read as the server reads it first. */
export function isFoundBy(texts: readonly string[], search: string): boolean {
  const words = searchWords(search);
  return (search.trim() === '' || words.length > 0) && holds(texts, words);
}

function holds(texts: readonly string[], words: readonly SearchWord[]): boolean {
  const stored = searchTextOf(texts);
  return words.every(({ text }) => stored.includes(text));
}

/** The rows of a list in memory that a search finds, as the server's search decides. */
export function foundBy<Row>(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly string[],
  search: string,
): Row[] {
  const first = rows.filter((row) => isFoundBy(textsOf(row), search));
  const [, looser] = searchReadings(search);
  return first.length > 0 || !looser ? first : rows.filter((row) => holds(textsOf(row), looser));
}
