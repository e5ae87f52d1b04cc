import type { z } from 'zod';
import type {
  licenseCancellation,
  licenseReinstatement,
  licenseSuspension,
} from '../../../contract/license-lifecycle.ts';
import type { License } from '../../../contract/licenses.ts';
import { daysBetween, localDay } from '../../../contract/time.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { suspensionOf } from './change-license.ts';
import { licenseRecord } from './license.record.ts';
import { requireAction } from './license-actions.ts';
import { updateLicense } from './licenses.queries.ts';
import { moveEnd } from './move-end.ts';
import { notifyClient } from './send-license-mail.ts';

/**
 * Suspends an active licence or trial; its time goes on (LIFE-03).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition
 */
export async function suspendLicense(
  scope: Scope,
  id: number,
  { reason, notify }: z.output<typeof licenseSuspension>,
  ifMatch: string | undefined,
): Promise<License> {
  const save = async (row: LicenseRecord, version: string) => {
    requireAction('suspend', row);
    const status = 'suspended';
    await updateLicense(scope.tx, id, { status, ...suspensionOf(row, status, scope.now) }, version);
  };
  const event = { type: 'license.suspended', reason } as const;
  const suspended = await saveRecord(scope, licenseRecord, id, { ifMatch }, save, event);
  return notify ? notifyClient(scope, suspended, 'suspended') : suspended;
}

/**
 * Ends a suspension: the licence has its status from before, 'active' where none is remembered. `extend` adds the days
 * of the suspension to its end (LIFE-03).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition
 */
export async function reinstateLicense(
  scope: Scope,
  id: number,
  { extend, notify }: z.output<typeof licenseReinstatement>,
  ifMatch: string | undefined,
): Promise<License> {
  const { tx, now, timeZone } = scope;
  const save = async (row: LicenseRecord, version: string) => {
    requireAction('reinstate', row);
    const status = row.suspended_from ?? 'active';
    await updateLicense(tx, id, { status, ...suspensionOf(row, status, now) }, version);
    if (extend && row.expiry_date !== null && row.suspended_at !== null) {
      const days = daysBetween(localDay(row.suspended_at, timeZone), localDay(now, timeZone));
      await moveEnd(scope, row, row.expiry_date, days, version);
    }
  };
  const event = { type: 'license.reinstated' } as const;
  const reinstated = await saveRecord(scope, licenseRecord, id, { ifMatch }, save, event);
  return notify ? notifyClient(scope, reinstated, 'reinstated') : reinstated;
}

/**
 * Cancels a licence for good: no other action is possible afterwards (LIFE-03).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition
 */
export async function cancelLicense(
  scope: Scope,
  id: number,
  { reason, notify }: z.output<typeof licenseCancellation>,
  ifMatch: string | undefined,
): Promise<License> {
  const save = async (row: LicenseRecord, version: string) => {
    requireAction('cancel', row);
    const status = 'cancelled';
    await updateLicense(scope.tx, id, { status, ...suspensionOf(row, status, scope.now) }, version);
  };
  const event = { type: 'license.cancelled', reason } as const;
  const cancelled = await saveRecord(scope, licenseRecord, id, { ifMatch }, save, event);
  return notify ? notifyClient(scope, cancelled, 'cancelled') : cancelled;
}
