import { useQuery } from '@tanstack/react-query';
import {
  contrastToWhite,
  isReadableOnWhite,
  type SettingsAnswer,
} from '../../../contract/system/settings.ts';
import { FormPage } from '../../components/record/form-page.tsx';
import { FormInputs } from '../../components/record/form-section.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { settingsQuery, useSaveSettings } from '../../components/settings/settings.api.ts';
import {
  companyTexts,
  contrastText,
  COMPANY_LABELS as LABELS,
  settingsTexts,
} from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { COMPANY_CARDS, COMPANY_FORM, type CompanyPayload, companySchema } from './company-form-values.ts';
import { LogoField } from './logo-field.tsx';
import { MailPreview } from './mail-preview.tsx';
import { SETTINGS_SAVE_TEXTS } from './settings-save-texts.ts';

/** 'Empresa': how clients see the vendor (MAIL-03). */
export function CompanySection() {
  const settings = useQuery(settingsQuery);
  return (
    <RecordState query={settings} texts={settingsTexts}>
      {(stored) => <CompanyFields settings={stored} />}
    </RecordState>
  );
}

const GRID = 'grid items-start gap-4 sm:grid-cols-2';
const COLOR = /^#[0-9a-f]{6}$/i;

function CompanyFields({ settings }: { settings: SettingsAnswer }) {
  const save = useSaveSettings();
  const record = useRecordForm<typeof COMPANY_FORM.blank, CompanyPayload, SettingsAnswer>({
    ...COMPANY_FORM,
    schema: () => companySchema,
    name: 'settings/empresa',
    record: settings,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: SETTINGS_SAVE_TEXTS,
    stays: true,
  });
  const { form, field, change, error, dialog, isDirty, discard } = record;
  const typed = form.watch();
  const color = typed.accent_color.trim();
  const isColor = COLOR.test(color);
  return (
    <FormPage
      {...dialog}
      label={settingsTexts.title}
      needs="settings.save"
      isDirty={isDirty}
      onDiscard={discard}
    >
      <Card title={companyTexts.identity}>
        <div className={GRID}>
          <FormInputs fields={COMPANY_CARDS.identity} record={record} />
        </div>
      </Card>
      <Card title={companyTexts.look}>
        <div className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-2">
          <div className="space-y-5">
            <LogoField storedAt={settings.logo_updated_at} />
            <Field
              label={LABELS.accent_color}
              error={error('accent_color')}
              help={
                isColor && (
                  <span aria-live="polite">
                    {contrastText(contrastToWhite(color), isReadableOnWhite(color))}
                  </span>
                )
              }
            >
              <div className="flex gap-2">
                <input
                  type="color"
                  aria-label={companyTexts.pickColor}
                  value={isColor ? color.toLowerCase() : '#000000'}
                  onChange={({ target }) => change('accent_color', target.value)}
                  className="h-9 w-12 shrink-0 rounded-lg border border-border-strong bg-surface p-1 pointer-coarse:h-11"
                />
                <TextInput
                  {...field('accent_color')}
                  autoComplete="off"
                  spellCheck={false}
                  className="max-w-40 font-mono"
                />
              </div>
            </Field>
          </div>
          <MailPreview
            name={typed.vendor_name.trim()}
            supportEmail={typed.support_email.trim()}
            color={isColor ? color : settings.accent_color}
            logoStoredAt={settings.logo_updated_at}
          />
        </div>
      </Card>
      <Card title={companyTexts.mail}>
        <div className={GRID}>
          <FormInputs
            fields={COMPANY_CARDS.mail}
            record={record}
            now={{ sender_name: { props: { placeholder: typed.vendor_name } } }}
          />
        </div>
      </Card>
      <Card title={companyTexts.formats}>
        <div className={GRID}>
          <FormInputs fields={COMPANY_CARDS.formats} record={record} />
        </div>
      </Card>
    </FormPage>
  );
}
