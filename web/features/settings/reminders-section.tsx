import { useQuery } from '@tanstack/react-query';
import type { SettingsAnswer } from '../../../contract/system/settings.ts';
import { NoMailServer } from '../../components/mail/stored-mail.tsx';
import { FormPage } from '../../components/record/form-page.tsx';
import { FormInputs } from '../../components/record/form-section.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { settingsQuery, useSaveSettings } from '../../components/settings/settings.api.ts';
import {
  REMINDERS_LABELS as LABELS,
  settingsTexts,
  remindersTexts as texts,
} from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { DaysField } from './days-field.tsx';
import {
  REMINDERS_FIELDS,
  REMINDERS_FORM,
  REMINDERS_MERGING,
  type RemindersForm,
  type RemindersPayload,
  remindersSchema,
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

const { reminders_enabled, mail_retention_days, keep_events, event_retention_days } = REMINDERS_FIELDS;

function RemindersFields({ settings }: { settings: SettingsAnswer }) {
  const save = useSaveSettings();
  const record = useRecordForm<RemindersForm, RemindersPayload, SettingsAnswer>({
    ...REMINDERS_FORM,
    schema: () => remindersSchema,
    name: 'settings/avisos',
    record: settings,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: SETTINGS_SAVE_TEXTS,
    merging: REMINDERS_MERGING,
    stays: true,
  });
  const { form, change, error, dialog, isDirty, discard } = record;
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
          <FormInputs fields={{ reminders_enabled }} record={record} />
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
          <FormInputs fields={{ mail_retention_days }} record={record} />
          <div className="space-y-3">
            <FormInputs fields={{ keep_events, event_retention_days }} record={record} values={typed} />
          </div>
        </div>
      </Card>
    </FormPage>
  );
}
