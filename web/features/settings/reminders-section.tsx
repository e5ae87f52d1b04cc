import { useQuery } from '@tanstack/react-query';
import { EVENT_RETENTION_DAYS_MIN, type SettingsAnswer } from '../../../contract/system/settings.ts';
import { NoMailServer } from '../../components/mail/stored-mail.tsx';
import { FormPage } from '../../components/record/form-page.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { settingsQuery, useSaveSettings } from '../../components/settings/settings.api.ts';
import {
  REMINDERS_LABELS as LABELS,
  settingsTexts,
  remindersTexts as texts,
} from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { Checkbox, Switch } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/text-input.tsx';
import { DaysField } from './days-field.tsx';
import {
  REMINDERS_MERGING,
  type RemindersForm,
  type RemindersPayload,
  remindersSchema,
  remindersToForm,
  showRemindersValue,
} from './reminders-form-values.ts';
import { SETTINGS_SAVE_TEXTS } from './settings-save-texts.ts';

/** 'Avisos': when clients are reminded, and how long records are kept (MAIL-03, LIFE-08, EVENT-06). */
export function RemindersSection() {
  const settings = useQuery(settingsQuery);
  return (
    <RecordState query={settings} texts={settingsTexts}>
      {(stored) => <RemindersFields settings={stored} />}
    </RecordState>
  );
}

function RemindersFields({ settings }: { settings: SettingsAnswer }) {
  const save = useSaveSettings();
  const { form, field, change, error, dialog, isDirty, discard } = useRecordForm<
    RemindersForm,
    RemindersPayload,
    SettingsAnswer
  >({
    schema: () => remindersSchema,
    name: 'settings/avisos',
    labels: LABELS,
    record: settings,
    blank: remindersToForm(settings),
    toForm: remindersToForm,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: SETTINGS_SAVE_TEXTS,
    show: showRemindersValue,
    merging: REMINDERS_MERGING,
    stays: true,
  });
  const typed = form.watch();
  return (
    <FormPage
      {...dialog}
      label={settingsTexts.title}
      needs="settings.save"
      isDirty={isDirty}
      onDiscard={discard}
    >
      <NoMailServer />
      <Card title={texts.reminders}>
        <div className="space-y-5">
          <Switch {...field('reminders_enabled')} label={LABELS.reminders_enabled} help={texts.enabledHelp} />
          <div className="grid items-start gap-x-8 gap-y-5 2xl:grid-cols-2">
            {(['reminder_days', 'trial_reminder_days'] as const).map((name) => (
              <DaysField
                key={name}
                label={LABELS[name]}
                value={typed[name]}
                onChange={(days) => change(name, days)}
                error={error(name)}
              />
            ))}
          </div>
        </div>
      </Card>
      <Card title={texts.retention}>
        <div className="grid items-start gap-x-8 gap-y-5 sm:grid-cols-2">
          <Field
            label={LABELS.mail_retention_days}
            error={error('mail_retention_days')}
            help={texts.mailHelp}
          >
            <NumberInput {...field('mail_retention_days')} inputMode="numeric" min="1" step="1" />
          </Field>
          <div className="space-y-3">
            <Checkbox {...field('keep_events')} label={LABELS.keep_events} help={texts.keepHelp} />
            {!typed.keep_events && (
              <Field
                label={LABELS.event_retention_days}
                required
                error={error('event_retention_days')}
                help={texts.eventsHelp}
              >
                <NumberInput
                  {...field('event_retention_days')}
                  inputMode="numeric"
                  min={EVENT_RETENTION_DAYS_MIN}
                  step="1"
                />
              </Field>
            )}
          </div>
        </div>
      </Card>
    </FormPage>
  );
}
