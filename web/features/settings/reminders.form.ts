import { z } from 'zod';
import { numberOf } from '../../../contract/reading/numbers.ts';
import {
  EVENT_RETENTION_DAYS_MIN,
  SETTINGS_LABELS as LABELS,
} from '../../../contract/settings/settings.fields.ts';
import { type SettingsAnswer, settingsUpdate } from '../../../contract/settings/settings.ts';
import {
  bodyOf,
  checkbox,
  count,
  formOf,
  special,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { daysInWords, onOrOff, remindersTexts as texts } from '../../text/es-settings.ts';

export const readDays = (text: string): number[] =>
  text === '' ? [] : text.split(',').map((day) => Number(day));

/** The days without duplicates, from the earliest reminder to the latest. */
export const writeDays = (days: readonly number[]): string =>
  [...new Set(days)].sort((a, b) => b - a).join(',');

/** A typed number of days. For NaN the contract gives its own message. */
const daysTyped = (text: string): number => numberOf(text, 'count') ?? Number.NaN;

/** Days as a text like '30,7,1,-1', so that they can be compared like other fields. */
const days = (name: 'reminder_days' | 'trial_reminder_days') =>
  special<string, number[]>(LABELS[name], {
    blank: '',
    read: (settings: SettingsAnswer) => writeDays(settings[name]),
    write: readDays,
    words: (text) => readDays(text).map(daysInWords).join(', '),
  });

/** The fields of 'Avisos' from top to bottom. */
export const REMINDERS_FIELDS = {
  reminders_enabled: checkbox(LABELS.reminders_enabled, {
    input: 'switch',
    help: texts.enabledHelp,
    words: onOrOff,
  }),
  reminder_days: days('reminder_days'),
  trial_reminder_days: days('trial_reminder_days'),
  mail_retention_days: count(LABELS.mail_retention_days, {
    help: texts.mailHelp,
    props: { min: '1' },
    write: daysTyped,
  }),
  // Sent as a null in `event_retention_days`.
  keep_events: special<boolean>(texts.keepEvents, {
    input: 'checkbox',
    blank: true,
    read: ({ event_retention_days }: SettingsAnswer) => event_retention_days === null,
    words: onOrOff,
    help: texts.keepHelp,
  }),
  event_retention_days: count(LABELS.event_retention_days, {
    required: true,
    help: texts.eventsHelp,
    props: { min: EVENT_RETENTION_DAYS_MIN },
    write: daysTyped,
    shownIf: ({ keep_events }) => keep_events !== true,
  }),
};

export const REMINDERS_FORM = formOf(REMINDERS_FIELDS);
export type RemindersForm = ValuesOf<typeof REMINDERS_FIELDS>;

/** The schema: form values in, request body out, checked with the contract's schema. */
export const remindersSchema = z
  .custom<RemindersForm>()
  .transform((form): unknown => ({
    ...bodyOf(REMINDERS_FIELDS, form, null),
    ...(form.keep_events && { event_retention_days: null }),
  }))
  .pipe(settingsUpdate);

/** The number of days depends on 'Conservar siempre'. */
export const REMINDERS_MERGING: MergeRules<RemindersForm> = {
  switches: { keep_events: ['event_retention_days'] },
};
