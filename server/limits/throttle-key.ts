import { createHash } from 'node:crypto';

/** So many hexadecimal digits of a hash; all have the same length, so no key is the beginning of another. */
const DIGITS = 32;

const mark = (part: string) => createHash('sha256').update(part).digest('hex').slice(0, DIGITS);

/**
 * The key of a counter. Names and addresses stand in it as hashes only: what somebody types as a user name may be a
 * password. With fewer parts it is the beginning of the keys that have more.
 * @param kind what is counted: 'sign-in'
 */
export const throttleKey = (kind: string, ...parts: string[]): string =>
  [kind, ...parts.map(mark), ''].join(':');
