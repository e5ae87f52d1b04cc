import type { AppContext } from '../../context.ts';
import { rateLimited } from '../../errors.ts';
import { countTry, type Limit } from '../../lib/throttle.ts';

/**
 * Unknown keys are what is limited, one counter over validation, activation and heartbeat; an office whose
 * machines all share one address never suffers for having many of them (promises: Who gets in).
 */
export const UNKNOWN_KEY_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };
/** A machine that runs in a circle is slowed down by its own replica; this guards the server, not the licence. */
const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Counts a key that does not exist. @throws rateLimited (429) once there were too many from one address */
export const countUnknownKey = (context: AppContext, address: string): Promise<void> =>
  countTry(context.db, `license-key:${address}`, UNKNOWN_KEY_LIMIT, context.now());

/**
 * Limits one machine of one licence to 60 calls a minute, in memory: a count that every replica shared would cost
 * a write for each call (docs/decisions/007-limits-of-installed-programs.md).
 */
export function createMachineLimiter(now: () => Date): (licenseId: number, machineId: string) => void {
  let minute = 0;
  let calls = new Map<string, number>();
  return (licenseId, machineId) => {
    const time = now().getTime();
    const current = Math.floor(time / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      calls = new Map();
    }
    const key = `${licenseId} ${machineId}`;
    const count = (calls.get(key) ?? 0) + 1;
    calls.set(key, count);
    if (count > CALLS_PER_MINUTE) throw rateLimited(((current + 1) * MINUTE_MS - time) / 1000);
  };
}
