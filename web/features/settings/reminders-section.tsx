import { SETTINGS_LABELS as LABELS } from '../../../contract/settings/settings.fields.ts';
import type { SettingsAnswer } from '../../../contract/settings/settings.ts';
import { NoMailServer } from '../../components/mail/stored-mail.tsx';
import { FormInputs } from '../../components/record/form-section.tsx';
import { remindersTexts as texts } from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { DaysField } from './days-field.tsx';
import {
  REMINDERS_FIELDS,
  REMINDERS_FORM,
  REMINDERS_MERGING,
  type RemindersForm,
  remindersSchema,
} from './reminders.form.ts';
import { SettingsForm, StoredSettings, useSettingsForm } from './settings-form.tsx';

/** 'Avisos': when clients are reminded, and how long records are stored (MAIL-03, LIFE-08, EVENT-06). */
export const RemindersSection = () => (
  <StoredSettings>{(stored) => <RemindersFields settings={stored} />}</StoredSettings>
);

const { reminders_enabled, mail_retention_days, keep_events, event_retention_days } = REMINDERS_FIELDS;

function RemindersFields({ settings }: { settings: SettingsAnswer }) {
  const record = useSettingsForm<RemindersForm>(settings, {
    ...REMINDERS_FORM,
    schema: () => remindersSchema,
    name: 'settings/avisos',
    merging: REMINDERS_MERGING,
  });
  const { form, change, error } = record;
  const typed = form.watch();
  return (
    <SettingsForm record={record}>
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
    </SettingsForm>
  );
}
