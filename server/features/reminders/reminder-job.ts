import { isSameValue } from '../../../contract/base/same-value.ts';
import { addDays, localDay } from '../../../contract/base/time.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { defineRepeatedJob } from '../../jobs/define-job.ts';
import { inScope, SYSTEM } from '../../scope.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { allMarks, momentOf, type ReminderRun } from './due-mark.ts';
import { remindClient } from './remind-client.ts';
import {
  type DatedSettings,
  findCandidates,
  findRun,
  startRuns,
  storeLastSettings,
  storeRun,
} from './reminders.queries.ts';

/**
 * Reminds clients of licences that end, once a day at 09:00 local; a run that starts later on the same day still
 * sends (LIFE-08). Each client is one transaction, so a run that was interrupted continues with the remaining
 * clients. The day is stored as done only after all of its clients.
 */
export const reminderJob = defineRepeatedJob({
  kind: 'reminders',
  label: 'Recordatorios',
  every: 30_000,
  run: async (context, { signal, log }) => {
    const run = await planRun(context);
    if (!run) return;
    const candidates = await findCandidates(context.forLongWork, rangesOf(run), run.timeZone);
    const failures: unknown[] = [];
    for (const [client, licenses] of candidates) {
      if (signal.aborted) return;
      try {
        await inScope(context, { actor: SYSTEM }, (scope) =>
          remindClient(scope, client, licenses, { ...run, demo: context.config.demo }),
        );
      } catch (error) {
        // A failure for one client does not prevent the reminders of others.
        log.error({ err: error, client }, 'no se pudo avisar a un cliente; se reintentará');
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    await storeRun(context.db, run.today, run.settings);
  },
});

/**
 * Determines what a run must send now.
 * @returns null before the hour, and when the day is done
 */
async function planRun({ db, now, config: { timeZone } }: AppContext): Promise<ReminderRun | null> {
  const at = now();
  const today = localDay(at, timeZone);
  const isTime = at.toISOString() >= momentOf(today, timeZone);
  const current = await readReminderSettings(db);
  const last = await findRun(db);
  if (!last) {
    // The first run of an installation sends nothing that became due before it.
    await startRuns(db, isTime ? today : addDays(today, -1), current);
    return null;
  }
  const isChanged = (['reminders_enabled', 'reminder_days', 'trial_reminder_days'] as const).some(
    (name) => !isSameValue(current[name], last.seen[name]),
  );
  // The version of the settings changes with any of them. So the time at which this job first saw the present
  // reminder settings is used.
  const lastSettings = isChanged ? current : last.seen;
  if (isChanged) await storeLastSettings(db, lastSettings);
  if (!isTime || last.day >= today) return null;
  const { since, ...settings } = lastSettings;
  return { now: at, timeZone, after: last.day, today, settings, before: last.settings, changedAt: since };
}

async function readReminderSettings(db: Db): Promise<DatedSettings> {
  const { reminders_enabled, reminder_days, trial_reminder_days, updated_at } = await readSettings(db);
  return { reminders_enabled, reminder_days, trial_reminder_days, since: updated_at };
}

/** The local days on which licences end that may be due. */
const rangesOf = (run: ReminderRun) =>
  allMarks(run).map((mark) => ({ from: addDays(run.after, mark + 1), to: addDays(run.today, mark) }));
