import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../errors.ts';

/**
 * Argon2id with OWASP's minimum of memory and passes, in PHC text form with its salt. The text contains the
 * parameters, so that old hashes stay readable after an increase.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes at once in this process: two, and on two cores one, so that a core answers the others. They run on the four
 * threads of libuv, which also read files and look up names: two stay free for those, whatever comes.
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Some seconds of hashing; who comes after it is asked to come again. */
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
    // The next one takes the place, so the number of running ones stays the same.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Hashes a password for storage. @throws unavailable (503) when too many wait for a hash */
export const hashPassword = (password: string) => inTurn(() => hash(password, PARAMETERS));

/**
 * Checks a password against a stored hash. An unreadable hash, such as that of a person who was invited and has no
 * password yet, matches nothing and takes as long as any other.
 * @throws unavailable (503) when too many wait for a hash
 */
export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  inTurn(() =>
    verify(stored, password).catch(async () => {
      await verify(DECOY, password);
      return false;
    }),
  );

/** True for a hash with weaker parameters than today's; sign-in then makes a new one. */
export function needsRehash(stored: string): boolean {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored);
  if (!match) return true;
  return Number(match[1]) < PARAMETERS.memoryCost || Number(match[2]) < PARAMETERS.timeCost;
}

/**
 * A hash that matches no password and costs as much to check as a real one. It is a constant, so that none has to be
 * computed.
 */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Spends the time of a real check, so that the response time does not reveal that there was none (D002). */
export async function spendVerificationTime(password: string): Promise<void> {
  await inTurn(() => verify(DECOY, password));
}
