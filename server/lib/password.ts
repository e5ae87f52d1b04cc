import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id with OWASP's minimum of memory and passes, in its PHC text form, salt included. The numbers are part of
 * the text, so that old hashes stay readable when they grow.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password for storage. */
export const hashPassword = (password: string) => hash(password, PARAMETERS);

/** Checks a password against a stored hash; a hash that cannot be read is no match. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, password);
  } catch {
    return false;
  }
}

/** True when a stored hash was made with weaker parameters than today's and is due to be made again at sign-in. */
export function needsRehash(stored: string): boolean {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored);
  if (!match) return true;
  return Number(match[1]) < PARAMETERS.memoryCost || Number(match[2]) < PARAMETERS.timeCost;
}

/** A hash that no password has, to the cost of a real one; written down, so that none has to be made at the first use. */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Spends the time of a real check for a user that does not exist, so that the clock tells nobody (D002). */
export async function spendVerificationTime(password: string): Promise<void> {
  await verifyPassword(DECOY, password);
}
