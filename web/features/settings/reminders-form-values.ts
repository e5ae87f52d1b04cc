import { z } from 'zod';
import { type SettingsAnswer, settingsUpdate } from '../../../contract/system/settings.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { daysInWords, onOrOff } from '../../text/es-settings.ts';

/** The form of 'Avisos'. The days of reminders are texts like '30,7,1,-1', so that they compare as other fields do. */
export interface RemindersForm {
  reminders_enabled: boolean;
  reminder_days: string;
  trial_reminder_days: string;
  mail_retention_days: string;
  /** 'Conservar siempre': a null on the wire. */
  keep_events: boolean;
  event_retention_days: string;
}

export const readDays = (text: string): number[] =>
  text === '' ? [] : text.split(',').map((day) => Number(day));

/** Each day once, from the earliest reminder to the latest. */
export const writeDays = (days: readonly number[]): string =>
  [...new Set(days)].sort((a, b) => b - a).join(',');

export const remindersToForm = (settings: SettingsAnswer): RemindersForm => ({
  reminders_enabled: settings.reminders_enabled,
  reminder_days: writeDays(settings.reminder_days),
  trial_reminder_days: writeDays(settings.trial_reminder_days),
  mail_retention_days: String(settings.mail_retention_days),
  keep_events: settings.event_retention_days === null,
  event_retention_days: String(settings.event_retention_days ?? ''),
});

/** A number as typed; the contract refuses NaN with its own message. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Form values in, payload out, by the contract's own rules. */
export const remindersSchema = z
  .custom<RemindersForm>()
  .transform((form): unknown => ({
    reminders_enabled: form.reminders_enabled,
    reminder_days: readDays(form.reminder_days),
    trial_reminder_days: readDays(form.trial_reminder_days),
    mail_retention_days: numberOf(form.mail_retention_days),
    event_retention_days: form.keep_events ? null : numberOf(form.event_retention_days),
  }))
  .pipe(
    settingsUpdate.pick({
      reminders_enabled: true,
      reminder_days: true,
      trial_reminder_days: true,
      mail_retention_days: true,
      event_retention_days: true,
    }),
  );
export type RemindersPayload = z.output<typeof remindersSchema>;

/** 'Conservar siempre' decides whether the number of days counts. */
export const REMINDERS_MERGING: MergeRules<RemindersForm> = {
  switches: { keep_events: ['event_retention_days'] },
};

/** A form value as text, for the questions about conflicts. */
export function showRemindersValue(field: string, value: unknown): string {
  if (typeof value === 'boolean') return onOrOff(value);
  const text = String(value ?? '');
  return field.endsWith('reminder_days') ? readDays(text).map(daysInWords).join(', ') : text;
}
