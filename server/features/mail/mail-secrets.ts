import { maskKeysIn } from '../../../contract/reading/license-keys.ts';
import { withMaskedKeys } from '../mail-templates/mailed-keys.ts';

/** The variables whose values give access. */
const SECRET = ['link', 'code', 'unsubscribeUrl'];

/**
 * The parts of a mail that answers, events and the log must never contain (EVENT-04): a code, and in a link the part
 * after its path, or a token at the end of the path.
 * @param variables the mail's variables
 */
export function secretsOf(variables: Record<string, unknown>): string[] {
  return SECRET.flatMap((name) => {
    const value = variables[name];
    if (typeof value !== 'string' || value === '') return [];
    return URL.canParse(value) ? secretOfLink(value) : [value];
  });
}

function secretOfLink(link: string): string[] {
  const path = link.split(/[?#]/, 1)[0]!;
  const [behind, token] = [link.slice(path.length + 1), path.slice(path.lastIndexOf('/') + 1)];
  if (behind !== '') return [behind];
  return /^[\w-]{40,}$/.test(token) ? [token] : [];
}

const MASK = '•••';

/** Marks the word of a mail's licence keys among its stored secrets (mailed-keys.ts). */
const KEYS = 'keys:';

export const keySecret = (word: string): string => `${KEYS}${word}`;

/**
 * The word in the marks of a mail's licence keys; null for a mail without keys, or of a version that stored them.
 * @param stored the secrets, as the outbox stores them
 */
export function keyWordOf(stored: string): string | null {
  const secrets: string[] = JSON.parse(stored);
  return secrets.find((secret) => secret.startsWith(KEYS))?.slice(KEYS.length) ?? null;
}

/**
 * A text of a mail with its secrets masked, and with every text that has the form of a licence key: earlier versions
 * stored the keys.
 * @param stored the secrets, as the outbox stores them
 */
export function masked(text: string, stored: string): string {
  const secrets: string[] = JSON.parse(stored);
  const clean = secrets.reduce(
    (known, secret) => known.replaceAll(secret, MASK).replaceAll(secret.replaceAll('&', '&amp;'), MASK),
    text,
  );
  const word = keyWordOf(stored);
  return maskKeysIn(word === null ? clean : withMaskedKeys(clean, word));
}
