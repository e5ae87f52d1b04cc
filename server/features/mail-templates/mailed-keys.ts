import { createHash } from 'node:crypto';
import { maskKey } from '../../../contract/reading/license-keys.ts';
import { createToken } from '../../lib/secret.ts';
import { escapeHtml } from './mail-html.ts';

/**
 * Licence keys in mails. A template and a stored mail contain a mark in place of each key: the mail's random word, the
 * licence, a fingerprint of the key, and its last characters. Only the message that leaves has the key (decision 113).
 * Nobody can write a mark, in a client's name for example, because nobody knows the word.
 */

/** A licence key as the value of a template's variable. */
export type MailedKey = { license: number; key: string };

/** The three parts of a mail. */
export type Content = { subject: string; text: string; html: string };

/** The marks of one mail: the word that they contain, and how they become keys. */
export type KeyMarks = { word: string; keys: ReadonlyMap<number, string> };

const WORD_LENGTH = 20;

/** A random word of letters and digits, which have no meaning in the markup or in HTML. */
export function randomWord(): string {
  const letters = createToken()
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  // Nearly always the first one is long enough.
  return letters.length < WORD_LENGTH ? randomWord() : letters.slice(0, WORD_LENGTH);
}

/** Tells two keys of one licence apart; of a key with 125 random bits it gives nothing away. */
const fingerprintOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** The mark that stands for a key. */
export const markOf = (word: string, { license, key }: MailedKey): string =>
  `${word}l${license}f${fingerprintOf(key)}t${Buffer.from(maskKey(key)).toString('hex')}z`;

type Mark = { license: number; fingerprint: string; mask: string };

/** What follows the word in a mark. */
const MARK = /^l(\d+)f([0-9a-f]{8})t([0-9a-f]*)z/;

/** Replaces the marks in a text. It is split at the word, because a pattern with the word would be compiled each time. */
function withMarks(text: string, word: string, shown: (mark: Mark) => string): string {
  const [first = '', ...rest] = text.split(word);
  return rest.reduce((known, part) => {
    const match = MARK.exec(part);
    // The word alone is in no mail: nobody knows it.
    if (match === null) return known + word + part;
    const [whole, license, fingerprint, mask] = match;
    const mark = {
      license: Number(license),
      fingerprint: fingerprint!,
      mask: Buffer.from(mask!, 'hex').toString(),
    };
    return known + shown(mark) + part.slice(whole.length);
  }, first);
}

/** A text or the HTML of a mail with each key masked, as answers of the API show it. */
export const withMaskedKeys = (text: string, word: string): string =>
  // The key of another program may have any form: characters that HTML would need to escape are not shown.
  withMarks(text, word, ({ mask }) => (/^[•\w-]+$/.test(mask) ? mask : '•••'));

/** The licences whose keys a mail contains, each with the fingerprint of the key that it contains. */
export function markedLicenses({ subject, text }: Content, word: string): Map<number, string> {
  const found = new Map<number, string>();
  withMarks(`${subject}\n${text}`, word, ({ license, fingerprint }) => {
    found.set(license, fingerprint);
    return '';
  });
  return found;
}

/** Whether a mail contains this key of the licence, and not one that was replaced since. */
export const isSameKey = (fingerprint: string | undefined, key: string): boolean =>
  fingerprint === fingerprintOf(key);

/** The content that leaves: each mark is replaced by the key of its licence. */
export function withKeys(content: Content, { word, keys }: KeyMarks): Content {
  const keyOf = ({ license }: Mark): string => {
    const key = keys.get(license);
    if (key === undefined) throw new Error(`The key of licence ${license} is missing in a mail.`);
    return key;
  };
  return {
    subject: withMarks(content.subject, word, keyOf),
    text: withMarks(content.text, word, keyOf),
    html: withMarks(content.html, word, (mark) => escapeHtml(keyOf(mark))),
  };
}

/** The content to store, with marks that stand for these keys: they may have been replaced since the mail was written. */
export function withMarksOf({ subject, text, html }: Content, { word, keys }: KeyMarks): Content {
  const again = (part: string) =>
    withMarks(part, word, ({ license }) => markOf(word, { license, key: keys.get(license) ?? '' }));
  return { subject: again(subject), text: again(text), html: again(html) };
}
