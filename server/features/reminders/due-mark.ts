import { addDays, isExpired, localDay, localHour } from '../../../contract/base/time.ts';
import { isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import type { Settings } from '../../../contract/settings/settings.ts';

/**
 * When a licence is due for a reminder (LIFE-08). A mark is a number of days before its end; -1 is the day after it.
 */

/** The local hour at which reminders are sent. */
const REMINDER_HOUR = 9;

export type ReminderSettings = Pick<Settings, 'reminders_enabled' | 'reminder_days' | 'trial_reminder_days'>;

/** A run sends the reminders that became due on the local days after `after`, up to and including `today`. */
export type ReminderRun = {
  now: Date;
  timeZone: string;
  after: string;
  today: string;
  settings: ReminderSettings;
  /**
   * The settings of the previous run, and since when the present settings are valid: a mark that was added only
   * counts from then on.
   */
  before: ReminderSettings;
  changedAt: string;
};

type RemindedLicense = {
  status: LicenseStatus;
  license_type: string;
  expiry_date: string;
  /** The months of its term; null where it counts in days. */
  expiry_months: number | null;
  /** When its last term was stored; a mark before that is not due. */
  since: string;
};

/** The moment at which the reminders of a local day are sent. */
export const momentOf = (day: string, timeZone: string) => localHour(day, REMINDER_HOUR, timeZone);

const marksOf = (settings: ReminderSettings, trial: boolean): number[] =>
  settings.reminders_enabled ? settings[trial ? 'trial_reminder_days' : 'reminder_days'] : [];

/**
 * The mark for which a run sends a reminder of a licence: the latest mark that became due, if it still applies.
 * @returns null for none
 */
export function dueMark(license: RemindedLicense, run: ReminderRun): number | null {
  const { now, timeZone } = run;
  const trial = isTrial(license);
  const lastDay = localDay(license.expiry_date, timeZone);
  const known = marksOf(run.before, trial);
  // A term of one month would be reminded of its end as soon as it begins (MONEY-10).
  const most = license.expiry_months === null ? Number.POSITIVE_INFINITY : 30 * license.expiry_months;
  const due = marksOf(run.settings, trial).filter((mark) => {
    if (mark >= most) return false;
    const day = addDays(lastDay, -mark);
    if (day <= run.after || day > run.today) return false;
    const moment = momentOf(day, timeZone);
    return moment > license.since && (known.includes(mark) || moment > run.changedAt);
  });
  if (due.length === 0) return null;
  const mark = Math.min(...due);
  return isExpired(license.expiry_date, now) === mark < 0 ? mark : null;
}

/** All marks of a run, from which the date ranges of due licences follow. */
export const allMarks = ({ settings }: ReminderRun): number[] => [
  ...new Set([...marksOf(settings, false), ...marksOf(settings, true)]),
];
