import { TRIALS_OF_ADDRESS } from '../../../contract/programs/trial-terms.ts';
import { AppError } from '../../errors.ts';
import { addressLimits } from '../../http/address-limits.ts';
import { throttleKey } from '../../limits/throttle-key.ts';
import { takeUse } from '../../limits/uses.ts';
import type { Scope } from '../../scope.ts';

/** How many trials may be started in a day, by one address and of one software (docs/decisions/114). */

const DAY_MS = 24 * 60 * 60_000;

/** The part of a software's daily limit that is kept for addresses that started no trial in their day. */
const KEPT_FOR_NEWCOMERS = 0.5;

/**
 * The counters of a new trial with their present limits.
 * @throws AppError 429 trial_limit, with the seconds until the first reached limit ends
 */
async function openLimits({ tx, now, origin }: Scope, code: string, daily: number) {
  const ofAddress = addressLimits('trial-address', origin.ip, {
    failures: TRIALS_OF_ADDRESS,
    windowMs: DAY_MS,
  });
  const ofCode = { key: throttleKey('trial-code', code), limit: { failures: daily, windowMs: DAY_MS } };
  const rows = await tx
    .selectFrom('throttles')
    .select(['key', 'count', 'window_ends_at'])
    .where(
      'key',
      'in',
      [ofCode, ...ofAddress].map(({ key }) => key),
    )
    .where('window_ends_at', '>', now.toISOString())
    .where('count', '>', 0)
    .execute();
  const used = new Map(rows.map((row) => [row.key, row]));
  // The widest counter comes last: of a /48 only the first trial of the day is a newcomer's.
  const isNewcomer = !used.has(ofAddress.at(-1)!.key);
  const kept = isNewcomer ? 0 : Math.floor(daily * KEPT_FOR_NEWCOMERS);
  const limited = [...ofAddress, { ...ofCode, limit: { ...ofCode.limit, failures: daily - kept } }];
  for (const { key, limit } of limited) {
    const row = used.get(key);
    if (row && row.count >= limit.failures) {
      const seconds = Math.max(1, Math.ceil((Date.parse(row.window_ends_at) - now.getTime()) / 1000));
      throw new AppError(429, 'trial_limit', { headers: { 'retry-after': String(seconds) } });
    }
  }
  return limited;
}

/**
 * Refuses a new trial above a limit, and counts nothing.
 * @throws AppError 429 trial_limit
 */
export async function refuseTrial(scope: Scope, code: string, daily: number): Promise<void> {
  await openLimits(scope, code, daily);
}

/**
 * Counts a new trial. The caller must hold the trials lock, so nobody else counts one meanwhile.
 * @throws AppError 429 trial_limit
 */
export async function countTrial(scope: Scope, code: string, daily: number): Promise<void> {
  for (const limited of await openLimits(scope, code, daily)) await takeUse(scope.tx, limited, scope.now);
}
