import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { endAfterDays } from '../../../contract/base/time.ts';
import type { MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import type { licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { START_MESSAGES } from '../../../contract/licenses/start.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { fault } from '../../errors.ts';
import { startedAt } from '../programs/start-license.ts';
import { changedExpiry, changesMonths, daysOfTerm, expiryOnDate } from './license-expiry.ts';
import type { LicenseColumns } from './licenses.queries.ts';

/** The effect of a PUT on the start and the end of a licence (SELL-01). */

type Sent = Pick<
  z.output<typeof licenseUpdate>,
  'start_mode' | 'activate_by_days' | 'expiry_days' | 'expiry_date' | 'expiry_months' | 'updates_until'
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
 * @param term where its present term began, which only a change of its months asks for
 */
export function changedStart(
  row: LicenseRecord,
  sent: Sent,
  timeZone: string,
  term?: MonthsFrom,
): Partial<LicenseColumns> {
  const { expiry_days, expiry_date, expiry_months } = sent;
  if (row.activate_by === null) {
    return changedExpiry(row, { expiry_days, expiry_date, expiry_months }, timeZone, term);
  }
  const length = changedLength(row, sent, timeZone);
  const updates = sent.updates_until === undefined ? {} : { pending_updates_days: null };
  if (expiry_date || sent.start_mode === 'issue') {
    const waiting = { ...row, ...length, ...updates };
    const started = startedAt(waiting, row.issued_date, timeZone);
    return {
      ...length,
      ...started,
      ...(expiry_date && !changesMonths(row, sent) && expiryOnDate(row.issued_date, expiry_date, timeZone)),
      ...(sent.updates_until !== undefined && { updates_until: sent.updates_until }),
    };
  }
  const days = sent.activate_by_days ?? row.activate_by_days;
  return { ...updates, ...length, activate_by: endAfterDays(row.issued_date, days, timeZone) };
}

/** The length of a licence that waits: what changed first, its months or its days (MONEY-10). */
function changedLength(
  row: LicenseRecord,
  sent: Sent,
  timeZone: string,
): Pick<LicenseRecord, 'expiry_days' | 'expiry_months'> {
  if (changesMonths(row, sent)) {
    const { expiry_months } = sent;
    return { expiry_months, expiry_days: daysOfTerm(row.issued_date, expiry_months, timeZone) };
  }
  const expiry_days = sent.expiry_days ?? row.expiry_days;
  const isOther = sent.expiry_months === null || expiry_days !== row.expiry_days;
  return { expiry_days, expiry_months: isOther ? null : row.expiry_months };
}
