import type { z } from 'zod';
import { holds, LIFECYCLE_MESSAGES, type licenseExtension } from '../../../contract/license-lifecycle.ts';
import type { License } from '../../../contract/licenses.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from './license.record.ts';
import { requireAction } from './license-actions.ts';
import { findLastTerm } from './license-terms.queries.ts';
import { updateLicense } from './licenses.queries.ts';
import { moveEnd } from './move-end.ts';
import { notifyClient } from './send-license-mail.ts';

/**
 * Gives some days without a sale, once per term: counted from the end while it holds, else from today (LIFE-03). An
 * expired licence is active again.
 * @throws notFound (404), stale (412), AppError 409 invalid_transition, not_renewable, already_extended
 */
export async function extendLicense(
  scope: Scope,
  id: number,
  { days, reason, notify }: z.output<typeof licenseExtension>,
  ifMatch: string | undefined,
): Promise<License> {
  const { tx, now } = scope;
  const save = async (row: LicenseRecord, version: string) => {
    requireAction('extend', row);
    if (row.expiry_date === null) throw new AppError(409, 'not_renewable');
    if ((await findLastTerm(tx, id))?.extended_at) {
      throw new AppError(409, 'already_extended', { message: LIFECYCLE_MESSAGES.alreadyExtended });
    }
    if (row.status === 'expired') await updateLicense(tx, id, { status: 'active' }, version);
    const from = holds(row, now) ? row.expiry_date : now.toISOString();
    await moveEnd(scope, row, from, days, version, { extended_at: now.toISOString() });
  };
  const event = { type: 'license.extended', reason } as const;
  const extended = await saveRecord(scope, licenseRecord, id, { ifMatch }, save, event);
  return notify ? notifyClient(scope, extended, 'extended') : extended;
}
