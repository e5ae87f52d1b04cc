import { addDays } from '../../contract/base/time.ts';
import type { LicenseType } from '../../contract/license-types/license-types.ts';

/** The last local day on which the licence gets updates; null for no end (SELL-02). */
export type UpdatesUntil = string | null;

/**
 * The last day of updates for a term that starts on a local day, by its licence type. Without a type, updates have no
 * end.
 */
export const updatesFrom = (
  firstDay: string,
  type: Pick<LicenseType, 'updates_days'> | undefined,
): UpdatesUntil => {
  const days = type?.updates_days ?? null;
  return days === null ? null : addDays(firstDay, days);
};

/** The later of two last days of updates. */
export const laterUpdates = (one: UpdatesUntil, other: UpdatesUntil): UpdatesUntil => {
  if (one === null || other === null) return null;
  return one > other ? one : other;
};
