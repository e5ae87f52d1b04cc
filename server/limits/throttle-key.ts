import { createHash } from 'node:crypto';

/** The number of hexadecimal digits of each hash. All have the same length, so no key is the beginning of another. */
const DIGITS = 32;

const mark = (part: string) => createHash('sha256').update(part).digest('hex').slice(0, DIGITS);

/**
 * The key of a counter. It contains hashes of names and addresses, not their text: a user may type a password into
 * the field for the user name. A key with fewer parts is the beginning of the keys with more.
 * @param kind what is counted: 'sign-in'
 */
export const throttleKey = (kind: string, ...parts: string[]): string =>
  [kind, ...parts.map(mark), ''].join(':');
