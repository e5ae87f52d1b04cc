import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { readPassword } from '../../contract/reading/passwords.ts';
import { unavailable } from '../errors.ts';

/**
 * Argon2id with OWASP's minimum for memory and passes, as a PHC text that includes the salt. The text also contains
 * the parameters, so old hashes stay valid after the parameters are increased.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes at once in this process: two, but on two cores only one, so that one core is free for answers. Hashes run on
 * libuv's four threads, which also read files and look up names; two threads stay free for these.
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));
/** The queue is some seconds of hashing; later callers are told to retry. */
const WAITING_MAX = 500;

let running = 0;
const waiting: (() => void)[] = [];

/** @throws unavailable (503) when too many wait */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length >= WAITING_MAX) throw unavailable();
  else await new Promise<void>((start) => waiting.push(start));
  try {
    return await work();
  } finally {
    // The next work starts in place of this one, so the number of running ones stays the same.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/**
 * Hashes a password for storage.
 * @throws unavailable (503) when too many wait for a hash
 */
export const hashPassword = (password: string) => inTurn(() => hash(readPassword(password), PARAMETERS));

/** `isOutdated`: the stored hash should be replaced by one of {@link hashPassword} once. */
type Verified = { matches: boolean; isOutdated: boolean };

/**
 * Checks a password against a stored hash. An unreadable hash (an invited person who has no password yet) never
 * matches, and the check takes as long as any other.
 * @throws unavailable (503) when too many wait for a hash
 */
export const verifyPassword = (stored: string, typed: string): Promise<Verified> =>
  inTurn(async () => {
    for (const text of formsOf(typed)) {
      const matches = await verify(stored, text).catch(async () => {
        await verify(DECOY, text);
        return false;
      });
      if (matches) return { matches, isOutdated: text !== readPassword(typed) || isWeaker(stored) };
    }
    return { matches: false, isOutdated: false };
  });

/** The texts that a typed password is compared as. Hashes of earlier versions are of the text as it was typed. */
const formsOf = (typed: string): string[] => [...new Set([readPassword(typed), typed])];

/** True for a hash with weaker parameters than today's. */
function isWeaker(stored: string): boolean {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored);
  if (!match) return true;
  return Number(match[1]) < PARAMETERS.memoryCost || Number(match[2]) < PARAMETERS.timeCost;
}

/** A hash that matches no password and takes as long to check as a real one. As a constant it need not be computed. */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Takes as long as a real check, so that the response time does not reveal that there was no hash to check (D002). */
export async function spendVerificationTime(typed: string): Promise<void> {
  await verifyPassword(DECOY, typed);
}
