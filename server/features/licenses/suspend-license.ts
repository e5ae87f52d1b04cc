import type { z } from 'zod';
import { daysBetween, localDay } from '../../../contract/base/time.ts';
import type {
  licenseCancellation,
  licenseReinstatement,
  licenseSuspension,
} from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';
import { cancelRequestOf } from '../payment-requests/close-request.ts';
import { suspensionOf } from './change-license.ts';
import { actOnLicense } from './license-actions.ts';
import { updateLicense } from './licenses.queries.ts';
import { moveEnd } from './move-end.ts';

/** Stores another status, and begins or ends a suspension if the status requires it. */
const setStatus = ({ tx, now }: Scope, row: LicenseRecord, status: LicenseStatus, version: string) =>
  updateLicense(tx, row.id, { status, ...suspensionOf(row, status, now) }, version);

/**
 * Suspends an active licence or trial; its time continues to run (LIFE-03).
 * @throws as {@link actOnLicense}
 */
export function suspendLicense(
  scope: Scope,
  id: number,
  { reason, notify }: z.output<typeof licenseSuspension>,
): Promise<License> {
  return actOnLicense(scope, id, 'suspend', { reason, notify }, (row, version) =>
    setStatus(scope, row, 'suspended', version),
  );
}

/**
 * Ends a suspension: the licence gets its earlier status back ('active' if none is stored). `extend` adds the days of
 * the suspension to its end (LIFE-03).
 * @throws as {@link actOnLicense}
 */
export function reinstateLicense(
  scope: Scope,
  id: number,
  { extend, notify }: z.output<typeof licenseReinstatement>,
): Promise<License> {
  const { now, timeZone } = scope;
  return actOnLicense(scope, id, 'reinstate', { notify }, async (row, version) => {
    await setStatus(scope, row, row.suspended_from ?? 'active', version);
    const { expiry_date, suspended_at } = row;
    if (extend && expiry_date !== null && suspended_at !== null) {
      const days = daysBetween(localDay(suspended_at, timeZone), localDay(now, timeZone));
      await moveEnd(scope, { ...row, expiry_date }, expiry_date, days, version);
    }
  });
}

/**
 * Cancels a licence permanently: no other action is possible afterwards (LIFE-03).
 * @throws as {@link actOnLicense}
 */
export function cancelLicense(
  scope: Scope,
  id: number,
  { reason, notify }: z.output<typeof licenseCancellation>,
): Promise<License> {
  return actOnLicense(scope, id, 'cancel', { reason, notify }, async (row, version) => {
    await cancelRequestOf(scope, id);
    await setStatus(scope, row, 'cancelled', version);
  });
}
