import { actionRefusal, type LicenseAction } from '../../../contract/license-lifecycle.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';

/**
 * The guard of an action on a locked licence.
 * @throws AppError 409 invalid_transition or not_renewable, with what to do first
 */
export function requireAction(action: LicenseAction, license: LicenseRecord): void {
  const refusal = actionRefusal(action, license);
  if (refusal) throw new AppError(409, refusal.code, { message: refusal.message });
}
