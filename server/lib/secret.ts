import { hash, randomBytes, randomInt } from 'node:crypto';

/** A new opaque token: 256 random bits, safe in headers and URLs. */
export const createToken = () => randomBytes(32).toString('base64url');

/** The stored hash of a token. Random input needs neither a salt nor a slow hash. */
export const hashToken = (token: string) => hash('sha256', token);

/** Random groups of characters from an alphabet, uniformly distributed and joined by hyphens. */
export function createCode(alphabet: string, groups: number, groupLength: number): string {
  const letter = () => alphabet[randomInt(alphabet.length)];
  const group = () => Array.from({ length: groupLength }, letter).join('');
  return Array.from({ length: groups }, group).join('-');
}
