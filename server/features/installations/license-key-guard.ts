import type { AppContext } from '../../context.ts';
import { AppError, rateLimited } from '../../errors.ts';
import { countFailure, type Limit } from '../../http/throttle.ts';

/**
 * Unknown keys are what is limited, one counter over validation, activation and heartbeat; an office whose
 * machines all share one address never suffers for having many of them (promises: Who gets in).
 */
const UNKNOWN_KEY_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };
/** A machine that runs in a circle is slowed down by its own replica; this guards the server, not the licence. */
const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Counts a key that does not exist. @throws rateLimited (429) once there were too many from one address */
export const countUnknownKey = (context: AppContext, address: string): Promise<void> =>
  countFailure(context.db, `license-key:${address}`, UNKNOWN_KEY_LIMIT, context.now());

/**
 * Runs a call of an installed program, and counts it when its key does not exist.
 * @throws rateLimited (429) in place of license_not_found, once there were too many from one address
 */
export async function countIfUnknown<Result>(
  context: AppContext,
  address: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'license_not_found')
      await countUnknownKey(context, address);
    throw error;
  }
}

type Minute = { number: number; calls: Map<string, number> };

/** The minute that runs, of each application that runs in this process; there is one but in tests. */
const minutes = new WeakMap<AppContext, Minute>();

/**
 * Limits one machine of one licence to 60 calls a minute, validation, activation and heartbeat together. In memory: a
 * count that every replica shared would cost a write for each call
 * (docs/decisions/007-limits-of-installed-programs.md).
 * @throws rateLimited (429) with the seconds until the minute ends
 */
export function limitMachine(context: AppContext, licenseId: number, machineId: string): void {
  const time = context.now().getTime();
  const number = Math.floor(time / MINUTE_MS);
  let minute = minutes.get(context);
  if (minute?.number !== number) {
    minute = { number, calls: new Map() };
    minutes.set(context, minute);
  }
  const key = `${licenseId} ${machineId}`;
  const count = (minute.calls.get(key) ?? 0) + 1;
  minute.calls.set(key, count);
  if (count > CALLS_PER_MINUTE) throw rateLimited(((number + 1) * MINUTE_MS - time) / 1000);
}
