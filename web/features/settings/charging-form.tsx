import { numberOf } from '../../../contract/reading/numbers.ts';
import { SETTINGS_LABELS as LABELS } from '../../../contract/settings/settings.fields.ts';
import { type SettingsAnswer, settingsUpdate } from '../../../contract/settings/settings.ts';
import { checkbox, formOf, percent } from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { FormInputs } from '../../components/record/form-section.tsx';
import { paymentSettingsTexts as texts } from '../../text/es-payment-settings.ts';
import { onOrOff } from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { SettingsForm, useSettingsForm } from './settings-form.tsx';

const FIELDS = {
  tax_rate: percent<number>(LABELS.tax_rate, {
    help: texts.taxRateHelp,
    props: { min: 0, max: 100 },
    // Blank means no tax.
    write: (typed) => numberOf(typed, 'percent') ?? 0,
  }),
  payment_in_reminders: checkbox(LABELS.payment_in_reminders, {
    input: 'switch',
    help: texts.inRemindersHelp,
    words: onOrOff,
  }),
};
const FORM = formOf(FIELDS);

const schema = schemaOf(FIELDS, settingsUpdate);

/** Settings of all payment requests: the tax, and whether reminders contain their link (PAY-01, PAY-07). */
export function ChargingForm({ settings }: { settings: SettingsAnswer }) {
  const record = useSettingsForm(settings, {
    ...FORM,
    schema: () => schema,
    name: 'settings/cobrar',
  });
  return (
    <SettingsForm record={record}>
      <Card title={texts.charging}>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <FormInputs fields={FIELDS} record={record} />
        </div>
      </Card>
    </SettingsForm>
  );
}
