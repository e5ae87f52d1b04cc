import {
  actionRefusal,
  type LicenseAction,
  type RenewalKind,
  TRANSITIONS,
} from '../../../contract/licenses/license-lifecycle.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Db, LicenseRecord } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from './license.record.ts';
import { extendedAmong } from './license-terms.queries.ts';
import { notifyClient } from './send-license-mail.ts';

/**
 * The guard of an action on a locked licence.
 * @throws AppError 409 invalid_transition, not_renewable or already_extended, whose message says what to do first
 */
export async function requireAction(
  tx: Db,
  action: LicenseAction,
  license: LicenseRecord,
  kind?: RenewalKind,
): Promise<void> {
  const is_extended = action === 'extend' && (await extendedAmong(tx, [license.id])).has(license.id);
  const refusal = actionRefusal(action, { ...license, is_extended }, kind);
  if (refusal) throw new AppError(409, refusal.code, { message: refusal.message });
}

/** The parts of a call that all actions share. */
type Said = {
  reason?: string;
  /** Whether the client gets a mail. */
  notify: boolean;
  /** The kind of a renewal. */
  kind?: RenewalKind;
};

/**
 * Runs an action on a licence, always in this order: lock, version, guard, change, one event, mail (LIFE-05).
 * @param save stores the change, with the locked row and its new version
 * @returns the answer for the licence
 * @throws notFound (404), stale (412), AppError 409 of the guard, and what `save` throws
 */
export async function actOnLicense(
  scope: Scope,
  id: number,
  action: LicenseAction,
  { reason, notify, kind }: Said,
  save: (row: LicenseRecord, version: string) => Promise<unknown>,
): Promise<License> {
  const { event: type, mail } = TRANSITIONS[action];
  const guarded = async (row: LicenseRecord, version: string) => {
    await requireAction(scope.tx, action, row, kind);
    return save(row, version);
  };
  const event = { type, ...(reason !== undefined && { reason }) };
  const changed = await saveRecord(scope, licenseRecord, id, guarded, event);
  return notify ? notifyClient(scope, changed, mail, reason) : changed;
}
