import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { LICENSE_DEFAULTS } from '../../../contract/base/limits.ts';
import { endAfterDays } from '../../../contract/base/time.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { START_DEFAULTS, START_MESSAGES, type StartMode } from '../../../contract/licenses/start.ts';
import { fault } from '../../errors.ts';
import { updatesFrom } from '../../rules/updates.ts';
import { newExpiry } from './license-expiry.ts';
import type { LicenseColumns } from './licenses.queries.ts';

/** The start and the end of a new licence, and its days of updates (SELL-01, SELL-02). */

type Sent = {
  start_mode?: StartMode | undefined;
  activate_by_days?: number | undefined;
  expiry_days?: number | null | undefined;
  expiry_date?: string | null | undefined;
  expiry_months?: number | null | undefined;
};

type Known = {
  /** Values that are not sent come from the type, else from the defaults. */
  type:
    | Pick<LicenseType, 'start_mode' | 'activate_by_days' | 'validity_days' | 'validity_months'>
    | undefined;
  issuedDate: string;
  timeZone: string;
  /** Whether a given end means that the licence has already started. */
  mayRun: boolean;
};

type Start = Pick<
  LicenseColumns,
  'start_mode' | 'activate_by_days' | 'activate_by' | 'expiry_days' | 'expiry_date' | 'expiry_months'
>;

/**
 * A licence that waits for its first activation has a length and no end.
 * @returns also errors by field: a date, or no length, together with such a start
 */
export function startOfNew(
  { expiry_days, expiry_date, expiry_months, ...sent }: Sent,
  { type, issuedDate, timeZone, mayRun }: Known,
): Start & { errors: FieldFaults } {
  const start_mode = sent.start_mode ?? type?.start_mode ?? START_DEFAULTS.start_mode;
  const activate_by_days = sent.activate_by_days ?? type?.activate_by_days ?? START_DEFAULTS.activate_by_days;
  const terms = { start_mode, activate_by_days };
  const length = { days: type?.validity_days ?? LICENSE_DEFAULTS.expiry_days, months: type?.validity_months };
  const expiry = newExpiry({ expiry_days, expiry_date, expiry_months }, length, issuedDate, timeZone);
  const hasDate = expiry_date !== undefined && expiry_date !== null;
  const isEndless = expiry.expiry_date === null;
  const waits = start_mode === 'first_activation' && !(mayRun && (hasDate || isEndless));
  if (!waits) {
    // A file also says how long the term of a licence is that ends on the date beside it (MONEY-10).
    const months = mayRun && hasDate ? { expiry_months: expiry_months ?? null } : {};
    return { ...terms, ...expiry, ...months, activate_by: null, errors: {} };
  }
  const message = hasDate ? START_MESSAGES.withDate : START_MESSAGES.withoutEnd;
  return {
    ...terms,
    activate_by: endAfterDays(issuedDate, activate_by_days, timeZone),
    expiry_days: expiry.expiry_days,
    expiry_months: expiry.expiry_months,
    expiry_date: null,
    errors: hasDate || isEndless ? { start_mode: [fault('not_allowed', message)] } : {},
  };
}

/**
 * The days of updates of a new licence: as sent, else those of its type, counted from its start.
 * @param firstDay the day of its start; null while it waits for that
 */
export function updatesOfNew(
  { updates_until }: { updates_until?: string | null | undefined },
  type: Pick<LicenseType, 'updates_days'> | undefined,
  firstDay: string | null,
): Pick<LicenseColumns, 'updates_until' | 'pending_updates_days'> {
  if (updates_until !== undefined) return { updates_until, pending_updates_days: null };
  if (firstDay !== null) return { updates_until: updatesFrom(firstDay, type), pending_updates_days: null };
  return { updates_until: null, pending_updates_days: type?.updates_days ?? null };
}
