import { addDays, localDay } from '../../../../contract/base/time.ts';
import { TODAY_DAYS } from '../../../../contract/desk/today.ts';

/**
 * Why programs were refused although their licence holds: somebody paid and cannot work (SELL-07). What the vendor
 * decided (suspended, cancelled, inactive) and what is over has its own places, and a machine that only asks before
 * its activation is no matter at all. The index license_checks_refused has exactly these reasons.
 */
export const REFUSED_REASONS = ['installation_limit', 'wrong_software', 'updates_ended'] as const;
export type RefusedReason = (typeof REFUSED_REASONS)[number];

/** The first local day whose refusals count. */
export const refusedSince = (now: Date, timeZone: string): string =>
  addDays(localDay(now, timeZone), 1 - TODAY_DAYS.refused_program);
