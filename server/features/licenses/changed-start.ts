import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { endAfterDays } from '../../../contract/base/time.ts';
import type { licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { START_MESSAGES } from '../../../contract/licenses/start.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { fault } from '../../errors.ts';
import { startedAt } from '../programs/start-license.ts';
import { changedExpiry, expiryOnDate } from './license-expiry.ts';
import type { LicenseColumns } from './licenses.queries.ts';

/** The effect of a PUT on the start and the end of a licence (SELL-01). */

type Sent = Pick<
  z.output<typeof licenseUpdate>,
  'start_mode' | 'activate_by_days' | 'expiry_days' | 'expiry_date' | 'updates_until'
>;

/** Whether a change starts a licence that waited for its first activation. */
export const hasStarted = (
  row: Pick<LicenseRecord, 'activate_by'>,
  changed: Partial<Pick<LicenseRecord, 'activate_by'>>,
): boolean => row.activate_by !== null && changed.activate_by === null;

/**
 * A licence that has started cannot change its start mode, and a licence that waits for its start must have a length.
 */
export function startErrors(row: LicenseRecord, { start_mode, expiry_days }: Sent): FieldFaults {
  const isOther = start_mode !== undefined && start_mode !== row.start_mode;
  if (row.activate_by === null) {
    return isOther ? { start_mode: [fault('not_allowed', START_MESSAGES.started)] } : {};
  }
  const isEndless = expiry_days === null;
  return isEndless ? { start_mode: [fault('not_allowed', START_MESSAGES.withoutEnd)] } : {};
}

/**
 * The end of a licence after a change. For a licence that waits, days are its future length. A date, or the start
 * mode 'issue', starts it as of its day of issue.
 */
export function changedStart(row: LicenseRecord, sent: Sent, timeZone: string): Partial<LicenseColumns> {
  const { expiry_days, expiry_date } = sent;
  if (row.activate_by === null) return changedExpiry(row, { expiry_days, expiry_date }, timeZone);
  const length = expiry_days ?? row.expiry_days;
  const updates = sent.updates_until === undefined ? {} : { pending_updates_days: null };
  if (expiry_date || sent.start_mode === 'issue') {
    const waiting = { ...row, expiry_days: length, ...updates };
    const started = startedAt(waiting, row.issued_date, timeZone);
    return {
      ...started,
      ...(expiry_date && expiryOnDate(row.issued_date, expiry_date, timeZone)),
      ...(sent.updates_until !== undefined && { updates_until: sent.updates_until }),
    };
  }
  const days = sent.activate_by_days ?? row.activate_by_days;
  return { ...updates, expiry_days: length, activate_by: endAfterDays(row.issued_date, days, timeZone) };
}
